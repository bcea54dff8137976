//! Other processes used the machine.

use super::Cell;
use crate::{
    foreign,
    results::{Finding, Kind, Measure, Weight},
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
    let busiest = foreign::busiest(cell.rounds);
    let named =
        busiest.map_or_else(String::new, |(name, share)| format!(", most of all `{name}` ({} %)", number(share)));
    let says = format!("Other processes used {} % of this machine{named}.", number(percent));
    let found = FOREIGN.at(cell.place(), says).with("foreign_cpu", percent);
    Some(match busiest {
        Some((name, share)) => found.with("process", name).with("process_cpu", share),
        None => found,
    })
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Claim, ExecutionData, Nanos, Sample};

    use super::*;
    use crate::{
        analyse,
        findings::found_at_levels,
        results::Verdict,
        testing::{Request, burst, execution, level, plan, run, variant},
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

    fn verdict(percent: f64, expression: &str) -> (Verdict, String) {
        let mut data = beside(percent);
        data.execution.plan.claims = vec![Claim { says: String::new(), expression: expression.to_owned(), line: None }];
        let claim = analyse(&data).claims.remove(0);
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

    #[test]
    fn they_withhold_verdicts_on_times_and_rates_and_make_no_errors() {
        assert_eq!(verdict(9.0, "mean(a @ 1) < 4 s").0, Verdict::Holds);
        let (withheld, reason) = verdict(54.0, "mean(a @ 1) < 4 s");
        assert_eq!(withheld, Verdict::Undecided);
        let start = "other processes used 54 % of this machine at a @ 1, so this says little about the service: ";
        assert!(reason.starts_with(start), "{reason}");
        assert_eq!(verdict(54.0, "errors(a @ 1) <= 0 %").0, Verdict::Holds);
    }
}
