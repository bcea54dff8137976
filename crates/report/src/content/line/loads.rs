//! The line itself, and loads in its unit.

use plimsoll_analysis::results::LineResults;
use plimsoll_text::number::{in_full, lasting};

/// `1,840 – 1,905/s, 95 % sure`, or `1,840 – 1,905 users with 1 s of think time, 95 % sure`, or what is known instead.
pub fn interval(line: &LineResults) -> String {
    match (
        format!("{}{}{}", bounds(line, "at least"), thinking(line), cold(line)),
        line.line.low().or(line.line.high()),
    ) {
        (known, Some(_)) => format!("{known}, 95 % sure"),
        (unknown, None) => unknown,
    }
}

/// `1,840 – 1,905/s`, `≥ 1,840/s`, or whatever else is known.
pub fn known(line: &LineResults) -> String {
    bounds(line, "≥")
}

fn bounds(line: &LineResults, at_least: &str) -> String {
    let load = |number: f64| load(line, number);
    match (line.line.low(), line.line.high(), line.tested()) {
        (Some(_), _, Some(tested)) => format!("above {}", load(tested)),
        (_, Some(_), Some(tested)) => format!("below {}", load(tested)),
        (None, None, Some(tested)) => format!("undecided whether it is above {}", load(tested)),
        (Some(low), Some(high), None) => between(line, low, high),
        (Some(low), None, None) => format!("{at_least} {}", load(low)),
        (None, Some(high), None) => format!("below {}", load(high)),
        (None, None, None) => "unknown".to_owned(),
    }
}

/// `1,840 – 1,905/s`, or in users.
pub fn between(line: &LineResults, low: f64, high: f64) -> String {
    format!("{} – {}", in_full(low, digits(line)), load(line, high))
}

/// ` with 1 s of think time`, for lines in users; else empty.
pub(super) fn thinking(line: &LineResults) -> String {
    match line.think_ms {
        None => String::new(),
        Some(ms) if ms >= 1e3 => format!(" with {} s of think time", in_full(ms / 1e3, 3)),
        Some(ms) if ms > 0.0 => format!(" with {} ms of think time", in_full(ms, 3)),
        Some(_) => " without think time".to_owned(),
    }
}

/// ` of cold processes, in their first 20 s`, for their lines; else empty.
pub(super) fn cold(line: &LineResults) -> String {
    line.cold_s.map_or_else(String::new, |seconds| format!(" of cold processes, in their first {}", lasting(seconds)))
}

/// A load in the unit of the line: `1,840/s`, or `1,840 users`.
pub fn load(line: &LineResults, number: f64) -> String {
    format!("{}{}", in_full(number, digits(line)), unit(line))
}

/// The unit of the line, as it stands after a number.
pub fn unit(line: &LineResults) -> &'static str {
    if line.think_ms.is_some() { " users" } else { "/s" }
}

/// Significant digits of a load: all of them for users, who are whole.
fn digits(line: &LineResults) -> i32 {
    const WHOLE: i32 = 9;
    if line.think_ms.is_none() { 3 } else { WHOLE }
}

pub(super) fn rate(per_s: f64) -> String {
    format!("{}/s", in_full(per_s, 4))
}
