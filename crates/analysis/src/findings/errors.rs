//! Requests failed.

use super::Cell;
use plimsoll_text::count;

use crate::{
    results::{Finding, Kind, Measure, Weight},
    text::number,
};

pub(super) const KINDS: &[&Kind] = &[&ERRORS];
pub(super) const ABSENCE_KINDS: &[&Kind] = &[&NO_ERRORS];

static ERRORS: Kind = Kind {
    id: "errors",
    title: "failed requests",
    weight: Weight::Warning,
    means: "Requests failed. Times are those of requests that succeeded, so they leave the failed ones out; a fast \
            failure makes room for others.",
    remedy: "Look at the kind of error first: the times mean little while requests fail.",
    evidence: &[
        Measure { name: "failed_share", unit: "%", about: "of requests failed" },
        Measure { name: "failed", unit: "", about: "failed requests" },
        Measure { name: "kind", unit: "", about: "most frequent kind of error" },
        Measure { name: "of_kind", unit: "", about: "failures of that kind" },
    ],
};

static NO_ERRORS: Kind = Kind {
    id: "no-errors",
    title: "no failed requests",
    weight: Weight::Info,
    means: "A claim about errors does not hold, and this is a place where no request failed.",
    remedy: "",
    evidence: &[Measure { name: "failed", unit: "", about: "failed requests" }],
};

/// The share of failures over all rounds, with the kind of error that is most frequent among them.
pub(super) fn at(cell: &Cell) -> Option<Finding> {
    let totals = &cell.results.totals;
    let (kind, most) = totals.errors.iter().max_by_key(|(_, error)| error.count)?;
    let example = if most.example.is_empty() { kind.meaning() } else { &most.example };
    let says = format!(
        "{} % of requests failed, most often `{kind}` ({} of {}; the first: {example}). Times leave failed \
         requests out.",
        number(totals.errors_percent()),
        count(most.count),
        count(totals.counts.failed),
    );
    let found = ERRORS.at(cell.place(), says).with("failed_share", totals.errors_percent());
    Some(found.with("failed", totals.counts.failed).with("kind", kind.as_str()).with("of_kind", most.count))
}

/// Where none failed.
pub(super) fn absent_at(cell: &Cell) -> Option<Finding> {
    let is_absent = cell.results.totals.counts.failed == 0;
    is_absent.then(|| NO_ERRORS.at(cell.place(), "No request failed.").with("failed", 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{Place, Value};
    use crate::{analyse, findings::found_at_levels, testing::greetings};

    #[test]
    fn the_most_frequent_kind_is_named() {
        let data = greetings();
        let found = found_at_levels(&data, &analyse(&data), at);
        assert_eq!(found.len(), 1);
        // 9 of 2,700 in each of three rounds: 6 resets, 3 closed.
        let start = "0.333 % of requests failed, most often `reset` (18 of 27; the first: ";
        assert!(found[0].says.starts_with(start), "{}", found[0].says);
        assert_eq!(found[0].place, Place::of_level("web-jar-vt", "2700"));
        let values: Vec<&Value> = found[0].evidence.iter().map(|it| &it.value).skip(1).collect();
        assert_eq!(values, [&Value::from(27.0), &Value::from("reset"), &Value::from(18.0)]);
    }
}
