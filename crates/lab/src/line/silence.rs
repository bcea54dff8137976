//! Whether the target has ended: connections fail, and nothing answers.

use plimsoll_record::{ErrorKind, Interval, Nanos};

/// Silence after which the target has ended.
const LASTS: Nanos = Nanos::from_secs(5);
/// Requests that failed by then: where few are sent it might be by chance.
const FAILED_LEAST: u64 = 10;

/// Failures that a target causes once it has ended: kind, words, and whether the connection was accepted. Connect
/// time-outs are left out: a service may be too busy to accept.
const ENDED: [(ErrorKind, &str, bool); 5] = [
    (ErrorKind::Refused, "connection refused", false),
    (ErrorKind::Unreachable, "host unreachable", false),
    (ErrorKind::Dns, "name not resolved", false),
    (ErrorKind::Reset, "connection reset", true),
    (ErrorKind::ClosedBeforeResponse, "connection closed", true),
];

/// Nothing answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gone {
    /// For how long; none if nothing ever has answered.
    pub after: Option<Nanos>,
    /// How requests fail.
    pub why: &'static str,
    /// Whether something takes connections all the same, and closes them.
    pub is_accepting: bool,
}

/// Silence of a target, second by second of offering.
#[derive(Debug, Default)]
pub struct Silence {
    has_answered: bool,
    /// Since the last second with an answer.
    lasted: Nanos,
    failed: u64,
    why: &'static str,
    is_accepting: bool,
    /// Whether such failures came in the last second.
    has_failures: bool,
    /// Whether they came in the last second and not in the one before.
    is_new: bool,
}

impl Silence {
    /// Takes in a second of offering.
    pub fn add(&mut self, second: &Interval) {
        if second.ended() == 0 {
            return;
        }
        let count = |kind| second.errors.get(&kind).map_or(0, |error| error.count);
        let failed: u64 = ENDED.iter().map(|&(kind, ..)| count(kind)).sum();
        self.is_new = failed > 0 && !self.has_failures;
        self.has_failures = failed > 0;
        if failed < second.ended() {
            (self.has_answered, self.lasted, self.failed) = (true, Nanos::ZERO, 0);
            return;
        }
        self.lasted = self.lasted + second.duration;
        self.failed += failed;
        let first = ENDED.iter().find(|&&(kind, ..)| count(kind) > 0);
        (self.why, self.is_accepting) =
            first.map_or_else(Default::default, |&(_, why, is_accepting)| (why, is_accepting));
    }

    /// Whether the target may be ending: the next second tells what the failures mean.
    pub fn may_begin(&self) -> bool {
        self.is_new || self.lasted > Nanos::ZERO
    }

    /// Whether it has ended, or never was there.
    pub fn gone(&self) -> Option<Gone> {
        let is_gone = match self.has_answered {
            true => self.lasted >= LASTS && self.failed >= FAILED_LEAST,
            false => self.lasted > Nanos::ZERO,
        };
        let after = self.has_answered.then_some(self.lasted);
        is_gone.then_some(Gone { after, why: self.why, is_accepting: self.is_accepting })
    }
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Counts, ErrorCount};

    use super::*;

    fn second(succeeded: u64, errors: &[(ErrorKind, u64)]) -> Interval {
        let failed = errors.iter().map(|it| it.1).sum();
        let error = |&(kind, count): &(ErrorKind, u64)| (kind, ErrorCount { count, example: String::new() });
        Interval {
            duration: Nanos::from_secs(1),
            counts: Counts { succeeded, failed, ..Counts::default() },
            errors: errors.iter().map(error).collect(),
            ..Interval::default()
        }
    }

    fn after(seconds: &[Interval]) -> Silence {
        let mut silence = Silence::default();
        seconds.iter().for_each(|second| silence.add(second));
        silence
    }

    #[test]
    fn five_seconds_without_an_answer_are_the_end() {
        use ErrorKind::{Refused, Reset, Status5xx};
        let (well, refused) = (second(50, &[]), second(0, &[(Refused, 40), (Reset, 1)]));
        let four = [&[well.clone()][..], &vec![refused.clone(); 4]].concat();
        assert!(after(&four).may_begin() && after(&four).gone().is_none());
        let five = [&four[..], std::slice::from_ref(&refused)].concat();
        let gone = Gone { after: Some(Nanos::from_secs(5)), why: "connection refused", is_accepting: false };
        assert_eq!(after(&five).gone(), Some(gone));
        // An answer is an answer, and where nothing ends nothing is known.
        for answer in [second(1, &[(Refused, 40)]), second(0, &[(Refused, 40), (Status5xx, 1)])] {
            let answered = [&four[..], &[answer, refused.clone()]].concat();
            assert_eq!(after(&answered).gone(), None);
        }
        assert_eq!(after(&[&four[..], &[second(0, &[])]].concat()).gone(), None);
        let few = [&[well][..], &vec![second(0, &[(Refused, 1)]); 9]].concat();
        assert_eq!(after(&few).gone(), None, "too few to tell");
    }

    #[test]
    fn nobody_listens_from_the_start() {
        let gone = Gone { after: None, why: "connection refused", is_accepting: false };
        assert_eq!(after(&[second(0, &[(ErrorKind::Refused, 1)])]).gone(), Some(gone));
        let busy = second(0, &[(ErrorKind::ConnectTimeout, 3)]);
        assert_eq!(after(&vec![busy; 9]).gone(), None, "too busy to accept");
    }

    #[test]
    fn connections_that_are_taken_and_closed_are_told_from_refused_ones() {
        let closed = second(0, &[(ErrorKind::ClosedBeforeResponse, 40)]);
        let gone = after(&[&[second(50, &[])][..], &vec![closed; 5]].concat()).gone().unwrap();
        assert!(gone.is_accepting && gone.why == "connection closed", "{gone:?}");
    }

    #[test]
    fn failures_among_answers_are_doubtful_for_a_second() {
        let some = || second(50, &[(ErrorKind::Reset, 2)]);
        assert!(after(&[second(50, &[]), some()]).may_begin());
        assert!(!after(&[second(50, &[]), some(), some()]).may_begin());
        assert!(!after(&[second(50, &[]), some(), second(50, &[])]).may_begin());
    }
}
