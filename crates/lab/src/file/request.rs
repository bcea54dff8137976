//! Requests: paths, URLs, methods and headers that HTTP allows and the driver can send.

use plimsoll_record::Nanos;
use plimsoll_text::is_token;
use url::Url;

use crate::placeholders::Placeholders;

use super::{
    errors::{At, Errors, Place},
    quantity::Duration,
    requests::RequestSection,
    values::positive,
};

pub(super) const DEFAULT_TIMEOUT: Nanos = Nanos::from_secs(30);
const LONGEST_TIMEOUT: Nanos = Nanos::from_secs(3_600);

/// Pushes errors for a path, method and headers that HTTP does not allow.
pub(super) fn check(section: &RequestSection, errors: &mut Errors) {
    if let Some(path) = &section.path {
        check_path(path, errors);
    }
    if let Some(method) = &section.method
        && (!is_token(&method.value) || method.value.to_uppercase() != method.value)
    {
        errors.push(&method.place, format!("expected a method, e.g. `GET`, found `{}`", method.value));
    }
    for (name, value) in section.headers.iter().flat_map(|headers| &headers.0) {
        check_header(name, &value.value.0, &value.place, errors);
    }
}

/// How long a response may take; the file says it once.
pub(super) fn time_out(
    of_file: Option<&At<Duration>>,
    of_request: Option<&At<Duration>>,
    errors: &mut Errors,
) -> Option<Nanos> {
    if let (Some(file), Some(request)) = (of_file, of_request) {
        errors.push_related(&request.place, "`time-out` is there twice: keep one", &file.place, "the first is here");
    }
    let time_out = of_request.or(of_file)?;
    let length = positive(time_out, errors);
    if length > LONGEST_TIMEOUT {
        errors.push(&time_out.place, "expected a time-out of at most 1h: longer response times are not told apart");
    }
    Some(length)
}

fn check_path(path: &At<String>, errors: &mut Errors) {
    let text = &path.value;
    if !text.starts_with('/') && !text.starts_with("{{") {
        errors.push(&path.place, format!("expected a path that starts with `/`, found `{text}`"));
    } else if without_gaps(text).contains(|c: char| c.is_whitespace() || c.is_control()) {
        errors.push(&path.place, format!("a path has no spaces: write `%20` for them, found `{text}`"));
    }
}

/// The text outside of `{{…}}`.
fn without_gaps(text: &str) -> String {
    let after = text.split("{{").skip(1).map(|rest| rest.split_once("}}").map_or("", |(_, after)| after));
    text.split("{{").take(1).chain(after).collect()
}

fn check_header(name: &At<String>, value: &str, value_place: &Place, errors: &mut Errors) {
    if !is_token(&name.value) {
        errors.push(&name.place, format!("`{}` cannot be the name of a header", name.value));
    }
    if value.contains(['\r', '\n', '\0']) {
        errors.push(value_place, "the value of a header is one line");
    }
}

/// Pushes an error if `url` is not one that can be requested, once its placeholders are replaced.
pub(super) fn check_url(url: &At<String>, errors: &mut Errors) {
    if let Err(problem) = parse(&url.value) {
        errors.push(&url.place, format!("{problem}; found `{}`", url.value));
    }
}

/// Whether a URL leads to more than the root.
pub(super) fn has_path(url: &str) -> bool {
    parse(url).is_ok_and(|url| url.path() != "/" || url.query().is_some())
}

/// The port of a URL that does not leave it open.
pub(super) fn fixed_port(url: &str) -> Option<u16> {
    let parsed = parse(url).ok().filter(|_| !url.contains("{port}") && !url.contains("-port}"))?;
    parsed.port_or_known_default()
}

/// Whether it can be requested, once its placeholders are replaced.
pub(super) fn is_url(template: &str) -> bool {
    parse(template).is_ok()
}

fn parse(template: &str) -> Result<Url, String> {
    let example = "expected a URL such as `http://127.0.0.1:{port}/path`";
    if template.contains("{{") {
        return Err(
            "`{{…}}` is filled in in requests, and in no variant’s URL: write the path below `requests`".to_owned()
        );
    }
    let filled = Placeholders::as_sample(template);
    let Some((scheme, rest)) = filled.split_once("://") else {
        return Err(format!("{example}: the scheme is missing"));
    };
    match scheme {
        "http" | "https" => {}
        _ => return Err(format!("{example}: the scheme must be `http` or `https`")),
    }
    if rest.is_empty() || rest.starts_with(['/', ':', '?', '#']) {
        return Err(format!("{example}: the host is missing"));
    }
    if template.contains(char::is_whitespace) {
        return Err(format!("{example}, without spaces"));
    }
    Url::parse(&filled).map_err(|why| format!("{example}: {why}"))
}
