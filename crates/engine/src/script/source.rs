//! Places in a response: the words that checks and captures have in common.

use std::borrow::Cow;

use plimsoll_secrets::name::{Promise, promise};
use regex::bytes::Regex;
use serde_json_path::JsonPath;

use super::{
    cookies,
    response::{Response, Wanted},
};

/// Filters of a JSONPath: its parser takes twice the time for each that stands within another.
const MAX_FILTERS: usize = 10;

/// A place in a response.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// The status.
    Status,
    /// The response time.
    Time,
    /// The whole body.
    Body,
    /// The first header of this name, in lower case.
    Header(String),
    /// A cookie that is set.
    Cookie(String),
    /// The first match of a path (RFC 9535).
    Json(Box<JsonPath>),
    /// The first group of the first match in the body, or that match if there is no group.
    Regex(Regex),
}

const EXPECTED: &str =
    "expected `status`, `time`, `body`, `header NAME`, `cookie NAME`, `json PATH` or `regex PATTERN`";

impl Source {
    /// Reads a source at the beginning of `text`, and gives back what follows it.
    pub fn parse(text: &str) -> Result<(Self, &str), String> {
        let text = text.trim();
        let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        let after = rest.trim_start();
        match word {
            "status" => Ok((Self::Status, after)),
            "time" => Ok((Self::Time, after)),
            "body" => Ok((Self::Body, after)),
            "header" => {
                name(after, "header Content-Type").map(|(name, rest)| (Self::Header(name.to_lowercase()), rest))
            }
            "cookie" => name(after, "cookie session").map(|(name, rest)| (Self::Cookie(name.to_owned()), rest)),
            "json" => json_path(after).map(|(path, rest)| (Self::Json(Box::new(path)), rest)),
            "regex" => regex(unquoted(after)).map(|regex| (Self::Regex(regex), "")),
            _ => Err(format!("{EXPECTED}, found `{text}`")),
        }
    }

    /// Whether what is found there is a secret by its name, or by the one that it is captured under.
    pub fn is_secret(&self, captured_as: &str) -> bool {
        let is_secret = |name: &str| promise(name) == Promise::Secret;
        is_secret(captured_as)
            || match self {
                Self::Header(name) | Self::Cookie(name) => is_secret(name),
                Self::Json(path) => path.to_string().split(|c: char| !is_of_name(c)).any(is_secret),
                Self::Status | Self::Time | Self::Body | Self::Regex(_) => false,
            }
    }

    /// Adds the parts of a response that must be kept for it.
    pub fn add_wanted(&self, wanted: &mut Wanted) {
        match self {
            Self::Status | Self::Time => {}
            Self::Header(name) => wanted.add_header(name),
            Self::Cookie(_) => wanted.add_header("set-cookie"),
            Self::Body | Self::Json(_) | Self::Regex(_) => {
                wanted.body = true;
                wanted.add_header("content-encoding");
            }
        }
    }

    /// The text that is there, none if there is nothing; or a message explaining why it cannot be looked at.
    pub fn find<'a>(&self, response: &Response<'a>) -> Result<Option<Cow<'a, str>>, String> {
        Ok(match self {
            Self::Status => Some(response.status.to_string().into()),
            Self::Time => Some(response.time.to_string().into()),
            Self::Body => Some(String::from_utf8_lossy(response.body()?)),
            Self::Header(name) => response.values(name).next().map(Cow::from),
            Self::Cookie(name) => {
                let mut set = response.values("set-cookie");
                set.find_map(|cookie| cookies::value_of(name, cookie)).map(Cow::from)
            }
            Self::Json(path) => path.query(response.json()?).first().map(|value| json_text(value).into()),
            Self::Regex(regex) => {
                let captures = regex.captures(response.body()?);
                captures
                    .and_then(|found| found.get(1).or(found.get(0)))
                    .map(|found| String::from_utf8_lossy(found.as_bytes()))
            }
        })
    }
}

/// Whether it belongs to a name within a path.
fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

/// A string without its quotes; anything else as JSON.
fn json_text(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn name<'a>(text: &'a str, example: &str) -> Result<(&'a str, &'a str), String> {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    if end == 0 {
        return Err(format!("expected a name, e.g. `{example}`"));
    }
    Ok((&text[..end], text[end..].trim_start()))
}

/// A path ends at the first space, but for those within brackets and quotes.
fn json_path(text: &str) -> Result<(JsonPath, &str), String> {
    let (mut depth, mut quote, mut is_escaped) = (0_u32, None, false);
    let is_end = |c: char| {
        match quote {
            _ if is_escaped => is_escaped = false,
            Some(_) if c == '\\' => is_escaped = true,
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None if matches!(c, '[' | '(') => depth += 1,
            None if matches!(c, ']' | ')') => depth = depth.saturating_sub(1),
            None => return depth == 0 && c.is_whitespace(),
        }
        false
    };
    let end = text.find(is_end).unwrap_or(text.len());
    let path = &text[..end];
    if path.is_empty() {
        return Err("expected a JSONPath, e.g. `json $.items[0].id`".to_owned());
    }
    if path.matches('?').count() > MAX_FILTERS {
        return Err(format!("expected a JSONPath with at most {MAX_FILTERS} filters (`?`)"));
    }
    // The parser panics at a path that ends within the first two digits of an escape.
    // A right one has at least a quote and a bracket after it.
    if path.rsplit_once("\\u").is_some_and(|(_, digits)| digits.chars().count() < 2) {
        return Err(format!(
            "expected a JSONPath such as `$.items[0].id`, found `{path}`, which ends within an escape"
        ));
    }
    match JsonPath::parse(path) {
        Ok(parsed) => Ok((parsed, text[end..].trim_start())),
        Err(error) => Err(format!(
            "expected a JSONPath such as `$.items[0].id`, found `{path}`: {} at character {}",
            error.message(),
            error.position() + 1
        )),
    }
}

pub(crate) fn regex(pattern: &str) -> Result<Regex, String> {
    if pattern.is_empty() {
        return Err("expected a regular expression, found nothing".to_owned());
    }
    Regex::new(pattern).map_err(|error| {
        let reason = error.to_string();
        let last = reason.lines().last().unwrap_or_default().trim_start_matches("error: ");
        format!("expected a regular expression, found `{pattern}`: {last}")
    })
}

/// The text without the quotes around it, if there are any.
pub(crate) fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let inner = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}
