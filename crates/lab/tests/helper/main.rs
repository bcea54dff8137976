//! Programs that the tests launch: targets that behave in every bad way, and a lab to be killed.

mod lab;
mod target;
mod upstream;

use std::{env, process::ExitCode};

use plimsoll_record::{Nanos, NetworkPlan};

fn main() -> ExitCode {
    if let Some(code) = plimsoll_lab::supervisor_main(env::args_os()) {
        return code;
    }
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (command, rest) = arguments.split_first().expect("a command");
    match command.as_str() {
        "serve" => target::serve(rest),
        "lab" => lab::run(rest, None),
        "building-lab" => lab::build(rest),
        // As Maven, which the lab that builds is told this program is: a daemon beside it runs on.
        "--batch-mode" => target::serve(&["0", "daemonize=2"].map(str::to_owned)),
        "upstream" => upstream::run(rest),
        "far-lab" => lab::run(rest, Some(NetworkPlan { rtt: Nanos::from_millis(20), ..NetworkPlan::default() })),
        other => panic!("no such command: {other}"),
    }
}
