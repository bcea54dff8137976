//! Services that carry nothing any more, though the thread that would have to go on is known.

use plimsoll_record::{Awaited, Stack, ThreadState};

use super::{
    explained,
    shapes::{dumps, stack, waiting},
};
use crate::{
    results::Explanation,
    testing::recorded::{Recorded, all, named},
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
    for said in ["none got it in 5 s", "no request goes on with one", "no request succeeded with", "nor one at a time"]
    {
        assert!(evidence.contains(said), "{evidence}");
    }
    assert!(found.change.contains("Give each back") && found.change.contains("leakDetection"), "{}", found.change);
    assert_eq!(found.knob, None);
}

#[test]
fn who_takes_a_second_one_while_holding_the_first_is_told_apart() {
    let borrows = ["java.util.concurrent.SynchronousQueue.poll", "com.zaxxer.hikari.pool.HikariPool.getConnection"];
    let found = explained_stuck(|| {
        let in_audit = [&borrows[..], &["app.Audit.log"], &SERVER].concat();
        let wait = |count, frames: &[&str]| waiting("pool-2-thread-*", count, "", frames);
        vec![wait(10, &[&borrows[..], &SERVER].concat()), wait(10, &in_audit)]
    });
    let said = "they wait in app.Audit.log, called from app.Orders.find (10) and app.Orders.find (10)";
    assert!(found.evidence.iter().any(|it| it == said), "{found:#?}");
    assert!(found.change.contains("REQUIRES_NEW"), "{}", found.change);
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

#[test]
fn tasks_that_wait_for_tasks_of_their_own_executor_are_its_fault() {
    let waits = ["java.util.concurrent.FutureTask.awaitDone", "java.util.concurrent.FutureTask.get"];
    let worker = ["java.util.concurrent.FutureTask.run", "java.util.concurrent.ThreadPoolExecutor$Worker.run"];
    let found = explained_stuck(|| {
        vec![
            waiting("pool-2-thread-*", 20, "java.util.concurrent.FutureTask", &[&waits[..], &SERVER].concat()),
            waiting(
                "pool-3-thread-*",
                4,
                "java.util.concurrent.FutureTask",
                &[&waits[..], &["app.Orders.price"], &worker].concat(),
            ),
        ]
    });
    assert_eq!(found.limit, "executor", "{found:#?}");
    assert!(found.says.contains("pool-3-thread-*"), "{found:#?}");
    assert_eq!(found.evidence[1], "4 of these threads wait for tasks themselves, in app.Orders.price");
    assert!(found.change.starts_with("Let no task of that executor wait"), "{}", found.change);
    assert_eq!(found.knob, None);
}

#[test]
fn an_endless_loop_has_no_cpu_for_each_request() {
    let mut recorded = named("server-threads-17");
    for load in recorded.loads.values_mut() {
        load.per_s = 0;
        load.means.extend([("cpu_percent".to_owned(), 198.0), ("machine_cpu_percent".to_owned(), 200.0)]);
    }
    let found = explained(&recorded);
    assert_eq!(found.limit, "cpu", "{found:#?}");
    assert!(found.evidence.iter().any(|it| it.starts_with("no request succeeded with")), "{found:#?}");
    assert!(found.change.contains("a loop that does not end"), "{}", found.change);
}

#[test]
fn a_service_that_does_not_answer_is_named() {
    let mut recorded = named("upstream-slow-25");
    recorded.loads.values_mut().for_each(|load| load.per_s = 0);
    let found = explained(&recorded);
    assert_eq!(found.limit, "upstream-slow", "{found:#?}");
    assert!(found.says.ends_with("which does not answer within 5 s"), "{found:#?}");
    assert!(found.evidence[0].starts_with("40 calls wait for its answer, and none got one"), "{found:#?}");
    assert!(found.change.contains("time-out"), "{}", found.change);
}

/// Whatever they wait for, requests that never end do not tell that nothing gives way.
#[test]
fn a_service_that_carries_nothing_is_not_at_ease() {
    let stuck = |loads: &'static [&str]| {
        move |(name, mut recorded): (&'static str, Recorded)| {
            recorded.loads.iter_mut().filter(|it| loads.contains(&it.0.as_str())).for_each(|it| it.1.per_s = 0);
            (name, explained(&recorded))
        }
    };
    let all = all().into_iter();
    for (name, found) in all.clone().map(stuck(&["full"])).chain(all.map(stuck(&["light", "full"]))) {
        let are_wrong = ["offered-load", "upstream-latency", "n-plus-one", "listen-queue"];
        assert!(!are_wrong.contains(&found.limit), "{name}: {found:#?}");
        let text = found.evidence.join("; ");
        assert!(!text.contains(" of 0 ") && !text.contains("000,000"), "{name}: {text}");
    }
}
