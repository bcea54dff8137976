//! Load lines in words: for a single search the interval, its ends and the trials; for an experiment a row for each
//! variant.

mod critical;
mod facts;
mod loads;
mod recovery;
mod tables;

use plimsoll_analysis::{
    Results,
    results::{LineResults, Outcome, SearchResults, Verdict},
};

pub use self::{
    critical::critical,
    facts::{answers, facts, facts_of_search},
    loads::{between, interval, known, load, unit},
    tables::{Percentile, percentiles, searches, table, trials},
};

/// How to read the table of variants.
pub const HOW_TO_READ: &str = "The line is the highest rate that keeps the objectives, or the most users. With three \
    rounds or more its interval is that of the service, over processes; with fewer it is what the searches know of \
    theirs, and another process may differ. CPU and memory are those of the trials at the lower end. “Within” is the \
    width of a search’s interval, “between” the standard deviation from process to process.";

/// The lines of an execution with one search of one variant, and that search of its first line.
pub fn of_one_search(results: &Results) -> Option<(&[LineResults], &SearchResults)> {
    let first = results.lines.first()?;
    let is_single = results.lines.iter().all(|line| line.variant == first.variant && line.searches.len() == 1);
    (is_single && results.execution.runs_planned <= 1).then_some((results.lines.as_slice(), first.searches.first()?))
}

/// The verdict on a line. It fails if the objectives hold nowhere, a test also if the rate is surely beyond the line. A
/// search is undecided if nothing is known of the line.
pub fn verdict(line: &LineResults) -> Verdict {
    let has = |is: fn(&SearchResults) -> bool| line.searches.iter().any(is);
    let is_known = line.line.low().or(line.line.high()).is_some();
    match line.tested() {
        _ if has(|search| search.outcome == Outcome::NeverHolds) => Verdict::Fails,
        Some(_) if has(|search| search.upper.is_some()) => Verdict::Fails,
        Some(_) if !line.searches.is_empty() && !has(|search| search.lower.is_none()) => Verdict::Holds,
        None if is_known => Verdict::Holds,
        _ => Verdict::Undecided,
    }
}

/// `web`, or `web, strict`.
pub fn name(line: &LineResults) -> String {
    if line.name.is_empty() { line.variant.clone() } else { format!("{}, {}", line.variant, line.name) }
}
