//! Bodies from `-d`, its relatives and `-F`.

use url::form_urlencoded::byte_serialize;

use super::flags::Flag;
use crate::{error::ImportError, multipart::Part};

/// The values of several `-d`, joined.
#[derive(Clone, Debug, Default)]
pub(super) struct Data {
    pub bytes: Vec<u8>,
    pub is_json: bool,
}

impl Data {
    /// Adds bytes: fields of a form are joined by `&`, those of `--json` by nothing.
    pub fn add(&mut self, flag: Flag, bytes: &[u8]) {
        if flag == Flag::Json {
            self.is_json = true;
        } else if !self.bytes.is_empty() {
            self.bytes.push(b'&');
        }
        self.bytes.extend_from_slice(bytes);
    }
}

type ReadFile<'a> = dyn Fn(&str) -> Result<Vec<u8>, ImportError> + 'a;

/// The bytes that one such option adds. The error is `None` if the value is not text where it has to be.
pub(super) fn read(flag: Flag, value: &[u8], file: &ReadFile<'_>) -> Result<Vec<u8>, Option<ImportError>> {
    let path = || -> Result<Option<&str>, Option<ImportError>> {
        value.strip_prefix(b"@").map(|path| str::from_utf8(path).map_err(|_| None)).transpose()
    };
    match flag {
        Flag::DataRaw => Ok(value.to_vec()),
        Flag::DataUrlencode => url_encoded(str::from_utf8(value).map_err(|_| None)?, file).map_err(Some),
        _ => {
            let Some(path) = path()? else { return Ok(value.to_vec()) };
            let mut content = file(path).map_err(Some)?;
            if flag == Flag::Data {
                content.retain(|byte| !matches!(byte, b'\r' | b'\n' | 0));
            }
            Ok(content)
        }
    }
}

/// `content`, `=content`, `name=content`, `@file` or `name@file`: the content is encoded, the name is not. The first
/// `=` decides before an `@`.
fn url_encoded(value: &str, file: &ReadFile<'_>) -> Result<Vec<u8>, ImportError> {
    let (name, content) = match (value.split_once('='), value.split_once('@')) {
        (Some((name, rest)), _) => (name, rest.as_bytes().to_vec()),
        (None, Some((name, path))) => (name, file(path)?),
        (None, None) => ("", value.as_bytes().to_vec()),
    };
    // A form's encoding, but curl leaves `~` as it is, and encodes `*`.
    let encoded = byte_serialize(&content).collect::<String>().replace('*', "%2A").replace("%7E", "~");
    Ok(if name.is_empty() { encoded } else { format!("{name}={encoded}") }.into_bytes())
}

/// A part from `value`, `@file` or `<file`, each with `;type=…` and `;filename=…` if they are given.
pub(super) fn part(name: &str, value: &str, file: &ReadFile<'_>) -> Result<Part, ImportError> {
    let (content, attributes) = with_attributes(value);
    let attribute = |key: &str| attributes.iter().find(|(name, _)| *name == key).map(|(_, value)| value.clone());
    let mut part = Part {
        name: name.to_owned(),
        file_name: attribute("filename"),
        content_type: attribute("type"),
        content: Vec::new(),
    };
    if let Some(path) = content.strip_prefix('@') {
        part.content = file(path)?;
        let base_name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        part.file_name.get_or_insert_with(|| base_name.to_owned());
        part.content_type.get_or_insert_with(|| content_type(path).to_owned());
    } else if let Some(path) = content.strip_prefix('<') {
        part.content = file(path)?;
    } else {
        part.content = content.into_bytes();
    }
    Ok(part)
}

/// The attribute of a part that curl knows and no load can send.
pub(super) fn unsupported(value: &str) -> Option<&'static str> {
    let (_, attributes) = with_attributes(value);
    attributes.into_iter().map(|(key, _)| key).find(|key| ["headers", "encoder"].contains(key))
}

