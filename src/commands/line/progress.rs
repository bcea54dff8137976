//! What the person who waits is told.

use plimsoll_lab::line::{Offered, Standing};
use plimsoll_text::number::in_full;

use crate::live::{Live, clock};

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

    /// A second of a step has passed.
    pub fn second(&mut self, standing: &Standing) {
        self.live.progress(&format!("{}  {}", clock(standing.elapsed), describe(standing)));
    }
}

/// `trial 5: 1,840/s  load line 1,760 – 1,905/s`.
pub fn describe(standing: &Standing) -> String {
    let found = standing
        .range
        .map_or_else(String::new, |(low, high)| format!("  load line {} – {}/s", in_full(low, 3), in_full(high, 3)));
    match standing.offered {
        Offered::Users(users) => format!("capacity: {users} users, {} req/s", standing.succeeded_per_s),
        Offered::Trial { number, rate_per_s } => format!("trial {number}: {}/s{found}", in_full(rate_per_s, 4)),
    }
}
