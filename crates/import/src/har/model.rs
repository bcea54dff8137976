//! The part of HAR that a load needs. Everything else may be missing or as it likes: tools differ in it.

use serde::{Deserialize, Deserializer};

/// An entry of which only the target is of interest.
#[derive(Deserialize)]
pub(super) struct Addressed {
    pub request: Target,
}

#[derive(Deserialize)]
pub(super) struct Target {
    pub url: String,
}

#[derive(Deserialize)]
pub(super) struct Entry {
    /// ISO 8601.
    #[serde(rename = "startedDateTime", default)]
    pub started: String,
    /// From start to end.
    #[serde(rename = "time", default, deserialize_with = "number")]
    pub time_ms: f64,
    /// The cache from which the browser answered: Chrome writes it.
    #[serde(rename = "_fromCache", default)]
    pub from_cache: serde_json::Value,
    pub request: Request,
}

#[derive(Deserialize)]
pub(super) struct Request {
    pub method: String,
    pub url: String,
    #[serde(default)]
    pub headers: Vec<Field>,
    #[serde(rename = "postData", default)]
    pub post_data: Option<PostData>,
}

#[derive(Deserialize)]
pub(super) struct Field {
    pub name: String,
    #[serde(default)]
    pub value: String,
}

#[derive(Deserialize)]
pub(super) struct PostData {
    #[serde(rename = "mimeType", default)]
    pub mime_type: String,
    #[serde(default)]
    pub text: Option<String>,
    #[serde(default)]
    pub params: Vec<Param>,
    /// Not of the standard, but written by some.
    #[serde(rename = "encoding", alias = "_encoding", default)]
    pub encoding: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Param {
    pub name: String,
    #[serde(default)]
    pub value: Option<String>,
    #[serde(rename = "fileName", default)]
    pub file_name: Option<String>,
    #[serde(rename = "contentType", default)]
    pub content_type: Option<String>,
}

/// Null stands for a request that did not end.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::<f64>::deserialize(deserializer)?.unwrap_or_default())
}
