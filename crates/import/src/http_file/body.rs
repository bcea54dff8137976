//! The body of a request: its lines, and files named by `< ./file`.

use super::{
    block::{Block, Line},
    variables::Variables,
};
use crate::{
    Files,
    error::{ImportError, Source},
    headers::{self, Headers},
};

/// The bytes that are sent.
pub(super) fn read(
    source: Source<'_>,
    block: &Block<'_>,
    headers: &Headers,
    variables: &mut Variables,
    files: &Files<'_>,
) -> Result<Vec<u8>, ImportError> {
    let content_type = headers::find(headers, "Content-Type").unwrap_or_default().to_ascii_lowercase();
    let has_files = block.body.iter().any(|line| file_reference(line).is_some());
    if content_type.starts_with("application/x-www-form-urlencoded") && !has_files {
        let text: String = block.body.iter().map(|line| line.text.trim()).collect();
        let at = block.body.first().map_or(0, |line| line.at);
        let text = variables.replace(&text).map_err(|why| source.error(at, why))?;
        return Ok(if block.directives.no_auto_encoding { text } else { form(&text) }.into_bytes());
    }
    // RFC 2046 ends the lines of multipart bodies with CR LF; elsewhere they stay as in the file.
    let is_multipart = content_type.starts_with("multipart/");
    let line_end: &[u8] = if is_multipart { b"\r\n" } else { b"\n" };
    let mut body = Vec::new();
    for (index, line) in block.body.iter().enumerate() {
        let mut replaced = |text: &str| variables.replace(text).map_err(|why| source.error(line.at, why));
        if index > 0 {
            body.extend_from_slice(line_end);
        }
        match file_reference(line) {
            Some((path, has_variables)) => {
                let path = replaced(path)?;
                let content =
                    files(&path).map_err(|why| source.error(line.at, format!("`< {path}` cannot be read: {why}")))?;
                if has_variables {
                    body.extend(replaced(&String::from_utf8_lossy(&content))?.into_bytes());
                } else {
                    body.extend(content);
                }
            }
            None => body.extend(replaced(line.text)?.into_bytes()),
        }
    }
    if is_multipart && !body.is_empty() {
        body.extend_from_slice(line_end);
    }
    Ok(body)
}

/// The path of `< path`, or of `<@ path`, whose variables are replaced too.
fn file_reference<'a>(line: &Line<'a>) -> Option<(&'a str, bool)> {
    let (rest, has_variables) = match line.text.strip_prefix("<@") {
        // Text is UTF-8, whether that is said or not.
        Some(rest) => (rest.strip_prefix("utf8").unwrap_or(rest), true),
        None => (line.text.strip_prefix('<')?, false),
    };
    let path = rest.strip_prefix([' ', '\t'])?.trim();
    // `< b` may be text; a path has a dot, a slash or a variable.
    (path.contains(['.', '/', '\\']) || path.contains("{{")).then_some((path, has_variables))
}

/// Joins a form's fields, which may be spread over lines with spaces around them. Encodes what a form cannot hold.
fn form(text: &str) -> String {
    let fields = text.split('&').map(|field| match field.split_once('=') {
        Some((name, value)) => format!("{}={}", encode(name.trim()), encode(value.trim())),
        None => encode(field.trim()),
    });
    fields.collect::<Vec<_>>().join("&")
}

fn encode(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b' ' => out.push('+'),
            // `{{…}}` is for the load to replace.
            0x21..=0x7e => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
