//! How often a part tries again, and for how long.

use plimsoll_record::Nanos;

const FIRST_PAUSE: Nanos = Nanos::from_millis(200);
const LONGEST_PAUSE: Nanos = Nanos::from_secs(2);

/// Tries that have failed in a row.
#[derive(Clone, Debug)]
pub struct Patience {
    limit: Nanos,
    /// The instant from which on nothing was answered.
    silent_since: Nanos,
    pause: Nanos,
    again_at: Nanos,
    /// Why the last try has failed; none if none has, since somebody answered.
    why: Option<String>,
}

impl Patience {
    pub fn new(limit: Nanos, now: Nanos) -> Self {
        Self { limit, silent_since: now, pause: FIRST_PAUSE, again_at: now, why: None }
    }

    /// Notes that somebody has answered.
    pub fn restore(&mut self, now: Nanos) {
        *self = Self::new(self.limit, now);
    }

    /// Notes that a try has failed.
    pub fn fail(&mut self, now: Nanos, why: String) {
        self.again_at = now + self.pause;
        self.pause = Nanos(self.pause.0 * 2).min(LONGEST_PAUSE);
        self.why = Some(why);
    }

    /// When to try.
    pub fn again_at(&self) -> Nanos {
        self.again_at
    }

    /// How long nothing was answered.
    pub fn silent_for(&self, now: Nanos) -> Nanos {
        now - self.silent_since
    }

    /// Why the last try has failed, once nothing was answered for as long as the limit. None without a failed try: a
    /// side that stood still has not tried.
    pub fn is_at_its_end(&self, now: Nanos) -> Option<&str> {
        self.why.as_deref().filter(|_| self.silent_for(now) >= self.limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_end() {
        let mut patience = Patience::new(Nanos::from_secs(10), Nanos::ZERO);
        let mut now = Nanos::ZERO;
        let mut pauses = Vec::new();
        while patience.is_at_its_end(now).is_none() {
            patience.fail(now, "refused".to_owned());
            pauses.push((patience.again_at() - now).0 / 1_000_000);
            now = patience.again_at();
        }
        assert_eq!(pauses, [200, 400, 800, 1_600, 2_000, 2_000, 2_000, 2_000]);
        assert_eq!(patience.is_at_its_end(now), Some("refused"));
        patience.restore(now);
        assert!(patience.is_at_its_end(now).is_none() && patience.again_at() == now);
        let later = now + Nanos::from_secs(60);
        assert_eq!(patience.is_at_its_end(later), None, "nothing was tried meanwhile");
        patience.fail(later, "refused".to_owned());
        assert_eq!(patience.is_at_its_end(later), Some("refused"));
    }
}
