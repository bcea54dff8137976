//! `Thread.dump_to_file -format=json`: virtual threads, of which `Thread.print` tells only those that are carried.

use std::collections::BTreeSet;

use plimsoll_record::ThreadState;
use serde::Deserialize;

use super::{Dump, Object, THREADS_MOST, Thread, bounded, push_frame, text, without_module};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    thread_dump: ThreadDump,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ThreadDump {
    #[serde(default)]
    runtime_version: String,
    thread_containers: Vec<Container>,
}

#[derive(Deserialize)]
struct Container {
    threads: Vec<Told>,
}

/// The first release whose virtual threads leave their carriers where they wait for a monitor (JEP 491).
const MONITORS_LEAVE: u32 = 24;

/// JDK 21 tells a name and the stack, JDK 25 the rest as well; and since then whether a thread is virtual.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Told {
    #[serde(default)]
    tid: serde_json::Value,
    #[serde(default)]
    name: String,
    #[serde(default)]
    r#virtual: bool,
    state: Option<String>,
    #[serde(default)]
    stack: Vec<String>,
    park_blocker: Option<ParkBlocker>,
    blocked_on: Option<String>,
    waiting_on: Option<String>,
    #[serde(default)]
    monitors_owned: Vec<Owned>,
    carrier: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct ParkBlocker {
    object: Option<String>,
}

#[derive(Deserialize)]
struct Owned {
    /// One that was optimised away is null.
    #[serde(default)]
    locks: Vec<Option<String>>,
}

/// The virtual threads of a dump that are not carried at the moment, and the others as well if the text does not tell
/// them (`is_untold`); `known` are the numbers of threads that are not virtual. None if it cannot be read.
pub(super) fn virtual_threads(json: &[u8], is_untold: bool, known: &BTreeSet<u64>) -> Option<Dump> {
    let file: File = serde_json::from_slice(json).ok()?;
    let feature: Option<u32> =
        file.thread_dump.runtime_version.split(['.', '+', '-']).next().and_then(|it| it.parse().ok());
    let containers = file.thread_dump.thread_containers.into_iter();
    let is_meant = |told: &Told| match feature {
        // No carrier is told. A thread leaves its carrier where it parks or yields alone; it has none until it begins.
        Some(..MONITORS_LEAVE) if told.stack.is_empty() => told.number().is_some_and(|number| !known.contains(&number)),
        Some(..MONITORS_LEAVE) => told.is_uncarried() && (is_untold || told.has_parked_or_yielded()),
        _ => told.is_uncarried(),
    };
    let mut told: Vec<Told> = containers.flat_map(|container| container.threads).filter(is_meant).collect();
    let left_out = told.len().saturating_sub(THREADS_MOST) as u64;
    told.truncate(THREADS_MOST);
    let is_old = feature.is_some_and(|feature| feature < MONITORS_LEAVE);
    let is_carried = |told: &Told| is_old && !told.stack.is_empty() && !told.has_parked_or_yielded();
    let thread = |told: Told| Thread { is_carrying: is_carried(&told), ..told.thread() };
    Some(Dump { threads: told.into_iter().map(thread).collect(), left_out, ..Dump::default() })
}

