//! Objects of the heap: where asynchronous code waits, it does so in objects, and in no thread.

use std::{collections::BTreeMap, time::Instant};

use plimsoll_record::{HeapLook, Objects};

use crate::{attach::Jvm, parse::histogram::histogram, read};

/// The JVM stands still while it counts, for about a second per gigabyte: a process that has more memory is not asked.
const MEMORY_MOST: u64 = 2 << 30;
/// Fewer objects of a class more than at rest are due to chance.
const MORE_LEAST: u64 = 2;
/// Classes that are told, those that grew most.
const CLASSES_MOST: usize = 400;

/// Objects by class, as they were without load.
#[derive(Debug, Default)]
pub(super) struct Heap {
    at_rest: Option<BTreeMap<String, u64>>,
}

impl Heap {
    /// Counts what there is without load.
    pub fn rest(&mut self, jvm: &Jvm) {
        self.at_rest = count(jvm);
    }

    /// Classes of which there are more objects than without load; none if these were not counted.
    pub fn look(&self, jvm: &Jvm) -> Option<HeapLook> {
        let at_rest = self.at_rest.as_ref()?;
        let begun = Instant::now();
        let now = count(jvm)?;
        let took = begun.elapsed().into();
        let more = |(class, count): (String, u64)| {
            let more = count.saturating_sub(at_rest.get(&class).copied().unwrap_or(0));
            (more >= MORE_LEAST).then_some(Objects { class, more })
        };
        let mut grown: Vec<Objects> = now.into_iter().filter_map(more).collect();
        grown.sort_by(|a, b| b.more.cmp(&a.more).then_with(|| a.class.cmp(&b.class)));
        grown.truncate(CLASSES_MOST);
        Some(HeapLook { took, grown })
    }
}

/// Living objects: the JVM collects garbage first. None if it does not tell, or has too many.
fn count(jvm: &Jvm) -> Option<BTreeMap<String, u64>> {
    let status = read::status(jvm.pid())?;
    if status.rss_bytes > MEMORY_MOST {
        return None;
    }
    let text = jvm.command("GC.class_histogram").ok()?;
    let mut counts = BTreeMap::new();
    for (class, count) in histogram(&text) {
        *counts.entry(class.to_owned()).or_insert(0) += count;
    }
    Some(counts)
}
