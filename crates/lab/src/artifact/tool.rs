//! Runs a program to its end and keeps what it wrote.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
    os::unix::process::{CommandExt, ExitStatusExt},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, getpgid, kill_process_group};

use super::{PrepareError, text};
use crate::launch::{self, CgroupLimits, Ended, Exit, Launch, StartError, Target};

const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// Between SIGTERM and SIGKILL.
const GRACE: Duration = Duration::from_secs(5);
/// How often the watcher of a program is told what it has written.
const WATCH_INTERVAL: Duration = Duration::from_secs(1);

/// Told, once a second, how long the program has run and what it has written since the last time.
pub(super) type Watch<'a> = &'a mut dyn FnMut(Duration, &str);

/// Runs a program and returns the lines it wrote, on either stream.
///
/// # Errors
/// When it cannot be started, ends with another status than 0, or takes longer than `at_most`.
pub(super) fn run(command: &mut Command, doing: &str, at_most: Duration) -> Result<Vec<String>, PrepareError> {
    let mut output = tempfile::tempfile().map_err(|error| cannot_run(command, doing, &error))?;
    let program = start(command, &output).map(Program::Child).map_err(|error| cannot_run(command, doing, &error))?;
    await_end((program, command), doing, (at_most, &AtomicBool::new(false)), &mut output, &mut |_, _| {})
}

/// The same, with its output in the file `log`, which a failure names and which stays. It is ended with all that it
/// started once `stop` is set.
pub(super) fn run_logged(
    command: &mut Command,
    doing: &str,
    at_most: Duration,
    (log, stop): (&Path, &AtomicBool),
    watch: Watch,
) -> Result<(), PrepareError> {
    let made = log.parent().map_or(Ok(()), fs::create_dir_all);
    let opened = made.and_then(|()| File::options().create(true).truncate(true).read(true).write(true).open(log));
    let mut output = opened.map_err(|error| PrepareError::io("write to", log, &error))?;
    let program = start_supervised(command, &output).map_err(|error| cannot_run(command, doing, &error))?;
    await_end((program, command), doing, (at_most, stop), &mut output, watch).map(drop).map_err(|error| match error {
        PrepareError::Failed { what, telling } => {
            PrepareError::Failed { what: format!("{what}; the whole log is {}", log.display()), telling }
        }
        other => other,
    })
}

fn await_end(
    (mut program, command): (Program, &Command),
    doing: &str,
    until: (Duration, &AtomicBool),
    output: &mut File,
    watch: Watch,
) -> Result<Vec<String>, PrepareError> {
    let end = wait(&mut program, until, output, watch).map_err(|error| cannot_run(command, doing, &error))?;
    let lines = read_all(output).map_err(|error| cannot_run(command, doing, &error))?;
    let program = command.get_program().to_string_lossy();
    let ended = match end {
        End::Itself(status) if status.success() => return Ok(lines),
        End::Itself(status) => format!("{program} ended with {status}"),
        End::TimeUp => format!("{program} had not ended after {} s and was killed", until.0.as_secs()),
        End::Stopped => format!("{program} was interrupted"),
    };
    Err(PrepareError::Failed { what: format!("{doing} failed: {ended}"), telling: text::telling(&lines) })
}

fn cannot_run(command: &Command, doing: &str, error: &io::Error) -> PrepareError {
    PrepareError::failed(format!("{doing} failed: cannot run {}: {error}", command.get_program().to_string_lossy()))
}

/// How a program came to its end.
enum End {
    Itself(ExitStatus),
    /// It was killed because it took too long.
    TimeUp,
    /// It was ended because it was to stop.
    Stopped,
}

/// A program that runs.
enum Program {
    Child(Child),
    /// It ends with this process, however that ends.
    Supervised(Box<Target>),
}

impl Program {
    fn poll(&mut self) -> io::Result<Option<ExitStatus>> {
        match self {
            Self::Child(child) => child.try_wait(),
            Self::Supervised(target) => {
                let Some(Ended { exit, .. }) = target.poll_ended().cloned() else { return Ok(None) };
                // Ends what it has left behind, and waits for the supervisor: its CPU time is the build's.
                target.stop();
                Ok(Some(ExitStatus::from_raw(match exit {
                    Some(Exit::Status(status)) => status << 8,
                    Some(Exit::Signal(signal)) => signal,
                    None => Signal::KILL.as_raw(),
                })))
            }
        }
    }

