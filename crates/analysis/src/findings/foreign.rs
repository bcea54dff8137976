//! Other processes used the machine.

use std::iter;

use plimsoll_record::{RunData, metric};

use super::Cell;
use crate::{
    foreign,
    measured::{Measured, Watched},
    results::{Finding, Kind, Measure, Results, Weight},
    text::number,
};

pub(super) const KINDS: &[&Kind] = &[&FOREIGN];

static FOREIGN: Kind = Kind {
    id: "foreign-cpu",
    title: "other processes",
    weight: Weight::Warning,
    means: "Processes that are neither the target nor the generator nor started by them used more than 10 % of the CPU \
            of this machine. Target and generator had to wait for cores, so that no claim about times or rates is \
            judged.",
    remedy: "End the other processes, or repeat on a machine that does nothing else. A service that the target calls \
             on this machine is one of them unless Plimsoll starts it.",
    evidence: &[
        Measure { name: "foreign_cpu", unit: "%", about: "of all cores, used by other processes" },
        Measure { name: "process", unit: "", about: "name of the busiest of them, where it was seen" },
        Measure { name: "process_cpu", unit: "%", about: "of all cores, used by that one" },
    ],
};

pub(super) fn at(cell: &Cell) -> Option<Finding> {
    let percent = foreign::disturbing_percent(cell.rounds)?;
    let busiest = foreign::busiest(cell.rounds.iter().map(|round| &round.watched));
    let says = format!("Other processes used {} % of this machine{}.", number(percent), named(busiest));
    Some(with(FOREIGN.at(cell.place(), says).with("foreign_cpu", percent), busiest))
}

/// The name of the busiest processes with their share of the machine, if they were seen.
type Busiest<'a> = Option<(&'a str, f64)>;

fn named(busiest: Busiest<'_>) -> String {
    busiest.map_or_else(String::new, |(name, share)| format!(", most of all `{name}` ({} %)", number(share)))
}

fn with(found: Finding, busiest: Busiest<'_>) -> Finding {
    match busiest {
        Some((name, share)) => found.with("process", name).with("process_cpu", share),
        None => found,
    }
}

/// The same for searches for load lines, whose trials are no levels.
pub(super) fn beside_searches(measured: &Measured, _: &Results) -> Vec<Finding> {
    let data = measured.data;
    let cores = data.execution.environment.cores.filter(|_| data.execution.plan.line.is_some());
    let of = |cores| {
        let watched = data.runs.iter().map(|run| (run, Watched::throughout(&run.samples)));
        watched.filter_map(move |(run, watched)| Some((used_by_others(run, &watched, f64::from(cores))?, watched)))
    };
    let most = cores.into_iter().flat_map(of).max_by(|a, b| a.0.total_cmp(&b.0));
    let finding = |(percent, watched): (f64, Watched)| {
        let busiest = foreign::busiest(iter::once(&watched));
        let (percent_text, named) = (number(percent), named(busiest));
        let says = format!("Other processes used {percent_text} % of this machine during the search{named}.");
        with(FOREIGN.everywhere(says).with("foreign_cpu", percent), busiest)
    };
    most.filter(|(percent, _)| *percent > foreign::MOST_PERCENT).map(finding).into_iter().collect()
}

