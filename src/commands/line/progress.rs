//! What the person who waits is told.

use plimsoll_record::Nanos;
use plimsoll_search::{Search, Step};
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

    /// A line that stays.
    pub fn say(&mut self, text: &str) {
        self.live.say(text);
    }

    /// A second of a step has passed.
    pub fn second(&mut self, step: Step, search: &Search, now: f64, throughput: u32) {
        let time = clock(Nanos::from_secs_f64(now));
        let text = match step {
            Step::Closed { users } => format!("{time}  capacity: {users} users, {throughput} req/s"),
            Step::Open { rate } => {
                let found = search.range_now().map_or_else(String::new, |(low, high)| {
                    format!("  load line {} – {}/s", in_full(low, 3), in_full(high, 3))
                });
                format!("{time}  trial {}: {}/s{found}", search.trials().len() + 1, in_full(rate, 4))
            }
            Step::Done => return,
        };
        self.live.progress(&text);
    }
}
