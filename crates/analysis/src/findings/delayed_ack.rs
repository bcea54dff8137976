//! Responses that wait for an acknowledgement: a delayed ACK that meets Nagle's algorithm.
//!
//! A server that writes the head of a response and then its body, without TCP_NODELAY, holds the body back until the
//! head is acknowledged (Nagle's algorithm, RFC 896). The client has nothing to say before the body, and its kernel
//! delays the ACK: on Linux by 40 ms at least (`TCP_DELACK_MIN`), and not for the first segments of a connection or
//! after a pause.

use plimsoll_record::{Histogram, Nanos};

use super::Cell;
use crate::{
    measured::{LevelRound, merge_all},
    results::{Finding, Kind, Measure, Weight},
    text::number,
};

pub(super) const KINDS: &[&Kind] = &[&BODIES, &RESPONSES];

static BODIES: Kind = Kind {
    id: "delayed-ack",
    title: "bodies wait for an ACK",
    weight: Weight::Warning,
    means: "Responses paused for 40 to 48 ms between their first byte and their last, and hardly any for somewhat \
            less: the server wrote them in pieces with Nagle's algorithm on, and held the rest back until the first \
            piece was acknowledged. Linux delays that acknowledgement by 40 ms where a connection is used again soon.",
    remedy: "Let the server write head and body at once, or set TCP_NODELAY on its sockets. How often it is met depends \
             on the client: a connection that has rested for longer than 40 ms is acknowledged at once (`--reuse \
             oldest` makes many connections take turns).",
    evidence: &[
        Measure { name: "share", unit: "%", about: "of responses paused so long" },
        Measure { name: "median", unit: "ms", about: "pause, of those" },
    ],
};

static RESPONSES: Kind = Kind {
    id: "delayed-ack-suspected",
    title: "40 ms, as a delayed ACK takes",
    weight: Weight::Info,
    means: "Responses began after 40 to 48 ms, others far sooner, and hardly any in between: as if something waited for \
            an acknowledgement that Linux delays by 40 ms. The service may call another one over such a connection, or \
            wait so long by itself.",
    remedy: "Set TCP_NODELAY where the service writes to its upstream or to its clients, and see whether these times go \
             away; or look for a pause of 40 ms in the service.",
    evidence: &[
        Measure { name: "share", unit: "%", about: "of responses took so long" },
        Measure { name: "median", unit: "ms", about: "time until their first byte" },
    ],
};

/// Linux's shortest delay of an ACK, less what clocks round.
const FROM: Nanos = Nanos::from_micros(39_500);
/// The delay ends with a tick of the kernel's, of 4 ms, and a busy machine adds another one.
const TO: Nanos = Nanos::from_millis(48);
/// Times from here to [`FROM`] are somewhat too short: a delayed ACK makes none of these.
const BETWEEN_FROM: Nanos = Nanos::from_millis(15);
/// Times beyond this are too long to be of the kind.
const BEYOND_TO: Nanos = Nanos::from_millis(80);
/// Fewer responses are due to chance.
const COUNT_LEAST: u64 = 10;
/// The least share of all responses that take as long as the delay.
const SHARE_LEAST: f64 = 0.05;
/// Responses that may take somewhat less, as a share of those.
const BETWEEN_MOST: f64 = 0.2;
/// Responses that may take somewhat more, as a share of those: a busy machine delays them.
const BEYOND_MOST: f64 = 1.0;
/// The least share of all responses that come far sooner, if the service might wait so long by itself.
const SOONER_LEAST: f64 = 0.02;

pub(super) fn at(cell: &Cell) -> Option<Finding> {
    let all = merge_all(cell.rounds.iter().map(|round: &LevelRound| &round.merged))?;
    if let Some(mode) = Mode::of(&all.body) {
        let says = format!(
            "{} % of responses paused for 40 to 48 ms before their last byte: the server held back what it wrote last \
             until an ACK came, which the kernel delays.",
            number(mode.share * 100.0)
        );
        return Some(mode.evidence(BODIES.at(cell.place(), says)));
    }
    let mode = Mode::of(&all.first_byte).filter(|mode| mode.sooner >= SOONER_LEAST)?;
    let says = format!(
        "{} % of responses began after 40 to 48 ms and {} % far sooner, as if something waited for a delayed ACK.",
        number(mode.share * 100.0),
        number(mode.sooner * 100.0)
    );
    Some(mode.evidence(RESPONSES.at(cell.place(), says)))
}

