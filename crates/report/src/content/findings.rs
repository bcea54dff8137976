//! Findings in words. Findings that say the same about several places are reported once.

use plimsoll_analysis::{
    Results,
    results::{AuditVerdict, ClaimResult, Evidence, Finding, Place, Value, Weight},
};
use plimsoll_text::{
    and_more,
    number::{NONE, sig3, with_unit},
};

use super::load;

/// Findings that say the same about several places, the gravest first.
pub struct Group<'a> {
    /// The one that is shown in full.
    pub first: &'a Finding,
    /// The others, each shown by its place and its first figure.
    pub others: Vec<&'a Finding>,
    /// How places are named.
    naming: Naming,
}

/// The parts of a place that are named: those of which there are several.
#[derive(Clone, Copy)]
enum Naming {
    /// `web @ 300`.
    Whole,
    /// `300`: the level of a load on its own.
    Level,
    /// Nothing: the only level of a load on its own.
    Nothing,
}

impl Naming {
    fn of(results: &Results) -> Self {
        match load::levels_of(results).len() {
            0 => Self::Whole,
            1 => Self::Nothing,
            _ => Self::Level,
        }
    }

    /// The name of a place; empty for a whole execution.
    fn name(self, place: &Place) -> String {
        match self {
            _ if place.variant.is_none() => String::new(),
            Self::Whole => place.to_string(),
            Self::Level => place.level.clone().unwrap_or_default(),
            Self::Nothing => String::new(),
        }
    }
}

/// All groups, in the order of the results' findings.
pub fn groups(results: &Results) -> Vec<Group<'_>> {
    let naming = Naming::of(results);
    let mut groups: Vec<Group> = Vec::new();
    for finding in &results.findings {
        match groups.iter_mut().find(|group| group.first.is_like(finding)) {
            Some(group) => group.others.push(finding),
            None => groups.push(Group { first: finding, others: Vec::new(), naming }),
        }
    }
    groups
}

impl Group<'_> {
    /// `web @ 300: observations. Remedy. Also web @ 900 (12 %) and 3 more.`
    pub fn text(&self) -> String {
        let Finding { says, remedy, .. } = self.first;
        let place = self.place("");
        let remedy = if remedy.is_empty() { String::new() } else { format!(" {remedy}") };
        format!("{place}{says}{remedy}{}", self.also())
    }

    /// The first sentence, for where there is one line: `web @ 300 and 3 more: what was seen.`
    pub fn line(&self) -> String {
        let more = match self.others.len() {
            0 => String::new(),
            others => format!(" and {others} more"),
        };
        format!("{}{}", self.place(&more), sentence(&self.first.says))
    }

    /// The place of the first with a colon; nothing for a whole execution.
    fn place(&self, more: &str) -> String {
        let name = self.naming.name(&self.first.place);
        if name.is_empty() { name } else { format!("{name}{more}: ") }
    }

    fn also(&self) -> String {
        let place = |finding: &&Finding| match finding.evidence.first().and_then(figure) {
            Some(figure) => format!("{} ({figure})", self.naming.name(&finding.place)),
            None => self.naming.name(&finding.place),
        };
        let others: Vec<String> = self.others.iter().map(place).collect();
        if others.is_empty() { String::new() } else { format!(" Also {}.", and_more(&others)) }
    }
}

/// `12.3 %`, or `2,005 accept-queue overflows` where the number has no unit; none for a name.
fn figure(evidence: &Evidence) -> Option<String> {
    match (&evidence.value, evidence.unit) {
        (Value::Number(number), "") => Some(format!("{} {}", sig3(*number), evidence.measure.about)),
        (Value::Number(number), unit) => Some(with_unit(sig3(*number), unit)),
        (Value::Text(_), _) => None,
    }
}

/// Explanation of a claim that does not hold, place by place: `feign @ 300: observations. More observations.` None if
/// no finding explains it.
pub fn explanation(claim: &ClaimResult) -> Option<String> {
    let mut places: Vec<String> = Vec::new();
    for (index, finding) in claim.findings.iter().enumerate() {
        let is_same = index > 0 && claim.findings[index - 1].place.is_same_level(&finding.place);
        match places.last_mut().filter(|_| is_same) {
            Some(text) => text.push_str(&format!(" {}", finding.says)),
            None => places.push(format!("{}: {}", finding.place, finding.says)),
        }
    }
    (!places.is_empty()).then(|| places.join(" "))
}

/// The first sentence of a text.
pub fn sentence(text: &str) -> &str {
    text.split_once(". ").map_or(text, |(first, _)| &text[..=first.len()])
}

/// One word for a weight.
pub const fn word(weight: Weight) -> &'static str {
    match weight {
        Weight::Info => "note",
        Weight::Warning => "warning",
        Weight::Contradiction => "contradiction",
    }
}

/// One character for the verdict of an audit.
pub const fn mark(verdict: AuditVerdict) -> &'static str {
    match verdict {
        AuditVerdict::Contradiction => "✗",
        AuditVerdict::Question => "?",
        AuditVerdict::Limited => "=",
        AuditVerdict::Consistent => "✓",
        AuditVerdict::Unchecked => NONE,
    }
}
