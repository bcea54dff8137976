//! Checks: what must be so of a response, as one line of text.
//!
//! ```text
//! status == 200            status == 2xx          status == 200, 201
//! time < 500ms
//! body contains "welcome"  body matches ^\{
//! header Content-Type contains json
//! json $.items[0].id exists                       json $.total > 0
//! cookie session exists
//! ```

use std::ops::RangeInclusive;

use plimsoll_record::{Comparison, Nanos};
use plimsoll_secrets::MASK;
use regex::bytes::Regex;

use super::{
    builtin::Context,
    response::{Response, shown},
    scope::Scope,
    source::{Source, regex, unquoted},
    template::{Escape, FILLED_MAX, Template},
};

/// One check.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    /// Its name: its text.
    pub name: String,
    pub source: Source,
    test: Test,
}

#[derive(Clone, Debug)]
enum Test {
    Exists,
    Absent,
    Equals(Template),
    Differs(Template),
    Contains(Template),
    Matches(Regex),
    Compares(Comparison, f64),
    TakesTime(Comparison, Nanos),
    /// Ranges of statuses, and whether the status must be among them.
    Status(Vec<RangeInclusive<u16>>, bool),
}

/// Relations; where one begins like another, the longer one comes first.
const RELATIONS: [&str; 12] = ["==", "!=", "<=", ">=", "=", "<", ">", "contains", "matches", "exists", "absent", "in"];

impl Check {
    pub fn parse(text: &str, scope: &Scope) -> Result<Self, String> {
        let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (source, rest) = Source::parse(text)?;
        if let Source::Regex(_) = source {
            return Err("`regex` is for captures: write `body matches PATTERN`".to_owned());
        }
        let Some(relation) = RELATIONS.into_iter().find(|relation| begins_with(rest, relation)) else {
            let known = "`==`, `!=`, `<`, `<=`, `>`, `>=`, `contains`, `matches`, `exists` or `absent`";
            let found = if rest.is_empty() { "nothing".to_owned() } else { format!("`{rest}`") };
            return Err(format!("expected {known} after the source, found {found}"));
        };
        let value = rest[relation.len()..].trim();
        let test = test(&source, relation, value, scope)?;
        Ok(Self { name, source, test })
    }

    /// Whether it replaces the rule that a status from 400 on is a failure.
    pub fn is_of_status(&self) -> bool {
        matches!(self.source, Source::Status)
    }

    /// The variables in its value.
    pub fn variables(&self) -> Vec<usize> {
        match &self.test {
            Test::Equals(value) | Test::Differs(value) | Test::Contains(value) => value.variables(),
            _ => Vec::new(),
        }
    }

    /// Makes the check; a message of what was found instead, if it does not hold.
    pub fn examine(&self, response: &Response<'_>, context: &mut Context<'_>) -> Result<(), String> {
        match &self.test {
            Test::Status(ranges, expected) => {
                let holds = ranges.iter().any(|range| range.contains(&response.status)) == *expected;
                return if holds { Ok(()) } else { Err(response.status.to_string()) };
            }
            Test::TakesTime(comparison, limit) => {
                let holds = comparison.holds(response.time, *limit);
                return if holds { Ok(()) } else { Err(response.time.to_string()) };
            }
            _ => {}
        }
        let found = self.source.find(response)?;
        if self.holds(found.as_deref(), context) {
            return Ok(());
        }
        Err(match found {
            Some(_) if self.source.is_secret("") => MASK.to_owned(),
            Some(text) => shown(text.as_bytes()),
            None if response.body().is_ok_and(<[u8]>::is_empty) => "nothing".to_owned(),
            None => format!("nothing in {}", response.beginning()),
        })
    }

    fn holds(&self, found: Option<&str>, context: &mut Context<'_>) -> bool {
        match (&self.test, found) {
            (Test::Exists, found) => found.is_some(),
            (Test::Absent, found) => found.is_none(),
            (_, None) => false,
            (Test::Equals(expected), Some(found)) => filled(expected, context).is_some_and(|it| is_equal(found, &it)),
            (Test::Differs(expected), Some(found)) => filled(expected, context).is_some_and(|it| !is_equal(found, &it)),
            (Test::Contains(expected), Some(found)) => filled(expected, context).is_some_and(|it| found.contains(&it)),
            (Test::Matches(regex), Some(found)) => regex.is_match(found.as_bytes()),
            (Test::Compares(comparison, limit), Some(found)) => {
                found.trim().parse::<f64>().is_ok_and(|number| comparison.holds(number, *limit))
            }
            (Test::TakesTime(..) | Test::Status(..), Some(_)) => true,
        }
    }
}

