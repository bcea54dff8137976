//! Sets of changes that are compared next. Moving one of two equally tight limits changes nothing. So a set that does
//! not help, and with which another limit gives way, is tried together with what moves that one.

use plimsoll_analysis::results::Knob;
use plimsoll_record::{Change, VariantPlan};

use super::{candidates, changed};
use crate::experiment::Variant;

/// Sets that were tried, and what became of the last one.
#[derive(Debug, Default)]
pub struct Trials {
    tried: Vec<Vec<Change>>,
    /// The set that is being compared.
    offered: Option<Offered>,
    /// Parts that only made another limit give way: kinds of limits so far, and the next one.
    beyond: Option<Beyond>,
}

/// A set by its parts, and the kinds of limits that they are to move.
#[derive(Debug)]
struct Offered {
    parts: Vec<Vec<Change>>,
    kinds: Vec<String>,
}

#[derive(Debug)]
struct Beyond {
    made: Offered,
    kind: String,
    knob: Knob,
}

impl Trials {
    /// The sets to compare next; empty if there are none. With a joint change come the same without each of its earlier
    /// parts, which shows whether that part is needed. Else it is the most promising set for the limit that gives way.
    pub fn next(&mut self, variant: &Variant, plan: &VariantPlan, limit: Option<(&str, &Knob)>) -> Vec<Vec<Change>> {
        if let Some((sets, offered)) = self.joint(variant, plan) {
            self.offered = Some(offered);
            return sets;
        }
        self.beyond = None;
        let Some((kind, knob)) = limit else { return Vec::new() };
        let set = candidates(variant, kind, knob).into_iter().find(|set| !self.tried.contains(set));
        self.offered = set.clone().map(|set| Offered { parts: vec![set], kinds: vec![kind.to_owned()] });
        set.into_iter().collect()
    }

    fn joint(&self, variant: &Variant, plan: &VariantPlan) -> Option<(Vec<Vec<Change>>, Offered)> {
        let Beyond { made: Offered { parts, kinds }, kind, knob } = self.beyond.as_ref()?;
        let (with, _) = changed(variant, plan, &union(parts)).ok()?;
        let is_new = |set: &Vec<Change>| !set.is_empty() && !self.tried.contains(set);
        candidates(&with, kind, knob).into_iter().find_map(|part| {
            let parts: Vec<Vec<Change>> = parts.iter().cloned().chain([part]).collect();
            let whole = Some(union(&parts)).filter(is_new)?;
            let without = |index: usize| {
                let others = parts.iter().enumerate().filter(|(other, _)| *other != index);
                union(&others.map(|(_, part)| part.clone()).collect::<Vec<_>>())
            };
            // The set without the last part is the one that did not help.
            let smaller = (0..parts.len() - 1).map(without).filter(is_new).filter(|set| *set != whole);
            let sets = std::iter::once(whole.clone()).chain(smaller).collect();
            Some((sets, Offered { parts, kinds: kinds.iter().chain([kind]).cloned().collect() }))
        })
    }

    /// Takes in what became of sets: whether one helped, and the limit that gives way with the first, with its knob.
    pub fn add(&mut self, sets: Vec<Vec<Change>>, has_helped: bool, then: Option<(&str, &Knob)>) {
        if has_helped {
            // Changes that did not help before may do so now.
            self.tried.clear();
        } else {
            self.tried.extend(sets);
        }
        let offered = self.offered.take().filter(|_| !has_helped);
        self.beyond = offered.zip(then).and_then(|(made, (kind, knob))| {
            let is_another = made.kinds.iter().all(|known| known != kind);
            is_another.then(|| Beyond { made, kind: kind.to_owned(), knob: knob.clone() })
        });
    }
}

/// All changes. Several of one setting become one: from the first one's `from` to the last one's `to`.
fn union(parts: &[Vec<Change>]) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    for change in parts.iter().flatten() {
        match all.iter_mut().find(|it| it.name == change.name) {
            Some(known) => known.to.clone_from(&change.to),
            None => all.push(change.clone()),
        }
    }
    all
}
