//! Requests that are written down elsewhere: reads the files, and says what was left out of them.

use std::path::Path;

use plimsoll_drive::files::{self, BODY_BYTES_MAX, DATA_BYTES_MAX, DOCUMENT_BYTES_MAX, PLAN_BYTES_MAX};
use plimsoll_import::{
    HttpVersion, ImportError, Imported, curl, har,
    http_file::{self, HttpFile},
    openapi::{self, OpenApi},
};
use plimsoll_record::Nanos;
use plimsoll_secrets::{hide, learn};
use url::Url;

use super::import_files::Folder;
use crate::{
    cli::{ImportArgs, SendArgs, Target},
    failure::Failure,
};

/// Environment files beside a `.http` file; the values of the second win.
const ENVIRONMENT_FILES: [&str; 2] = ["http-client.env.json", "http-client.private.env.json"];

/// The requests that the arguments import; none if they name a URL alone.
pub fn read(arguments: &SendArgs) -> Result<Option<Imported>, Failure> {
    let mut imported = sources(arguments)?;
    if let Some(imported) = &mut imported
        && imported.options.http == Some(HttpVersion::Http2)
    {
        // Without TLS curl asks to go on with HTTP/2, which hardly any server does.
        let is_tls = imported.requests.iter().all(|request| request.url.starts_with("https:"));
        let note = if is_tls {
            "HTTP/2 is required: nothing falls back to HTTP/1.1"
        } else {
            imported.options.http = None;
            "HTTP/2 is left out without TLS: requests go over HTTP/1.1 (--http2 speaks it from the first byte)"
        };
        imported.notes.push(note.to_owned());
    }
    Ok(imported)
}

fn sources(arguments: &SendArgs) -> Result<Option<Imported>, Failure> {
    let (sources, target) = (&arguments.import, &arguments.target);
    let url = match target {
        Some(Target::Url(url, _)) => Some(url),
        Some(Target::Curl(_)) if sources.http.is_some() || sources.har.is_some() || sources.openapi.is_some() => {
            return Err(Failure::input("a curl command and --http, --har or --openapi exclude each other: give one"));
        }
        Some(Target::Curl(command)) => {
            let imported =
                curl::import(command, &|path| read_file(Path::new(path), BODY_BYTES_MAX)).map_err(Failure::input)?;
            check_placeholders(&imported, "write what it stands for")?;
            return Ok(Some(imported));
        }
        None => None,
    };
    if let Some(file) = &sources.http {
        return http(file, sources, url).map(Some);
    }
    if let Some(file) = &sources.har {
        return recording(file, sources, url).map(Some);
    }
    sources.openapi.as_ref().map(|file| document(file, sources, url)).transpose()
}

fn http(file: &Path, sources: &ImportArgs, url: Option<&Url>) -> Result<Imported, Failure> {
    let text = read_text("--http", file, DOCUMENT_BYTES_MAX)?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let named = folder_of("--http", file, sources)?;
    let mut environments = Vec::new();
    for path in ENVIRONMENT_FILES.map(|name| folder.join(name)).into_iter().filter(|path| path.exists()) {
        let text = read_text("--http", &path, PLAN_BYTES_MAX)?;
        learn(hide::pairs(&text).secrets);
        environments.push((path.display().to_string(), text));
    }
    // Its variables have names that the requests do not show.
    learn(hide::pairs(&text).secrets);
    let name = file.display().to_string();
    let file = HttpFile {
        name: &name,
        text: &text,
        environments: &environments,
        environment: sources.env.as_deref(),
        request: sources.request.as_deref(),
    };
    let mut imported = http_file::import(&file, &|path| named.read(path, BODY_BYTES_MAX)).map_err(Failure::input)?;
    let advice = "give --env NAME if an environment has it, or declare `@name = value` in the file";
    move_to(url, &mut imported)?;
    check_placeholders(&imported, advice)?;
    Ok(imported)
}

fn recording(file: &Path, sources: &ImportArgs, url: Option<&Url>) -> Result<Imported, Failure> {
    let text = read_text("--har", file, DATA_BYTES_MAX)?;
    let name = file.display().to_string();
    let imported = har::import(&name, &text, sources.har_host.as_deref());
    let mut imported = imported.map_err(|error| unreadable(&text, error))?;
    if !sources.har_pauses {
        let pauses = imported.requests.iter_mut().filter_map(|request| request.pause.take());
        let total = pauses.fold(Nanos::ZERO, |total, pause| total + pause);
        if total > Nanos::ZERO {
            imported.notes.push(format!("the pauses of the recording are left out ({total} in all): see --har-pauses"));
        }
    }
    move_to(url, &mut imported)?;
    Ok(imported)
}

fn document(file: &Path, sources: &ImportArgs, url: Option<&Url>) -> Result<Imported, Failure> {
    let text = read_text("--openapi", file, DOCUMENT_BYTES_MAX)?;
    let named = folder_of("--openapi", file, sources)?;
    let name = file.display().to_string();
    let base = url.map(Url::as_str);
    let document = OpenApi { name: &name, text: &text, operations: &sources.operation, base };
    let imported = openapi::import(&document, &|path| named.read(path, DOCUMENT_BYTES_MAX));
    let imported = imported.map_err(|error| unreadable(&text, error))?;
    check_placeholders(&imported, "write what it stands for into the document")?;
    Ok(imported)
}

fn folder_of(flag: &str, file: &Path, sources: &ImportArgs) -> Result<Folder, Failure> {
    Folder::of(file, sources.import_root.as_deref())
        .map_err(|error| Failure::input(format_args!("{flag} {}: no such folder: {error}", file.display())))
}

/// The failure, whose line of the text is shown without its secrets.
fn unreadable(text: &str, error: ImportError) -> Failure {
    learn(hide::pairs(text).secrets);
    Failure::input(error)
}

/// Replaces scheme, host and port of all requests by those of `url`.
fn move_to(url: Option<&Url>, imported: &mut Imported) -> Result<(), Failure> {
    let Some(base) = url else { return Ok(()) };
    if base.path() != "/" || base.query().is_some() {
        return Err(Failure::input(format_args!(
            "{base}: with --http and --har expected scheme, host and port alone, e.g. http://localhost:8080: \
             the paths are those of the file"
        )));
    }
    for request in &mut imported.requests {
        let after_scheme = request.url.find("://").map_or(0, |at| at + 3);
        let path = request.url[after_scheme..].find(['/', '?']).map_or("", |at| &request.url[after_scheme + at..]);
        request.url = format!("{}{}", base.origin().ascii_serialization(), path);
        request.headers.retain(|(name, _)| !name.eq_ignore_ascii_case("Host"));
    }
    Ok(())
}

/// Refuses names without a value, but for those with a `$`, which are made anew for each request. Not for recordings:
/// what is in them has been sent as it is.
fn check_placeholders(imported: &Imported, advice: &str) -> Result<(), Failure> {
    let open = imported.open_placeholders();
    if let Some(name) = open.iter().find(|name| !name.starts_with('$')) {
        return Err(Failure::input(format_args!("`{{{{{name}}}}}` has no value: {advice}")));
    }
    Ok(())
}

fn read_file(path: &Path, bytes_max: u64) -> Result<Vec<u8>, String> {
    files::read(path, bytes_max).map_err(|error| format!("{error} ({})", path.display()))
}

fn read_text(flag: &str, path: &Path, bytes_max: u64) -> Result<String, Failure> {
    files::read_text(path, bytes_max)
        .map_err(|error| Failure::input(format_args!("{flag} {}: {error}; expected a file of text", path.display())))
}
