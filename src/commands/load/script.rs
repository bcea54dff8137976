//! From flags, and from what was imported, to what an iteration sends. A flag that is given wins.

use std::{path::Path, sync::Arc};

use plimsoll_drive::{
    Script, ScriptText, files,
    script::{Auth, Body, FlowText, Part, PartContent, StepText},
};
use plimsoll_import::{Imported, ImportedRequest};
use plimsoll_lab::file::learn_script;
use plimsoll_record::ThinkTime;
use url::Url;

use crate::{
    cli::{Content, RequestArgs},
    failure::Failure,
};

/// Iterations that are all one request to `url`, which is `text` as it was written.
pub fn of_url(url: &Url, text: &str, arguments: &RequestArgs) -> Result<Script, Failure> {
    let script = ScriptText::of(StepText { url: text.to_owned(), ..StepText::default() });
    resolve(script, url, arguments)
}

/// Iterations of all requests, one after the other. `is_verbatim`: braces in them stand for themselves.
pub fn of_imported(imported: &Imported, is_verbatim: bool, arguments: &RequestArgs) -> Result<Script, Failure> {
    let pauses = imported.requests.iter().skip(1).map(|next| next.pause).chain([None]);
    let step = |(request, pause): (&ImportedRequest, Option<plimsoll_record::Nanos>)| StepText {
        // The recording tells of the pause before a request, the flow of the one after.
        pause: pause.map_or(ThinkTime::None, |pause| ThinkTime::Constant { pause }),
        ..step(request, is_verbatim)
    };
    let steps = imported.requests.iter().zip(pauses).map(step).collect();
    let script = ScriptText {
        flows: vec![FlowText { weight: 1.0, steps }],
        variables: imported.variables.clone(),
        ..ScriptText::default()
    };
    let first = imported.requests.first().map_or("", |request| request.url.as_str());
    let base = first.replace("{{", "").replace("}}", "");
    let base = Url::parse(&base).map_err(|error| Failure::input(format_args!("`{first}` is not a URL: {error}")))?;
    resolve(script, &base, arguments)
}

fn step(imported: &ImportedRequest, is_verbatim: bool) -> StepText {
    let text = |text: &str| if is_verbatim { text.replace("{{", r"\{{") } else { text.to_owned() };
    let body = match std::str::from_utf8(&imported.body) {
        _ if imported.body.is_empty() => Body::None,
        Ok(text) if !is_verbatim && is_json(imported) => Body::Json(text.to_owned()),
        Ok(text) if !is_verbatim => Body::Text(text.to_owned()),
        _ => Body::Bytes(imported.body.as_slice().into()),
    };
    StepText {
        name: imported.name.clone(),
        method: Some(imported.method.clone()),
        url: text(&imported.url),
        headers: imported.headers.iter().map(|(name, value)| (name.clone(), text(value))).collect(),
        body,
        ..StepText::default()
    }
}

fn is_json(imported: &ImportedRequest) -> bool {
    let is = |(name, value): &(String, String)| name.eq_ignore_ascii_case("Content-Type") && value.contains("json");
    imported.headers.iter().any(is)
}

/// The script with what the flags give in place of its own.
pub fn resolve(mut script: ScriptText, base: &Url, arguments: &RequestArgs) -> Result<Script, Failure> {
    let body = body(arguments)?;
    let sent = StepText { body: body.clone(), ..StepText::default() };
    learn_script(&script);
    learn_script(&ScriptText::of(sent));
    let count = script.steps().count();
    if count > 1 && (body != Body::None || arguments.method.is_some()) {
        return Err(Failure::input(format_args!(
            "-m and the flags for a body are for one request, found {count}: leave them out, or choose one request"
        )));
    }
    script.cookies |= arguments.cookies;
    for step in script.flows.iter_mut().flat_map(|flow| &mut flow.steps) {
        override_step(step, arguments, &body);
    }
    script.resolve(base).map_err(|errors| {
        let lines: Vec<String> = errors.iter().map(|error| script.describe(error)).collect();
        Failure::input(lines.join("\n"))
    })
}

fn override_step(step: &mut StepText, arguments: &RequestArgs, body: &Body) {
    let content_type = arguments.content_type.iter().map(|kind| ("Content-Type".to_owned(), kind.clone()));
    let given: Vec<(String, String)> = arguments.header.iter().cloned().chain(content_type).collect();
    // The body that is replaced had a type of its own.
    let has_type = matches!(body, Body::Json(_) | Body::Form(_) | Body::Multipart(_));
    let is_replaced = |name: &str| {
        given.iter().any(|(other, _)| other.eq_ignore_ascii_case(name))
            || has_type && name.eq_ignore_ascii_case("Content-Type")
    };
    step.headers.retain(|(name, _)| !is_replaced(name));
    step.headers.extend(given);
    if let Some(auth) = auth(arguments) {
        step.headers.retain(|(name, _)| !name.eq_ignore_ascii_case("Authorization"));
        step.auth = Some(auth);
    }
    if arguments.method.is_some() {
        step.method.clone_from(&arguments.method);
    }
    if *body != Body::None {
        step.body = body.clone();
    }
    step.checks.extend(arguments.check.iter().cloned());
}

fn auth(arguments: &RequestArgs) -> Option<Auth> {
    let basic = arguments.user.clone().map(|(user, password)| Auth::Basic { user, password });
    basic.or_else(|| arguments.bearer.clone().map(Auth::Bearer))
}

fn body(arguments: &RequestArgs) -> Result<Body, Failure> {
    let part = |(name, content): &(String, Content)| -> Result<Part, Failure> {
        let content = match content {
            Content::Text(text) => PartContent::Text(text.clone()),
            Content::File(path) => PartContent::File { name: file_name(path), bytes: read("--multipart", path)? },
        };
        Ok(Part { name: name.clone(), content, content_type: None })
    };
    Ok(match (&arguments.body, &arguments.body_file, &arguments.json) {
        (Some(text), ..) => Body::Text(text.clone()),
        (_, Some(path), _) => Body::Bytes(read("-D", path)?),
        (.., Some(json)) => Body::Json(json.clone()),
        _ if !arguments.form.is_empty() => Body::Form(arguments.form.clone()),
        _ if !arguments.multipart.is_empty() => {
            Body::Multipart(arguments.multipart.iter().map(part).collect::<Result<_, _>>()?)
        }
        _ => Body::None,
    })
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn read(flag: &str, path: &Path) -> Result<Arc<[u8]>, Failure> {
    files::read(path, files::BODY_BYTES_MAX).map(Into::into).map_err(|error| {
        Failure::input(format_args!("{flag} {}: {error}; expected a file that can be read", path.display()))
    })
}
