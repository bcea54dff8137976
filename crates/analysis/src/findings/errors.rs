//! Requests failed.

use std::collections::BTreeMap;

use plimsoll_record::ErrorKind;

use super::Cell;
use plimsoll_text::count;

use crate::{
    refusals::most_frequent,
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
    let failed_percent = totals.errors_percent()?;
    let says = format!(
        "{} % of requests failed, most often `{kind}` ({} of {}; the first: {example}). Times leave failed \
         requests out.",
        number(failed_percent),
        count(most.count),
        count(totals.counts.failed),
    );
    let found = ERRORS.at(cell.place(), says).with("failed_share", failed_percent);
    let by_status =
        matches!(kind, ErrorKind::Status4xx | ErrorKind::Status5xx).then(|| remedy_by_status(&totals.statuses));
    let found = by_status.flatten().into_iter().fold(found, Finding::advising);
    Some(found.with("failed", totals.counts.failed).with("kind", kind.as_str()).with("of_kind", most.count))
}

/// The remedy for the status that is most frequent among failures; none if the status suggests none.
fn remedy_by_status(statuses: &BTreeMap<u16, u64>) -> Option<&'static str> {
    match most_frequent(statuses)?.0 {
        401 | 403 => Some(
            "Give the credentials that the service asks for: `--user`, `--bearer`, a header, or cookies of a request \
             that logs in (`--cookies`, steps of a file).",
        ),
        404 => Some("Correct the path: the service knows none such."),
        405 => Some("Correct the method: the service knows the path, but not by this one."),
        413..=415 | 422 => Some("Correct the body or its Content-Type: the service refuses it."),
        429 => Some(
            "Find who limits the rate, the service or a gateway before it: this is a limit that somebody has set. \
             `plimsoll line` with `--slo 'errors<1%'` finds its rate.",
        ),
        502 | 504 => Some("Look behind the proxy that answered: it could not reach the service, or not in time."),
        _ => None,
    }
}

/// The finding that no request failed.
pub(super) fn absent_at(cell: &Cell) -> Option<Finding> {
    let is_absent = cell.results.totals.counts.failed == 0;
    is_absent.then(|| NO_ERRORS.at(cell.place(), "No request failed.").with("failed", 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{Place, Value};
    use crate::testing::{Request, burst, execution, level, plan, run, variant};
    use crate::{analyse, findings::found_at_levels, testing::greetings};
    use plimsoll_record::Nanos;

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

    #[test]
    fn a_status_that_says_why_says_what_to_do() {
        let remedy = |status: u16, kind| {
            let requests = [Request::failed(Nanos::ZERO, Nanos::from_millis(5), kind)];
            let mut data = level(&burst(1), Nanos::ZERO, &requests);
            data.intervals[0].statuses = [(200, 5), (status, 1)].into();
            let data = execution(plan(vec![variant("a")], vec![burst(1)], 1), vec![run(0, 0, Nanos::ZERO, vec![data])]);
            found_at_levels(&data, &analyse(&data), at).remove(0).remedy
        };
        assert!(remedy(401, ErrorKind::Status4xx).starts_with("Give the credentials"));
        assert!(remedy(429, ErrorKind::Status4xx).contains("limits the rate"));
        assert!(remedy(504, ErrorKind::Status5xx).contains("proxy"));
        assert_eq!(remedy(500, ErrorKind::Status5xx), ERRORS.remedy);
        assert_eq!(remedy(404, ErrorKind::Reset), ERRORS.remedy, "the most frequent kind is no status");
    }
}
