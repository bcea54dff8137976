//! Progress on stderr: on a terminal lines that are written over, plain lines elsewhere.

mod dashboard;
pub mod explanation;
mod narrator;
mod screen;
pub mod search;
mod watch;

use std::{
    io::{IsTerminal, Write, stderr},
    time::{Duration, Instant},
};

pub use narrator::Narrator;
use plimsoll_record::Nanos;
use plimsoll_secrets::mask;
use plimsoll_text::{columns, printable, printable_line};
use screen::Screen;
pub use watch::{Voice, Watch};

/// Off a terminal, a line of progress at most this often.
const PLAIN_EVERY: Duration = Duration::from_secs(10);
const WIDTH: usize = 100;

/// The live line.
pub struct Live {
    is_terminal: bool,
    is_shown: bool,
    last_plain: Instant,
    quiet: bool,
}

impl Live {
    /// `quiet` leaves out progress; what must be said is said.
    pub fn new(quiet: bool) -> Self {
        let is_terminal = stderr().is_terminal() && !screen::is_dumb();
        Self { is_terminal, is_shown: false, last_plain: Instant::now(), quiet }
    }

    /// Progress: stands until the next line.
    pub fn progress(&mut self, text: &str) {
        if self.quiet {
            return;
        }
        if self.is_terminal {
            let cut = columns::cut(&printable_line(&mask(text)), Screen::width().min(WIDTH));
            self.write(&format!("\r\x1b[2K{cut}"));
            self.is_shown = true;
        } else if self.last_plain.elapsed() >= PLAIN_EVERY {
            self.last_plain = Instant::now();
            self.write(&format!("{}\n", shown(text)));
        }
    }

    /// A line that stays.
    pub fn say(&mut self, text: &str) {
        self.clear();
        tell!("{}", shown(text));
    }

    /// Takes the live line away.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            self.write("\r\x1b[2K");
        }
    }

    fn write(&self, text: &str) {
        let mut stderr = stderr().lock();
        // Nobody may read it: that is no reason to end a measurement.
        let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Text as it may be written to a terminal: without secrets, and without anything that a terminal would obey.
pub fn shown(text: &str) -> String {
    printable(&mask(text)).into_owned()
}

/// `1:05` or `1:02:03`.
pub fn clock(time: Nanos) -> String {
    plimsoll_text::number::clock(time.0 / 1_000_000_000)
}
