//! The service after an overload: whether it recovers, and how soon.

use plimsoll_analysis::results::{RecoveryResults, Unrecovered};
use plimsoll_text::{counted, number::lasting};

use super::loads::rate;

/// `2.1 s after an overload of 1,730/s for 5 s`; none if too little was seen.
pub(super) fn recovers(found: &RecoveryResults) -> Option<String> {
    let overload = format!("an overload of {} for {}", rate(found.overload_per_s), lasting(found.overload_s));
    match found.recovered_s {
        Some(seconds) if seconds <= 0.0 => Some(format!("at once after {overload}")),
        Some(seconds) => Some(format!("{seconds:.1} s after {overload}")),
        None if !found.is_metastable => None,
        None => Some(format!(
            "not within {} after {overload}, at {}: a metastable failure (Bronson et al. 2021)",
            lasting(found.watched_s),
            rate(found.after_per_s)
        )),
    }
}

/// `after 2.1 s`, or `not within 30 s`.
pub(super) fn recovered_after(found: &RecoveryResults) -> String {
    match found.recovered_s {
        Some(seconds) if seconds <= 0.0 => "at once".to_owned(),
        Some(seconds) => format!("after {seconds:.1} s"),
        None => format!("not within {}", lasting(found.watched_s)),
    }
}

/// The load that a service did not recover from.
pub(super) fn overload(found: Unrecovered) -> String {
    if found.is_users { counted(found.load as u64, "user") } else { rate(found.load) }
}

/// `did not recover within 30 s from an overload of 900/s: …`.
pub(super) fn unrecovered(found: Unrecovered) -> String {
    let restarted = match found.restarts {
        0 => String::new(),
        1 => "; it was started anew once".to_owned(),
        many => format!("; it was started anew {many} times"),
    };
    let end = if found.is_end { "; the search ended there" } else { ", and the search went on" };
    format!(
        "did not recover within {} from an overload of {}: a metastable failure (Bronson et al. 2021){restarted}{end}",
        lasting(found.waited_s),
        overload(found)
    )
}
