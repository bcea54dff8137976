//! Carriers of virtual threads on JDK 21, which tells neither states nor monitors of these.

use plimsoll_record::{Stack, ThreadState};

use super::{
    explained,
    shapes::{dumps, stack},
};
use crate::{results::Explanation, testing::recorded::named};

const SLEEPS: [&str; 4] = [
    "jdk.internal.misc.Unsafe.park",
    "java.lang.VirtualThread.parkOnCarrierThread",
    "java.lang.Thread.sleep",
    "app.Ledger.book",
];

/// Two carriers on a JDK of that release, each with a virtual thread.
fn carried(java: &str, state: ThreadState, frames: &[&str]) -> Explanation {
    let mut recorded = named("pinned-25-virtual");
    for census in dumps(&mut recorded) {
        census.stacks.retain(|stack| !stack.is_carrying && stack.state != ThreadState::Blocked);
        let carried = [stack("", 1, ThreadState::Waiting, &SLEEPS), stack("", 1, state, frames)];
        census.stacks.extend(carried.map(|stack| Stack { is_virtual: true, is_carrying: true, ..stack }));
    }
    for census in &mut recorded.censuses {
        census.tasks.retain(|tasks| !tasks.group.starts_with("ForkJoinPool-"));
        census.process.jvm = Some(format!("OpenJDK 64-Bit Server VM version {java}.0.8+9-LTS, JDK {java}.0.8"));
    }
    explained(&recorded)
}

#[test]
fn a_carrier_that_neither_runs_nor_is_said_to_wait_waits_for_a_monitor() {
    let found = carried("21", ThreadState::Runnable, &["app.Ledger.book", "app.Orders.find"]);
    assert_eq!(found.limit, "lock", "{found:#?}");
    assert_eq!(found.says, "a lock (app.Ledger) in app.Ledger.book");
    // Most have not begun, as no carrier is free.
    assert_eq!(found.time[0].what, "carrier", "{:?}", found.time);
}

#[test]
fn carriers_that_wait_for_time_each_are_pinned() {
    assert_eq!(carried("21", ThreadState::Waiting, &SLEEPS).limit, "pinned");
    let native = ["app.Codec.encode0", "app.Orders.find"];
    let found = carried("25", ThreadState::Runnable, &native);
    assert_ne!(found.limit, "lock", "a virtual thread leaves its carrier at a monitor: {found:#?}");
}
