//! The `plimsoll` binary: commands, flags, wiring, exit codes.

mod cli;
mod commands;
mod failure;
mod interrupt;
mod live;
mod output;
mod project;
mod telemetry;

use std::process::ExitCode;

use clap::Parser;

use crate::{
    cli::{Cli, Command},
    failure::Failure,
};

fn main() -> ExitCode {
    // A target's supervisor is this same program, started again: see `plimsoll_lab::supervisor_main`.
    if let Some(code) = plimsoll_lab::supervisor_main(std::env::args_os()) {
        return code;
    }
    match execute(Cli::parse()) {
        Ok(code) => code,
        Err(failure) => {
            anstream::eprintln!("{failure}");
            failure.exit_code()
        }
    }
}

fn execute(cli: Cli) -> Result<ExitCode, Failure> {
    match cli.command {
        Command::Run(arguments) => commands::run::execute(&arguments),
        Command::Load(arguments) => commands::load::execute(&arguments),
        Command::Upstream(arguments) => commands::upstream::execute(&arguments),
        Command::Report(arguments) => commands::report::execute(&arguments),
        Command::Merge(arguments) => commands::merge::execute(&arguments),
        Command::List(arguments) => commands::list::execute(&arguments),
        Command::Check(arguments) => commands::check::execute(&arguments),
        Command::Schema(arguments) => commands::schema::execute(&arguments),
    }
}
