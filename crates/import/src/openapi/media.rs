//! Media types: the values that `content` describes, and request bodies made of them.

use url::form_urlencoded;

use super::{documents::Node, operation::Operation, schema::Maker, tree::Tree};
use crate::multipart::{self, Part};

/// A request body.
pub(super) struct Body {
    pub content_type: String,
    pub bytes: Vec<u8>,
    /// Whether it has files that were made up.
    pub has_files: bool,
}

/// The value of `example`, or the first of `examples`, which in OpenAPI have names.
pub(super) fn example(node: Node<'_>) -> Result<Option<Tree>, String> {
    if let Some(example) = node.tree.get("example") {
        return Ok(Some(example.clone()));
    }
    let first = node.map("examples")?.into_iter().find_map(|(_, example)| example.tree.get("value"));
    Ok(first.cloned())
}

/// An example, or a value of the schema.
pub(super) fn value<'a>(media: Node<'a>, maker: &mut Maker<'a>) -> Result<Option<Tree>, String> {
    match (example(media)?, media.get("schema")?) {
        (Some(example), _) => Ok(Some(example)),
        (None, Some(schema)) => maker.value(schema),
        (None, None) => Ok(None),
    }
}

/// The body of the operation, if it has one.
pub(super) fn body<'a>(operation: &Operation<'a>, maker: &mut Maker<'a>) -> Result<Option<Body>, String> {
    let Some(request_body) = operation.node.get("requestBody")? else { return Ok(None) };
    let Some((content_type, media)) = preferred(request_body.map("content")?) else { return Ok(None) };
    let in_words = |why| format!("requestBody: {content_type}: {why}");
    let value = value(media, maker).map_err(in_words)?;
    let kind = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let whole = |bytes: Vec<u8>| Body { content_type: content_type.to_owned(), bytes, has_files: false };
    let Some(value) = value else {
        return Err(in_words("expected an `example` or a `schema`, found neither".to_owned()));
    };
    let body = match kind.as_str() {
        "*/*" | "application/*" => Body { content_type: "application/json".to_owned(), ..whole(json(&value)) },
        "application/x-www-form-urlencoded" => whole(form(&value)),
        "multipart/form-data" => multipart(media, &value)?,
        _ if kind.ends_with("/json") || kind.ends_with("+json") => whole(json(&value)),
        _ => match value {
            Tree::Text(text) => whole(text.into_bytes()),
            other if kind.starts_with("text/") => whole(other.to_plain().into_bytes()),
            _ => {
                return Err(in_words("only its author knows how to write it: give it an `example` as text".to_owned()));
            }
        },
    };
    Ok(Some(body))
}

/// The media type that is taken: JSON, then forms, then text, then what comes first.
fn preferred<'a>(content: Vec<(&'a str, Node<'a>)>) -> Option<(&'a str, Node<'a>)> {
    let rank = |kind: &str| match kind.split(';').next().unwrap_or_default().trim() {
        "application/json" => 0,
        kind if kind.ends_with("+json") || kind.ends_with("/*") => 1,
        "application/x-www-form-urlencoded" => 2,
        "multipart/form-data" => 3,
        kind if kind.starts_with("text/") => 4,
        _ => 5,
    };
    content.into_iter().min_by_key(|(kind, _)| rank(kind))
}

/// Some authors write the example as a text that holds the JSON.
fn json(value: &Tree) -> Vec<u8> {
    let holds_json =
        |text: &&str| text.trim_start().starts_with(['{', '[']) && serde_json::from_str::<Tree>(text).is_ok();
    value.as_text().filter(holds_json).map_or_else(|| value.to_json(), str::to_owned).into_bytes()
}

fn form(value: &Tree) -> Vec<u8> {
    if let Some(text) = value.as_text() {
        return text.as_bytes().to_vec();
    }
    let mut form = form_urlencoded::Serializer::new(String::new());
    for (name, value) in value.entries() {
        let items = if value.items().is_empty() { std::slice::from_ref(value) } else { value.items() };
        form.extend_pairs(items.iter().map(|item| (name, item.to_plain())));
    }
    form.finish().into_bytes()
}

fn multipart(media: Node<'_>, value: &Tree) -> Result<Body, String> {
    let properties = media.get("schema")?.map(|schema| schema.map("properties")).transpose()?.unwrap_or_default();
    let is_file = |name: &str| {
        let property = properties.iter().find(|(property, _)| *property == name).map(|(_, node)| *node);
        let is_binary =
            |node: Node<'_>| node.text("format") == Some("binary") || node.text("contentMediaType").is_some();
        property.is_some_and(|node| is_binary(node) || matches!(node.get("items"), Ok(Some(items)) if is_binary(items)))
    };
    let mut parts = Vec::new();
    for (name, value) in value.entries() {
        let items = if value.items().is_empty() { std::slice::from_ref(value) } else { value.items() };
        parts.extend(items.iter().map(|item| Part {
            name: name.clone(),
            file_name: is_file(name).then(|| "file.bin".to_owned()),
            content_type: match item {
                _ if is_file(name) => Some("application/octet-stream".to_owned()),
                Tree::Map(_) => Some("application/json".to_owned()),
                _ => None,
            },
            content: item.to_plain().into_bytes(),
        }));
    }
    let (content_type, bytes) = multipart::encode(&parts);
    Ok(Body { content_type, bytes, has_files: parts.iter().any(|part| part.file_name.is_some()) })
}