/// CPU of the machine without that of the target and the generator; 100 = all its cores.
fn used_by_others(run: &RunData, watched: &Watched, cores: f64) -> Option<f64> {
    watched.mean(metric::FOREIGN_CPU_PERCENT.name).or_else(|| {
        let intervals = || run.levels.iter().flat_map(|level| &level.intervals);
        let seconds: f64 = intervals().map(|it| it.duration.as_secs_f64()).sum();
        let own_s = intervals().map(|it| it.counts.generator_cpu_ns).sum::<u64>() as f64 / 1e9;
        let own = own_s / seconds.max(1e-9) * 100.0;
        let used = watched.mean(metric::MACHINE_CPU_PERCENT.name)?;
        let others = used - watched.mean(metric::CPU_PERCENT.name)? - own;
        Some((others / cores).max(0.0))
    })
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Claim, ExecutionData, Nanos, Sample};

    use super::*;
    use crate::{
        analyse, claims,
        findings::found_at_levels,
        results::Verdict,
        testing::{Request, burst, critical, execution, level, plan, run, variant},
    };

    /// Three rounds of a request that takes 3 s, beside which others use so much.
    fn beside(percent: f64) -> ExecutionData {
        let round = |round| {
            let request = Request::ok(Nanos::ZERO, Nanos::from_secs(3));
            let mut data = run(0, round, Nanos::ZERO, vec![level(&burst(1), Nanos::ZERO, &[request])]);
            let sample =
                |second, metric: &str, value| Sample { at: Nanos::from_secs(second), metric: metric.to_owned(), value };
            let of_second = |second| {
                let named = [("other:yes", percent * 0.75), ("other:cron", 1.0)];
                let all = [("foreign_cpu_percent", percent)].into_iter().chain(named);
                all.map(move |(metric, value)| sample(second, metric, value)).collect::<Vec<_>>()
            };
            data.samples = (1..=3).flat_map(of_second).collect();
            data
        };
        execution(plan(vec![variant("a")], vec![burst(1)], 3), (0..3).map(round).collect())
    }

    fn claimed(percent: f64, expression: &str) -> ExecutionData {
        let mut data = beside(percent);
        data.execution.plan.claims = vec![Claim { says: String::new(), expression: expression.to_owned(), line: None }];
        data
    }

    fn verdict(percent: f64, expression: &str) -> (Verdict, String) {
        let claim = analyse(&claimed(percent, expression)).claims.remove(0);
        (claim.verdict, claim.reason)
    }

    #[test]
    fn they_are_told_by_name_from_a_tenth_of_the_machine_on() {
        let found = |percent| {
            let data = beside(percent);
            found_at_levels(&data, &analyse(&data), at)
        };
        assert!(found(9.0).is_empty());
        assert_eq!(found(54.0)[0].says, "Other processes used 54 % of this machine, most of all `yes` (40.5 %).");
    }

    /// As they were sampled: at one look of three `cc1` was the busiest.
    #[test]
    fn each_look_tells_only_the_busiest_of_them() {
        let mut data = beside(30.0);
        let is_second = |it: &Sample| it.at == Nanos::from_secs(2);
        for run in &mut data.runs {
            run.samples.retain(|it| it.metric != "other:cron" && !(is_second(it) && it.metric == "other:yes"));
            let cc1 = Sample { at: Nanos::from_secs(2), metric: "other:cc1".to_owned(), value: 27.0 };
            run.samples.push(cc1);
        }
        let found = found_at_levels(&data, &analyse(&data), at);
        assert_eq!(found[0].says, "Other processes used 30 % of this machine, most of all `yes` (15 %).");
    }

    #[test]
    fn beside_a_search_they_are_what_target_and_generator_leave() {
        let found = |machine: f64| {
            let mut data = critical([100.0; 5]);
            data.execution.environment.cores = Some(2);
            for run in &mut data.runs {
                let sample = |metric: &str, value| Sample { at: Nanos::ZERO, metric: metric.to_owned(), value };
                run.samples = vec![sample("machine_cpu_percent", machine), sample("cpu_percent", 25.0)];
                let intervals = run.levels.iter_mut().flat_map(|level| &mut level.intervals);
                intervals.for_each(|it| it.counts.generator_cpu_ns = (it.duration.as_secs_f64() * 5e7) as u64);
            }
            let results = analyse(&data);
            beside_searches(&Measured::of(&data), &results)
        };
        assert_eq!(found(190.0)[0].says, "Other processes used 80 % of this machine during the search.");
        assert!(found(45.0).is_empty());
    }

    /// As they were sampled: at one look of two `yes` was the busiest, at the other `cc1`.
    #[test]
    fn beside_a_search_they_are_told_by_name() {
        let mut data = critical([100.0; 5]);
        data.execution.environment.cores = Some(2);
        let sample = |metric: &str, value| Sample { at: Nanos::ZERO, metric: metric.to_owned(), value };
        let all = [sample("foreign_cpu_percent", 60.0), sample("foreign_cpu_percent", 20.0)];
        data.runs[0].samples = all.into_iter().chain([sample("other:yes", 48.0), sample("other:cc1", 18.0)]).collect();
        let results = analyse(&data);
        let found = beside_searches(&Measured::of(&data), &results);
        assert_eq!(
            found[0].says,
            "Other processes used 40 % of this machine during the search, most of all `yes` (24 %)."
        );
    }

    #[test]
    fn they_withhold_verdicts_on_times_and_rates_and_make_no_errors() {
        assert_eq!(verdict(9.0, "mean(a @ 1) < 4 s").0, Verdict::Holds);
        let (withheld, reason) = verdict(54.0, "mean(a @ 1) < 4 s");
        assert_eq!(withheld, Verdict::Undecided);
        let start = "other processes used 54 % of this machine at a @ 1, so this says little about the service: ";
        assert!(reason.starts_with(start), "{reason}");
        assert_eq!(verdict(54.0, "errors(a @ 1) <= 0 %").0, Verdict::Holds);
    }

    #[test]
    fn a_claim_that_they_disturb_is_not_yet_decided() {
        let undecided = |percent| claims::undecided(&claimed(percent, "mean(a @ 1) < 4 s")).len();
        assert_eq!((undecided(9.0), undecided(54.0)), (0, 1));
    }
}
