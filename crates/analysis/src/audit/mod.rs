//! The audit of tables: laws that every figure must keep, whoever measured it. One file per check, and the list that
//! names them.
//!
//! A figure with n digits is an interval, and every check computes with its bounds: what rounding can explain is no
//! finding. A finding says what was computed from which figures, and what follows.

mod bounds;
mod bytes;
mod ceiling;
mod count;
mod idle_users;
mod littles_law;
mod mean;
mod offered_load;
mod order;
mod overlap;
mod row;
mod slowest;
#[cfg(test)]
mod tests;

pub(crate) use self::{bounds::Bounds, littles_law::law, row::Row};
use crate::results::{Audit, AuditVerdict, Finding, Kind};

/// A law, and the check of a row of a table by it.
struct Check {
    law: &'static str,
    kinds: &'static [&'static Kind],
    /// Findings about a row; none if it does not say enough for the check.
    hold: fn(&Row, &[Row]) -> Option<Vec<Finding>>,
}

/// Checks in the order in which findings of the same weight are reported.
const CHECKS: &[Check] = &[
    Check { law: "Little's law", kinds: littles_law::KINDS, hold: littles_law::check },
    Check { law: "requests ÷ total = throughput", kinds: count::KINDS, hold: count::check },
    Check { law: "order of percentiles", kinds: order::KINDS, hold: order::check },
    Check { law: "mean between percentiles", kinds: mean::KINDS, hold: mean::check },
    Check { law: "ceilings", kinds: ceiling::KINDS, hold: ceiling::check },
    Check { law: "offered load", kinds: offered_load::KINDS, hold: offered_load::check },
    Check { law: "users in flight", kinds: idle_users::KINDS, hold: idle_users::check },
    Check { law: "the slowest", kinds: slowest::KINDS, hold: slowest::check },
    Check { law: "bytes per request", kinds: bytes::KINDS, hold: bytes::check },
    Check { law: "intervals of means", kinds: overlap::KINDS, hold: overlap::check },
];

/// Every kind of finding about rows.
pub(crate) fn kinds() -> impl Iterator<Item = &'static Kind> {
    CHECKS.iter().flat_map(|check| check.kinds).copied()
}

/// Runs every check on `row`, which is one of `table`.
pub(crate) fn of(row: &Row, table: &[Row]) -> Audit {
    let outcomes = CHECKS.iter().filter_map(|check| Some((check.law, (check.hold)(row, table)?)));
    let (checked, found): (Vec<&str>, Vec<Vec<Finding>>) = outcomes.unzip();
    let mut findings = found.concat();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.weight));
    let worst = findings.first().map(|finding| AuditVerdict::from(finding.weight));
    let unfound = if checked.is_empty() { AuditVerdict::Unchecked } else { AuditVerdict::Consistent };
    Audit { verdict: worst.unwrap_or(unfound), findings, checked: checked.into_iter().map(str::to_owned).collect() }
}
