//! Too few rounds for the conclusions drawn from them.

use plimsoll_text::counted;

use crate::{
    intervals::LEAST_ROUNDS,
    measured::Measured,
    results::{Finding, Kind, Measure, Results, Weight},
};

pub(super) const KINDS: &[&Kind] = &[&TOO_FEW];

static TOO_FEW: Kind = Kind {
    id: "too-few-rounds",
    title: "too few rounds",
    weight: Weight::Warning,
    means: "With one or two rounds there is no telling a difference between variants from chance: ratios have no \
            interval, and no claim is decided.",
    remedy: "Set `rounds: 5` or more, or `rounds: {until: decided}`; three decide only what is large.",
    evidence: &[Measure { name: "rounds", unit: "", about: "rounds" }],
};

pub(super) fn find(measured: &Measured, results: &Results) -> Vec<Finding> {
    let rounds = measured.rounds();
    // Claims about a search can be decided by its own interval, with a single round.
    let is_searched = measured.plan().line.is_some();
    let compares = !is_searched && (measured.plan().variants.len() > 1 || !results.claims.is_empty());
    let is_too_few = rounds > 0 && (rounds as usize) < LEAST_ROUNDS;
    if compares && is_too_few { vec![too_few(rounds)] } else { Vec::new() }
}

fn too_few(rounds: u32) -> Finding {
    let says = format!(
        "Only {}: there is no telling a difference between variants from chance, so ratios have no \
         interval and no claim is decided.",
        counted(rounds.into(), "round")
    );
    TOO_FEW.everywhere(says).with("rounds", u64::from(rounds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        analyse,
        results::Weight,
        testing::{execution, plan, variant},
    };

    fn found(variants: usize, rounds: u32) -> Vec<Finding> {
        let data = execution(plan(vec![variant("a"); variants], Vec::new(), rounds), Vec::new());
        find(&Measured::of(&data), &analyse(&data))
    }

    #[test]
    fn it_matters_where_variants_are_compared() {
        assert!(found(1, 1).is_empty());
        assert_eq!(found(2, 1)[0].weight, Weight::Warning);
        assert!(found(2, 3).is_empty() && found(2, 0).is_empty());
    }
}
