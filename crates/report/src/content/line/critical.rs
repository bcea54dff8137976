//! Critical rates, as SPECjbb2015 has them.

use plimsoll_analysis::{Results, results::CriticalResults};
use plimsoll_text::{joined, number::in_full};

use super::loads::rate;

/// Critical rates, by variant; the name is left out if there is only one.
pub fn critical(results: &Results) -> Vec<(String, String)> {
    let is_single = results.critical.len() == 1;
    let fact = |it: &CriticalResults| {
        let label = if is_single { "critical rate".to_owned() } else { it.variant.clone() };
        (label, critical_rate(it))
    };
    results.critical.iter().map(fact).collect()
}

/// `612 – 701/s, the geometric mean of the lines`, or why there is none.
fn critical_rate(found: &CriticalResults) -> String {
    let rate = match (found.low_per_s, found.high_per_s) {
        _ if !found.nowhere.is_empty() => return format!("none: {} holds nowhere", joined(&found.nowhere)),
        (Some(low), Some(high)) => format!("{} – {}", in_full(low, 4), rate(high)),
        (Some(low), None) => format!("at least {}", rate(low)),
        (None, Some(high)) => format!("below {}", rate(high)),
        (None, None) => "unknown".to_owned(),
    };
    format!("{rate}, the geometric mean of the lines at 10, 25, 50, 75 and 100 ms (as SPECjbb2015 has it)")
}