impl Told {
    fn is_uncarried(&self) -> bool {
        let runs_as_virtual =
            || self.stack.last().is_some_and(|frame| without_module(frame).starts_with("java.lang.VirtualThread."));
        (self.r#virtual || runs_as_virtual()) && self.carrier.is_none()
    }

    /// Its number, a text before JDK 26.
    fn number(&self) -> Option<u64> {
        self.tid.as_u64().or_else(|| self.tid.as_str()?.parse().ok())
    }

    fn innermost(&self) -> String {
        self.stack.first().map(|frame| without_module(frame)).unwrap_or_default()
    }

    fn has_parked_or_yielded(&self) -> bool {
        let first = self.innermost();
        let of_thread = first.strip_prefix("java.lang.VirtualThread.").unwrap_or_default();
        !of_thread.starts_with("parkOnCarrierThread")
            && ["park", "yield", "tryYield"].iter().any(|method| of_thread.starts_with(method))
    }

    fn thread(self) -> Thread {
        let state = self.state();
        let mut frames = Vec::new();
        self.stack.iter().for_each(|frame| push_frame(&mut frames, without_module(frame)));
        // A monitor that it waits on is listed as owned, too.
        let left = self.waiting_on.as_deref().map(|text| object(text).id);
        let awaits = self.blocked_on.or(self.waiting_on).or(self.park_blocker.and_then(|blocker| blocker.object));
        let holds = self.monitors_owned.into_iter().flat_map(|owned| owned.locks).flatten();
        Thread {
            name: bounded(&self.name),
            state,
            is_virtual: true,
            is_carrying: false,
            frames,
            awaits: awaits.map(|text| object(&text)),
            holds: holds.map(|text| object(&text).id).filter(|id| Some(*id) != left).collect(),
        }
    }

    fn state(&self) -> ThreadState {
        match self.state.as_deref() {
            Some("BLOCKED") => ThreadState::Blocked,
            Some("WAITING") => ThreadState::Waiting,
            Some("TIMED_WAITING") => ThreadState::TimedWaiting,
            Some(_) => ThreadState::Runnable,
            None if self.is_parked() => ThreadState::Waiting,
            None => ThreadState::Runnable,
        }
    }

    fn is_parked(&self) -> bool {
        let first = self.innermost();
        first.starts_with("java.lang.VirtualThread.park") || text::stands(&first)
    }
}

/// `java.lang.Object@4e29cd9c`: an identity hash, which is not the address that the text has.
fn object(text: &str) -> Object {
    let (class, id) = text.rsplit_once('@').unwrap_or((text, ""));
    // The highest bit keeps hashes apart from addresses, none of which has it.
    let id = u64::from_str_radix(id, 16).unwrap_or(0) | 1 << 63;
    Object { id, class: bounded(class) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const JDK_25: &[u8] = include_bytes!("../captured/locks-25.json");

    /// JDK 21 tells the carriers alone in its text, one of which computes and one of which stands at a monitor.
    #[test]
    fn carried_virtual_threads_of_jdk_21_take_the_place_of_their_carriers() {
        let mut dump = text::threads(include_str!("../captured/locks-21.txt"));
        let carriers = |dump: &Dump| -> Vec<String> {
            let carrying = dump.threads.iter().filter(|thread| thread.is_carrying);
            carrying.map(|thread| thread.frames.first().cloned().unwrap_or_default()).collect()
        };
        assert_eq!(carriers(&dump), ["", ""]);
        assert!(dump.add_virtual(include_bytes!("../captured/locks-21.json")));
        let frames = ["Locks$Virtual.lambda$start$2(Locks.java:35)", "Locks$Virtual.lambda$start$3(Locks.java:36)"];
        assert_eq!(carriers(&dump), frames);
        let others: Vec<_> = dump.threads.iter().filter(|thread| thread.is_virtual && !thread.is_carrying).collect();
        let waiting = others.iter().filter(|thread| thread.state == ThreadState::Waiting).count();
        let not_begun = others.iter().filter(|thread| thread.frames.is_empty()).count();
        assert_eq!((others.len(), waiting, not_begun), (5, 4, 1), "{others:#?}");
    }

    /// JDK 21 names neither carriers nor states.
    #[test]
    fn virtual_threads_that_run_on_carriers_of_old_jdks_are_told_once() {
        let thread = |top: &str| {
            format!(
                r#"{{"name": "", "stack": ["java.base/{top}", "java.base/java.lang.VirtualThread.run(V.java:1)"]}}"#
            )
        };
        let tops = [
            "java.lang.VirtualThread.park(V.java:1)",
            "app.Ledger.book(L.java:1)",
            "java.lang.VirtualThread.parkOnCarrierThread(V.java:1)",
        ];
        let told = tops.map(thread).join(",");
        let seen = |version: &str| {
            let json = format!(
                r#"{{"threadDump": {{"runtimeVersion": "{version}", "threadContainers": [{{"threads": [{told}]}}]}}}}"#
            );
            virtual_threads(json.as_bytes(), false, &BTreeSet::new()).expect("a dump").threads.len()
        };
        assert_eq!((seen("21.0.5+11-LTS"), seen("24+36")), (1, 3));
    }

    #[test]
    fn virtual_threads_that_wait_are_told() {
        let dump = virtual_threads(JDK_25, false, &BTreeSet::new()).expect("a dump");
        let states: Vec<ThreadState> = dump.threads.iter().map(|thread| thread.state).collect();
        use ThreadState::{Blocked, TimedWaiting, Waiting};
        assert_eq!(states, [TimedWaiting, TimedWaiting, TimedWaiting, Waiting, Blocked], "one is carried");
        let awaited = |index: usize| dump.threads[index].awaits.as_ref().map(|it| it.class.as_str());
        assert_eq!((awaited(0), awaited(4)), (None, Some("java.lang.Object")));
        assert_eq!(awaited(3), Some("java.util.concurrent.locks.ReentrantLock$NonfairSync"));
        assert_eq!(dump.threads[0].frames[1], "java.lang.VirtualThread.sleepNanos(VirtualThread.java:980)");
    }

    /// As JDK 21 writes it.
    #[test]
    fn without_states_a_parked_thread_waits() {
        let json = r#"{"threadDump": {"processId": "1", "threadContainers": [{"container": "<root>", "threads": [
            {"tid": "1", "name": "main", "stack": ["java.base\/java.lang.Thread.sleep(Thread.java:1)"]},
            {"tid": "30", "name": "", "stack": ["java.base\/java.lang.VirtualThread.park(VirtualThread.java:582)",
                "java.base\/java.lang.VirtualThread.run(VirtualThread.java:309)"]}], "threadCount": "2"}]}}"#;
        let dump = virtual_threads(json.as_bytes(), false, &BTreeSet::new()).expect("a dump");
        assert_eq!(dump.threads.len(), 1);
        assert_eq!(dump.threads[0].state, ThreadState::Waiting);
    }

    proptest! {
        #[test]
        fn no_file_makes_it_panic(cut in 0..JDK_25.len(), at in 0..JDK_25.len(), byte in any::<u8>()) {
            let _ = virtual_threads(&JDK_25[..cut], true, &BTreeSet::new());
            let mut bytes = JDK_25.to_vec();
            bytes[at] = byte;
            let _ = virtual_threads(&bytes, true, &BTreeSet::new());
        }
    }
}
