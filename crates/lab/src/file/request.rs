//! What is requested: paths, URLs, methods and headers that HTTP allows and the driver can send.

use plimsoll_record::Nanos;
use url::Url;

use super::{
    decode::At,
    document::RequestSection,
    errors::{Errors, Place},
    levels::positive,
};

const DEFAULT_TIMEOUT: Nanos = Nanos::from_secs(30);
const LONGEST_TIMEOUT: Nanos = Nanos::from_secs(3_600);

/// What all variants have in common.
#[derive(Debug)]
pub(super) struct Request {
    /// Path and query; none: the subject's own.
    pub path: Option<String>,
    pub method: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    pub time_out: Nanos,
}

/// Fills in the defaults.
pub(super) fn resolve(section: Option<&RequestSection>, errors: &mut Errors) -> Request {
    let mut request = Request {
        path: None,
        method: "GET".to_owned(),
        headers: Vec::new(),
        body: Vec::new(),
        time_out: DEFAULT_TIMEOUT,
    };
    let Some(section) = section else { return request };
    if let Some(path) = &section.path {
        check_path(path, errors);
        request.path = Some(path.value.clone());
    }
    if let Some(method) = &section.method {
        if !is_token(&method.value) || method.value.to_uppercase() != method.value {
            errors.push(&method.place, format!("expected a method, e.g. `GET`, found `{}`", method.value));
        }
        request.method.clone_from(&method.value);
    }
    for (name, value) in section.headers.iter().flat_map(|headers| &headers.0) {
        check_header(name, &value.value.0, &value.place, errors);
        request.headers.push((name.value.clone(), value.value.0.clone()));
    }
    request.body = section.body.clone().unwrap_or_default().into_bytes();
    if let Some(time_out) = &section.time_out {
        request.time_out = positive(time_out, errors);
        if request.time_out > LONGEST_TIMEOUT {
            errors.push(&time_out.place, "expected a time-out of at most 1h: longer response times are not told apart");
        }
    }
    request
}

fn check_path(path: &At<String>, errors: &mut Errors) {
    let text = &path.value;
    if !text.starts_with('/') {
        errors.push(&path.place, format!("expected a path that starts with `/`, found `{text}`"));
    } else if text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        errors.push(&path.place, format!("a path has no spaces: write `%20` for them, found `{text}`"));
    }
}

fn check_header(name: &At<String>, value: &str, value_place: &Place, errors: &mut Errors) {
    if !is_token(&name.value) {
        errors.push(&name.place, format!("`{}` cannot be the name of a header", name.value));
    }
    if value.contains(['\r', '\n', '\0']) {
        errors.push(value_place, "the value of a header is one line");
    }
}

/// RFC 9110, section 5.6.2.
fn is_token(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c))
}

/// Pushes an error if `url` is not one that can be requested, once `{port}` is replaced.
pub(super) fn check_url(url: &At<String>, errors: &mut Errors) {
    if let Err(problem) = parse(&url.value) {
        errors.push(&url.place, format!("{problem}; found `{}`", url.value));
    }
}

/// The port of a URL that does not leave it open.
pub(super) fn fixed_port(url: &str) -> Option<u16> {
    let parsed = parse(url).ok().filter(|_| !url.contains("{port}"))?;
    parsed.port_or_known_default()
}

/// Whether it can be requested, once `{port}` is replaced.
pub(super) fn is_url(template: &str) -> bool {
    parse(template).is_ok()
}

fn parse(template: &str) -> Result<Url, String> {
    let example = "expected a URL such as `http://127.0.0.1:{port}/path`";
    let Some((scheme, rest)) = template.split_once("://") else {
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
    // Any port will do for the check.
    Url::parse(&template.replace("{port}", "8080")).map_err(|why| format!("{example}: {why}"))
}
