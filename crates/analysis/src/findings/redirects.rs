//! Answers were redirects, and nobody followed them.

use plimsoll_text::count;

use super::Cell;
use crate::results::{Finding, Kind, Measure, Weight};

pub(super) const KINDS: &[&Kind] = &[&REDIRECTS];

static REDIRECTS: Kind = Kind {
    id: "redirects",
    title: "redirects that were not followed",
    weight: Weight::Warning,
    means: "Most requests that succeeded were answered by a redirect, and no check says that one was wanted: the figures \
            are those of the redirect, often to a page that asks for a login, and not of the page behind it.",
    remedy: "Follow them (`--redirects 5` of `load` and `line`), request where they lead to, or log in first. If they \
             are meant, say so by a check: `status == 302`.",
    evidence: &[
        Measure { name: "redirected_share", unit: "%", about: "of successful requests were answered by a redirect" },
        Measure { name: "redirected", unit: "", about: "redirects" },
    ],
};

/// Redirects that a browser would follow; 304 is an answer of its own.
fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

pub(super) fn at(cell: &Cell) -> Option<Finding> {
    let totals = &cell.results.totals;
    let by_status = || totals.statuses.iter().filter(|(status, _)| is_redirect(**status));
    let (redirected, succeeded) = (by_status().map(|(_, count)| count).sum::<u64>(), totals.counts.succeeded);
    let (status, _) = by_status().max_by_key(|(_, count)| **count)?;
    if redirected * 2 <= succeeded || !totals.checks.is_empty() {
        return None;
    }
    let share = redirected as f64 / succeeded.max(1) as f64 * 100.0;
    let says = format!(
        "{} of {} successful requests were answered by a redirect ({status}) that was not followed: these figures are \
         those of the redirect, not of the page that it leads to.",
        count(redirected),
        count(succeeded),
    );
    let found = REDIRECTS.at(cell.place(), says).with("redirected_share", share);
    Some(found.with("redirected", redirected))
}

#[cfg(test)]
mod tests {
    use plimsoll_record::Nanos;

    use super::*;
    use crate::{
        analyse,
        findings::found_at_levels,
        testing::{Request, burst, execution, level, plan, run, variant},
    };

    fn found(statuses: &[(u16, u64)]) -> Vec<String> {
        let requests: Vec<Request> = (0..20).map(|k| Request::ok(Nanos::ZERO, Nanos::from_millis(k + 1))).collect();
        let mut data = level(&burst(20), Nanos::ZERO, &requests);
        data.intervals[0].statuses = statuses.iter().copied().collect();
        let data = execution(plan(vec![variant("a")], vec![burst(20)], 1), vec![run(0, 0, Nanos::ZERO, vec![data])]);
        found_at_levels(&data, &analyse(&data), at).into_iter().map(|it| it.says).collect()
    }

    #[test]
    fn a_load_of_redirects_is_said() {
        let said = "20 of 20 successful requests were answered by a redirect (302) that was not followed: these figures are \
                    those of the redirect, not of the page that it leads to.";
        assert_eq!(found(&[(302, 20)]), [said]);
        assert_eq!(found(&[(200, 15), (302, 5)]).len(), 0, "some of many requests");
        assert_eq!(found(&[(304, 20)]).len(), 0, "not modified");
    }
}
