//! The text around the parts of a `multipart/form-data` body (RFC 7578).

/// The `Content-Type` of such a body.
pub fn content_type(boundary: &str) -> String {
    format!("multipart/form-data; boundary={boundary}")
}

/// The text before a part's content: its boundary and its head.
pub fn head(boundary: &str, name: &str, file_name: Option<&str>, content_type: Option<&str>) -> String {
    let file_name = file_name.map(|name| format!("; filename=\"{}\"", quoted(name))).unwrap_or_default();
    let content_type = content_type.map(|it| format!("Content-Type: {it}\r\n")).unwrap_or_default();
    let name = quoted(name);
    format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"{file_name}\r\n{content_type}\r\n")
}

/// The end of the body, after the line break that ends each part.
pub fn end(boundary: &str) -> String {
    format!("--{boundary}--\r\n")
}

/// A boundary that does not occur in the parts; the same parts have the same one.
pub fn boundary(occurs: impl Fn(&[u8]) -> bool) -> String {
    // Parts hold no more numbers than they have bytes.
    let mut boundaries = (0_u64..).map(|number| format!("plimsoll-boundary-{number:016}"));
    boundaries.find(|boundary| !occurs(boundary.as_bytes())).unwrap_or_default()
}

/// A name in quotes, as browsers escape it (WHATWG, "multipart/form-data encoding algorithm").
fn quoted(name: &str) -> String {
    name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A")
}