    fn end(&mut self) -> io::Result<()> {
        match self {
            Self::Child(child) => end(child),
            Self::Supervised(target) => {
                target.stop();
                Ok(())
            }
        }
    }
}

/// Both streams go to one file, so that nobody has to read while the program runs.
fn start(command: &mut Command, output: &File) -> io::Result<Child> {
    command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output.try_clone()?).spawn()
}

/// Under a supervisor if this program can be one. Either way in a group of its own: a terminal's Ctrl-C comes to it as
/// everybody's does, by the flag that stops it.
fn start_supervised(command: &mut Command, output: &File) -> io::Result<Program> {
    match launch::own_supervisor().zip(launch_of(command)) {
        Some((exe, launch)) => {
            let started = Target::start_into(exe, &launch, output.try_clone()?);
            let started = started.map_err(|StartError { message, .. }| io::Error::other(message));
            Ok(Program::Supervised(Box::new(started?)))
        }
        None => Ok(Program::Child(start(command.process_group(0), output)?)),
    }
}

/// The command as a supervisor is told of it; none if it has text that is no Unicode, or takes variables away.
fn launch_of(command: &Command) -> Option<Launch> {
    let text = |text: &OsStr| text.to_str().map(str::to_owned);
    let argv: Option<Vec<_>> = std::iter::once(command.get_program()).chain(command.get_args()).map(text).collect();
    let env: Option<BTreeMap<_, _>> = command.get_envs().map(|(name, value)| text(name).zip(text(value?))).collect();
    let workdir = command.get_current_dir().unwrap_or(Path::new("."));
    Some(Launch {
        command: launch::Command { argv: argv?, env: env?, workdir: workdir.to_owned() },
        cpus: Vec::new(),
        namespace: None,
        limits: CgroupLimits::default(),
        files: None,
        grace: GRACE.into(),
        is_command: true,
        removes: None,
    })
}

fn wait(
    program: &mut Program,
    (at_most, stop): (Duration, &AtomicBool),
    output: &File,
    watch: Watch,
) -> io::Result<End> {
    let started = Instant::now();
    let (mut watched, mut seen) = (started, 0);
    while started.elapsed() < at_most {
        if let Some(status) = program.poll()? {
            return Ok(End::Itself(status));
        }
        if stop.load(Ordering::Relaxed) {
            program.end()?;
            return Ok(End::Stopped);
        }
        if watched.elapsed() >= WATCH_INTERVAL {
            watched = Instant::now();
            watch(started.elapsed(), &read_after(output, &mut seen));
        }
        thread::sleep(POLL_INTERVAL);
    }
    program.end()?;
    Ok(End::TimeUp)
}

/// Ends a program with its process group, if it leads one: first by SIGTERM, then by SIGKILL.
fn end(child: &mut Child) -> io::Result<()> {
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let group = group.filter(|pid| getpgid(Some(*pid)).is_ok_and(|group| group == *pid));
    let signal = |signal| {
        // All of it may have ended by itself.
        let _ = group.map(|group| kill_process_group(group, signal));
    };
    signal(Signal::TERM);
    let begun = Instant::now();
    while group.is_some() && child.try_wait()?.is_none() && begun.elapsed() < GRACE {
        thread::sleep(POLL_INTERVAL);
    }
    signal(Signal::KILL);
    child.kill()?;
    child.wait().map(drop)
}