/// Times that cluster where a delayed ACK ends.
#[derive(Debug)]
struct Mode {
    /// Share of all.
    share: f64,
    median: Nanos,
    /// Share of those far sooner.
    sooner: f64,
}

impl Mode {
    /// None unless times cluster there distinctly.
    fn of(times: &Histogram) -> Option<Self> {
        let (mut sooner, mut between, mut beyond, mut within) = (0, 0, 0, Vec::new());
        for (time, count) in times.buckets() {
            match time {
                time if time < BETWEEN_FROM => sooner += count,
                time if time < FROM => between += count,
                time if time < TO => within.push((time, count)),
                time if time < BEYOND_TO => beyond += count,
                _ => {}
            }
        }
        let count: u64 = within.iter().map(|it| it.1).sum();
        let share_of = |count: u64| count as f64 / times.count().max(1) as f64;
        let is_at_most = |beside: u64, share: f64| beside as f64 <= count as f64 * share;
        let is_distinct = is_at_most(between, BETWEEN_MOST) && is_at_most(beyond, BEYOND_MOST);
        let is_met = count >= COUNT_LEAST && share_of(count) >= SHARE_LEAST && is_distinct;
        let mut so_far = 0;
        let median = within.into_iter().find_map(|(time, of)| {
            so_far += of;
            (so_far * 2 >= count).then_some(time)
        });
        median.filter(|_| is_met).map(|median| Self { share: share_of(count), median, sooner: share_of(sooner) })
    }

    fn evidence(&self, finding: Finding) -> Finding {
        finding.with("share", self.share * 100.0).with("median", self.median.as_millis_f64())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        analyse,
        findings::found_at_levels,
        testing::{Request, burst, execution, level, plan, run, variant},
    };

    fn times(us: impl IntoIterator<Item = u64>) -> Histogram {
        let mut times = Histogram::new();
        us.into_iter().for_each(|us| times.record(Nanos::from_micros(us)));
        times
    }

    /// The finding where first bytes and bodies take these times.
    fn found(first_byte: &Histogram, body: &Histogram) -> Option<(&'static str, String)> {
        let plan_of_level = burst(1);
        let mut data = level(&plan_of_level, Nanos::ZERO, &[Request::ok(Nanos::ZERO, Nanos::from_millis(1))]);
        data.intervals[0].first_byte = first_byte.clone();
        data.intervals[0].body = body.clone();
        let data = run(0, 0, Nanos::ZERO, vec![data]);
        let data = execution(plan(vec![variant("a")], vec![plan_of_level], 1), vec![data]);
        found_at_levels(&data, &analyse(&data), at).pop().map(|it| (it.kind.id, it.says))
    }

    fn spread(count: u64, from_us: u64, to_us: u64) -> impl Iterator<Item = u64> {
        (0..count).map(move |k| from_us + (to_us - from_us) * k / count)
    }

    #[test]
    fn bodies_that_wait_for_an_ack_are_told() {
        let quick = times(spread(1_000, 200, 900));
        let bodies = times(spread(400, 20, 90).chain(spread(600, 40_000, 41_500)));
        let (kind, says) = found(&quick, &bodies).unwrap();
        assert_eq!(kind, "delayed-ack");
        assert!(says.starts_with("60 % of responses paused for 40 to 48 ms before their last byte"), "{says}");
    }

    #[test]
    fn a_first_byte_after_40_ms_is_a_suspicion_and_only_beside_others_that_are_far_sooner() {
        let bodies = times(spread(1_000, 20, 90));
        let mixed = times(spread(100, 500, 2_000).chain(spread(900, 40_100, 43_900)));
        assert_eq!(found(&mixed, &bodies).unwrap().0, "delayed-ack-suspected");
        let service_that_waits = times(spread(1_000, 42_000, 42_900));
        assert_eq!(found(&service_that_waits, &bodies), None);
    }

    #[test]
    fn times_on_both_sides_are_no_cluster() {
        let bodies = |from, to| found(&times([500; 1_000]), &times(spread(1_000, from, to)));
        assert_eq!(bodies(30_000, 50_000), None);
        assert_eq!(bodies(100, 100_000), None);
        assert_eq!(found(&times([500; 100]), &times(spread(95, 20, 90).chain([41_000; 4]))), None, "an accident");
    }

    proptest! {
        /// Smooth times, wherever they are, raise no alarm.
        #[test]
        fn smooth_times_raise_no_alarm(from_us in 0..60_000_u64, width_us in 20_000..200_000_u64) {
            let smooth = times(spread(2_000, from_us, from_us + width_us));
            prop_assert_eq!(found(&smooth, &smooth), None);
        }
    }
}
