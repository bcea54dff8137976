//! Bodies of `multipart/form-data` (RFC 7578).

/// One part of a form.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    pub name: String,
    pub file_name: Option<String>,
    pub content_type: Option<String>,
    pub content: Vec<u8>,
}

/// The value of `Content-Type` and the body.
pub(crate) fn encode(parts: &[Part]) -> (String, Vec<u8>) {
    let boundary = boundary(parts);
    let mut body = Vec::new();
    for part in parts {
        let file_name = part.file_name.as_deref().map(|name| format!("; filename=\"{}\"", quoted(name)));
        let content_type = part.content_type.as_deref().map(|kind| format!("Content-Type: {kind}\r\n"));
        let head = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"{}\"{}\r\n{}\r\n",
            quoted(&part.name),
            file_name.unwrap_or_default(),
            content_type.unwrap_or_default(),
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(&part.content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    (format!("multipart/form-data; boundary={boundary}"), body)
}

/// A boundary that is in none of the parts; the same parts have the same one.
fn boundary(parts: &[Part]) -> String {
    let occurs = |boundary: &str| {
        parts.iter().any(|part| part.content.windows(boundary.len()).any(|window| window == boundary.as_bytes()))
    };
    // A part can hold no more numbers than it has bytes.
    (0_u64..).map(|number| format!("plimsoll-boundary-{number:016}")).find(|text| !occurs(text)).unwrap_or_default()
}

/// The text as browsers escape it (WHATWG, "multipart/form-data encoding algorithm").
fn quoted(text: &str) -> String {
    text.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_heads_and_the_boundary_is_in_none() {
        let tricky =
            Part { name: "a\"b".to_owned(), content: b"plimsoll-boundary-0000000000000000".into(), ..Part::default() };
        let (content_type, body) = encode(&[tricky]);
        let boundary = "plimsoll-boundary-0000000000000001";
        assert_eq!(content_type, format!("multipart/form-data; boundary={boundary}"));
        let head = format!("--{boundary}\r\nContent-Disposition: form-data; name=\"a%22b\"\r\n\r\n");
        let expected = format!("{head}plimsoll-boundary-0000000000000000\r\n--{boundary}--\r\n");
        assert_eq!(String::from_utf8(body).unwrap(), expected);
    }
}
