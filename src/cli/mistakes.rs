//! Command lines as other tools have them: they are understood where they can mean one thing only, else the error says
//! how to write it here.

use std::ffi::{OsStr, OsString};

use clap::{
    Parser,
    error::{ContextKind, ContextValue, ErrorKind},
};

use super::Cli;

/// Flags of k6, wrk, hey, ab, vegeta and JMeter, and the ones here that do the same.
const OTHERS: [(&str, &str); 9] = [
    ("--vus", "-c"),
    ("--users", "-c"),
    ("--concurrency", "-c"),
    ("--iterations", "-n"),
    ("--num-requests", "-n"),
    ("--rps", "-q"),
    ("--thresholds", "--threshold"),
    ("--data", "--body"),
    ("--out", "-o"),
];
/// Flags that take all the values that follow.
const GREEDY: [&str; 2] = ["--threshold", "--slo"];

/// Reads the arguments, the program's name first.
///
/// # Errors
///
/// Clap's, with a flag of another tool translated.
pub fn parse(arguments: Vec<OsString>) -> Result<Cli, clap::Error> {
    let again = with_target_first(&arguments);
    let error = match Cli::try_parse_from(arguments) {
        Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => error,
        Err(error) if error.kind() == ErrorKind::UnknownArgument => return Err(translated(error)),
        read => return read,
    };
    again.and_then(|again| Cli::try_parse_from(again).ok()).ok_or(error)
}

/// The arguments with a target that was taken for one more value of a flag moved to where it is seen.
fn with_target_first(arguments: &[OsString]) -> Option<Vec<OsString>> {
    let is_flag = |argument: &&OsString| argument.to_str().is_some_and(|text| text.starts_with('-'));
    let at = arguments.iter().position(|argument| is_target(argument))?;
    let flag = arguments[..at].iter().rfind(is_flag)?.to_str()?;
    let is_taken = GREEDY.contains(&flag.split('=').next()?);
    let mut moved = arguments.to_vec();
    let target = is_taken.then(|| moved.remove(at))?;
    // Behind the subcommand.
    moved.insert(2, target);
    Some(moved)
}

/// Whether it cannot be a threshold.
fn is_target(argument: &OsStr) -> bool {
    let begins = |text: &str| ["http://", "https://", "curl "].iter().any(|begin| text.starts_with(begin));
    argument.to_str().is_some_and(begins)
}

fn translated(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidArg) else { return error };
    let ours = OTHERS.iter().find(|(theirs, _)| theirs == given).map(|(_, ours)| (*ours).to_owned());
    if let Some(ours) = ours {
        error.insert(ContextKind::SuggestedArg, ContextValue::String(ours));
        error.remove(ContextKind::Usage);
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Command;

    fn parsed(line: &[&str]) -> Result<Cli, String> {
        parse(std::iter::once(&"plimsoll").chain(line).map(OsString::from).collect()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_target_may_follow_its_thresholds() {
        let url = "http://127.0.0.1:9/";
        for line in [
            ["load", "--threshold", "p(99)<200ms", url, "-z", "1s"],
            ["load", "--threshold", "p(99)<200ms", "errors<1%", url, "-z1s"],
            ["load", "-z1s", "--threshold", "p(99)<200ms", "-n1", url],
        ] {
            let Ok(Cli { command: Command::Load(load) }) = parsed(&line) else { panic!("{line:?}") };
            assert!(load.send.target.is_some() && !load.verdict.threshold.iter().any(|it| it.contains("http")));
        }
        let Ok(Cli { command: Command::Line(line) }) = parsed(&["line", "--slo", "p(99)<1s", url]) else { panic!() };
        assert_eq!(line.search.slo, ["p(99)<1s"]);
        assert!(parsed(&["load", "--threshold", "p(99)<200ms"]).is_err_and(|error| error.contains("<URL>")));
    }

    #[test]
    fn flags_of_other_tools_are_translated() {
        let error = parsed(&["load", "http://127.0.0.1:9/", "--vus", "5"]).err().expect("no flag of ours");
        assert!(error.contains("'--vus'") && error.contains("'-c'") && !error.contains("--user"), "{error}");
    }
}
