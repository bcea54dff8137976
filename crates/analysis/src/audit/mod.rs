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
mod words;

pub(crate) use self::{bounds::Bounds, littles_law::law, row::Row};
use crate::results::{Audit, AuditFinding, AuditVerdict};

/// Holds one law against a row of a table; none if the row does not say enough.
type Check = fn(&Row, &[Row]) -> Option<Vec<AuditFinding>>;

/// In the order in which they are told, those of the same weight.
const CHECKS: &[(&str, Check)] = &[
    ("Little's law", littles_law::check),
    ("requests ÷ total = throughput", count::check),
    ("order of percentiles", order::check),
    ("mean between percentiles", mean::check),
    ("ceilings", ceiling::check),
    ("offered load", offered_load::check),
    ("users in flight", idle_users::check),
    ("the slowest", slowest::check),
    ("bytes per request", bytes::check),
    ("intervals of means", overlap::check),
];

/// What every check says of `row`, which is one of `table`.
pub(crate) fn of(row: &Row, table: &[Row]) -> Audit {
    let outcomes = CHECKS.iter().filter_map(|(law, check)| Some((*law, check(row, table)?)));
    let (checked, found): (Vec<&str>, Vec<Vec<AuditFinding>>) = outcomes.unzip();
    let mut findings = found.concat();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.verdict));
    let worst = findings.first().map(|finding| finding.verdict);
    let unfound = if checked.is_empty() { AuditVerdict::Unchecked } else { AuditVerdict::Consistent };
    Audit { verdict: worst.unwrap_or(unfound), findings, checked: checked.into_iter().map(str::to_owned).collect() }
}

fn found(verdict: AuditVerdict, label: &str, text: String) -> AuditFinding {
    AuditFinding { verdict, label: label.to_owned(), text }
}

/// Figures that cannot all be right.
fn contradiction(label: &str, text: String) -> AuditFinding {
    found(AuditVerdict::Contradiction, label, text)
}

/// Figures that can be right only if something is so that nobody says.
fn question(label: &str, text: String) -> AuditFinding {
    found(AuditVerdict::Question, label, text)
}

/// Figures that say how much was asked for, or what a setting allows.
fn limit(label: &str, text: String) -> AuditFinding {
    found(AuditVerdict::Limited, label, text)
}
