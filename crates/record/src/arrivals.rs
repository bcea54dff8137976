//! Requests counted by the instant at which they were intended, not by the one at which they ended.
//!
//! An overload shows in these counts while its requests are still unanswered: a request that has not succeeded when its
//! limit is over is late, whatever becomes of it.

use serde::{Deserialize, Serialize};

use crate::Nanos;

/// Length of a slot: intended instants from `k` times this on, and below `k + 1` times this, are slot `k`.
pub const ARRIVAL_SLOT: Nanos = Nanos::from_millis(100);

/// Counts of requests whose intended instants lie in one slot. All add.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<u32>", try_from = "Vec<u32>")]
pub struct ArrivalSlot {
    /// Number of the slot, from 0, counted from the start of the load.
    pub slot: u32,
    /// Requests whose intended instant came.
    pub offered: u32,
    /// Requests that ended, well or otherwise.
    pub ended: u32,
    /// Requests among those that ended otherwise.
    pub failed: u32,
    /// Requests that succeeded with a response time of at most the limit, by the limits of the level
    /// ([`LevelPlan::limits`](crate::LevelPlan::limits)).
    pub within: Vec<u32>,
}

impl ArrivalSlot {
    /// The slot of a request that was intended at `intended`.
    #[inline]
    pub fn at(intended: Nanos) -> u32 {
        u32::try_from(intended.0 / ARRIVAL_SLOT.0).unwrap_or(u32::MAX)
    }

    /// The instant at which the slot ends, counted from the start of the load.
    pub fn end(&self) -> Nanos {
        Nanos((u64::from(self.slot) + 1).saturating_mul(ARRIVAL_SLOT.0))
    }

    /// Whether nothing that happens from `now` on adds to what succeeded within `limit`.
    pub fn is_known_at(&self, now: Nanos, limit: Nanos) -> bool {
        self.end() + limit <= now
    }

    /// Adds the counts of `other`.
    fn add(&mut self, other: &Self) {
        self.offered = self.offered.saturating_add(other.offered);
        self.ended = self.ended.saturating_add(other.ended);
        self.failed = self.failed.saturating_add(other.failed);
        if self.within.len() < other.within.len() {
            self.within.resize(other.within.len(), 0);
        }
        for (mine, others) in self.within.iter_mut().zip(&other.within) {
            *mine = mine.saturating_add(*others);
        }
    }
}

/// Numbers without names, since a second has dozens of slots: slot, offered, ended, failed, and one for each limit.
impl From<ArrivalSlot> for Vec<u32> {
    fn from(slot: ArrivalSlot) -> Self {
        let mut numbers = vec![slot.slot, slot.offered, slot.ended, slot.failed];
        numbers.extend(slot.within);
        numbers
    }
}

impl TryFrom<Vec<u32>> for ArrivalSlot {
    type Error = String;

    fn try_from(numbers: Vec<u32>) -> Result<Self, String> {
        match numbers[..] {
            [slot, offered, ended, failed, ref within @ ..] => {
                Ok(Self { slot, offered, ended, failed, within: within.to_vec() })
            }
            _ => Err(format!("expected at least four numbers of a slot, found {}", numbers.len())),
        }
    }
}

/// Slots in which something happened, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ArrivalCounts(Vec<ArrivalSlot>);

impl ArrivalCounts {
    /// Without slots.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Slots, ascending.
    pub fn slots(&self) -> &[ArrivalSlot] {
        &self.0
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The counts of slot number `slot`, to be counted in; a new one has as many limits as there are `limits`.
    #[inline]
    pub fn slot(&mut self, slot: u32, limits: usize) -> &mut ArrivalSlot {
        // Most requests belong to the slot that was the last to begin.
        let index = match self.0.last() {
            Some(last) if last.slot == slot => self.0.len() - 1,
            _ => self.find(slot, limits),
        };
        &mut self.0[index]
    }

    fn find(&mut self, slot: u32, limits: usize) -> usize {
        self.0.binary_search_by_key(&slot, |it| it.slot).unwrap_or_else(|index| {
            self.0.insert(index, ArrivalSlot { slot, within: vec![0; limits], ..ArrivalSlot::default() });
            index
        })
    }

    /// Adds the counts of `other`, slot by slot.
    pub fn merge(&mut self, other: &Self) {
        for slot in &other.0 {
            self.slot(slot.slot, slot.within.len()).add(slot);
        }
    }
}

impl FromIterator<ArrivalSlot> for ArrivalCounts {
    /// Slots in any order; those of one number are added.
    fn from_iter<I: IntoIterator<Item = ArrivalSlot>>(slots: I) -> Self {
        let mut counts = Self::new();
        for slot in slots {
            counts.slot(slot.slot, slot.within.len()).add(&slot);
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(slot: u32, counts: [u32; 3], within: &[u32]) -> ArrivalSlot {
        let [offered, ended, failed] = counts;
        ArrivalSlot { slot, offered, ended, failed, within: within.to_vec() }
    }

    #[test]
    fn a_slot_holds_the_instants_from_its_start_to_below_its_end() {
        let at = |ns| ArrivalSlot::at(Nanos(ns));
        assert_eq!([at(0), at(99_999_999), at(100_000_000), at(u64::MAX)], [0, 0, 1, u32::MAX]);
        let third = slot(2, [0; 3], &[]);
        assert_eq!(third.end(), Nanos::from_millis(300));
        let limit = Nanos::from_millis(50);
        assert!(third.is_known_at(Nanos::from_millis(350), limit));
        assert!(!third.is_known_at(Nanos(349_999_999), limit));
    }

    #[test]
    fn counts_add_by_slot_and_stay_in_order() {
        let mut counts: ArrivalCounts = [slot(4, [2, 1, 0], &[1]), slot(1, [1, 1, 1], &[0])].into_iter().collect();
        counts.merge(&[slot(4, [0, 1, 0], &[1]), slot(2, [5, 0, 0], &[0])].into_iter().collect());
        assert_eq!(counts.slots(), [slot(1, [1, 1, 1], &[0]), slot(2, [5, 0, 0], &[0]), slot(4, [2, 2, 0], &[2])]);
        counts.merge(&[slot(1, [u32::MAX, 0, 0], &[3, 4])].into_iter().collect());
        assert_eq!(counts.slots()[0], slot(1, [u32::MAX, 1, 1], &[3, 4]), "nothing runs over, and limits may be more");
    }

    #[test]
    fn a_slot_is_a_list_of_numbers_and_a_short_list_is_refused() {
        let counts: ArrivalCounts = [slot(12, [100, 98, 1], &[90, 97])].into_iter().collect();
        let text = serde_json::to_string(&counts).unwrap();
        assert_eq!(text, "[[12,100,98,1,90,97]]");
        assert_eq!(serde_json::from_str::<ArrivalCounts>(&text).unwrap(), counts);
        let refused = serde_json::from_str::<ArrivalCounts>("[[1,2,3]]").unwrap_err().to_string();
        assert!(refused.contains("expected at least four numbers of a slot, found 3"), "{refused}");
    }
}
