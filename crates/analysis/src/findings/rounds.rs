//! Too few rounds for what is concluded from them.

use crate::{
    bootstrap::LEAST_ROUNDS,
    measured::Measured,
    results::{Finding, Kind, Measure, Results, Weight},
    text::number,
};

pub(super) const KINDS: &[&Kind] = &[&TOO_FEW, &FEW];

static TOO_FEW: Kind = Kind {
    id: "too-few-rounds",
    title: "too few rounds",
    weight: Weight::Warning,
    means: "With one or two rounds there is no telling a difference between variants from chance: ratios have no \
            interval, and no claim is decided.",
    remedy: "Set `rounds: 3` or more.",
    evidence: &[Measure { name: "rounds", unit: "", about: "rounds" }],
};

static FEW: Kind = Kind {
    id: "few-rounds",
    title: "few rounds",
    weight: Weight::Info,
    means: "With up to five rounds a 95 % bootstrap interval is the range of the rounds, which holds the true median \
            less often than in 95 % of cases.",
    remedy: "Run more rounds for close calls.",
    evidence: &[
        Measure { name: "rounds", unit: "", about: "rounds" },
        Measure { name: "coverage", unit: "%", about: "of intervals hold the true median" },
    ],
};

/// Up to here the bootstrap interval of a median is the range of the rounds: a draw's median is the least round with a
/// probability above 2.5 % (5.8 % for 5 rounds).
const RANGE_IS_INTERVAL: u32 = 5;

pub(super) fn find(measured: &Measured, results: &Results) -> Vec<Finding> {
    let rounds = measured.plan().rounds;
    let compares = measured.plan().variants.len() > 1 || !results.claims.is_empty();
    if !compares || rounds == 0 || rounds > RANGE_IS_INTERVAL {
        return Vec::new();
    }
    vec![if (rounds as usize) < LEAST_ROUNDS { too_few(rounds) } else { few(rounds) }]
}

fn too_few(rounds: u32) -> Finding {
    let rounds_only = if rounds == 1 { "One round".to_owned() } else { format!("{rounds} rounds") };
    let says = format!(
        "{rounds_only} only: there is no telling a difference between variants from chance, so ratios have no \
         interval and no claim is decided."
    );
    TOO_FEW.everywhere(says).with("rounds", u64::from(rounds))
}

fn few(rounds: u32) -> Finding {
    // The true median lies outside the range only if all rounds fell on one side of it.
    let coverage_percent = 100.0 * (1.0 - 2.0 * 0.5_f64.powi(rounds as i32));
    let says = format!(
        "With {rounds} rounds a 95 % bootstrap interval is the range of the rounds, which holds the true median in \
         {} % of cases.",
        number(coverage_percent)
    );
    FEW.everywhere(says).with("rounds", u64::from(rounds)).with("coverage", coverage_percent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        analyse, bootstrap,
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
        assert!(found(2, 3)[0].says.contains("the true median in 75 % of cases"));
        assert!(found(2, 6).is_empty());
    }

    #[test]
    fn up_to_five_rounds_the_interval_is_the_range_and_not_beyond() {
        let is_range = |rounds: usize| {
            let values: Vec<f64> = (0..rounds).map(|value| value as f64).collect();
            let interval = bootstrap::interval(rounds, 1, |drawn| bootstrap::median_of(&values, drawn));
            interval == Some([0.0, rounds as f64 - 1.0])
        };
        assert!((3..=5).all(is_range) && !is_range(6));
    }
}
