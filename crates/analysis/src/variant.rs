//! One variant: figures of its runs as a whole, its levels, and what went wrong.

use plimsoll_record::{
    RunStatus, VariantPlan,
    metric::{self, Metric},
};

use crate::{
    level,
    measured::{Measured, MeasuredVariant},
    results::{Figure, VariantResults},
    run,
};

/// Every variant, in the plan's order.
pub(crate) fn all(measured: &Measured) -> Vec<VariantResults> {
    let variants = measured.plan().variants.iter().enumerate().zip(&measured.variants);
    variants.map(|((index, plan), variant)| results(measured, index, plan, variant)).collect()
}

fn results(measured: &Measured, index: usize, plan: &VariantPlan, variant: &MeasuredVariant) -> VariantResults {
    let figure = |series: Vec<(u32, f64)>| Figure::of_some(series.into_iter().map(|it| it.1).collect());
    let peak = |metric: Metric, scale: f64| figure(variant.run_series(|run| Some(run.peak(metric.name)? / scale)));
    let levels = measured.levels.iter().zip(&variant.levels);
    VariantResults {
        name: plan.name.clone(),
        settings: plan.settings.clone(),
        runs_done: measured.runs_of(index).filter(|it| it.run.status == RunStatus::Done).count() as u32,
        problem: problem(measured, index),
        startup_s: figure(variant.run_series(|run| run.startup_s)),
        peak_cpu_percent: peak(metric::CPU_PERCENT, 1.0),
        peak_rss_mb: peak(metric::RSS_BYTES, 1e6),
        peak_cgroup_mb: peak(metric::CGROUP_BYTES, 1e6),
        peak_threads: peak(metric::THREADS, 1.0),
        peak_descriptors: peak(metric::DESCRIPTORS, 1.0),
        levels: levels.map(|(level, rounds)| level::results(plan, level, rounds)).collect(),
    }
}

/// Each kind of problem once, with the rounds that had it unless all had.
pub(crate) fn problem(measured: &Measured, variant: usize) -> Option<String> {
    let mut problems: Vec<(String, Vec<u32>)> = Vec::new();
    for data in measured.runs_of(variant) {
        let Some(text) = run::problem(&data.run) else { continue };
        match problems.iter_mut().find(|it| it.0 == text) {
            Some((_, rounds)) => rounds.push(data.run.round),
            None => problems.push((text, vec![data.run.round])),
        }
    }
    if measured.runs_of(variant).next().is_none() {
        return Some("not run: the execution ended before its turn".to_owned());
    }
    let planned = measured.rounds() as usize;
    let texts = problems.into_iter().map(|(text, rounds)| match rounds.len() == planned {
        true => text,
        false => format!("round {}: {text}", listed(&rounds)),
    });
    let joined = texts.collect::<Vec<_>>().join("; ");
    (!joined.is_empty()).then_some(joined)
}

/// The same for a sentence about something else. For a variant that was skipped or not built it is only the reason: the
/// remedy and the place of a log stand with the variant.
pub(crate) fn brief_problem(measured: &Measured, variant: usize) -> Option<String> {
    use RunStatus::{BuildFailed, Skipped};
    let is_skipped = measured.runs_of(variant).all(|data| matches!(data.run.status, Skipped | BuildFailed));
    let problem = problem(measured, variant)?;
    let end = problem.match_indices(": ").nth(1).map(|(at, _)| at).filter(|_| is_skipped);
    Some(problem[..end.unwrap_or(problem.len())].to_owned())
}

/// 1-based, as people count rounds.
fn listed(rounds: &[u32]) -> String {
    rounds.iter().map(|round| (round + 1).to_string()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use plimsoll_record::Nanos;

    use super::*;
    use crate::testing::{execution, plan, run, variant};

    fn problem_of(statuses: &[(RunStatus, Option<&str>)]) -> Option<String> {
        let make = |(round, &(status, detail)): (u32, &(RunStatus, Option<&str>))| {
            let mut data = run(0, round, Nanos::ZERO, Vec::new());
            data.run.status = status;
            data.run.detail = detail.map(str::to_owned);
            data
        };
        let runs = (0..).zip(statuses).map(make).collect();
        let data = execution(plan(vec![variant("a")], Vec::new(), 3), runs);
        problem(&Measured::of(&data), 0)
    }

    #[test]
    fn elsewhere_a_skipped_variant_has_its_reason_and_no_remedy() {
        let brief = |status: RunStatus, detail: &str| {
            let mut data = run(0, 0, Nanos::ZERO, Vec::new());
            data.run.status = status;
            data.run.detail = Some(detail.to_owned());
            let data = execution(plan(vec![variant("a")], Vec::new(), 1), vec![data]);
            brief_problem(&Measured::of(&data), 0).unwrap()
        };
        let not_built = brief(RunStatus::BuildFailed, "building a failed: mvn ended with 1; the whole log is /a.log");
        assert_eq!(not_built, "not built: building a failed");
        assert_eq!(brief(RunStatus::Skipped, "install GraalVM"), "skipped: install GraalVM");
        let died = brief(RunStatus::Died, "exit: 137: killed");
        assert_eq!(died, "the target died while it was loaded: exit: 137: killed");
    }

    #[test]
    fn a_problem_is_told_once_with_its_rounds() {
        use RunStatus::{Died, Done, Running, Skipped};
        assert_eq!(problem_of(&[(Done, None); 3]), None);
        let skipped = (Skipped, Some("install GraalVM"));
        assert_eq!(problem_of(&[skipped; 3]).unwrap(), "skipped: install GraalVM");
        let died = (Died, Some("exit code 137"));
        assert_eq!(
            problem_of(&[died, (Done, None), died]).unwrap(),
            "round 1, 3: the target died while it was loaded: exit code 137"
        );
        assert_eq!(problem_of(&[(Running, None)]).unwrap(), "round 1: under way, or its process was killed");
        assert_eq!(problem_of(&[]).unwrap(), "not run: the execution ended before its turn");
    }
}
