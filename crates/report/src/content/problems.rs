//! Variants without figures, or with fewer than planned.

use plimsoll_analysis::{
    Results,
    results::{CutShort, LevelResults, VariantResults},
};
use plimsoll_record::RunStatus;

/// Name of each variant that has a problem, with the problem.
pub fn variants(results: &Results) -> impl Iterator<Item = (&str, &str)> {
    results.variants.iter().filter_map(|variant| Some((variant.name.as_str(), variant.problem.as_deref()?)))
}

/// How the first run of a variant that has a problem ended; none of a variant without one.
pub fn word(results: &Results, variant: &VariantResults) -> Option<&'static str> {
    variant.problem.as_ref()?;
    let failed = results.runs.iter().find(|run| run.variant == variant.name && run.problem.is_some());
    Some(failed.map_or("not run", |run| run_word(run.status)))
}

/// The name of a variant beside figures of a level, with a mark if they are only those of the level's beginning.
pub fn marked(name: &str, level: Option<&LevelResults>) -> String {
    match level.and_then(|level| level.cut_short) {
        Some(CutShort::TargetDied) => format!("{name}, until it died"),
        Some(CutShort::UpstreamFailed) => format!("{name}, until its upstream failed"),
        Some(CutShort::Interrupted) => format!("{name}, cut short"),
        None => name.to_owned(),
    }
}

/// How a run ended, in words.
pub const fn run_word(status: RunStatus) -> &'static str {
    match status {
        RunStatus::Running => "not ended",
        RunStatus::Done => "done",
        RunStatus::Died => "died",
        RunStatus::NotReady => "never ready",
        RunStatus::UpstreamFailed => "upstream failed",
        RunStatus::PartsLost => "parts lost",
        RunStatus::BenchmarksFailed => "benchmarks failed",
        RunStatus::BuildFailed => "not built",
        RunStatus::Skipped => "skipped",
        RunStatus::Interrupted => "interrupted",
    }
}
