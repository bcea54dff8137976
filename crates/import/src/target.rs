//! URLs as people write them.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use plimsoll_secrets::hide;
use url::Url;

use crate::{
    headers::{self, Headers},
    placeholders,
};

/// Characters that a name in a path may not have as they are (RFC 3986, section 2.3).
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The URL with a scheme, `http` if there is none, and without spaces and fragment. User and password become a header.
pub(crate) fn absolute(written: &str, headers: &mut Headers) -> Result<String, String> {
    let expected = "expected a URL such as `http://localhost:8080/path`";
    let written = written.split_once('#').map_or(written, |(url, _fragment)| url).trim();
    // A placeholder may hold the scheme too.
    let whole = if hide::has_scheme(written) || written.starts_with("{{") {
        written.to_owned()
    } else {
        format!("http://{written}")
    };
    if placeholders::names(&whole).next().is_some() {
        return Ok(whole.replace(' ', "%20").replace("{{%20", "{{ ").replace("%20}}", " }}"));
    }
    let mut url = Url::parse(&whole).map_err(|error| format!("{error}: {expected}, found `{written}`"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("{expected}, found the scheme `{}`", url.scheme()));
    }
    if whole.contains(":///") || !url.has_host() {
        return Err(format!("a URL without a host: {expected}, found `{written}`"));
    }
    if !url.username().is_empty() {
        let (user, password) = (decoded(url.username()), decoded(url.password().unwrap_or_default()));
        headers::set_default(headers, "Authorization", &headers::basic(&user, &password));
        // Neither fails for a URL with a host.
        let _ = (url.set_username(""), url.set_password(None));
    }
    Ok(url.into())
}

fn decoded(percent_encoded: &str) -> String {
    // `+` is a space in forms alone.
    let pair = format!("x={}", percent_encoded.replace('+', "%2B"));
    url::form_urlencoded::parse(pair.as_bytes()).map(|(_, value)| value.into_owned()).next().unwrap_or_default()
}

/// The request's name where the text has none: method and path.
pub(crate) fn name(method: &str, url: &str) -> String {
    let after_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = after_scheme.find('/').map_or("/", |slash| &after_scheme[slash..]);
    format!("{method} {}", path.split('?').next().unwrap_or(path))
}

/// `url` with more query.
pub(crate) fn with_query(url: &str, query: &str) -> String {
    match query {
        "" => url.to_owned(),
        _ if url.ends_with(['?', '&']) => format!("{url}{query}"),
        _ => format!("{url}{}{query}", if url.contains('?') { '&' } else { '?' }),
    }
}

/// The URL to which curl uploads the file at `path`: in a folder it gets the file's name.
pub(crate) fn with_file(url: &str, path: &str) -> String {
    let at = url.find('?').unwrap_or(url.len());
    let (place, query) = url.split_at(at);
    let has_path = place.split_once("://").is_some_and(|(_, rest)| rest.contains('/'));
    if has_path && !place.ends_with('/') {
        return url.to_owned();
    }
    let slash = if has_path { "" } else { "/" };
    let name = utf8_percent_encode(path.rsplit('/').next().unwrap_or_default(), RESERVED);
    format!("{place}{slash}{name}{query}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(written: &str) -> Result<String, String> {
        absolute(written, &mut Headers::new())
    }

    #[test]
    fn urls_get_a_scheme_and_lose_their_fragment() {
        assert_eq!(read("localhost:8080/a b#c"), Ok("http://localhost:8080/a%20b".to_owned()));
        assert_eq!(read("localhost:8080/?to=http://a/"), Ok("http://localhost:8080/?to=http://a/".to_owned()));
        assert_eq!(read("{{host}}/a b?x={{ y }}"), Ok("{{host}}/a%20b?x={{ y }}".to_owned()));
        for wrong in ["", "/path", "http:///x", "ftp://h/", "http://h:99999/", "file:///etc/passwd"] {
            assert!(read(wrong).is_err_and(|error| error.contains("expected")), "{wrong}: {:?}", read(wrong));
        }
    }

    #[test]
    fn a_user_becomes_a_header() {
        let mut headers = Headers::new();
        assert_eq!(absolute("http://me:p%40ss@h/", &mut headers), Ok("http://h/".to_owned()));
        assert_eq!(headers, [("Authorization".to_owned(), headers::basic("me", "p@ss"))]);
    }

    #[test]
    fn queries_are_joined() {
        assert_eq!(with_query("http://h/", "a=1"), "http://h/?a=1");
        assert_eq!(with_query("http://h/?b", "a=1"), "http://h/?b&a=1");
        assert_eq!(name("GET", "http://h"), "GET /");
        assert_eq!(name("GET", "{{host}}/a?b"), "GET /a");
    }
}
