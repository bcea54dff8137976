//! Two clocks that need not agree: how far they are apart, and when an instant of the other side is.

use plimsoll_record::Nanos;

/// Compares two clocks by round trips, of which the fastest counts: the other side gave its answer somewhere within it,
/// so half of it is the error at most.
#[derive(Clone, Debug, Default)]
pub struct Clocks {
    apart: Option<(Nanos, i64)>,
    start: Option<(Nanos, Nanos)>,
}

impl Clocks {
    /// Takes an answer: its round trip by this side's monotonic clock, and the times of day of this side at its middle
    /// and of the other side when it answered.
    pub fn compare(&mut self, round_trip: Nanos, here: Nanos, there: Nanos) {
        let apart = i64::try_from(i128::from(here.0) - i128::from(there.0)).unwrap_or(i64::MAX);
        if self.apart.is_none_or(|(fastest, _)| round_trip < fastest) {
            self.apart = Some((round_trip, apart));
        }
    }

    /// Takes an answer by which an instant comes `within_ns` nanoseconds after the answer was given, or came before it.
    /// The question was sent at `sent`, by this side's monotonic clock.
    pub fn foretell(&mut self, sent: Nanos, round_trip: Nanos, within_ns: i64) {
        if self.start.is_none_or(|(fastest, _)| round_trip < fastest) {
            let answered = sent + Nanos(round_trip.0 / 2);
            self.start = Some((round_trip, Nanos(answered.0.saturating_add_signed(within_ns))));
        }
    }

    /// The instant that was foretold, by this side's monotonic clock.
    pub fn start(&self) -> Option<Nanos> {
        self.start.map(|(_, at)| at)
    }

    /// How far this side's time of day is ahead of the other's in nanoseconds, and how wrong that may be.
    pub fn offset(&self) -> Option<(i64, Nanos)> {
        self.apart.map(|(round_trip, apart)| (apart, Nanos(round_trip.0 / 2)))
    }
}

/// From `now` until an instant in nanoseconds; negative once it has passed.
pub(crate) fn until(at: Nanos, now: Nanos) -> i64 {
    let distance = i128::from(at.0) - i128::from(now.0);
    i64::try_from(distance).unwrap_or(if distance < 0 { i64::MIN } else { i64::MAX })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fastest_round_trip_counts_and_half_of_it_is_the_error() {
        let mut clocks = Clocks::default();
        assert_eq!((clocks.start(), clocks.offset()), (None, None));
        clocks.compare(Nanos(100), Nanos(1_050), Nanos(5_000));
        clocks.compare(Nanos(10), Nanos(2_005), Nanos(6_000));
        clocks.compare(Nanos(50), Nanos(3_025), Nanos(9_000));
        assert_eq!(clocks.offset(), Some((-3_995, Nanos(5))));
        clocks.foretell(Nanos(1_000), Nanos(100), 500);
        clocks.foretell(Nanos(2_000), Nanos(20), 400);
        clocks.foretell(Nanos(2_100), Nanos(30), 990);
        assert_eq!(clocks.start(), Some(Nanos(2_410)));
        clocks.foretell(Nanos(3_000), Nanos(10), -600);
        assert_eq!(clocks.start(), Some(Nanos(2_405)), "it has passed");
    }
}
