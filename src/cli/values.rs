//! Values of flags: what is read, and what is said of what cannot be.

use std::path::{Path, PathBuf};

use plimsoll_lab::file::{parse_answer_size, parse_duration, parse_freeze, parse_latency, parse_statuses};
use plimsoll_record::{Amount, Distribution, Freeze, LoadUnit, Nanos, Stage, StatusShare};
use plimsoll_secrets::hide;
use plimsoll_text::is_token;
use url::Url;

/// The target of a load.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// And as it was written, with a scheme.
    Url(Url, String),
    /// A command, as it was pasted.
    Curl(String),
}

pub fn target(text: &str) -> Result<Target, String> {
    if plimsoll_import::curl::is_command(text) {
        return Ok(Target::Curl(text.to_owned()));
    }
    if matches!(text.trim(), "curl" | "curl.exe") {
        return Err("expected a curl command in quotes: plimsoll load 'curl …'".to_owned());
    }
    let (url, text) = url(text)?;
    Ok(Target::Url(url, text))
}

fn url(text: &str) -> Result<(Url, String), String> {
    const EXPECTED: &str = "expected e.g. http://localhost:8080/greetings or https://example.org/";
    // Browsers read `http:///x` as the host `x`, and so would the parser.
    let has_scheme = hide::has_scheme(text);
    let after_scheme = text.split_once("://").filter(|_| has_scheme).map_or(text, |(_, rest)| rest);
    if after_scheme.starts_with('/') {
        return Err(format!("a URL without a host: {EXPECTED}"));
    }
    // `localhost:8080/x` would read as a URL with the scheme `localhost`.
    let whole = if has_scheme { text.to_owned() } else { format!("http://{text}") };
    let url = Url::parse(&whole).map_err(|error| format!("{error}: {EXPECTED}"))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(
            "a URL with a user or password: use -u USER:PASSWORD instead (it is sent as `Authorization`)".to_owned()
        );
    }
    if url.has_host() { Ok((url, whole)) } else { Err(format!("a URL without a host: {EXPECTED}")) }
}

pub fn duration(text: &str) -> Result<Nanos, String> {
    let duration = parse_duration(text)?;
    if duration == Nanos::ZERO { Err("expected more than zero".to_owned()) } else { Ok(duration) }
}

pub fn latency(text: &str) -> Result<Distribution<Nanos>, String> {
    parse_latency(text, Path::new(""))
}

pub fn answer_size(text: &str) -> Result<Distribution<u64>, String> {
    parse_answer_size(text)
}

pub fn freeze(text: &str) -> Result<Freeze, String> {
    parse_freeze(text)
}

/// A mix of statuses: one value, though there are several.
#[derive(Clone)]
pub struct Statuses(pub Vec<StatusShare>);

pub fn statuses(text: &str) -> Result<Statuses, String> {
    parse_statuses(text).map(Statuses)
}

/// A count of at least one: `200`, `10k`, `1.5M`.
pub fn number(text: &str) -> Result<u64, String> {
    let expected = || format!("expected a whole number of at least 1, e.g. 200 or 10k, found `{text}`");
    match with_suffix(text) {
        Some(number) if number >= 1.0 && number.fract() == 0.0 && number <= MAX_EXACT => Ok(number as u64),
        _ => Err(expected()),
    }
}

/// The same, of things of which there cannot be as many.
pub fn small_number(text: &str) -> Result<u32, String> {
    let number = number(text)?;
    u32::try_from(number).map_err(|_| format!("expected at most {}, found `{text}`", u32::MAX))
}

/// Up to this, every whole number is told from the next.
const MAX_EXACT: f64 = 9e15;

/// A number that may end in `k` (thousand), `M` (million) or `G`.
fn with_suffix(text: &str) -> Option<f64> {
    let (digits, factor) = match text.char_indices().next_back()? {
        (end, 'k' | 'K') => (&text[..end], 1e3),
        (end, 'm' | 'M') => (&text[..end], 1e6),
        (end, 'g' | 'G') => (&text[..end], 1e9),
        _ => (text, 1.0),
    };
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number: f64 = digits.parse().ok().filter(|_| is_plain)?;
    // Decimals are meant exactly: 1.1k is 1,100.
    Some((number * factor * 1e6).round() / 1e6)
}

/// Requests per second; the unit is in the flag's name and may be left out.
pub fn rate(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix("/s").unwrap_or(text);
    match with_suffix(number) {
        Some(rate) if rate > 0.0 && rate <= 1e7 => Ok(rate),
        _ => Err("expected requests per second, more than 0 and at most 10,000,000, e.g. 500 or 5k".to_owned()),
    }
}

/// Requests per second, or a number of users where no `/s` follows.
pub fn offered(text: &str) -> Result<Amount, String> {
    let unit = if text.ends_with("/s") { LoadUnit::PerSecond } else { LoadUnit::VirtualUsers };
    rate(text).map(|number| Amount { number, unit })
}

