//! The target's output, line by line as it comes: bounded, however much it writes.

use std::{
    collections::VecDeque,
    io::{BufRead, BufReader, Read},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::Duration,
};

/// How many last lines are kept.
const TAIL_LINES: usize = 200;
/// A longer line is cut.
const LINE_BYTES_MAX: u64 = 4_096;

/// Reads a target's output on a thread of its own until its end.
#[derive(Debug)]
pub struct Output {
    lines: Arc<Mutex<Lines>>,
    reader: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Lines {
    /// The last [`TAIL_LINES`].
    tail: VecDeque<String>,
    /// How many at the end of `tail` have not been taken.
    fresh: usize,
}

impl Lines {
    fn push(&mut self, line: String) {
        if self.tail.len() == TAIL_LINES {
            self.tail.pop_front();
        }
        self.tail.push_back(line);
        self.fresh = (self.fresh + 1).min(TAIL_LINES);
    }
}

impl Output {
    /// Reads from `pipe`.
    pub fn read(pipe: impl Read + Send + 'static) -> Self {
        let lines = Arc::new(Mutex::new(Lines::default()));
        let into = Arc::clone(&lines);
        let reader = thread::spawn(move || {
            let mut pipe = BufReader::new(pipe);
            while let Some(line) = next_line(&mut pipe) {
                lock(&into).push(line);
            }
        });
        Self { lines, reader }
    }

    /// The lines that came since the last call; if they were more than [`TAIL_LINES`], the last of them.
    pub fn take_fresh(&self) -> Vec<String> {
        let mut lines = lock(&self.lines);
        let fresh = std::mem::take(&mut lines.fresh);
        lines.tail.iter().skip(lines.tail.len() - fresh).cloned().collect()
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
    fn only_the_last_lines_are_kept() {
        let text: String = (0..1_000).map(|line| format!("{line}\n")).collect();
        let output = read(text.leak().as_bytes());
        let last: Vec<String> = (800..1_000).map(|line| line.to_string()).collect();
        assert_eq!(output.take_fresh(), last);
        assert_eq!(tail(&output.tail(), 2), ["998", "999"]);
        assert_eq!(tail(&[], 2), [""; 0]);
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