/// Whether a text begins with a relation. Words end at a space; signs need none.
fn begins_with(text: &str, relation: &str) -> bool {
    let is_word = relation.starts_with(|c: char| c.is_ascii_alphabetic());
    text.strip_prefix(relation).is_some_and(|rest| !is_word || rest.is_empty() || rest.starts_with([' ', '\t']))
}

fn test(source: &Source, relation: &str, value: &str, scope: &Scope) -> Result<Test, String> {
    let needs_value = !matches!(relation, "exists" | "absent");
    match (needs_value, value.is_empty()) {
        (true, true) => return Err(format!("expected a value after `{relation}`, found nothing")),
        (false, false) => return Err(format!("expected nothing after `{relation}`, found `{value}`")),
        _ => {}
    }
    let comparison = Comparison::of_sign(relation);
    match source {
        Source::Status => return status_test(relation, comparison, value),
        Source::Time => {
            let comparison = comparison.ok_or("a time is compared: `time < 500ms`")?;
            return Ok(Test::TakesTime(comparison, time(value)?));
        }
        _ => {}
    }
    let text = || Template::new(unquoted(value), Escape::None, scope);
    Ok(match (relation, comparison) {
        ("exists", _) => Test::Exists,
        ("absent", _) => Test::Absent,
        ("==" | "=", _) => Test::Equals(text()?),
        ("!=", _) => Test::Differs(text()?),
        ("contains", _) => Test::Contains(text()?),
        ("matches", _) => Test::Matches(regex(unquoted(value))?),
        (_, Some(comparison)) => {
            Test::Compares(comparison, value.parse().map_err(|_| format!("expected a number, found `{value}`"))?)
        }
        _ => return Err("`in` is for the status: `status in 200, 201`".to_owned()),
    })
}

fn status_test(relation: &str, comparison: Option<Comparison>, value: &str) -> Result<Test, String> {
    if !matches!(relation, "==" | "=" | "!=" | "in") && comparison.is_none() {
        return Err(format!("`{relation}` is not for the status: write e.g. `status == 200`, or `status == 2xx`"));
    }
    let ranges = value.split(',').map(|status| statuses(status.trim())).collect::<Result<Vec<_>, _>>()?;
    if let Some(comparison) = comparison {
        let [range] = ranges.as_slice() else { return Err("expected one status to compare with".to_owned()) };
        let (from, to) = (*range.start(), *range.end());
        return Ok(Test::Status(
            vec![match comparison {
                Comparison::Less => 0..=from - 1,
                Comparison::AtMost => 0..=to,
                Comparison::Greater => to + 1..=u16::MAX,
                Comparison::AtLeast => from..=u16::MAX,
            }],
            true,
        ));
    }
    Ok(Test::Status(ranges, relation != "!="))
}

/// `200`, or `2xx`.
fn statuses(text: &str) -> Result<RangeInclusive<u16>, String> {
    let expected = || format!("expected a status such as `200`, or `2xx`, found `{text}`");
    let class = text.strip_suffix("xx").or_else(|| text.strip_suffix("XX"));
    let number = |text: &str| text.parse::<u16>().map_err(|_| expected());
    let range = match class {
        Some(class) => number(class)?.saturating_mul(100)..=number(class)?.saturating_mul(100).saturating_add(99),
        None => number(text)?..=number(text)?,
    };
    if (100..=599).contains(range.start()) { Ok(range) } else { Err(expected()) }
}

fn time(text: &str) -> Result<Nanos, String> {
    const UNITS: [(&str, f64); 5] = [("ns", 1.0), ("us", 1e3), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)];
    let unit = UNITS.iter().find_map(|(unit, ns)| Some((text.strip_suffix(unit)?.trim(), ns)));
    let parsed = unit.and_then(|(number, ns)| Some(number.parse::<f64>().ok()? * ns));
    match parsed.filter(|ns| *ns > 0.0 && ns.is_finite()) {
        Some(ns) => Ok(Nanos(ns as u64)),
        None => Err(format!("expected a time such as `500ms` or `2s`, found `{text}`")),
    }
}

/// The text that is expected; none if it is longer than any may be.
fn filled(expected: &Template, context: &mut Context<'_>) -> Option<String> {
    let mut left = FILLED_MAX;
    expected.render_text(context, &mut left).ok()
}

/// Whether two texts are equal: as text, as numbers, or as JSON.
fn is_equal(found: &str, expected: &str) -> bool {
    if found == expected {
        return true;
    }
    // Whole numbers with all their digits, which identifiers have and a float has not.
    if let (Ok(found), Ok(expected)) = (found.parse::<i128>(), expected.parse::<i128>()) {
        return found == expected;
    }
    if let (Ok(found), Ok(expected)) = (found.parse::<f64>(), expected.parse::<f64>()) {
        return found == expected;
    }
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok().filter(|value| !value.is_string());
    json(found).is_some_and(|found| json(expected) == Some(found))
}

#[cfg(test)]
mod tests;
