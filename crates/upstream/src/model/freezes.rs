//! A second clock that stands still while everything is frozen. On it, nothing else needs to know of freezes.

use plimsoll_record::{Freeze, Nanos};

/// From the clock on the wall to thawed time, and back.
#[derive(Debug)]
pub struct Freezes(Option<Freeze>);

impl Freezes {
    /// The first one begins one period after the start.
    pub fn new(freeze: Option<Freeze>) -> Self {
        Self(freeze)
    }

    /// The time until `at` that was not frozen.
    pub fn thawed(&self, at: Nanos) -> Nanos {
        let Some(Freeze { length, every }) = self.0 else { return at };
        let begun = at.0 / every.0;
        if begun == 0 {
            return at;
        }
        let in_last = (at.0 % every.0).min(length.0);
        Nanos(at.0 - (begun - 1) * length.0 - in_last)
    }

    /// When so much thawed time will have passed; if that is just when a freeze begins, its end.
    pub fn instant(&self, thawed: Nanos) -> Nanos {
        let Some(Freeze { length, every }) = self.0 else { return thawed };
        let Some(after_first) = thawed.0.checked_sub(every.0) else { return thawed };
        let between = every.0 - length.0;
        let freezes = after_first / between + 1;
        Nanos(thawed.0.saturating_add(freezes.saturating_mul(length.0)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn freezes() -> impl Strategy<Value = Freezes> {
        (1..1_000_u64, 1..1_000_u64).prop_map(|(length, between)| {
            Freezes::new(Some(Freeze { length: Nanos(length), every: Nanos(length + between) }))
        })
    }

    #[test]
    fn one_second_every_ten() {
        let freezes = Freezes::new(Some(Freeze { length: Nanos(1), every: Nanos(10) }));
        let thawed = [0, 9, 10, 11, 12, 20, 21, 22].map(|at| freezes.thawed(Nanos(at)).0);
        assert_eq!(thawed, [0, 9, 10, 10, 11, 19, 19, 20]);
        assert_eq!([9, 10, 11, 18, 19].map(|time| freezes.instant(Nanos(time)).0), [9, 11, 12, 19, 21]);
    }

    proptest! {
        #[test]
        fn there_and_back_is_the_same_time(freezes in freezes(), time in 0..1_000_000_u64) {
            prop_assert_eq!(freezes.thawed(freezes.instant(Nanos(time))), Nanos(time));
        }

        #[test]
        fn back_and_there_waits_for_the_end_of_a_freeze_at_most(freezes in freezes(), at in 0..1_000_000_u64) {
            let Some(Freeze { length, every }) = freezes.0 else { unreachable!() };
            let again = freezes.instant(freezes.thawed(Nanos(at)));
            let is_frozen = at >= every.0 && at % every.0 < length.0;
            let expected = if is_frozen { at - at % every.0 + length.0 } else { at };
            prop_assert_eq!(again.0, expected);
        }

        #[test]
        fn time_never_runs_backwards(freezes in freezes(), at in 0..1_000_000_u64, more in 0..1_000_u64) {
            let (before, after) = (freezes.thawed(Nanos(at)), freezes.thawed(Nanos(at + more)));
            prop_assert!(before <= after && (after - before).0 <= more);
        }
    }
}
