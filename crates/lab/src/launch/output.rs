//! The target's output, line by line as it comes: bounded, however much it writes.
//!
//! The first 4 MiB of it are for the record, whole. After that, the last 200 lines that come between two takes are,
//! with a line that says how many were left out: a target that logs each request would fill the record, and its lines
//! would take the generator's CPU.

use std::{
    collections::VecDeque,
    io::{BufRead, BufReader, Read},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::Duration,
};

use plimsoll_text::counted;

/// How many last lines are kept.
const TAIL_LINES: usize = 200;
/// A longer line is cut.
const LINE_BYTES_MAX: u64 = 4_096;
/// Bytes of lines that are handed out whole.
const WHOLE_BYTES: usize = 4 << 20;
/// Bytes that a line takes beside its text.
const LINE_COST: usize = size_of::<String>();

/// Reads a target's output on a thread of its own until its end.
#[derive(Debug)]
pub struct Output {
    lines: Arc<Mutex<Lines>>,
    reader: JoinHandle<()>,
}

#[derive(Debug)]
struct Lines {
    /// The last [`TAIL_LINES`].
    tail: VecDeque<String>,
    /// Lines that have not been taken, and their bytes.
    fresh: VecDeque<String>,
    fresh_bytes: usize,
    /// How many have been left out of `fresh`.
    left_out: u64,
    /// Bytes that are left of [`WHOLE_BYTES`].
    room: usize,
}

impl Lines {
    fn with_room(room: usize) -> Self {
        Self { tail: VecDeque::new(), fresh: VecDeque::new(), fresh_bytes: 0, left_out: 0, room }
    }

    fn push(&mut self, line: String) {
        if self.tail.len() == TAIL_LINES {
            self.tail.pop_front();
        }
        self.tail.push_back(line.clone());
        self.fresh_bytes += line.len() + LINE_COST;
        self.fresh.push_back(line);
        while self.fresh.len() > TAIL_LINES && self.fresh_bytes > self.room {
            let Some(oldest) = self.fresh.pop_front() else { break };
            self.fresh_bytes -= oldest.len() + LINE_COST;
            self.left_out += 1;
        }
    }

    /// The lines that have not been taken, after one that says how many are missing before them.
    fn take(&mut self) -> Vec<String> {
        self.room = self.room.saturating_sub(std::mem::take(&mut self.fresh_bytes));
        let left_out = std::mem::take(&mut self.left_out);
        let note = (left_out > 0).then(|| format!("… {} left out", counted(left_out, "line")));
        note.into_iter().chain(std::mem::take(&mut self.fresh)).collect()
    }
}

impl Output {
    /// Reads from `pipe`.
    pub fn read(pipe: impl Read + Send + 'static) -> Self {
        let lines = Arc::new(Mutex::new(Lines::with_room(WHOLE_BYTES)));
        let into = Arc::clone(&lines);
        let reader = thread::spawn(move || {
            let mut pipe = BufReader::new(pipe);
            while let Some(line) = next_line(&mut pipe) {
                lock(&into).push(line);
            }
        });
        Self { lines, reader }
    }

    /// The lines that came since the last call; of more than are handed out, the last, and how many are left out.
    pub fn take_fresh(&self) -> Vec<String> {
        lock(&self.lines).take()
    }

    /// The last [`TAIL_LINES`].
    pub fn tail(&self) -> Vec<String> {
        lock(&self.lines).tail.iter().cloned().collect()
    }

    /// Waits until everything is read, but no longer than `patience`: a process that could not be killed would hold the
    /// pipe open.
    pub fn await_end(&self, patience: Duration) {
        const PAUSE: Duration = Duration::from_millis(1);
        let mut waited = Duration::ZERO;
        while !self.reader.is_finished() && waited < patience {
            thread::sleep(PAUSE);
            waited += PAUSE;
        }
    }
}

/// The last `count` of `lines`.
pub fn tail(lines: &[String], count: usize) -> &[String] {
    &lines[lines.len().saturating_sub(count)..]
}

/// A poisoned lock is no harm: no thread leaves the lines half changed.
fn lock(lines: &Mutex<Lines>) -> MutexGuard<'_, Lines> {
    lines.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The next line without its end; none at the end of the pipe, or if it breaks.
fn next_line(pipe: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    let read = pipe.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut line).ok()?;
    if read == 0 {
        return None;
    }
    if line.last() != Some(&b'\n') {
        skip_to_line_end(pipe).ok()?;
    }
    Some(String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_owned())
}

fn skip_to_line_end(pipe: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let buffer = pipe.fill_buf()?;
        let (skipped, is_end) = match buffer.iter().position(|&byte| byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        pipe.consume(skipped);
        if is_end {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &'static [u8]) -> Output {
        let output = Output::read(text);
        output.await_end(Duration::from_secs(10));
        output
    }

    #[test]
    fn lines_are_taken_once_and_kept() {
        let output = read(b"one\r\ntwo\n\nlast without an end");
        let all = ["one", "two", "", "last without an end"];
        assert_eq!(output.take_fresh(), all);
        assert_eq!(output.take_fresh(), [""; 0]);
        assert_eq!(output.tail(), all);
    }

    #[test]
    fn all_lines_are_taken_and_the_last_are_kept() {
        let text: String = (0..1_000).map(|line| format!("{line}\n")).collect();
        let output = read(text.leak().as_bytes());
        let all: Vec<String> = (0..1_000).map(|line| line.to_string()).collect();
        assert_eq!(output.take_fresh(), all);
        assert_eq!(output.tail(), all[800..]);
        assert_eq!(tail(&output.tail(), 2), ["998", "999"]);
        assert_eq!(tail(&[], 2), [""; 0]);
    }

    #[test]
    fn a_flood_is_left_out_and_counted_once_there_was_enough_of_it() {
        let numbers = |range: std::ops::Range<u32>| range.map(|number| number.to_string()).collect::<Vec<_>>();
        let mut lines = Lines::with_room(500 * (3 + LINE_COST));
        let mut told = |range| {
            numbers(range).into_iter().for_each(|line| lines.push(line));
            lines.take()
        };
        assert_eq!(told(100..400), numbers(100..400), "there is room");
        // A number has three digits, and there is room for 200 more.
        assert_eq!(told(400..700), [vec!["… 100 lines left out".to_owned()], numbers(500..700)].concat());
        assert_eq!(told(700..800), numbers(700..800), "the last 200 are always there");
        assert_eq!(told(100..301), [vec!["… 1 line left out".to_owned()], numbers(101..301)].concat());
        assert_eq!(told(0..0), [""; 0]);
    }

    #[test]
    fn a_line_without_end_does_not_eat_the_memory() {
        let text = format!("{}\nnext\n", "x".repeat(1_000_000));
        let output = read(text.leak().as_bytes());
        let lines = output.tail();
        assert_eq!(lines.iter().map(String::len).collect::<Vec<_>>(), [4_096, 4]);
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_as_far_as_possible() {
        assert_eq!(read(b"a\xffb\n").tail(), ["a\u{fffd}b"]);
    }
}
