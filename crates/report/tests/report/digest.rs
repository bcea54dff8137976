//! Executions in one line, as lists have them.

use plimsoll_analysis::summary_of;
use plimsoll_report::{Outcome, digest, digest_of_summary};

use crate::sample;

#[test]
fn the_verdict_and_the_figure_to_lead_with() {
    let lines: Vec<String> = sample::ALL
        .iter()
        .map(|(name, results)| {
            let it = digest(results);
            format!("{name}: {} | {} | {} | {} warnings", it.outcome.word(), it.judged, it.figures, it.warnings)
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn one_claim_that_fails_outweighs_all_that_hold() {
    use plimsoll_analysis::results::Verdict::{Fails, Holds, Undecided};
    let (_, results) = &sample::ALL[0];
    let of = |verdicts: &[_]| {
        let mut results = (**results).clone();
        let claim = results.claims[0].clone();
        let claims =
            verdicts.iter().map(|&verdict| plimsoll_analysis::results::ClaimResult { verdict, ..claim.clone() });
        results.claims = claims.collect();
        digest(&results).outcome
    };
    assert_eq!(of(&[Holds, Undecided, Fails]), Outcome::Fails);
    assert_eq!(of(&[Holds, Undecided]), Outcome::Undecided);
    assert_eq!(of(&[Holds, Holds]), Outcome::Holds);
    assert_eq!(of(&[]), Outcome::Unjudged);
}

#[test]
fn a_summary_that_was_kept_says_the_same_of_loads() {
    for (name, results) in sample::ALL {
        let (whole, kept) = (digest(results), digest_of_summary(&summary_of(results)));
        if ["load", "flow", "scenarios"].contains(&name) {
            let kept = kept.unwrap();
            assert_eq!((kept.outcome, kept.figures), (whole.outcome, whole.figures), "{name}");
        } else if name != "proof" {
            assert!(kept.is_none_or(|kept| kept.outcome == whole.outcome), "{name}");
        }
    }
}
