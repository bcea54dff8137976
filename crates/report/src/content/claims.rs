//! Claims in words.

use plimsoll_analysis::results::{ClaimResult, Verdict};
use plimsoll_text::number::{TimeUnit, sig3, with_unit};

/// One character for a verdict.
pub const fn mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "✓",
        Verdict::Fails => "✗",
        Verdict::Undecided => "?",
    }
}

/// One word for a verdict.
pub const fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Fails => "fails",
        Verdict::Undecided => "undecided",
    }
}

/// The left side's value with its interval: `2.81 [2.75 – 2.90]`; `≥ 2.75` if the interval has an open side.
pub fn figure(claim: &ClaimResult) -> Option<String> {
    let Some(value) = value(claim) else {
        let bound = |sign: &str, bound: Option<f64>| {
            let (value, unit) = in_unit_of(claim, bound?);
            Some(format!("{sign} {}", with_unit(value, unit)))
        };
        return bound("≥", claim.at_least).or_else(|| bound("≤", claim.at_most));
    };
    Some(match claim.interval {
        Some(ends) => {
            let [low, high] = ends.map(|end| in_unit_of(claim, end).0);
            format!("{value} [{low} – {high}]")
        }
        None => value,
    })
}

/// The left side's value with its unit.
pub fn value(claim: &ClaimResult) -> Option<String> {
    let (value, unit) = in_unit_of(claim, claim.value?);
    Some(with_unit(value, unit))
}

/// The ends of the interval, with the unit: `1.90 – 1.91 s`.
pub fn interval(claim: &ClaimResult) -> Option<String> {
    let [(low, _), (high, unit)] = claim.interval?.map(|end| in_unit_of(claim, end));
    Some(format!("{low} – {}", with_unit(high, unit)))
}

/// A figure of the claim in the unit that fits its value: milliseconds become seconds where there are many.
fn in_unit_of(claim: &ClaimResult, figure: f64) -> (String, &str) {
    match (claim.unit.as_str(), claim.value) {
        ("ms", Some(value)) if value.abs() >= 1e3 => (TimeUnit::S.show(figure), TimeUnit::S.symbol()),
        (unit, _) => (sig3(figure), unit),
    }
}

/// `2 of 4 claims hold, 1 fails, 1 is undecided`; none without claims.
pub fn tally(claims: &[ClaimResult]) -> Option<String> {
    let of = |verdict| claims.iter().filter(|claim| claim.verdict == verdict).count();
    let (holds, fails, undecided) = (of(Verdict::Holds), of(Verdict::Fails), of(Verdict::Undecided));
    let mut text = match (claims.len(), holds) {
        (0, _) => return None,
        (1, 1) => "The claim holds".to_owned(),
        (all, holds) if all == holds => format!("All {all} claims hold"),
        (1, _) => "The claim".to_owned(),
        (all, 1) => format!("1 of {all} claims holds"),
        (all, holds) => format!("{holds} of {all} claims hold"),
    };
    if claims.len() == 1 && holds == 0 {
        text.push_str(if fails == 1 { " fails" } else { " is undecided" });
        return Some(text);
    }
    if fails > 0 {
        text.push_str(&format!(", {fails} {}", if fails == 1 { "fails" } else { "fail" }));
    }
    if undecided > 0 {
        text.push_str(&format!(", {undecided} {} undecided", if undecided == 1 { "is" } else { "are" }));
    }
    Some(text)
}

/// The claim to lead with: the first that fails, else the first.
pub fn key(claims: &[ClaimResult]) -> Option<&ClaimResult> {
    claims.iter().find(|claim| claim.verdict == Verdict::Fails).or(claims.first())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally_of(verdicts: &[Verdict]) -> Option<String> {
        let claims: Vec<_> = verdicts
            .iter()
            .map(|&verdict| ClaimResult {
                says: String::new(),
                expression: String::new(),
                metrics: Vec::new(),
                verdict,
                value: None,
                interval: None,
                at_least: None,
                at_most: None,
                unit: String::new(),
                reason: String::new(),
                rounds_needed: None,
                about: Vec::new(),
                findings: Vec::new(),
            })
            .collect();
        tally(&claims)
    }

    #[test]
    fn the_tally_is_a_sentence() {
        use Verdict::{Fails, Holds, Undecided};
        assert_eq!(tally_of(&[]), None);
        assert_eq!(tally_of(&[Holds]).unwrap(), "The claim holds");
        assert_eq!(tally_of(&[Undecided]).unwrap(), "The claim is undecided");
        assert_eq!(tally_of(&[Holds, Holds]).unwrap(), "All 2 claims hold");
        assert_eq!(tally_of(&[Holds, Fails, Undecided]).unwrap(), "1 of 3 claims holds, 1 fails, 1 is undecided");
        assert_eq!(tally_of(&[Fails, Fails]).unwrap(), "0 of 2 claims hold, 2 fail");
    }
}
