//! Services whose requests wait in no thread, by the objects that their heap has under load.

use plimsoll_record::Objects;

use super::{explained, shapes::full};
use crate::{results::Explanation, testing::recorded::named};

const DELAY: (&str, u64) = ("reactor.core.publisher.MonoDelay$MonoDelayRunnable", 64);
const TIME_OUT: &str = "reactor.core.publisher.FluxTimeout$TimeoutMainSubscriber";
const VERTX: &str = "io.vertx.core.shareddata.impl.LocalAsyncLocks";

/// 64 users of a service of which no thread has a request.
fn with(objects: &[(&str, u64)]) -> Explanation {
    let mut recorded = named("rate-limiter-17-reactor");
    for look in full(&mut recorded).filter_map(|census| census.heap.as_mut()) {
        look.grown = objects.iter().map(|&(class, more)| Objects { class: class.to_owned(), more }).collect();
    }
    explained(&recorded)
}

#[test]
fn a_wait_in_objects_is_located() {
    let found = explained(&named("semaphore-17-coroutines"));
    assert_eq!(found.says, "permits (Semaphore of kotlinx.coroutines)");
    assert!(found.evidence[0].contains("called from bikes.RoutePlannerKt.routePlanner"), "{:?}", found.evidence);
    assert!(found.evidence.iter().any(|it| it == "5 have one"), "{:?}", found.evidence);
    assert_eq!(found.knob.and_then(|knob| knob.has), Some(5.0));
    assert_eq!(found.time[0].what, "permits");
    assert!(found.counted_ms.is_some_and(|ms| ms > 1.0), "{:?}", found.counted_ms);
}

/// Ktor's client lets coroutines wait for a connection in a Semaphore.
#[test]
fn a_semaphore_of_a_client_is_its_pool() {
    let segments = ("kotlinx.coroutines.sync.SemaphoreSegment", 4);
    assert_eq!(with(&[segments]).limit, "semaphore");
    let found = with(&[segments, ("io.ktor.client.engine.cio.ConnectionFactory$connect$1", 60)]);
    assert_eq!(found.limit, "client-pool", "{found:#?}");
    assert!(found.change.contains("maxConnectionsPerRoute"), "{}", found.change);
}

#[test]
fn who_holds_a_lock_waits_for_none() {
    let held_by = |count| with(&[(&format!("{VERTX}$LockWaiter"), 64), (&format!("{VERTX}$AsyncLock"), count)]);
    assert_eq!((held_by(1).limit, held_by(60).limit), ("lock", "unknown"));
}

#[test]
fn time_that_passes_is_a_limit_unless_it_is_a_time_out() {
    let found = with(&[DELAY]);
    assert_eq!(found.limit, "rate-limiter", "{found:#?}");
    assert!(found.says.contains("a delay of Reactor"), "{}", found.says);
    let found = with(&[DELAY, (TIME_OUT, 64), ("app.Order", 64), ("app.Order$$Lambda", 64), ("app.OrderKt$at$1", 64)]);
    assert_eq!(found.limit, "unknown", "{found:#?}");
    let told = "the heap has 64 app.Order more than without load";
    assert!(found.evidence.iter().any(|it| it == told), "{:?}", found.evidence);
}

/// A delay that lasts as long under load as alone holds nobody back.
#[test]
fn time_that_passes_as_fast_as_alone_is_no_limit() {
    let mut recorded = named("rate-limiter-17-reactor");
    let ms = recorded.loads["full"].ms;
    recorded.loads.get_mut("light").expect("a light load").ms = 0.9 * ms;
    for look in full(&mut recorded).filter_map(|census| census.heap.as_mut()) {
        look.grown = vec![Objects { class: DELAY.0.to_owned(), more: DELAY.1 }];
    }
    assert_ne!(explained(&recorded).limit, "rate-limiter");
}
