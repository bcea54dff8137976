//! Queues behind queues: the deepest is the limit, and not always the longest.

use plimsoll_record::{Census, Side, ThreadState};

use super::{
    explained,
    shapes::{POOL, dumps, waiting},
};
use crate::testing::recorded::named;

const BORROW: [&str; 5] = [
    "java.util.concurrent.SynchronousQueue.poll",
    "com.zaxxer.hikari.util.ConcurrentBag.borrow",
    "com.zaxxer.hikari.pool.HikariPool.getConnection",
    "app.Audit.find",
    POOL,
];

/// A bulkhead is full in front of a short pool: known by the frames of those that wait for a connection, or by these.
#[test]
fn a_pool_behind_a_full_bulkhead_is_the_deeper_queue() {
    let found = |change: &dyn Fn(&mut Census)| {
        let mut recorded = named("client-pool-25-bulkhead");
        recorded.censuses.iter_mut().for_each(change);
        explained(&recorded).limit
    };
    let without_frames = |census: &mut Census| {
        let waits = |frame: &str| frame.starts_with("org.apache.hc.");
        let waiting = census.stacks.iter_mut().filter(|stack| stack.frames.iter().any(|frame| waits(frame)));
        waiting.for_each(|stack| stack.frames.retain(|frame| !frame.contains(".bulkhead.")));
    };
    let without_count = |census: &mut Census| {
        census.peers.iter_mut().filter(|peer| peer.side == Side::Outbound).for_each(|peer| peer.established += 9);
    };
    assert_eq!(found(&without_frames), "client-pool");
    assert_eq!(found(&without_count), "client-pool");
    let without_both = |census: &mut Census| {
        without_frames(census);
        without_count(census);
    };
    assert_eq!(found(&without_both), "semaphore", "the longer queue is taken for the one in front");
}

/// Twelve of 16 requests wait for a connection, and those that have one for a lock, but for one.
#[test]
fn a_short_queue_of_those_who_are_past_a_long_one_is_the_limit() {
    let mut recorded = named("lock-17");
    for census in dumps(&mut recorded) {
        let blocked = census.stacks.iter_mut().filter(|stack| stack.state == ThreadState::Blocked);
        blocked.for_each(|stack| stack.count = 3);
        census.stacks.push(waiting("pool-2-thread-*", 12, "", &BORROW));
    }
    let found = explained(&recorded);
    assert_eq!(found.limit, "lock", "{found:#?}");
    let before = "12 more requests wait before these: database pool";
    assert!(found.evidence.iter().any(|it| it == before), "{:?}", found.evidence);
}

/// Nine of ten that have a connection wait for a lock, more than lack one: several could not have the lock before.
#[test]
fn a_lock_behind_a_pool_is_deeper_though_more_stand_there() {
    let mut recorded = named("lock-17");
    for census in dumps(&mut recorded) {
        let blocked = census.stacks.iter_mut().filter(|stack| stack.state == ThreadState::Blocked);
        blocked.for_each(|stack| stack.count = 9);
        census.stacks.push(waiting("pool-2-thread-*", 6, "", &BORROW));
    }
    let found = explained(&recorded);
    assert_eq!(found.limit, "lock", "{found:#?}");
    let before = "6 more requests wait before these: database pool";
    assert!(found.evidence.iter().any(|it| it == before), "{:?}", found.evidence);
}

/// 16 threads of an executor, of which 6 wait for one of 10 connections.
#[test]
fn a_queue_behind_an_executor_is_deeper_though_most_of_its_threads_are_past_it() {
    let mut recorded = named("executor-25");
    for census in dumps(&mut recorded) {
        let tasks = census.stacks.iter_mut().filter(|stack| stack.group == "pool-1-thread-*");
        tasks.for_each(|stack| stack.count = 10);
        census.stacks.push(waiting("pool-1-thread-*", 6, "", &BORROW));
    }
    let found = explained(&recorded);
    assert_eq!(found.limit, "database-pool", "{found:#?}");
    assert!(found.evidence[1].starts_with("10 have one"), "{:?}", found.evidence);
}
