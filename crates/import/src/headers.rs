//! Headers as lists of names and values.

use base64::{Engine, prelude::BASE64_STANDARD};
use plimsoll_text::is_token;

pub(crate) type Headers = Vec<(String, String)>;

/// The value of the first header of this name, in any case.
pub(crate) fn find<'a>(headers: &'a Headers, name: &str) -> Option<&'a str> {
    headers.iter().find(|(given, _)| given.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}

/// Appends the header unless one of this name is there.
pub(crate) fn set_default(headers: &mut Headers, name: &str, value: &str) {
    if find(headers, name).is_none() {
        headers.push((name.to_owned(), value.to_owned()));
    }
}

/// Removes what follows from the rest of the request, or from how it is sent: lengths, keep-alive, and the names of
/// HTTP/2 that are none of HTTP/1.1.
pub(crate) fn drop_derived(headers: &mut Headers) {
    headers.retain(|(name, value)| match name.to_ascii_lowercase().as_str() {
        "content-length" | "transfer-encoding" => false,
        "connection" => !value.eq_ignore_ascii_case("keep-alive"),
        name => !name.starts_with(':'),
    });
}

/// The fault of a header, in words.
pub(crate) fn check(name: &str, value: &str) -> Result<(), String> {
    if !is_token(name) {
        return Err(format!("`{name}` cannot be the name of a header; expected `Name: value`"));
    }
    if value.contains(|c: char| c.is_control() && c != '\t') {
        return Err(format!("the value of `{name}` has a control character; expected one line of text"));
    }
    Ok(())
}

/// The value of `Authorization` for a user and a password.
pub(crate) fn basic(user: &str, password: &str) -> String {
    format!("Basic {}", BASE64_STANDARD.encode(format!("{user}:{password}")))
}