/// The text before `;type=` and other attributes, and these attributes. Double quotes keep `;` in a value.
fn with_attributes(value: &str) -> (String, Vec<(&'static str, String)>) {
    const KEYS: [&str; 4] = ["type", "filename", "headers", "encoder"];
    let is_attribute = |piece: &str| {
        KEYS.into_iter().find_map(|key| {
            let value = piece.trim_start().strip_prefix(key)?.strip_prefix('=')?;
            Some((key, unquoted(value)))
        })
    };
    let mut content = String::new();
    let mut attributes: Vec<(&'static str, String)> = Vec::new();
    for (index, piece) in pieces(value).into_iter().enumerate() {
        match is_attribute(piece).filter(|_| index > 0) {
            Some(attribute) => attributes.push(attribute),
            // `type=text/plain; charset=utf-8` has a parameter of its own.
            None if index > 0 && !attributes.is_empty() => {
                if let Some((_, value)) = attributes.last_mut() {
                    value.push(';');
                    value.push_str(piece);
                }
            }
            // curl leaves out what it does not know, too.
            None if index > 0 => {}
            None => content.push_str(piece),
        }
    }
    let path_sign = content.chars().next().filter(|c| matches!(c, '@' | '<'));
    let rest = path_sign.map_or(content.as_str(), |_| &content[1..]);
    let content = format!("{}{}", path_sign.map(String::from).unwrap_or_default(), unquoted(rest));
    (content, attributes)
}

/// Split at `;` outside double quotes.
fn pieces(value: &str) -> Vec<&str> {
    let (mut in_quotes, mut escaped) = (false, false);
    value
        .split(|character| {
            let is_quote = character == '"' && !escaped;
            escaped = character == '\\' && !escaped;
            in_quotes ^= is_quote;
            character == ';' && !in_quotes
        })
        .collect()
}

fn unquoted(value: &str) -> String {
    match value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inside) => inside.replace("\\\"", "\"").replace("\\\\", "\\"),
        None => value.to_owned(),
    }
}

/// The content type of a file, as curl guesses it from the name.
pub(super) fn content_type(path: &str) -> &'static str {
    let extension = path.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    match extension.as_str() {
        "gif" => "image/gif",
        "jpg" | "jpeg" => "image/jpeg",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "txt" => "text/plain",
        "htm" | "html" => "text/html",
        "pdf" => "application/pdf",
        "xml" => "application/xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> Result<Vec<u8>, ImportError> {
        Ok(format!("<{path}>\r\n").into_bytes())
    }

    #[test]
    fn data_is_read_as_each_option_says() {
        let read = |flag, value: &str| String::from_utf8(read(flag, value.as_bytes(), &file).unwrap()).unwrap();
        assert_eq!(read(Flag::Data, "@a"), "<a>");
        assert_eq!(read(Flag::DataBinary, "@a"), "<a>\r\n");
        assert_eq!(read(Flag::Json, "@a"), "<a>\r\n");
        assert_eq!(read(Flag::DataRaw, "@a"), "@a");
        let encoded = ["a b", "=a&b", "n=a=b", "@f", "n@f"].map(|value| read(Flag::DataUrlencode, value));
        assert_eq!(encoded, ["a+b", "a%26b", "n=a%3Db", "%3Cf%3E%0D%0A", "n=%3Cf%3E%0D%0A"]);
        assert_eq!(read(Flag::DataUrlencode, "a@b=c d*~"), "a@b=c+d%2A~");
    }

    #[test]
    fn fields_are_joined_and_json_is_not() {
        let mut data = Data::default();
        data.add(Flag::Data, b"a=1");
        data.add(Flag::DataRaw, b"b");
        data.add(Flag::Json, b"{}");
        assert_eq!((data.bytes.as_slice(), data.is_json), (b"a=1&b{}".as_slice(), true));
    }

    #[test]
    fn parts_have_types_and_file_names() {
        let read = |value| {
            let part = part("n", value, &file).unwrap();
            (String::from_utf8(part.content).unwrap(), part.file_name, part.content_type)
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(read("a;b"), ("a".to_owned(), None, None));
        assert_eq!(
            read("\"a;type=x\";type=text/plain; charset=utf-8"),
            ("a;type=x".to_owned(), None, some("text/plain; charset=utf-8"))
        );
        assert_eq!(read("@d/x.png"), ("<d/x.png>\r\n".to_owned(), some("x.png"), some("image/png")));
        assert_eq!(read("@x;filename=\"y;z\";type=a/b"), ("<x>\r\n".to_owned(), some("y;z"), some("a/b")));
        assert_eq!((unsupported("@x;encoder=base64"), unsupported("x;type=a")), (Some("encoder"), None));
        assert_eq!(read("<x"), ("<x>\r\n".to_owned(), None, None));
    }
}
