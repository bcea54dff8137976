//! From flags to a job.

use plimsoll_drive::{Job, Options, Scenario, Script};
use plimsoll_import::{Imported, TransferOptions};

use super::{connection, script};
use crate::{
    cli::{LoadArgs, SendArgs, Target},
    commands::draw_seed,
    failure::Failure,
};

/// The job that the flags ask for; `imported` are the requests of a curl command or a file.
pub fn of(arguments: &LoadArgs, imported: Option<&Imported>) -> Result<Job, Failure> {
    let load = arguments.model.load().map_err(Failure::input)?;
    let script = script(&arguments.send, imported)?;
    let trace = arguments.telling.trace.unwrap_or(0);
    let options = options(&arguments.send, arguments.output.seed, imported)?;
    Ok(Job { scenarios: vec![Scenario { trace, ..Scenario::new(load, script) }], options })
}

/// The script of an iteration.
pub fn script(arguments: &SendArgs, imported: Option<&Imported>) -> Result<Script, Failure> {
    let script = match (imported, &arguments.target) {
        (Some(imported), _) => script::of_imported(imported, arguments.import.har.is_some(), &arguments.request)?,
        (None, Some(Target::Url(url, text))) => script::of_url(url, text, &arguments.request)?,
        (None, _) => return Err(Failure::input("expected a URL, a curl command, --http, --har or --openapi")),
    };
    check_tls(arguments, &script)?;
    Ok(script)
}

/// Flags for TLS mean nothing where there is none.
pub fn check_tls(arguments: &SendArgs, script: &Script) -> Result<(), Failure> {
    let url = &script.first().url;
    if url.scheme() == "http" && connection::are_for_tls(&arguments.tls) {
        return Err(Failure::input(format_args!(
            "flags for TLS are given, and {url} is not an https:// URL: change the URL, or remove the flags"
        )));
    }
    Ok(())
}

/// A flag wins over what was imported, and that over the default.
pub fn options(arguments: &SendArgs, seed: Option<u64>, imported: Option<&Imported>) -> Result<Options, Failure> {
    let (defaults, of_none) = (Options::default(), TransferOptions::default());
    let imported = imported.map_or(&of_none, |imported| &imported.options);
    let flags = &arguments.connection;
    Ok(Options {
        threads: flags.threads.map(usize::from),
        connect_timeout: flags.connect_timeout.or(imported.connect_timeout).unwrap_or(defaults.connect_timeout),
        response_timeout: flags.timeout.or(imported.max_time).unwrap_or(defaults.response_timeout),
        max_redirects: arguments.request.redirects.or(imported.max_redirects).unwrap_or(defaults.max_redirects),
        keep_alive: !flags.disable_keepalive,
        connection: connection::of(arguments, imported)?,
        seed: seed.unwrap_or_else(draw_seed),
        ..defaults
    })
}

/// The load's title in lists.
pub fn title(script: &Script) -> String {
    let first = script.first();
    match script.steps().count() {
        1 => format!("{} {}", first.method, first.url),
        count => format!("{} {} and {} more", first.method, first.url, count - 1),
    }
}
