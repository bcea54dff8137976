//! A proof that changed settings move what limits a variant: the same figure before and after, compared by claims.

use plimsoll_record::{Change, Plan, ProofPlan};
use plimsoll_text::number::sig3;

use crate::{
    Results,
    results::{Knob, Proof, ProofStep, VariantResults, Verdict},
    text::number,
};

/// The least factor of an increase that is worth a setting.
pub const WORTH: f64 = 1.05;

/// Failures of so many per cent of all requests more are the change's.
const MORE_PERCENT: f64 = 1.0;

/// The claim that the variant `after` carries more than the variant `before` by that factor. `level` is the label of a
/// load that saturates both; without one their load lines are compared.
pub fn claim(before: &str, after: &str, level: Option<&str>) -> String {
    match level {
        Some(level) => format!("throughput('{after}' @ {level}) / throughput('{before}' @ {level}) >= {WORTH}"),
        None => format!("line('{after}') / line('{before}') >= {WORTH}"),
    }
}

/// The proof; none unless the plan has something to prove. Its claims are those of [`claim`], one for each set of
/// changes.
pub(crate) fn of(plan: &Plan, results: &Results) -> Option<Proof> {
    let ProofPlan { variant, changes } = plan.proof.as_ref()?;
    let (before, after) = results.variants.split_first()?;
    let knob = |name: &str| results.explanations.iter().find(|it| it.variant == name)?.knob.as_ref();
    let steps = changes.iter().zip(after).zip(&results.claims).map(|((changes, after), claim)| {
        let why_in_vain = after.problem.clone().or_else(|| more_failures(before, after));
        ProofStep {
            variant: after.name.clone(),
            changes: changes.clone(),
            after_per_s: carried(results, after),
            ratio: claim.value,
            interval: claim.interval,
            helps: match &why_in_vain {
                Some(_) if claim.verdict == Verdict::Holds => Verdict::Undecided,
                _ => claim.verdict,
            },
            harms: claim.interval.is_some_and(|[_, high]| high < 1.0),
            without_effect: knob(&after.name)
                .filter(|_| claim.verdict != Verdict::Holds)
                .and_then(|knob| without_effect(knob, changes)),
            reason: why_in_vain.unwrap_or_else(|| claim.reason.clone()),
        }
    });
    Some(Proof {
        variant: variant.clone(),
        before_per_s: carried(results, before),
        rounds: before.runs_done,
        steps: steps.collect(),
    })
}

/// Failures that came with a change, in words: what carries more of some requests and fails others is no help.
fn more_failures(before: &VariantResults, after: &VariantResults) -> Option<String> {
    let failed = |variant: &VariantResults| Some(variant.levels.last()?.as_ref()?.errors_percent()?.median);
    let (before, after) = (failed(before)?, failed(after)?);
    (after > before + MORE_PERCENT).then(|| format!("more requests fail: {} %, {} % before", sig3(after), sig3(before)))
}

/// A size counts as the one that was wanted from this share of it on.
const TAKEN: f64 = 0.9;

/// The sign that the service does not take a change: what the setting sizes, which still gives way, is smaller.
fn without_effect(knob: &Knob, changes: &[Change]) -> Option<String> {
    // Permits of a rate limiter are those of a period, which is seldom the second that rates are seen in.
    let is_size = |change: &&Change| knob.settings.contains(&change.name) && !change.name.contains("ratelimiter");
    let change = changes.iter().find(is_size)?;
    let (has, to) = (knob.has?, change.to.parse::<f64>().ok()?);
    (has < TAKEN * to).then(|| format!("it had no effect: {} are seen, not {}", number(has), change.to))
}

/// Requests per second that it carries: its line, else its throughput at the last level.
fn carried(results: &Results, variant: &VariantResults) -> Option<f64> {
    let line = results.lines.iter().find(|line| line.variant == variant.name);
    let throughput = || Some(variant.levels.last()?.as_ref()?.throughput_per_s.median);
    if results.lines.is_empty() { throughput() } else { line?.line.per_s }
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Change, Claim, Nanos, Plan};

    use super::*;
    use crate::{
        analyse,
        results::Verdict,
        testing::{Request, burst, execution, level, plan, run, variant},
    };

    /// Throughput of each variant in each of three rounds.
    fn proven(carried: &[[u64; 3]]) -> Proof {
        let names: Vec<String> = (0..carried.len()).map(|index| format!("v{index}")).collect();
        let plan = Plan {
            claims: names[1..]
                .iter()
                .map(|after| Claim { expression: claim("v0", after, Some("100")), ..said() })
                .collect(),
            proof: Some(ProofPlan { variant: "web".to_owned(), changes: vec![vec![change()]; names.len() - 1] }),
            ..plan(names.iter().map(|name| variant(name)).collect(), vec![burst(100)], 3)
        };
        let of_run = |(variant, round): (usize, usize)| {
            // A hundred requests, one after the other, evenly in the time that the rate makes of them.
            let step = 1_000_000_000 / carried[variant][round];
            let requests: Vec<Request> =
                (1..=100).map(|number| Request::ok(Nanos((number - 1) * step), Nanos(number * step))).collect();
            let levels = vec![level(&plan.levels[0], Nanos::ZERO, &requests)];
            run(variant, round as u32, Nanos::ZERO, levels)
        };
        let places = (0..3).flat_map(|round| (0..carried.len()).map(move |variant| (variant, round)));
        let runs = places.map(of_run).collect();
        analyse(&execution(plan, runs)).proof.expect("a proof")
    }

    fn said() -> Claim {
        Claim { says: "it helps".to_owned(), expression: String::new(), line: None }
    }

    fn change() -> Change {
        Change { name: "a.max".to_owned(), from: None, to: "2".to_owned() }
    }

    #[test]
    fn a_change_helps_if_the_limit_surely_moves() {
        let proof = proven(&[[100, 101, 99], [200, 203, 201], [101, 100, 99], [80, 81, 79]]);
        assert_eq!((proof.variant.as_str(), proof.rounds), ("web", 3));
        let helps: Vec<Verdict> = proof.steps.iter().map(|step| step.helps).collect();
        assert_eq!(helps, [Verdict::Holds, Verdict::Fails, Verdict::Fails]);
        let harms: Vec<bool> = proof.steps.iter().map(|step| step.harms).collect();
        assert_eq!(harms, [false, false, true]);
        let best = proof.best().expect("one helps");
        assert_eq!(best.variant, "v1");
        assert!((best.ratio.expect("a ratio") - 2.01).abs() < 0.02, "{best:?}");
        assert!((proof.before_per_s.expect("measured") - 100.0).abs() < 2.0, "{proof:?}");
    }

    #[test]
    fn a_change_that_the_service_does_not_take_is_told() {
        let of = |has, to: &str| {
            let knob = Knob { settings: vec!["a.max".to_owned()], has: Some(has), wants: None, to: None };
            without_effect(&knob, &[Change { to: to.to_owned(), ..change() }])
        };
        assert_eq!(of(10.0, "40").as_deref(), Some("it had no effect: 10 are seen, not 40"));
        assert_eq!([of(39.0, "40"), of(10.0, "true")], [None, None]);
    }

    #[test]
    fn what_varies_too_much_is_undecided() {
        let proof = proven(&[[100, 50, 200], [150, 120, 100]]);
        assert_eq!(proof.steps[0].helps, Verdict::Undecided);
        assert_eq!(proof.best(), None);
    }
}
