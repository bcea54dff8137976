//! Two ways to end a load before its time.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU8, Ordering::Relaxed},
};

const GO_ON: u8 = 0;
const FINISH: u8 = 1;
const ABANDON: u8 = 2;

/// Handle by which a load is ended before its time, from any thread, and from the callback that gets its intervals.
/// Clones end the same load. It is looked at ten times a second, and more often where requests are sent.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    asked: Arc<AtomicU8>,
    outer: Option<Arc<AtomicBool>>,
}

impl Stop {
    /// A handle for one load.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, and the load is also abandoned where `flag` is set, such as by a signal. Several loads may share a
    /// flag, which is only looked at: [`Stop::abandon`] ends none of the others.
    pub fn abandoned_by(self, flag: Arc<AtomicBool>) -> Self {
        Self { outer: Some(flag), ..self }
    }

    /// Ends the load at once: requests in flight are abandoned.
    pub fn abandon(&self) {
        self.asked.fetch_max(ABANDON, Relaxed);
    }

    /// Ends the load softly: nothing is offered any more, and what was offered is awaited, which takes at most as long
    /// as at the load's own end: the response time-out, twice where a limit of requests in flight holds some back.
    /// Iterations of several requests go on to their end.
    pub fn finish(&self) {
        self.asked.fetch_max(FINISH, Relaxed);
    }

    /// Whether the load is to end at once.
    #[inline]
    pub fn is_abandoned(&self) -> bool {
        self.asked.load(Relaxed) == ABANDON || self.outer.as_ref().is_some_and(|flag| flag.load(Relaxed))
    }

    /// Whether nothing is to be offered any more.
    #[inline]
    pub fn is_finishing(&self) -> bool {
        self.asked.load(Relaxed) != GO_ON
    }

    /// Whether the load need not begin.
    pub(crate) fn is_asked(&self) -> bool {
        self.is_finishing() || self.is_abandoned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_abandoned_is_not_awaited_after_all() {
        let stop = Stop::new();
        assert!(!stop.is_asked());
        stop.clone().finish();
        assert!(stop.is_finishing() && !stop.is_abandoned());
        stop.abandon();
        stop.finish();
        assert!(stop.is_abandoned());
    }

    #[test]
    fn a_shared_flag_abandons_all_and_is_set_by_none() {
        let flag = Arc::<AtomicBool>::default();
        let [one, other] = [(); 2].map(|()| Stop::new().abandoned_by(flag.clone()));
        one.abandon();
        assert!(one.is_abandoned() && !other.is_asked() && !flag.load(Relaxed));
        flag.store(true, Relaxed);
        assert!(other.is_abandoned() && !other.is_finishing());
    }
}
