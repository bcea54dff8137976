//! Parts of a response that checks and captures look at.

use std::{cell::OnceCell, sync::Arc};

use plimsoll_record::Nanos;

/// A longer body is not kept.
pub const BODY_KEPT_BYTES_MAX: usize = 16 << 20;

/// Capacity for a body that is kept for the next one.
const CAPACITY_BYTES_MAX: usize = 64 * 1024;

/// Parts of a response that are to be kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// Names in lower case.
    pub headers: Vec<String>,
    pub body: bool,
}

impl Wanted {
    pub fn add_header(&mut self, name: &str) {
        if !self.headers.iter().any(|known| known == name) {
            self.headers.push(name.to_owned());
        }
    }
}

/// The wanted parts of a response, as they come. Both protocols fill it in.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    wanted: Arc<Wanted>,
    /// Names in lower case.
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    is_too_long: bool,
}

impl Kept {
    /// Makes ready for a response of which this is wanted.
    pub fn begin(&mut self, wanted: &Arc<Wanted>) {
        self.wanted = Arc::clone(wanted);
        self.clear();
    }

    /// Forgets what came, as a response before a redirect.
    pub fn clear(&mut self) {
        self.headers.clear();
        self.body.clear();
        // Many virtual users may each have seen a long one.
        self.body.shrink_to(CAPACITY_BYTES_MAX);
        self.is_too_long = false;
    }

    /// A header came.
    pub fn header(&mut self, name: &str, value: &[u8]) {
        if let Some(wanted) = self.wanted.headers.iter().find(|wanted| wanted.eq_ignore_ascii_case(name)) {
            self.headers.push((wanted.clone(), String::from_utf8_lossy(value).into_owned()));
        }
    }

    /// A part of the body came.
    pub fn data(&mut self, bytes: &[u8]) {
        if !self.wanted.body {
            return;
        }
        if self.body.len() + bytes.len() > BODY_KEPT_BYTES_MAX {
            self.is_too_long = true;
        } else {
            self.body.extend_from_slice(bytes);
        }
    }

    pub fn values<'a, 'b>(&'a self, name: &'b str) -> impl Iterator<Item = &'a str> + use<'a, 'b> {
        self.headers.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// A whole response.
pub(crate) struct Response<'a> {
    pub status: u16,
    /// Its response time.
    pub time: Nanos,
    kept: &'a Kept,
    json: OnceCell<Result<serde_json::Value, String>>,
}

impl<'a> Response<'a> {
    pub fn new(status: u16, time: Nanos, kept: &'a Kept) -> Self {
        Self { status, time, kept, json: OnceCell::new() }
    }

    /// The values of a header; the name in lower case.
    pub fn values<'b>(&self, header: &'b str) -> impl Iterator<Item = &'a str> + use<'a, 'b> {
        self.kept.values(header)
    }

    /// The body, or a message explaining why there is none to look at.
    pub fn body(&self) -> Result<&'a [u8], String> {
        if self.kept.is_too_long {
            return Err("the body is longer than 16 MiB, which is the most that is looked at".to_owned());
        }
        match self.kept.values("content-encoding").find(|coding| !coding.eq_ignore_ascii_case("identity")) {
            Some(coding) => Err(format!("the body is compressed ({coding}): ask without `Accept-Encoding`")),
            None => Ok(&self.kept.body),
        }
    }

    /// The body as JSON, or a message explaining why it is none.
    pub fn json(&self) -> Result<&serde_json::Value, String> {
        let parse = || {
            let body = self.body()?;
            serde_json::from_slice(body).map_err(|error| format!("the body is not JSON ({error}): {}", shown(body)))
        };
        self.json.get_or_init(parse).as_ref().map_err(Clone::clone)
    }

    /// The beginning of the body, to be shown.
    pub fn beginning(&self) -> String {
        self.body().map_or_else(|problem| problem, shown)
    }
}

/// The beginning of what a target says, without the secrets that are known or stand beside their names there.
pub(crate) fn shown(bytes: &[u8]) -> String {
    const LOOKED_AT_BYTES: usize = 4 * 1024;
    let beginning = String::from_utf8_lossy(&bytes[..bytes.len().min(LOOKED_AT_BYTES)]);
    piece(&plimsoll_secrets::hide::pairs(&beginning).text)
}

/// The beginning of a text, on one line and without secrets: half of one would not be known as such any more.
pub(crate) fn piece(text: &str) -> String {
    const CHARS_MAX: usize = 80;
    if text.is_empty() {
        return "an empty body".to_owned();
    }
    let text = plimsoll_secrets::mask(text);
    let beginning: String = text.chars().take(CHARS_MAX).collect();
    let more = if beginning.len() < text.len() { "…" } else { "" };
    format!("`{}{more}`", plimsoll_text::printable_line(&beginning))
}
