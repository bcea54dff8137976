//! Claims: statements with a threshold, as expressions over figures, e.g.
//! `throughput(web-jar-vt @ 2700) / throughput(web-jar @ 2700) >= 2.8`.
//!
//! ```text
//! claim      = sum ("<" | "<=" | ">" | ">=") sum | limit
//! limit      = "limit" "(" name [ "@" name ] ")" ("=" | "!=") kind     variant @ level; what gives way first
//! sum        = product { ("+" | "-") product }
//! product    = factor { ("*" | "/") factor }
//! factor     = "-" factor | "(" sum ")" | number [unit] | function | figure
//! function   = "abs" "(" sum ")" | ("max" | "min") "(" sum { "," sum } ")"
//! figure     = metric "(" name [ "@" name ] [ "," name ] ")"     variant or variant/request @ level, series or line
//! name       = anything without @ ( ) , " | '"' anything without " '"'
//! ```
//!
//! Inside `max` and `min` a `*` in a name stands for any characters: `max(throughput(web-* @ *))`. The value of an
//! expression is estimated from its values in each round. A `limit` is held against what was explained of the load; its
//! kinds are those of `docs/explain.md`.

mod branches;
mod check;
mod dimension;
mod estimate;
mod expression;
mod formula;
mod judge;
mod limit;
mod metric;
mod parser;
mod searched;
mod wording;

#[cfg(test)]
mod tests;

pub use expression::matches;
pub(crate) use judge::judge_all;
pub use judge::undecided;

use expression::Expression;
use limit::LimitClaim;
use plimsoll_record::{Comparison, LoadUnit};

/// A claim's expression, read and with its units checked.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimExpression(Statement);

#[derive(Clone, Debug, PartialEq)]
enum Statement {
    Figures(FiguresClaim),
    Limit(LimitClaim),
}

/// A comparison of figures.
#[derive(Clone, Debug, PartialEq)]
struct FiguresClaim {
    left: Expression,
    comparison: Comparison,
    right: Expression,
}

/// An error in a claim's expression, with its column.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {message}")]
pub struct ClaimError {
    /// The character at which it is wrong, 1-based.
    pub column: usize,
    /// The text: expected, found, what to do.
    pub message: String,
}

impl ClaimError {
    fn new(column: usize, message: impl Into<String>) -> Self {
        Self { column, message: message.into() }
    }
}

/// Reads an expression and checks that both sides have the same unit.
///
/// # Errors
/// The first syntax error, unknown metric or mismatch of units, with its column.
pub fn parse(text: &str) -> Result<ClaimExpression, ClaimError> {
    parser::parse(text)
}

/// The metrics that an expression names; none if it cannot be read.
pub(crate) fn metrics_of(text: &str) -> Vec<&'static str> {
    let claim = parse(text);
    claim.iter().flat_map(ClaimExpression::figures).map(|figure| figure.metric.name).collect()
}

/// The variant, and the level if one is named, whose limit a claim is about; none if it is about figures, or cannot be
/// read.
pub fn limit_of(text: &str) -> Option<(String, Option<String>)> {
    match parse(text).ok()?.0 {
        Statement::Limit(claim) => Some((claim.variant.text, claim.level.map(|level| level.text))),
        Statement::Figures(_) => None,
    }
}

impl ClaimExpression {
    /// Checks that the plan has every variant and level that is named.
    ///
    /// # Errors
    /// The first name that the plan does not have, with the one that was probably meant; a pattern without a match.
    pub fn check(&self, variants: &[&str], levels: &[&str]) -> Result<(), ClaimError> {
        check::names(self, variants, levels)
    }

    /// Checks that the loads have every request that is named, as `variant/request`.
    ///
    /// # Errors
    /// The first name that they do not have, with the one that was probably meant; a pattern without a match.
    pub fn check_requests(&self, variants: &[&str], requests: &[&str]) -> Result<(), ClaimError> {
        check::requests(self, variants, requests)
    }

    /// Checks that claims about load lines name lines that are searched for. `lines` has the names (empty for an only
    /// line), `unit` their unit.
    ///
    /// # Errors
    /// The first one that is not, with the one that was probably meant.
    pub fn check_lines(&self, lines: &[&str], unit: LoadUnit) -> Result<(), ClaimError> {
        check::lines(self, lines, unit)
    }

    /// Checks that at least one of the variants named with a series of the target's own keeps it. `kept` has the series
    /// of each variant whose series are known.
    ///
    /// # Errors
    /// The first series that none of them keeps, with the one that was probably meant.
    pub fn check_series(&self, kept: &[(&str, Vec<&str>)]) -> Result<(), ClaimError> {
        check::series(self, kept)
    }
}
