//! Claims in words.

use plimsoll_analysis::{
    Results,
    results::{ClaimResult, Figure, LevelResults, VariantResults, Verdict},
};

use super::levels::{self, with_range_as};
use crate::number::{TimeUnit, count, errors_percent, joined, sig3, time};

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

/// The left side's value with its interval: `2.81 [2.75 – 2.90]`.
pub fn figure(claim: &ClaimResult) -> Option<String> {
    let value = value(claim)?;
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
    Some(joined(value, unit))
}

/// The ends of the interval, with the unit: `1.90 – 1.91 s`.
pub fn interval(claim: &ClaimResult) -> Option<String> {
    let [(low, _), (high, unit)] = claim.interval?.map(|end| in_unit_of(claim, end));
    Some(format!("{low} – {}", joined(high, unit)))
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

/// What was measured where a claim does not hold: `feign-hc5 @ 300: 98.6 % of its ceiling of 400/s (100 connections per
/// route ÷ 250 ms), 187 % CPU.` None if nothing says more than the figure.
pub fn evidence(results: &Results, claim: &ClaimResult) -> Option<String> {
    let cells = claim.about.iter().filter(|_| claim.verdict != Verdict::Holds).take(EVIDENCE_MOST);
    let sentences: Vec<String> = cells
        .filter_map(|cell| {
            let is_meant =
                |it: &(&VariantResults, &LevelResults)| it.0.name == cell.variant && it.1.label == cell.level;
            let (_, level) = levels::all(results).find(is_meant)?;
            let facts: Vec<String> = facts(claim, level).into_iter().flatten().collect();
            (!facts.is_empty()).then(|| format!("{cell}: {}.", facts.join(", ")))
        })
        .collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// Claims with patterns may be about many.
const EVIDENCE_MOST: usize = 4;
/// Below it a ceiling explains nothing.
const REACHED_LEAST_PERCENT: f64 = 90.0;
/// CPU that makes a process a suspect, 100 = one core.
const BUSY_PERCENT: f64 = 95.0;
/// Connections in `TIME_WAIT` that say something.
const TIME_WAIT_LEAST: f64 = 100.0;

fn facts(claim: &ClaimResult, level: &LevelResults) -> [Option<String>; 6] {
    let median = |figure: &Option<Figure>| figure.as_ref().map(|it| it.median);
    let ceiling = level.ceiling.as_ref().filter(|it| it.reached_percent >= REACHED_LEAST_PERCENT);
    let failed = (level.totals.failed > 0)
        .then(|| format!("{} % failed", with_range_as(&level.errors_percent(), errors_percent)));
    let is_about_errors = claim.expression.contains("errors(");
    let first = level.first_requests.as_ref().filter(|_| claim.expression.contains("first("));
    let sockets = &level.sockets;
    let overflows = median(&sockets.listen_overflows).filter(|&it| it > 0.0);
    let waiting = median(&sockets.peak_time_wait).filter(|&it| it >= TIME_WAIT_LEAST && is_about_errors);
    let busy = median(&level.cpu_percent).filter(|&it| it >= BUSY_PERCENT && first.is_none());
    [
        ceiling.map(|it| {
            format!("{} % of its ceiling of {}/s ({})", sig3(it.reached_percent), sig3(it.per_s), it.because)
        }),
        failed.or_else(|| is_about_errors.then(|| "no request failed".to_owned())),
        overflows.map(|it| format!("{} accept-queue overflows", count(it as u64))),
        waiting.map(|it| format!("{} connections in TIME_WAIT at most", count(it as u64))),
        first.and_then(|first| {
            let (classes, ms) = (median(&first.jvm.classes_loaded)?, median(&first.jvm.class_load_ms)?);
            Some(format!("{} classes loaded in {} during call 1", count(classes as u64), time(ms)))
        }),
        busy.map(|it| format!("{} % CPU", sig3(it))),
    ]
}

/// The claim to lead with: the first that was decided against, else the first.
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
                verdict,
                value: None,
                interval: None,
                unit: String::new(),
                reason: String::new(),
                about: Vec::new(),
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
