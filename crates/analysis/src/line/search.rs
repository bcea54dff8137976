//! The search of one run.

use plimsoll_record::{LevelData, LineEndFound, LinePlan, Nanos, Phase, RunData, RunStatus};
use plimsoll_search::{Criterion, Outcome, is_near, requests_needed, requests_needed_of_users};

use super::{
    curve, percentile, queue, recovery,
    trials::{Figures, per_second, users},
    usage,
};
use crate::results::{LineEnd, SearchResults, TrialResults, Usage};

/// A search takes about this many times the time that is needed at best.
const OF_LEAST: f64 = 3.0;
/// A test near the line takes this many times as long to know it twice as closely.
const OF_TEST: f64 = 4.0;
/// The least time for a test in which a trial fits, in seconds.
const LEAST_TEST_S: f64 = 30.0;

/// Results of line number `line`; none if the search found nothing.
pub(super) fn results(
    plan: &LinePlan,
    run: &RunData,
    line: usize,
    criteria: &[Criterion],
    quantile: Option<f64>,
) -> Option<SearchResults> {
    let of_run = run.run.line.as_ref()?;
    let found = of_run.found.get(line)?;
    let trials = trials(run);
    let began = run.levels.first().map_or(Nanos::ZERO, |first| first.started);
    let ended = run.levels.last().map_or(Nanos::ZERO, |last| last.started + last.took.unwrap_or_default());
    let capacity = of_run.capacity;
    let ends = [found.lower, found.upper].map(|end| end.map(|end| end_of(end, &trials, quantile)));
    let near = match &ends {
        [Some(lower), Some(upper)] => Some((lower.rate_per_s * upper.rate_per_s).sqrt()),
        // A lower end alone may be that of the trial at rest.
        [lower, upper] => capacity.map(|it| it.rate).or(upper.as_ref().or(lower.as_ref()).map(|end| end.rate_per_s)),
    };
    let needed_of = |criterion: Criterion| match (plan.users, capacity) {
        (Some(think), Some(capacity)) => {
            requests_needed_of_users(criterion, plan.resolution, capacity.rate, think.mean().as_secs_f64())
        }
        _ => requests_needed(criterion, plan.resolution),
    };
    let needed = criteria.iter().map(|&it| needed_of(it)).fold(0.0, f64::max);
    let [lower, upper] = ends;
    let outcome = Outcome::named(&found.outcome).unwrap_or(Outcome::TimeUp);
    let needed_s = near.map_or(0.0, |rate| needed / rate.max(1e-9));
    let took_s = (ended - began).as_secs_f64();
    let is_cut_off = of_run.offered_most.is_some() || of_run.unrecovered.is_some_and(|it| it.is_end);
    // The time needed is only known for a warm process.
    let lacks_time = outcome == Outcome::TimeUp && !is_cut_off && needed_s > 0.0 && plan.cold.is_none();
    // More time would not have helped a test that somebody ended.
    let was_ended = was_ended(run);
    let longer_s = || match plan.at_least {
        Some(_) if was_ended => None,
        Some(_) => {
            let longer = OF_TEST * plan.at_most.as_secs_f64();
            (lower.is_none() && upper.is_none()).then_some(longer.max(LEAST_TEST_S))
        }
        None => is_wider(plan, lower.as_ref(), upper.as_ref()).then_some(OF_LEAST * needed_s),
    };
    Some(SearchResults {
        round: run.run.round,
        longer_s: if lacks_time { longer_s() } else { None },
        outcome,
        lower,
        upper,
        capacity_per_s: capacity.map(|it| it.rate),
        is_warm: capacity.is_none_or(|it| it.is_steady),
        offered_most: of_run.offered_most,
        unrecovered: of_run.unrecovered,
        took_s,
        needed_s,
        usage: found.lower.map(|end| usage_at(run, end.rate)).unwrap_or_default(),
        trials: trials.iter().map(|trial| trial_results(run, trial, quantile)).collect(),
        // The first line is the one that is overloaded.
        recovery: if line == 0 { recovery::of(run, criteria) } else { None },
        curve: curve::of(&run.samples, &trials, quantile),
    })
}

/// Whether somebody ended the search early, or the parts that offered its loads were lost.
pub(super) fn was_ended(run: &RunData) -> bool {
    matches!(run.run.status, RunStatus::Interrupted | RunStatus::PartsLost)
}

/// Whether an end is not known, or the ends are farther from each other than was wanted.
fn is_wider(plan: &LinePlan, lower: Option<&LineEnd>, upper: Option<&LineEnd>) -> bool {
    let Some((lower, upper)) = lower.zip(upper).map(|(lower, upper)| (lower.load(), upper.load())) else { return true };
    !is_near(lower, upper, plan.resolution, plan.users.is_some())
}

