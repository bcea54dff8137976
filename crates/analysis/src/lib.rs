//! From a record to results: statistics, claims, Little's law, ceilings. Pure: no files, no clock.

mod audit;
mod benchmarks;
mod bottleneck;
mod ceiling;
pub mod claims;
pub mod compare;
mod curve;
pub mod findings;
mod first_requests;
mod foreign;
mod generator;
pub mod intervals;
mod key_figures;
mod level;
pub mod line;
mod littles_law;
mod measured;
pub mod proof;
mod published;
mod ratios;
mod refusals;
mod requests;
pub mod results;
mod run;
mod server_timing;
mod stats;
mod summary;
mod tail;
mod target;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod text;
pub mod thresholds;
pub mod trend;
mod upstream;
mod variant;
mod watched;

use plimsoll_record::{ExecutionData, Plan, RunData};

pub use bottleneck::table as kinds_of_limits;
pub use key_figures::summary_of;
use measured::Measured;
pub use published::audit;
pub use results::{Results, RunResults};

/// Derives everything a report says about one execution.
///
/// A level of a run counts once it was driven to its end. A level that was interrupted or killed counts, as far as it
/// was measured, only where no round completed it; a finding then says so. Nothing is compared with a level in which
/// the target died: its figures are those until then.
pub fn analyse(data: &ExecutionData) -> Results {
    let as_measured = bottleneck::without_explanations(data);
    let measured = Measured::of(&as_measured);
    let explanations = bottleneck::explanations(data);
    let mut results = Results {
        format: results::FORMAT,
        execution: summary::of(&measured),
        environment: data.execution.environment.clone(),
        levels: measured.levels.iter().map(measured::Level::summary).collect(),
        variants: variant::all(&measured),
        benchmarks: benchmarks::all(&measured),
        ratios: ratios::all(&measured),
        claims: claims::judge_all(&measured, &explanations),
        thresholds: thresholds::judge_all(&as_measured),
        lines: line::results(&measured),
        critical: Vec::new(),
        explanations,
        proof: None,
        published: None,
        findings: Vec::new(),
        runs: data.runs.iter().map(|run| run::results(&data.execution.plan, run)).collect(),
    };
    results.critical = line::critical::results(data.execution.plan.line.as_ref(), &results.lines);
    results.published = data.execution.plan.published.as_ref().map(|it| published::beside(it, &measured, &results));
    results.findings = findings::all(&measured, &results);
    findings::limited_by::set(&mut results);
    results.proof = proof::of(&data.execution.plan, &results);
    let of_claims = findings::explanations(&measured, &results);
    for (claim, findings) in results.claims.iter_mut().zip(of_claims) {
        claim.findings = findings;
    }
    results
}

/// One run on its time line, also while it goes on and as far as `run` has it.
pub fn time_line(plan: &Plan, run: &RunData) -> RunResults {
    run::results(plan, run)
}
