//! Measurements arranged by variant, level and round, with all intervals of each merged.

mod benchmarks;
mod ended;
mod level_round;
pub(crate) mod levels;
mod overflows;
mod run_round;
mod silence;
mod watched;

use std::collections::BTreeSet;

use plimsoll_record::{ExecutionData, Plan, RunData, RunStatus, Score};

pub(crate) use self::{
    benchmarks::Benchmark,
    ended::{Ended, window},
    level_round::{LevelRound, SYN_RETRANSMIT, merge_all, over_rounds},
    levels::Level,
    overflows::{Overflows, overflows},
    run_round::RunRound,
    watched::{Watched, Window as Span},
};
use crate::intervals::{self, Series};

/// Measurements of an execution.
pub(crate) struct Measured<'a> {
    pub data: &'a ExecutionData,
    /// The levels of reports.
    pub levels: Vec<Level<'a>>,
    /// Benchmarks in the order in which they were measured.
    pub benchmarks: Vec<Benchmark>,
    /// Measurements by variant, in the plan's order.
    pub variants: Vec<MeasuredVariant>,
}

/// Measurements of one variant.
pub(crate) struct MeasuredVariant {
    /// One for each of [`Measured::levels`], by round.
    pub levels: Vec<Vec<LevelRound>>,
    /// Runs by round.
    pub runs: Vec<RunRound>,
}

impl<'a> Measured<'a> {
    pub(crate) fn of(data: &'a ExecutionData) -> Self {
        let levels = levels::of(&data.execution);
        let variant = |index| {
            let mut runs: Vec<&RunData> = data.runs.iter().filter(|it| it.run.variant == index).collect();
            runs.sort_by_key(|it| it.run.round);
            MeasuredVariant {
                levels: levels.iter().map(|level| level_rounds(level, &runs)).collect(),
                runs: run_round::all(&runs),
            }
        };
        let variants = (0..data.execution.plan.variants.len()).map(variant).collect();
        Self { data, levels, benchmarks: benchmarks::all(&data.runs), variants }
    }

    pub(crate) fn plan(&self) -> &'a Plan {
        &self.data.execution.plan
    }

    /// Rounds that were to be made; in an experiment that ends once all is decided those that were begun.
    pub(crate) fn rounds(&self) -> u32 {
        let begun = || self.data.runs.iter().map(|it| it.run.round + 1).max().unwrap_or(0);
        if self.plan().until_decided.is_some() { begun() } else { self.plan().rounds }
    }

    /// How often an interval may miss the truth.
    pub(crate) fn error(&self) -> f64 {
        self.plan().until_decided.as_ref().map_or(intervals::ERROR, |until| until.error_per_look)
    }

    /// Rounds that a verdict takes.
    pub(crate) fn least_rounds(&self) -> usize {
        self.plan().until_decided.as_ref().map_or(intervals::LEAST_ROUNDS, |until| until.at_least as usize)
    }

    /// All runs of a variant.
    pub(crate) fn runs_of(&self, variant: usize) -> impl Iterator<Item = &'a RunData> {
        self.data.runs.iter().filter(move |it| it.run.variant == variant)
    }

    /// True if the variant could not run on this machine, which is no fault of its own.
    pub(crate) fn is_skipped(&self, variant: usize) -> bool {
        let statuses: BTreeSet<bool> = self.runs_of(variant).map(|it| it.run.status == RunStatus::Skipped).collect();
        statuses == BTreeSet::from([true])
    }
}

impl MeasuredVariant {
    /// A figure of a level in each round that has it. Levels that their target did not survive are left out: they are
    /// shown, but not compared.
    pub(crate) fn level_series(&self, level: usize, figure: impl Fn(&LevelRound) -> Option<f64>) -> Series {
        self.levels[level]
            .iter()
            .filter(|round| !round.is_broken())
            .filter_map(|it| Some((it.round, figure(it)?)))
            .collect()
    }

    /// The score of a benchmark in each round that has it.
    pub(crate) fn score_series(&self, benchmark: &Benchmark) -> Series {
        self.scores(benchmark).map(|(round, score)| (round, score.measured.score)).collect()
    }

    /// Scores of a benchmark, by round.
    pub(crate) fn scores<'a>(&'a self, benchmark: &'a Benchmark) -> impl Iterator<Item = (u32, &'a Score)> {
        let runs = self.runs.iter().filter_map(|run| Some((run, run.scores.iter().find(|it| benchmark.is_of(it))?)));
        runs.map(|(run, score)| (run.round, score))
    }

    /// A figure of the run as a whole in each round that has it.
    pub(crate) fn run_series(&self, figure: impl Fn(&RunRound) -> Option<f64>) -> Series {
        self.runs.iter().filter_map(|it| Some((it.round, figure(it)?))).collect()
    }
}

/// Rounds of a level that count: all completed ones; without any, the interrupted ones; without these, the ones in
/// which the target died after it had answered, as far as they came.
fn level_rounds(level: &Level, runs: &[&RunData]) -> Vec<LevelRound> {
    let (complete, partial): (Vec<_>, Vec<_>) =
        runs.iter().filter_map(|run| LevelRound::of(level, run)).partition(|round| round.cut_short.is_none());
    let (mut broken, interrupted): (Vec<_>, Vec<_>) = partial.into_iter().partition(LevelRound::is_broken);
    broken.retain(|round| round.merged.counts.succeeded > 0);
    [complete, interrupted, broken].into_iter().find(|rounds| !rounds.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use plimsoll_record::Nanos;

    use super::*;
    use crate::testing::{Request, burst, execution, level, plan, run, variant};

    /// One round for each status: a level of one request, completed or not.
    fn rounds_that_count(runs: &[(RunStatus, bool)]) -> Vec<u32> {
        let request = Request::ok(Nanos::ZERO, Nanos::from_secs(1));
        let make = |(round, &(status, completed)): (u32, &(RunStatus, bool))| {
            let mut data = run(0, round, Nanos::from_secs(1), vec![level(&burst(1), Nanos::ZERO, &[request])]);
            data.run.status = status;
            data.levels[0].took = data.levels[0].took.filter(|_| completed);
            data
        };
        let runs: Vec<RunData> = (0..).zip(runs).map(make).collect();
        let data = execution(plan(vec![variant("a")], vec![burst(1)], 3), runs);
        Measured::of(&data).variants[0].levels[0].iter().map(|it| it.round).collect()
    }

    #[test]
    fn completed_levels_count_whatever_became_of_the_run() {
        use RunStatus::{Died, Done, Interrupted, Running, UpstreamFailed};
        assert_eq!(rounds_that_count(&[(Done, true), (Died, true), (Died, false), (Interrupted, false)]), [0, 1]);
        assert_eq!(rounds_that_count(&[(Interrupted, false), (Running, false), (Died, false)]), [0, 1]);
        assert_eq!(rounds_that_count(&[(Died, false), (UpstreamFailed, false), (Died, false)]), [0, 1, 2]);
    }
}