/// Rest of the file after its first `seen` bytes. Reads at an explicit offset, because the program writes at the file
/// position that it shares with us.
fn read_after(output: &File, seen: &mut u64) -> String {
    use std::os::unix::fs::FileExt;
    let (mut text, mut buffer) = (Vec::new(), [0; 8_192]);
    while let Ok(count @ 1..) = output.read_at(&mut buffer, *seen) {
        text.extend_from_slice(&buffer[..count]);
        *seen += count as u64;
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Bytes of output that are read, from the end: builds say last why they failed.
const OUTPUT_BYTES_MAX: u64 = 16 << 20;

fn read_all(output: &mut File) -> io::Result<Vec<String>> {
    let length = output.metadata()?.len();
    output.seek(SeekFrom::Start(length.saturating_sub(OUTPUT_BYTES_MAX)))?;
    let mut bytes = Vec::new();
    output.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect())
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
        let PrepareError::Failed { what, telling } = shell("seq 1000; exit 3", LONG).unwrap_err() else { panic!() };
        assert_eq!(what, "testing failed: sh ended with exit status: 3");
        assert_eq!((telling.len(), telling.last().map(String::as_str)), (15, Some("1000")));
    }

    #[test]
    fn a_failure_with_errors_shows_those_and_names_the_whole_log() {
        let dir = tempfile::tempdir().unwrap();
        let log = dir.path().join("logs/a.log");
        let script = "echo one; printf '[\\033[1;31mERROR\\033[m] no such profile\\n'; seq 100; exit 1";
        let mut command = Command::new("sh");
        let failed =
            run_logged(command.args(["-c", script]), "building", LONG, (&log, &AtomicBool::new(false)), &mut |_, _| {})
                .unwrap_err();
        let PrepareError::Failed { what, telling } = failed else { panic!() };
        assert_eq!(telling, ["[ERROR] no such profile"]);
        assert_eq!(what, format!("building failed: sh ended with exit status: 1; the whole log is {}", log.display()));
        assert_eq!(fs::read_to_string(log).unwrap().lines().count(), 102);
    }

    #[test]
    fn its_output_is_watched_while_it_runs() {
        let dir = tempfile::tempdir().unwrap();
        let mut seen = String::new();
        // The program ends once the watcher has seen its output.
        let end = dir.path().join("end");
        let script = "echo '[3/8] Building universe...'; while ! [ -e \"$0\" ]; do sleep 0.1; done";
        let mut watch = |_: Duration, text: &str| {
            seen.push_str(text);
            if seen.contains("universe") {
                fs::write(&end, "").unwrap();
            }
        };
        let mut command = Command::new("sh");
        let (log, stop) = (dir.path().join("log"), AtomicBool::new(false));
        run_logged(command.args(["-c", script]).arg(&end), "b", LONG, (&log, &stop), &mut watch).unwrap();
        assert!(seen.starts_with("[3/8] Building universe...\n"), "{seen}");
    }

    #[test]
    fn what_takes_too_long_is_killed() {
        let error = shell("echo begun; exec sleep 600", Duration::from_secs(8)).unwrap_err().to_string();
        assert_eq!(error, "testing failed: sh had not ended after 8 s and was killed:\n  begun");
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = run(&mut Command::new("/nowhere/mvn"), "building", LONG).unwrap_err().to_string();
        assert!(error.starts_with("building failed: cannot run /nowhere/mvn: "), "{error}");
    }

    /// A build is often a script that has started others.
    #[test]
    fn a_stop_ends_a_build_with_all_that_it_started() {
        let dir = tempfile::tempdir().unwrap();
        let (log, stop) = (dir.path().join("log"), AtomicBool::new(false));
        let script = "sleep 600 & echo begun $!; wait";
        let mut command = Command::new("sh");
        let stopped =
            run_logged(command.args(["-c", script]), "building", 10 * LONG, (&log, &stop), &mut |_, output| {
                stop.fetch_or(output.contains("begun"), Ordering::Relaxed);
            });
        assert!(stopped.unwrap_err().to_string().contains("sh was interrupted"));
        let told = fs::read_to_string(&log).unwrap();
        let child: i32 = told.lines().find_map(|line| line.strip_prefix("begun ")?.parse().ok()).unwrap();
        let is_gone = || rustix::process::test_kill_process(Pid::from_raw(child).unwrap()).is_err();
        let is_zombie = || fs::read_to_string(format!("/proc/{child}/stat")).is_ok_and(|stat| stat.contains(") Z "));
        let begun = Instant::now();
        while !is_gone() && !is_zombie() {
            assert!(begun.elapsed() < LONG, "process {child} goes on");
            thread::sleep(POLL_INTERVAL);
        }
    }
}
