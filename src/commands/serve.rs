//! `plimsoll serve`: pages over the records of a directory, until Ctrl-C.

use std::{
    path::Path,
    process::{Command, ExitCode, Stdio},
};

use signal_hook::{consts::TERM_SIGNALS, iterator::Signals};

use crate::{cli::ServeArgs, failure::Failure, live::shown};

/// Programs that open a URL in the user's browser, on Linux and on macOS.
const OPENERS: [&str; 2] = ["xdg-open", "open"];

pub fn execute(arguments: &ServeArgs) -> Result<ExitCode, Failure> {
    for place in &arguments.places {
        check(place)?;
    }
    let mut signals = Signals::new(TERM_SIGNALS)
        .map_err(|error| Failure::running(format_args!("cannot listen for Ctrl-C: {error}")))?;
    let server = plimsoll_serve::start(arguments.places.clone(), arguments.port).map_err(|error| {
        let port = arguments.port;
        Failure::input(format_args!(
            "--port {port}: cannot listen on 127.0.0.1:{port}: {error}; choose another port, 0 for any that is free"
        ))
    })?;
    let url = format!("http://{}/", server.address());
    super::print(&format!("Plimsoll serves {url} (Ctrl-C ends it)\n"))?;
    if arguments.open && !open(&url) {
        tell!("no browser could be started: open {url} in one");
    }
    // Nothing is under way that must be ended in order: nothing is written.
    signals.forever().next();
    Ok(ExitCode::SUCCESS)
}

fn check(place: &Path) -> Result<(), Failure> {
    place.metadata().map(drop).map_err(|error| {
        Failure::input(format_args!(
            "{}: {error}; name a directory with records below it, or the file of a record",
            shown(&place.display().to_string())
        ))
    })
}

/// Whether a program was started that opens it.
fn open(url: &str) -> bool {
    let start = |program: &str| {
        let mut command = Command::new(program);
        command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_ok()
    };
    OPENERS.iter().copied().any(start)
}
