//! Runs a program to its end and keeps what it wrote.

use std::{
    io::{self, Read, Seek},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use super::PrepareError;

const TAIL_LINES: usize = 40;
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Runs a program and returns the lines it wrote, on either stream.
///
/// # Errors
/// When it cannot be started, ends with another status than 0, or takes longer than `at_most`.
pub(super) fn run(command: &mut Command, doing: &str, at_most: Duration) -> Result<Vec<String>, PrepareError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let (status, lines) = run_to_end(command, at_most)
        .map_err(|error| PrepareError::failed(format!("{doing} failed: cannot run {program}: {error}")))?;
    let ended = match status {
        Some(status) if status.success() => return Ok(lines),
        Some(status) => format!("{program} ended with {status}"),
        None => format!("{program} had not ended after {} s and was killed", at_most.as_secs()),
    };
    let output_tail = lines[lines.len().saturating_sub(TAIL_LINES)..].to_vec();
    Err(PrepareError::Failed { what: format!("{doing} failed: {ended}"), output_tail })
}

/// Both streams go to one file, so that nobody has to read while the program runs.
fn run_to_end(command: &mut Command, at_most: Duration) -> io::Result<(Option<ExitStatus>, Vec<String>)> {
    let mut output = tempfile::tempfile()?;
    let mut child = command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output.try_clone()?).spawn()?;
    let status = wait(&mut child, at_most)?;
    output.rewind()?;
    let mut bytes = Vec::new();
    output.read_to_end(&mut bytes)?;
    Ok((status, String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()))
}

fn wait(child: &mut Child, at_most: Duration) -> io::Result<Option<ExitStatus>> {
    let started = Instant::now();
    while started.elapsed() < at_most {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(POLL_INTERVAL);
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn shell(script: &str, at_most: Duration) -> Result<Vec<String>, PrepareError> {
        run(Command::new("sh").args(["-c", script]), "testing", at_most)
    }

    #[test]
    fn both_streams_are_kept_in_order() {
        assert_eq!(shell("echo one; echo two >&2; echo three", LONG).unwrap(), ["one", "two", "three"]);
    }

    #[test]
    fn a_failure_shows_the_last_lines() {
        let PrepareError::Failed { what, output_tail } = shell("seq 1000; exit 3", LONG).unwrap_err() else { panic!() };
        assert_eq!(what, "testing failed: sh ended with exit status: 3");
        assert_eq!((output_tail.len(), output_tail[0].as_str(), output_tail[39].as_str()), (40, "961", "1000"));
    }

    #[test]
    fn what_takes_too_long_is_killed() {
        let error = shell("echo begun; exec sleep 600", Duration::from_secs(3)).unwrap_err().to_string();
        assert_eq!(error, "testing failed: sh had not ended after 3 s and was killed; its last lines:\n  begun");
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = run(&mut Command::new("/nowhere/mvn"), "building", LONG).unwrap_err().to_string();
        assert!(error.starts_with("building failed: cannot run /nowhere/mvn: "), "{error}");
    }
}
