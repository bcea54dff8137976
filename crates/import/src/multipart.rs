//! Bodies of `multipart/form-data` (RFC 7578).

use plimsoll_text::multipart;

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
    let holds = |part: &Part, text: &[u8]| part.content.windows(text.len()).any(|window| window == text);
    let boundary = multipart::boundary(|text| parts.iter().any(|part| holds(part, text)));
    let mut body = Vec::new();
    for part in parts {
        let head = multipart::head(&boundary, &part.name, part.file_name.as_deref(), part.content_type.as_deref());
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(&part.content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(multipart::end(&boundary).as_bytes());
    (multipart::content_type(&boundary), body)
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
