//! Remarks of a search for the person who waits, each told once.

use plimsoll_record::LoadUnit;
use plimsoll_search::Step;
use plimsoll_text::number::{count, in_full};

use super::{Searching, machine::Used};

/// Trials in a row that may be spoilt. From then on the generator's limit is the answer, and the CPU that others use is
/// a part of the machine.
const SPOILT_MOST: u32 = 3;
/// Highest load from then on, as a share of the load at which the generator spoilt trials.
const OFFERED_MOST: f64 = 0.9;

impl Searching {
    /// Says once that the service stood still.
    pub(super) fn stall_note(&mut self) -> Option<String> {
        let seconds = self.search.stalled().filter(|_| !std::mem::replace(&mut self.has_told_stall, true))?;
        Some(format!(
            "the target stood still for {seconds:.1} s and went on, as if it collected garbage: from here on a rate counts \
             as carried once it was offered for 30 s in all, and only if such pauses surely make fewer requests late \
             than may be"
        ))
    }

    /// Says once that the service carries more for a while than for ever.
    pub(super) fn lasting_note(&mut self) -> Option<String> {
        let lasting = self.search.lasting().filter(|_| !std::mem::replace(&mut self.has_told_lasting, true))?;
        Some(format!(
            "the target answered more for a while than the {}/s that it goes on to, as with a bucket of tokens: from here on \
             only what lasts counts",
            in_full(lasting, 4)
        ))
    }

    /// Says before the first trial what cannot be known in the time that there is.
    pub(super) fn note(&mut self, step: Step) -> Option<String> {
        let is_first =
            matches!(step, Step::Open { .. } | Step::Users { .. }) && !std::mem::replace(&mut self.has_told_time, true);
        if !is_first || self.plan.at_least.is_some() {
            return None;
        }
        let needed = self.search.seconds_needed().filter(|&needed| needed > self.plan.at_most.as_secs_f64())?;
        let (percent, minutes) = (self.plan.resolution * 100.0, in_full((needed / 60.0).ceil(), 1));
        let at_most = self.plan.at_most;
        Some(format!(
            "an interval of {percent:.0} % takes about {minutes} min at best; after {at_most} it will be wider"
        ))
    }

    pub(super) fn spoil(&mut self, load: f64, reason: &str) -> Vec<String> {
        let mut notes = vec![format!("{reason}; the trial is left out")];
        self.spoilt += 1;
        if self.spoilt >= SPOILT_MOST {
            let most = load * OFFERED_MOST;
            notes.push(match self.plan.unit() {
                LoadUnit::PerSecond => format!("from here on at most {}/s are offered", in_full(most, 4)),
                LoadUnit::VirtualUsers => format!("from here on there are at most {} users", count(most as u64)),
            });
            self.search.limit(most);
            self.offered_most = Some(most);
            self.spoilt = 0;
        }
        notes
    }

    /// Reason why others on the machine spoil a trial; none once they have spoilt [`SPOILT_MOST`] in a row.
    pub(super) fn disturbed(&mut self, used: Used) -> Option<String> {
        let why = self.machine.disturbed(used, self.plan.resolution);
        self.disturbed = if why.is_some() { self.disturbed + 1 } else { 0 };
        why.filter(|_| self.disturbed <= SPOILT_MOST)
    }
}
