//! Waits for the instant that all parts of a load start at.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use jiff::Timestamp;
use plimsoll_record::Nanos;

use crate::live::{Live, clock};

/// Ctrl-C is looked at, and the clock, which may be set meanwhile, this often.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Waits until `at` by the machine's clock. False: `stop` was set first.
pub fn wait(at: Timestamp, stop: &AtomicBool, quiet: bool) -> bool {
    let mut live = Live::new(quiet);
    if !quiet {
        live.say(&format!("the load starts at {at}, in {}; Ctrl-C ends the waiting", countdown(left(at))));
    }
    while !stop.load(Ordering::Relaxed) {
        let left = left(at);
        if left.is_zero() {
            return true;
        }
        live.progress(&format!("the load starts in {}", countdown(left)));
        thread::sleep(left.min(LOOK_EVERY));
    }
    live.say("interrupted before the load started: nothing was sent");
    false
}

fn left(at: Timestamp) -> Duration {
    at.duration_since(Timestamp::now()).try_into().unwrap_or_default()
}

/// Whole seconds, so that it ends with 0:01.
fn countdown(left: Duration) -> String {
    clock(Nanos::from_secs((left + Duration::from_nanos(999_999_999)).as_secs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_waits_until_then_unless_it_is_stopped() {
        let at = Timestamp::now() + Duration::from_millis(150);
        assert!(wait(at, &AtomicBool::new(false), true));
        assert!(Timestamp::now() >= at);
        let far = Timestamp::now() + Duration::from_secs(3_600);
        assert!(!wait(far, &AtomicBool::new(true), true));
        assert_eq!(countdown(Duration::from_millis(61_500)), "1:02");
    }
}
