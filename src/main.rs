//! The `plimsoll` binary: commands, flags, wiring, exit codes.

/// A line on stderr, for people. Where it cannot be written, as on a full disk, only the line is lost: a load goes on.
macro_rules! tell {
    ($($words:tt)*) => {{
        let mut stderr = anstream::stderr().lock();
        drop(std::io::Write::write_fmt(&mut stderr, format_args!("{}\n", format_args!($($words)*))))
    }};
}

mod arguments;
mod cli;
mod commands;
mod failure;
mod gathering;
mod interrupt;
mod live;
mod output;
mod project;
mod telemetry;

use std::{io::Write, process::ExitCode};

use crate::{
    cli::{Cli, Command},
    failure::Failure,
};

fn main() -> ExitCode {
    // A target's supervisor is this same program, started again: see `plimsoll_lab::supervisor_main`.
    if let Some(code) = plimsoll_lab::supervisor_main(std::env::args_os()) {
        return code;
    }
    let cli = match cli::parse(arguments::take()) {
        Ok(cli) => cli,
        Err(error) => return unreadable(&error),
    };
    match execute(cli) {
        Ok(code) => code,
        Err(failure) => {
            tell!("{failure}");
            failure.exit_code()
        }
    }
}

/// Help, or what is wrong with the arguments, which shows them.
fn unreadable(error: &clap::Error) -> ExitCode {
    let text = error.render();
    // Colours cannot be told from what arguments bring along.
    let is_plain = |argument: std::ffi::OsString| !argument.to_string_lossy().contains(plimsoll_text::is_obeyed);
    match error.use_stderr() {
        true if std::env::args_os().all(is_plain) => {
            drop(write!(anstream::stderr(), "{}", plimsoll_secrets::mask(&text.ansi().to_string())));
        }
        true => drop(write!(anstream::stderr(), "{}", live::shown(&text.to_string()))),
        // A reader that has gone away (`| head`) is no error.
        false => drop(write!(anstream::stdout(), "{}", text.ansi())),
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(failure::BAD_INPUT))
}

fn execute(cli: Cli) -> Result<ExitCode, Failure> {
    match cli.command {
        Command::Init(arguments) => commands::init::execute(&arguments),
        Command::Run(arguments) => commands::run::execute(&arguments),
        Command::Load(arguments) => commands::load::execute(&arguments),
        Command::Line(arguments) => commands::line::execute(&arguments),
        Command::Explain(arguments) => commands::explain::execute(&arguments),
        Command::Upstream(arguments) => commands::upstream::execute(&arguments),
        Command::Report(arguments) => commands::report::execute(&arguments),
        Command::Collect(arguments) => commands::collect::execute(&arguments),
        Command::ServePart(arguments) => commands::serve_part::execute(&arguments),
        Command::Merge(arguments) => commands::merge::execute(&arguments),
        Command::Distribute(arguments) => commands::distribute::execute(&arguments),
        Command::Compare(arguments) => commands::compare::execute(&arguments),
        Command::Baseline(arguments) => commands::baseline::execute(&arguments),
        Command::Trend(arguments) => commands::trend::execute(&arguments),
        Command::List(arguments) => commands::list::execute(&arguments),
        Command::Serve(arguments) => commands::serve::execute(&arguments),
        Command::Check(arguments) => commands::check::execute(&arguments),
        Command::Schema(arguments) => commands::schema::execute(&arguments),
    }
}
