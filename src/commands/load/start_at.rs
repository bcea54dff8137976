//! Waits for the instant that all parts of a load start at.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use jiff::Timestamp;
use plimsoll_record::Nanos;

use crate::{
    cli::StartAt,
    live::{Live, clock},
};

/// Ctrl-C is looked at, and the clock, which may be set meanwhile, this often.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Waits for the start. False: `stop` was set first.
pub fn wait(start: StartAt, stop: &AtomicBool, quiet: bool) -> bool {
    let mut live = Live::new(quiet);
    let began = Instant::now();
    let left = || start.left(Timestamp::now(), began.elapsed());
    if !quiet {
        let at = Timestamp::now().checked_add(left()).map_or_else(|_| String::new(), |at| format!("at {at}, "));
        live.say(&format!("the load starts {at}in {}; Ctrl-C ends the waiting", countdown(left())));
    }
    while !stop.load(Ordering::Relaxed) {
        let left = left();
        if left.is_zero() {
            return true;
        }
        live.progress(&format!("the load starts in {}", countdown(left)));
        thread::sleep(left.min(LOOK_EVERY));
    }
    live.say("interrupted before the load started: nothing was sent");
    false
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
        assert!(wait(StartAt::At(at), &AtomicBool::new(false), true));
        assert!(Timestamp::now() >= at);
        let began = Instant::now();
        assert!(wait(StartAt::In(Duration::from_millis(150)), &AtomicBool::new(false), true));
        assert!(began.elapsed() >= Duration::from_millis(150));
        let far = StartAt::In(Duration::from_secs(3_600));
        assert!(!wait(far, &AtomicBool::new(true), true));
        assert_eq!(countdown(Duration::from_millis(61_500)), "1:02");
    }
}
