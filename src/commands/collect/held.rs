//! A record that waits for whoever fetches it: a collector in a container ends only when its record is elsewhere, since
//! nothing can be read from a container that has ended.

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use plimsoll_record::Nanos;
use serde_json::{Value, json};

use crate::{cli::HeldWord, commands::print, failure::Failure, gathering::digest};

/// Begins the line that tells that a record is there to be fetched.
pub const MARK: &str = "the record is held";
const HEAD_BYTES_MAX: u64 = 1024;
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Whether a record is whole, and whether it was fetched: a file beside it for each.
struct Signs {
    whole: PathBuf,
    fetched: PathBuf,
}

impl Signs {
    fn of(record: &Path) -> Self {
        let beside = |word: &str| {
            let mut name = record.as_os_str().to_owned();
            name.push(word);
            PathBuf::from(name)
        };
        Self { whole: beside(".whole"), fetched: beside(".fetched") }
    }
}

/// Tells that the record is whole, and by which exit code its load has ended.
pub fn offer(record: &Path, code: u8, time: Nanos) -> Result<(), Failure> {
    let signs = Signs::of(record);
    // The file is read as soon as it is there, and must be whole by then.
    let new = signs.whole.with_extension("new");
    let written = fs::write(&new, code.to_string()).and_then(|()| fs::rename(&new, &signs.whole));
    written.map_err(|error| unwritten(&signs.whole, &error))?;
    // Printed before the report and to the same stream, since nobody keeps two streams in order.
    print(&format!("{MARK} until it is fetched, for {time} at most\n"))
}

/// Waits until the record is fetched, so long at most.
pub fn hold(record: &Path, time: Nanos, interrupted: &AtomicBool) {
    let (signs, begun) = (Signs::of(record), Instant::now());
    while !signs.fetched.exists() && !interrupted.load(Ordering::Relaxed) && begun.elapsed() < Duration::from(time) {
        thread::sleep(LOOK_EVERY);
    }
}

/// Sends or releases the record: a second command, in the collector's container.
pub fn execute(word: HeldWord, record: &Path) -> Result<ExitCode, Failure> {
    let signs = Signs::of(record);
    match word {
        HeldWord::Send => send(record, &signs)?,
        HeldWord::Release => {
            fs::write(&signs.fetched, "").map_err(|error| unwritten(&signs.fetched, &error))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the record to stdout once it is whole: a line that says its length, digest and exit code, then its bytes.
fn send(record: &Path, signs: &Signs) -> Result<(), Failure> {
    while !signs.whole.exists() {
        thread::sleep(LOOK_EVERY);
    }
    let unread = |error: &dyn std::fmt::Display| Failure::running(format_args!("{}: {error}", record.display()));
    let code = fs::read_to_string(&signs.whole).map_err(|error| unread(&error))?;
    let code: u8 = code.trim().parse().map_err(|error| unread(&error))?;
    let (bytes, sha256) = File::open(record).and_then(digest).map_err(|error| unread(&error))?;
    let mut stdout = io::stdout().lock();
    let head = json!({ "bytes": bytes, "sha256": sha256, "code": code });
    let mut sent = || {
        writeln!(stdout, "{head}")?;
        io::copy(&mut File::open(record)?, &mut stdout)?;
        stdout.flush()
    };
    sent().map_err(|error| unread(&error))
}

/// Reads what [`send`] has written into a file; the exit code of its load. A message in words if anything is missing.
pub fn receive(from: impl Read, file: &Path) -> Result<u8, String> {
    let mut from = BufReader::new(from);
    let mut head = Vec::new();
    (&mut from).take(HEAD_BYTES_MAX).read_until(b'\n', &mut head).map_err(|error| error.to_string())?;
    let head: Value = serde_json::from_slice(&head).map_err(|_| "expected a record, found something else")?;
    let (Some(bytes), Some(sha256), Some(code)) =
        (head["bytes"].as_u64(), head["sha256"].as_str(), head["code"].as_u64())
    else {
        return Err("expected a record, found something else".to_owned());
    };
    let mut to = File::create(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let copied = io::copy(&mut from.take(bytes), &mut to).map_err(|error| format!("the record was cut: {error}"))?;
    if copied != bytes {
        return Err(format!("the record was cut after {copied} of {bytes} bytes"));
    }
    let (_, read) = File::open(file).and_then(digest).map_err(|error| format!("{}: {error}", file.display()))?;
    match (read == sha256, u8::try_from(code)) {
        (true, Ok(code)) => Ok(code),
        _ => Err("the record has another digest than it had".to_owned()),
    }
}

fn unwritten(path: &Path, error: &io::Error) -> Failure {
    Failure::running(format_args!("{} cannot be written: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes that are sent of a record of these bytes, which ended with 3.
    fn sent(bytes: &[u8]) -> Vec<u8> {
        let head = json!({ "bytes": bytes.len(), "sha256": digest(bytes).unwrap().1, "code": 3 });
        [format!("{head}\n").as_bytes(), bytes].concat()
    }

    #[test]
    fn records_arrive_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("record");
        let bytes: Vec<u8> = (0..100_000_u32).map(|number| (number % 251) as u8).collect();
        let whole = sent(&bytes);
        assert_eq!(receive(&whole[..], &file), Ok(3));
        assert_eq!(fs::read(&file).unwrap(), bytes);
        assert!(receive(&whole[..99_999], &file).unwrap_err().contains("cut after 99"));
        let mut changed = whole.clone();
        changed[5_000] ^= 1;
        assert!(receive(&changed[..], &file).unwrap_err().contains("another digest"));
        for other in [&b""[..], b"Error from server", b"{}\n", b"\n"] {
            assert!(receive(other, &file).unwrap_err().contains("expected a record"));
        }
    }
}
