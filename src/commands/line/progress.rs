//! Progress, for the person who waits.

use plimsoll_lab::line::Standing;

use crate::live::{Live, search::in_full_width};

/// The live line, and lines that stay.
pub struct Progress {
    live: Live,
}

impl Progress {
    /// `quiet` leaves out progress.
    pub fn new(quiet: bool) -> Self {
        Self { live: Live::new(quiet) }
    }

    /// A remark, which stays.
    pub fn note(&mut self, text: &str) {
        self.live.say(&format!("note: {text}"));
    }

    /// A warning, which stays.
    pub fn warn(&mut self, text: &str) {
        self.live.say(&format!("warning: {text}"));
    }

    /// A second of a step has passed.
    pub fn second(&mut self, standing: &Standing) {
        self.live.progress(&in_full_width(standing));
    }
}
