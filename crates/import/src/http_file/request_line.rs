//! `GET https://host/path?query HTTP/1.1`, over as many lines as it takes.

use super::block::Block;
use crate::{
    HttpVersion,
    error::{ImportError, Source},
};

/// The first lines of a request, read.
#[derive(Debug)]
pub(super) struct RequestLine {
    pub method: String,
    pub target: String,
    pub http: Option<HttpVersion>,
    /// The byte at which it begins.
    pub at: usize,
}

/// Methods of protocols other than request and response.
const OTHER_PROTOCOLS: [&str; 5] = ["WEBSOCKET", "GRPC", "GRAPHQL", "RSOCKET", "CONNECT"];

/// Puts the lines together; the method is GET if there is none.
pub(super) fn read(source: Source<'_>, block: &Block<'_>) -> Result<RequestLine, ImportError> {
    let at = block.request_line.first().map_or(0, |line| line.at);
    let whole: String = block.request_line.iter().map(|line| line.text.trim()).collect();
    let (whole, http) = without_version(&whole);
    let (method, target) = match whole.split_once(char::is_whitespace) {
        Some((first, rest)) if is_method(first) => (first.to_ascii_uppercase(), rest.trim()),
        _ => ("GET".to_owned(), whole),
    };
    if OTHER_PROTOCOLS.contains(&method.as_str()) {
        let message = format!(
            "expected a request over HTTP such as GET or POST, found {method}: give --request to choose another"
        );
        return Err(source.error(at, message));
    }
    if target.is_empty() || target == "*" || is_method(target) && !target.eq_ignore_ascii_case("localhost") {
        let message = format!("expected a method and a URL such as `GET http://localhost:8080/`, found `{whole}`");
        return Err(source.error(at, message));
    }
    Ok(RequestLine { method, target: target.to_owned(), http, at })
}

fn is_method(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn without_version(line: &str) -> (&str, Option<HttpVersion>) {
    const VERSIONS: [(&str, HttpVersion); 4] = [
        (" HTTP/2 (Prior Knowledge)", HttpVersion::Http2PriorKnowledge),
        (" HTTP/1.1", HttpVersion::Http1),
        (" HTTP/2", HttpVersion::Http2),
        (" HTTP/2.0", HttpVersion::Http2),
    ];
    let found = VERSIONS.into_iter().find_map(|(text, version)| Some((line.strip_suffix(text)?, version)));
    if let Some((rest, version)) = found {
        // HTTP/1.1 is what is sent anyway: it does not rule out a flag.
        return (rest.trim(), Some(version).filter(|version| *version != HttpVersion::Http1));
    }
    // Others, and other spellings, say nothing that a load could follow, and are no part of the URL.
    let last = line.rsplit_once(char::is_whitespace);
    let other = last.filter(|(_, word)| word.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("HTTP/")));
    (other.map_or(line, |(rest, _)| rest.trim()), None)
}
