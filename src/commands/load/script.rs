//! From flags, and from what was imported, to what an iteration sends. A flag that is given wins.

use plimsoll_drive::{Flow, Request, Script, Step};
use plimsoll_import::{Imported, ImportedRequest};
use plimsoll_record::ThinkTime;
use url::Url;

use crate::{cli::RequestArgs, failure::Failure};

/// Iterations that are all one request to `url`.
pub fn of_url(url: &Url, arguments: &RequestArgs) -> Result<Script, Failure> {
    Ok(Script::of(overridden(Request::get(url.clone()), arguments, body(arguments)?.as_deref())))
}

/// Iterations of all requests, one after the other.
pub fn of_imported(imported: &Imported, arguments: &RequestArgs) -> Result<Script, Failure> {
    let body = body(arguments)?;
    if imported.requests.len() > 1 && (body.is_some() || arguments.method.is_some()) {
        return Err(Failure::input(format_args!(
            "-m, -d and -D are for one request, found {}: leave them out, or choose one request",
            imported.requests.len()
        )));
    }
    let mut steps = Vec::new();
    for (index, imported_request) in imported.requests.iter().enumerate() {
        let request = overridden(request(imported_request)?, arguments, body.as_deref());
        // The recording tells of the pause before a request, the flow of the one after.
        let pause = imported.requests.get(index + 1).and_then(|next| next.pause);
        let pause = pause.map_or(ThinkTime::None, |pause| ThinkTime::Constant { pause });
        steps.push(Step { name: imported_request.name.clone(), request, pause });
    }
    check_origins(&steps)?;
    Ok(Script { flows: vec![Flow { weight: 1.0, steps }] })
}

fn request(imported: &ImportedRequest) -> Result<Request, Failure> {
    let url = Url::parse(&imported.url)
        .map_err(|error| Failure::input(format_args!("{}: `{}`: {error}", imported.name, imported.url)))?;
    Ok(Request { url, method: imported.method.clone(), headers: imported.headers.clone(), body: imported.body.clone() })
}

fn check_origins(steps: &[Step]) -> Result<(), Failure> {
    let mut origins: Vec<String> = steps.iter().map(|step| step.request.url.origin().ascii_serialization()).collect();
    origins.dedup();
    match origins.as_slice() {
        [] | [_] => Ok(()),
        [first, second, ..] => Err(Failure::input(format_args!(
            "expected requests to one host, found {first} and {second}: choose one request, or load them one by one"
        ))),
    }
}

fn body(arguments: &RequestArgs) -> Result<Option<Vec<u8>>, Failure> {
    match (&arguments.body, &arguments.body_file) {
        (Some(text), _) => Ok(Some(text.clone().into_bytes())),
        (None, Some(path)) => std::fs::read(path).map(Some).map_err(|error| {
            Failure::input(format_args!("-D {}: {error}; expected a file that can be read", path.display()))
        }),
        (None, None) => Ok(None),
    }
}

/// The request with what the flags give in place of its own.
fn overridden(mut request: Request, arguments: &RequestArgs, body: Option<&[u8]>) -> Request {
    let content_type = arguments.content_type.iter().map(|kind| ("Content-Type".to_owned(), kind.clone()));
    let given: Vec<(String, String)> = arguments.header.iter().cloned().chain(content_type).collect();
    request.headers.retain(|(name, _)| !given.iter().any(|(other, _)| other.eq_ignore_ascii_case(name)));
    request.headers.extend(given);
    request.method = arguments.method.clone().unwrap_or(request.method);
    request.body = body.map_or(request.body, <[u8]>::to_vec);
    request
}
