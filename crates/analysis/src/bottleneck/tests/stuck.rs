//! Services that carry nothing any more, though the thread that would have to go on is known.

use plimsoll_record::{Awaited, Stack, ThreadState};

use super::{
    explained,
    shapes::{dumps, stack, waiting},
};
use crate::{
    results::Explanation,
    testing::recorded::{Recorded, named},
};

const SERVER: [&str; 3] = [
    "app.Orders.find",
    "sun.net.httpserver.ServerImpl$Exchange.run",
    "java.util.concurrent.ThreadPoolExecutor$Worker.run",
];

/// The JDK's server, of whose 20 threads none goes on: `of_threads` tells what they do.
fn explained_stuck(of_threads: impl Fn() -> Vec<Stack>) -> Explanation {
    let mut recorded: Recorded = named("server-threads-17");
    recorded.loads.values_mut().for_each(|load| load.per_s = 0);
    for census in dumps(&mut recorded) {
        // Those that hold a lock are told by their place.
        census.stacks = of_threads();
    }
    explained(&recorded)
}

#[test]
fn what_is_taken_and_not_given_back_is_no_matter_of_its_size() {
    let found = explained_stuck(|| {
        let borrows = ["java.util.concurrent.SynchronousQueue.poll", "com.zaxxer.hikari.pool.HikariPool.getConnection"];
        vec![waiting("pool-2-thread-*", 20, "", &[&borrows[..], &SERVER].concat())]
    });
    assert_eq!(found.limit, "database-pool", "{found:#?}");
    let evidence = found.evidence.join("; ");
    for said in ["none gets it", "no request has one", "no request succeeds", "nor one at a time"] {
        assert!(evidence.contains(said), "{evidence}");
    }
    assert!(found.change.contains("Give each back") && found.change.contains("leakDetection"), "{}", found.change);
    assert_eq!(found.knob, None);
}

#[test]
fn threads_that_wait_for_each_other_are_a_deadlock() {
    let blocked = |count, holder| {
        let awaited = Some(Awaited { class: "app.Account".to_owned(), id: holder as u64, holder: Some(holder) });
        Stack { awaited, ..stack("pool-2-thread-*", count, ThreadState::Blocked, &SERVER) }
    };
    let found = explained_stuck(|| vec![blocked(1, 1), blocked(1, 0), blocked(18, 0)]);
    assert_eq!(found.limit, "lock", "{found:#?}");
    assert_eq!(found.says, "a deadlock (app.Account) in app.Orders.find");
    assert!(found.evidence[0].starts_with("2 threads wait for each other’s locks, for ever"), "{found:#?}");
    // The same while some of them get through is a lock for which many wait.
    let found =
        explained_stuck(|| vec![blocked(1, 2), blocked(18, 2), stack("main", 1, ThreadState::Runnable, &["a.B.c"])]);
    assert!(found.says.starts_with("a lock (app.Account)"), "{found:#?}");
}