/// Usage of the target at `rate`, by all trials at it.
pub(super) fn usage_at(run: &RunData, rate: f64) -> Usage {
    let trials: Vec<&LevelData> = trials(run).into_iter().filter(|it| it.plan.load.peak_target() == rate).collect();
    usage::of(&run.samples, &trials)
}

/// Trials that count.
fn trials(run: &RunData) -> Vec<&LevelData> {
    let counts = |level: &&LevelData| level.plan.phase == Phase::Measured && level.took.is_some();
    run.levels.iter().filter(counts).collect()
}

fn end_of(end: LineEndFound, trials: &[&LevelData], quantile: Option<f64>) -> LineEnd {
    let at_load: Vec<&LevelData> =
        trials.iter().copied().filter(|trial| trial.plan.load.peak_target() == end.rate).collect();
    let figures = Figures::of(at_load.iter().flat_map(|trial| &trial.intervals), quantile);
    let users = users(&at_load);
    let queue = if users.is_none() { queue::of(&at_load, end.rate) } else { None };
    // A queue that grows has no percentile that lasts.
    let is_steady = queue.is_none_or(|queue| queue.grew_per_s <= 0.0);
    let known = quantile.zip(end.dispersion).filter(|_| is_steady);
    let [percentile_low_ms, percentile_high_ms] =
        known.map_or([None; 2], |(quantile, dispersion)| percentile::bounds_ms(&figures.times, quantile, dispersion));
    LineEnd {
        users,
        rate_per_s: per_second(&at_load).unwrap_or(end.rate),
        offered_s: end.seconds,
        percentile_ms: figures.percentile_ms,
        percentile_low_ms,
        percentile_high_ms,
        errors_percent: figures.errors_percent,
        error_status: figures.error_status,
        share_of_allowed: end.share_of_allowed,
        queue,
    }
}

fn trial_results(run: &RunData, trial: &LevelData, quantile: Option<f64>) -> TrialResults {
    let figures = Figures::of(trial.intervals.iter(), quantile);
    TrialResults {
        users: users(&[trial]),
        rate_per_s: per_second(&[trial]).unwrap_or_default(),
        began_s: trial.started.as_secs_f64(),
        took_s: trial.took.unwrap_or_default().as_secs_f64(),
        median_ms: figures.median_ms,
        p90_ms: figures.p90_ms,
        percentile_ms: figures.percentile_ms,
        errors_percent: figures.errors_percent,
        usage: usage::of(&run.samples, &[trial]),
    }
}

#[cfg(test)]
mod tests {
    use plimsoll_record::ExecutionData;

    use super::*;
    use crate::{
        analyse,
        testing::{Line, lines},
    };

    fn searched(data: &ExecutionData) -> SearchResults {
        analyse(data).lines.remove(0).searches.remove(0)
    }

    #[test]
    fn a_search_that_lacked_time_tells_how_much_would_do() {
        let mut data = lines(&[("web", &[Line { has_upper: false, ..Line::at(100.0) }])], &[]);
        let wide = searched(&data);
        assert!(wide.needed_s > 0.0 && wide.longer_s == Some(OF_LEAST * wide.needed_s), "{wide:?}");

        data.runs[0].run.line.iter_mut().for_each(|line| line.offered_most = Some(95.0));
        assert_eq!(searched(&data).longer_s, None, "the generator cannot offer more");
        assert_eq!(searched(&lines(&[("web", &[Line::at(100.0)])], &[])).longer_s, None, "it is found");
    }

    #[test]
    fn a_test_of_one_rate_that_is_undecided_takes_four_times_as_long() {
        let mut data = lines(&[("web", &[Line { has_upper: false, ..Line::at(100.0) }])], &[]);
        data.execution.plan.line.iter_mut().for_each(|line| line.at_least = Some(95.0));
        assert_eq!(searched(&data).longer_s, None, "it is carried");
        data.runs[0].run.line.iter_mut().flat_map(|line| &mut line.found).for_each(|found| found.lower = None);
        let undecided = searched(&data);
        // It had 5 minutes after the probe.
        assert_eq!(undecided.longer_s, Some(1_200.0));
        data.execution.plan.line.iter_mut().for_each(|line| line.at_most = Nanos::from_secs(2));
        assert_eq!(searched(&data).longer_s, Some(LEAST_TEST_S), "a trial must fit");
        for ended in [RunStatus::Interrupted, RunStatus::PartsLost] {
            data.runs[0].run.status = ended;
            assert_eq!(searched(&data).longer_s, None, "it was ended");
        }
    }
}
