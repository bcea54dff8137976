//! One file per command.

pub mod check;
pub mod list;
pub mod load;
pub mod merge;
pub mod report;
pub mod run;
pub mod schema;
pub mod upstream;

use std::io::{ErrorKind, IsTerminal, Write};

use plimsoll_analysis::{Results, results::Verdict};
use plimsoll_report::Style;

use crate::failure::Failure;

/// How a report looks on stdout: coloured if that is a terminal that wants it.
pub fn style_of_stdout() -> Style {
    Style { colour: std::io::stdout().is_terminal() && wants_colour(), ..Style::default() }
}

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

/// Whether `--strict` has something to object to.
pub fn fails_strictly(results: &Results) -> bool {
    results.claims.iter().any(|claim| claim.verdict == Verdict::Fails) || is_limited_by_generator(results)
}

/// Whether the generator was the limit anywhere.
pub fn is_limited_by_generator(results: &Results) -> bool {
    let mut levels = results.variants.iter().flat_map(|variant| variant.levels.iter().flatten());
    levels.any(|level| !level.generator.limits.is_empty())
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
