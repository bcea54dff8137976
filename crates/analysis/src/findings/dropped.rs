//! Requests that were never sent.

use super::Cell;
use plimsoll_text::count;

use crate::results::{Finding, Kind, Measure, Weight};

pub(super) const KINDS: &[&Kind] = &[&DROPPED];

static DROPPED: Kind = Kind {
    id: "dropped-requests",
    title: "dropped requests",
    weight: Weight::Warning,
    means: "Requests were given up before they were sent, because as many as allowed were in flight. No time counts \
            them: real users would have waited.",
    remedy: "Lower the rate, or raise `max-in-flight` if the target was not at its limit.",
    evidence: &[
        Measure { name: "dropped", unit: "", about: "dropped requests" },
        Measure { name: "offered", unit: "", about: "offered requests" },
    ],
};

pub(super) fn at(cell: &Cell) -> Option<Finding> {
    let totals = &cell.results.totals;
    let says = || {
        format!(
            "{} of {} requests were dropped before they were sent. No time counts them: real users would have waited.",
            count(totals.counts.dropped),
            count(totals.counts.offered)
        )
    };
    let found = || {
        DROPPED.at(cell.place(), says()).with("dropped", totals.counts.dropped).with("offered", totals.counts.offered)
    };
    (totals.counts.dropped > 0).then(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{analyse, findings::found_at_levels, testing::greetings};

    #[test]
    fn they_are_counted_over_all_rounds() {
        let mut data = greetings();
        assert!(found_at_levels(&data, &analyse(&data), at).is_empty());
        for run in data.runs.iter_mut().filter(|it| it.run.variant == 0) {
            run.levels[1].intervals[0].counts.dropped = 7;
        }
        let found = found_at_levels(&data, &analyse(&data), at);
        assert!(found[0].says.starts_with("21 of 300 requests were dropped"), "{}", found[0].says);
        assert_eq!(found[0].place.to_string(), "web-jar @ 100");
    }
}
