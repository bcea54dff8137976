//! Refusals: responses with a status from 400 on.

use std::collections::BTreeMap;

/// The least status of a refusal.
const REFUSES: u16 = 400;

/// The status of most refusals, and how many have it; none without refusals.
pub(crate) fn most_frequent(statuses: &BTreeMap<u16, u64>) -> Option<(u16, u64)> {
    let refused = statuses.iter().filter(|(status, _)| **status >= REFUSES);
    refused.max_by_key(|(_, count)| **count).map(|(&status, &count)| (status, count))
}
