//! One file per command.

pub mod baseline;
mod beforehand;
mod bench;
pub mod check;
mod ci;
pub mod collect;
pub mod compare;
pub mod distribute;
pub mod explain;
mod gone;
pub mod init;
mod launched;
pub mod line;
pub mod list;
pub mod load;
pub mod merge;
mod missing;
mod nothing;
mod prove;
mod recording;
pub mod report;
mod results;
pub mod run;
pub mod schema;
pub mod serve;
pub mod serve_part;
mod target;
pub mod trend;
pub mod upstream;
mod which;

use std::io::{ErrorKind, IsTerminal, Write};

use plimsoll_analysis::{
    Results,
    results::{Explanation, Finding, LineResults, Outcome, SearchResults, Verdict, Weight},
};
use plimsoll_report::Style;
use rustix::termios::tcgetwinsize;

use crate::failure::Failure;

/// The look of a report on stdout. A terminal gets as many columns as it has, colours if it wants them, and unless
/// `is_full` the first answer only; a pipe gets everything.
pub fn style_of_stdout(is_full: bool) -> Style {
    let stdout = std::io::stdout();
    if !stdout.is_terminal() {
        return Style::default();
    }
    let columns = tcgetwinsize(&stdout).map_or(0, |size| usize::from(size.ws_col));
    let width = if columns == 0 { Style::default().width } else { columns.min(WIDEST) };
    Style { width, colour: wants_colour(), is_brief: !is_full }
}

/// Longer lines are hard to read.
const WIDEST: usize = 160;

/// See <https://no-color.org>.
pub fn wants_colour() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Writes to stdout. A reader that has gone away (`| head`) is no error.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::running(format_args!("the result could not be written to stdout: {error}")))
        }
        _ => Ok(()),
    }
}

/// Columns of the terminal on stdout; none where it is none, so that nothing is cut.
pub fn width_of_stdout() -> Option<usize> {
    std::io::stdout().is_terminal().then(|| style_of_stdout(true).width)
}

/// Findings by which figures say more of the machine than of the service.
const WITHHOLDING: [&str; 2] = ["steal-time", FOREIGN_CPU];
/// The finding, and the limit, that others are on the machine.
const FOREIGN_CPU: &str = "foreign-cpu";

/// Whether `--strict` has something to object to: a claim that does not hold, or figures that are not the service's.
pub fn fails_strictly(results: &Results) -> bool {
    results.claims.iter().any(|claim| claim.verdict != Verdict::Holds) || are_not_the_services(results)
}

/// Whether figures are those of the generator, or of others on the machine.
pub fn are_not_the_services(results: &Results) -> bool {
    let is_withheld = |it: &Finding| it.weight >= Weight::Warning && WITHHOLDING.contains(&it.kind.id);
    is_limited_by_generator(results) || results.findings.iter().any(is_withheld)
}

/// Whether `--strict` has something to object to in load lines: a search without an answer, or one of the generator.
pub fn have_unsure_lines(results: &Results) -> bool {
    let is_unsure = |outcome| matches!(outcome, Outcome::TimeUp);
    searches(results).any(|search| is_unsure(search.outcome)) || are_not_the_services(results)
}

/// Whether `--strict` has something to object to in explanations: one that found no limit of the service.
pub fn have_unsure_explanations(results: &Results) -> bool {
    let is_of_service = |it: &Explanation| it.has_found() && it.limit != FOREIGN_CPU;
    !results.explanations.iter().all(is_of_service) || are_not_the_services(results)
}

/// Whether the generator was the limit anywhere.
pub fn is_limited_by_generator(results: &Results) -> bool {
    let mut levels = results.variants.iter().flat_map(|variant| variant.levels.iter().flatten());
    levels.any(|level| !level.generator.limits.is_empty()) || searches(results).any(|it| it.offered_most.is_some())
}

/// Whether objectives of a search hold nowhere.
pub fn hold_nowhere(lines: &[LineResults]) -> bool {
    lines.iter().flat_map(|line| &line.searches).any(|search| search.outcome == Outcome::NeverHolds)
}

fn searches(results: &Results) -> impl Iterator<Item = &SearchResults> {
    results.lines.iter().flat_map(|line| &line.searches)
}

/// Whether a limit that the load had to keep was exceeded.
pub fn has_exceeded_threshold(results: &Results) -> bool {
    results.thresholds.iter().any(|threshold| !threshold.is_kept)
}

/// A seed for those who gave none.
pub fn draw_seed() -> u64 {
    // Below 2^32: short enough to be typed again.
    u64::from(rand::random::<u32>())
}
