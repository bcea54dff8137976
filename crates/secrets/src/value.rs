//! The secrets in a value that stands beside its name, or before the `@` of a URL.

use base64::{Engine, prelude::BASE64_STANDARD};

use crate::{
    MASK,
    name::{self, Promise},
};

/// The secrets of a value under `name`; none if it is not secret. A value that is only filled in (`{{…}}`) is none.
pub(crate) fn of_value(name: &str, value: &str) -> Option<Vec<String>> {
    if value.trim().is_empty() || value == MASK || !name::is_secret(name, value) {
        return None;
    }
    let secrets = if is_cookie(name) { of_cookies(value) } else { of_credentials(value) };
    let has_gaps = value.contains("{{");
    let known = secrets.into_iter().flat_map(|secret| outside_of_gaps(&secret));
    let known: Vec<String> = known.filter(|piece| !has_gaps || piece.len() >= LEAST_BESIDE_GAP).collect();
    (!has_gaps || !known.is_empty()).then_some(known)
}

/// Shorter pieces beside a `{{…}}` are signs between values.
const LEAST_BESIDE_GAP: usize = 8;

/// The pieces outside of `{{…}}`.
fn outside_of_gaps(text: &str) -> Vec<String> {
    let after = text.split("{{").skip(1).map(|rest| rest.split_once("}}").map_or("", |(_, after)| after));
    text.split("{{").take(1).chain(after).filter(|piece| !piece.is_empty()).map(str::to_owned).collect()
}

/// `Bearer x`, `Basic x`, or the secret itself.
fn of_credentials(value: &str) -> Vec<String> {
    let Some((scheme, rest)) = value.trim().split_once(' ').filter(|(scheme, _)| is_scheme(scheme)) else {
        return vec![value.to_owned()];
    };
    let rest = rest.trim();
    let decoded = BASE64_STANDARD.decode(rest).ok().filter(|_| scheme.eq_ignore_ascii_case("basic"));
    let decoded = decoded.and_then(|bytes| String::from_utf8(bytes).ok());
    let password = decoded.as_deref().and_then(|pair| pair.split_once(':')).map(|(_, password)| password.to_owned());
    [rest.to_owned()].into_iter().chain(password).collect()
}

fn is_cookie(name: &str) -> bool {
    name.to_ascii_lowercase().contains("cookie")
}

/// The whole, and each value that is not as short as a setting.
fn of_cookies(value: &str) -> Vec<String> {
    const LEAST: usize = 8;
    let pairs = value.split(';').filter_map(|pair| pair.trim().split_once('='));
    let is_secret = |(name, value): &(&str, &str)| value.len() >= LEAST || name::promise(name) == Promise::Secret;
    let values = pairs.filter(is_secret).map(|(_, value)| value.trim_matches('"').to_owned());
    values.chain([value.to_owned()]).collect()
}

/// `user:password` of a URL or a flag; without a password a token, if it looks like one.
pub(crate) fn of_user_info(info: &str) -> Vec<String> {
    let decoded = percent_encoding::percent_decode_str(info).decode_utf8_lossy();
    match info.split_once(':') {
        Some((_, "")) => Vec::new(),
        Some((_, password)) => {
            let as_header = [info, &decoded].map(|pair| BASE64_STANDARD.encode(pair));
            [password.to_owned(), info.to_owned()].into_iter().chain(as_header).collect()
        }
        None if name::is_secret("key", info) => vec![info.to_owned()],
        None => Vec::new(),
    }
}

/// The words before credentials (RFC 9110, section 11.1, and what services make of it).
pub(crate) fn is_scheme(word: &str) -> bool {
    const SCHEMES: [&str; 9] =
        ["apikey", "basic", "bearer", "digest", "dpop", "hawk", "negotiate", "sharedkey", "token"];
    SCHEMES.contains(&word.to_ascii_lowercase().as_str())
}