/// A share in percent, `10%` or `10`; as a fraction of 1.
/// A name that is typed back on command lines.
pub fn name(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./".contains(c);
    match text {
        "" => Err("expected a name, found nothing".to_owned()),
        _ if text.chars().all(is_plain) => Ok(text.to_owned()),
        _ => Err(format!("expected a name of letters, digits and - _ . /, e.g. `main`, found `{text}`")),
    }
}

pub fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim_end();
    match number.parse::<f64>() {
        Ok(percent) if (0.5..=100.0).contains(&percent) => Ok(percent / 100.0),
        _ => Err(format!("expected a percentage from 0.5% to 100%, e.g. 10%, found `{text}`")),
    }
}

pub fn stage(text: &str) -> Result<Stage, String> {
    let expected = || format!("expected TIME:TARGET, e.g. 30s:100, found `{text}`");
    let (time, target) = text.split_once(':').ok_or_else(expected)?;
    let duration = parse_duration(time)?;
    let target = with_suffix(target).ok_or_else(expected)?;
    if !(0.0..=1e7).contains(&target) {
        return Err(expected());
    }
    Ok(Stage { duration, target })
}

pub fn method(text: &str) -> Result<String, String> {
    if is_token(text) {
        return Ok(text.to_ascii_uppercase());
    }
    Err(format!("expected a method such as GET or POST, found `{text}`"))
}

pub fn header(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once(':').ok_or("expected `Name: value`")?;
    let value = value.trim();
    method(name).map_err(|_| format!("`{name}` is not a header's name"))?;
    if value.bytes().any(|byte| byte < b' ' && byte != b'\t') {
        return Err("a header's value must not contain control characters".to_owned());
    }
    Ok((name.to_owned(), value.to_owned()))
}

/// The content of a part of a multipart form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    Text(String),
    File(PathBuf),
}

/// `NAME=VALUE`.
pub fn field(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

/// `NAME=VALUE`, or `NAME=@FILE`.
pub fn part(text: &str) -> Result<(String, Content), String> {
    let (name, value) = field(text)?;
    Ok((name, value.strip_prefix('@').map_or(Content::Text(value.clone()), |path| Content::File(path.into()))))
}

/// `USER:PASSWORD`; only the password may hold colons.
pub fn user(text: &str) -> Result<(String, String), String> {
    let (user, password) = text.split_once(':').ok_or("expected USER:PASSWORD; with an empty password, USER:")?;
    Ok((user.to_owned(), password.to_owned()))
}

/// JSON, as far as that can be known where `{{…}}` is still to be filled in.
pub fn json(text: &str) -> Result<String, String> {
    if !text.contains("{{") {
        let read = serde_json::from_str::<serde_json::Value>(text);
        read.map_err(|error| format!("expected JSON: {error}; for other text use -d"))?;
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_may_leave_out_the_scheme_but_not_the_host() {
        let read = |text| url(text).map(|(url, _)| url.to_string());
        assert_eq!(read("localhost:8080/a"), Ok("http://localhost:8080/a".to_owned()));
        assert_eq!(read("localhost:8080/?to=http://a/"), Ok("http://localhost:8080/?to=http://a/".to_owned()));
        assert!(read("http://h/?from=file:///x").is_ok());
        assert_eq!(read("127.0.0.1:8080"), Ok("http://127.0.0.1:8080/".to_owned()));
        assert_eq!(read("http://h/"), Ok("http://h/".to_owned()));
        for wrong in ["http://", "http:///x", "/only/a/path", "http://h:99999/"] {
            assert!(read(wrong).is_err(), "{wrong}: {:?}", read(wrong));
        }
    }

    #[test]
    fn numbers_may_have_a_suffix() {
        assert_eq!((number("200"), number("10k"), number("1.5M")), (Ok(200), Ok(10_000), Ok(1_500_000)));
        assert_eq!((number("1.1k"), small_number("1K")), (Ok(1_100), Ok(1_000)));
        assert_eq!((rate("5k"), rate("0.5"), rate("2k/s")), (Ok(5_000.0), Ok(0.5), Ok(2_000.0)));
        for wrong in ["0", "", "k", "-1", "1.5", "1e3", "ten", "10kk", "inf", "NaN", "99999999999999999999"] {
            assert!(number(wrong).is_err(), "{wrong}");
        }
        assert!(small_number("5G").is_err() && rate("11M").is_err() && rate("0").is_err());
    }

    #[test]
    fn headers_and_stages_are_read() {
        assert_eq!(header("A-B:  c:d "), Ok(("A-B".to_owned(), "c:d".to_owned())));
        assert!(header("no colon").is_err() && header("a b: c").is_err() && header("a: b\r\nc: d").is_err());
        let leg = stage("1m 30s:2.5").unwrap();
        assert_eq!((leg.duration, leg.target), (Nanos::from_secs(90), 2.5));
        assert!(stage("30:100").is_err() && stage("30s:-1").is_err() && stage("30s").is_err());
    }
}
