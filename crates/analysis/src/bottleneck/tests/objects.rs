//! Services whose requests wait in no thread, by the objects that their heap has under load.

use plimsoll_record::{HeapLook, Objects, Side};

use super::{explained, shapes::full, strangers::waited_for};
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

/// Reactor’s pool is R2DBC’s and that of whoever makes one; R2DBC asks for a connection by one publisher.
#[test]
fn a_pool_of_the_services_own_is_told_from_r2dbcs() {
    const BORROWER: (&str, u64) = ("reactor.pool.AbstractPool$Borrower", 64);
    assert_eq!(with(&[BORROWER]).limit, "database-pool");
    let found = with(&[BORROWER, ("reactor.pool.SimpleDequePool$QueueBorrowerMono", 64)]);
    assert_eq!(found.limit, "client-pool", "{found:#?}");
    assert!(found.change.contains("PoolBuilder.sizeBetween"), "{}", found.change);
}

#[test]
fn bucket4js_scheduler_lets_futures_wait() {
    let task = ("java.util.concurrent.ScheduledThreadPoolExecutor$ScheduledFutureTask", 61);
    let found = with(&[task, ("io.github.bucket4j.AbstractBucket$$Lambda", 61)]);
    assert_eq!(found.limit, "rate-limiter");
    assert!(found.says.contains("Bucket4j"), "{}", found.says);
}

#[test]
fn looking_again_and_again_is_no_pace() {
    let found = with(&[DELAY, ("reactor.core.publisher.FluxRepeatWhen$RepeatWhenMainSubscriber", 64)]);
    assert_eq!(found.limit, "semaphore", "{found:#?}");
    assert!(found.says.contains("repeatWhen"), "{}", found.says);
}

/// Redis answers one command after the other. All requests ask on one connection, and wait in no thread; one alone has
/// its answer after 20 ms.
#[test]
fn commands_on_a_shared_connection_wait_for_the_upstream() {
    let of = |commands: u64| {
        let call = "io.lettuce.core.internal.Futures.awaitOrCancel";
        explained(&waited_for(call, 1, |census| {
            census.stacks.retain(|stack| !stack.frames.iter().any(|frame| frame.starts_with(call)));
            let outbound = census.peers.iter_mut().filter(|peer| peer.side == Side::Outbound);
            outbound.for_each(|peer| peer.established = 1);
            let class = "io.lettuce.core.RedisPublisher$SubscriptionCommand".to_owned();
            let grown = vec![Objects { class, more: commands }];
            census.heap = (!census.stacks.is_empty()).then(|| HeapLook { grown, ..HeapLook::default() });
        }))
    };
    let found = of(64);
    assert_eq!(found.limit, "upstream-slow", "{found:#?}");
    assert!(found.evidence[0].contains("64 of 64 requests in flight wait for its answer"), "{found:#?}");
    assert_ne!(of(4).limit, "upstream-slow", "something lets few of them ask: {:#?}", of(4));
}

/// 64 requests, of which few are at a call: the others have an object each in the queue of a client or of a driver.
#[test]
fn queues_of_clients_without_threads_are_told_by_their_objects() {
    for (class, limit, change) in [
        ("com.mongodb.internal.connection.DefaultConnectionPool$Task", "database-pool", "maxPoolSize"),
        (
            "software.amazon.awssdk.http.nio.netty.internal.utils.BetterFixedChannelPool$AcquireTask",
            "client-pool",
            "maxConcurrency",
        ),
        ("org.apache.hc.core5.pool.StrictConnPool$LeaseRequest", "client-pool", "setMaxConnPerRoute"),
        ("org.apache.http.nio.pool.LeaseRequest", "client-pool", "setMaxConnPerRoute"),
        (
            "io.grpc.netty.shaded.io.netty.handler.codec.http2.StreamBufferingEncoder$PendingStream",
            "client-pool",
            "channels",
        ),
    ] {
        let found = with(&[(class, 60)]);
        assert_eq!(found.limit, limit, "{class}: {found:#?}");
        assert!(found.change.contains(change), "{class}: {}", found.change);
    }
}

#[test]
fn who_holds_a_lock_waits_for_none() {
    let held_by = |count| with(&[(&format!("{VERTX}$LockWaiter"), 64), (&format!("{VERTX}$AsyncLock"), count)]);
    assert_eq!((held_by(1).limit, held_by(60).limit), ("lock", "rate-limiter"));
    assert!(held_by(60).says.starts_with("turns that come by time"), "{}", held_by(60).says);
}

#[test]
fn time_that_passes_is_a_limit_unless_it_is_a_time_out() {
    let found = with(&[DELAY]);
    assert_eq!(found.limit, "rate-limiter", "{found:#?}");
    assert!(found.says.contains("a delay of Reactor"), "{}", found.says);
    let found = with(&[DELAY, (TIME_OUT, 64), ("app.Order", 64), ("app.Order$$Lambda", 64), ("app.OrderKt$at$1", 64)]);
    assert!(found.says.starts_with("turns that come by time"), "{}", found.says);
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

/// Four streams on one connection: no more connections are in use than there are.
#[test]
fn streams_of_a_connection_that_many_share_are_the_pool_of_its_client() {
    let found = explained(&named("client-pool-25-streams"));
    assert_eq!(found.says, "connections of a client (Vert.x’s client over HTTP/2)");
    assert!(found.evidence.iter().any(|it| it == "4 have one"), "{:?}", found.evidence);
    assert!(found.change.contains("setHttp2MultiplexingLimit"), "{}", found.change);
    assert_eq!(found.knob.and_then(|knob| knob.has), Some(4.0));
}

/// Verticles whose messages wait for each other, though most threads of their pool are idle.
#[test]
fn tasks_that_wait_for_each_other_are_told_by_objects_whatever_their_pool_is_called() {
    let found = explained(&named("executor-25-event-bus"));
    assert!(found.says.starts_with("tasks of “horn-*” that run one after the other (3 at a time)"), "{}", found.says);
}

/// Coroutines take turns out of a channel that is filled ten times a second.
#[test]
fn who_waits_while_nobody_is_served_waits_for_time_to_pass() {
    let found = explained(&named("rate-limiter-25-channel"));
    assert!(found.says.starts_with("turns that come by time in orchard.frost.FrostController.warn"), "{}", found.says);
    assert!(found.chain.iter().any(|link| link.kind == "rate-limiter" && link.is_limit), "{:?}", found.chain);

    // One request after the other has the same figures.
    let mut recorded = named("rate-limiter-25-channel");
    let alone_ms = 1e3 / recorded.loads["full"].per_s as f64;
    recorded.loads.get_mut("light").expect("a light load").ms = alone_ms;
    let evidence = explained(&recorded).evidence;
    assert!(evidence.iter().any(|it| it.starts_with("or 1 request at a time, each for ")), "{evidence:?}");

    // A connection on which many calls are under way tells of none of them.
    let mut recorded = named("client-pool-25-streams");
    for census in full(&mut recorded) {
        census.peers.iter_mut().for_each(|peer| peer.open = 0);
        census.heap.iter_mut().for_each(|look| look.grown.clear());
    }
    assert_eq!(explained(&recorded).limit, "unknown");

    // Two of them hold what the others wait for, and let time pass.
    let mut recorded = named("rate-limiter-25-channel");
    for look in full(&mut recorded).filter_map(|census| census.heap.as_mut()) {
        look.grown
            .push(Objects { class: "kotlinx.coroutines.EventLoopImplBase$DelayedResumeTask".to_owned(), more: 2 });
    }
    assert_eq!(explained(&recorded).limit, "unknown");
}

#[test]
fn functions_are_told_where_nothing_else_of_the_services_own_waits() {
    let told = |objects: &[(&str, u64)]| with(objects).evidence.join("; ");
    let function = ("app.Turns$$Lambda$150", 64);
    assert!(told(&[function]).contains("64 functions of app.Turns more"), "{}", told(&[function]));
    assert!(!told(&[function, ("app.Turn", 63)]).contains("functions"));
}

#[test]
fn objects_of_scala_are_no_suspended_functions() {
    let coroutines = ("kotlinx.coroutines.CancellableContinuationImpl", 64);
    let told = |class| with(&[coroutines, (class, 64)]).evidence.iter().any(|it| it.contains(class));
    assert!(told("app.Order$Queue$") && !told("app.OrderKt$at$1"));
}

/// All ask for one name, and the question of one of them is under way. Connections are wanted for what it finds.
#[test]
fn names_that_are_looked_up_in_no_thread_are_told_by_objects() {
    let acquire = ("io.vertx.core.internal.pool.SimpleConnectionPool$Acquire", 64);
    let found = with(&[acquire, ("io.netty.resolver.dns.InflightNameResolver$1", 63)]);
    assert_eq!(found.limit, "dns", "{found:#?}");
    assert!(found.evidence[0].contains("look up a name"), "{:?}", found.evidence);
    assert!(found.evidence[1].contains("counted as objects of the heap"), "{:?}", found.evidence);
    assert!(found.chain.iter().any(|link| link.kind == "dns" && link.is_limit), "{:?}", found.chain);
}

/// Virtual threads of JDK 25 are not asked while the CPU is busy.
#[test]
fn waits_of_threads_that_were_not_asked_are_told_by_their_nodes() {
    let of = |is_blind: bool, objects: &[(&str, u64)]| {
        let mut recorded = named("rate-limiter-17-reactor");
        for census in full(&mut recorded) {
            census.process.blind = is_blind.then(|| "virtual threads were left out".to_owned());
            census.process.libraries = vec!["HikariCP-7.0.2".to_owned()];
            let grown = objects.iter().map(|&(class, more)| Objects { class: class.to_owned(), more });
            census.heap.iter_mut().for_each(|look| look.grown = grown.clone().collect());
        }
        explained(&recorded)
    };
    let exclusive = ("java.util.concurrent.locks.AbstractQueuedSynchronizer$ExclusiveNode", 60);
    let shared = ("java.util.concurrent.locks.AbstractQueuedSynchronizer$SharedNode", 60);
    let found = of(true, &[exclusive]);
    assert_eq!(found.limit, "lock", "{found:#?}");
    assert!(found.evidence.iter().any(|it| it.starts_with("no thread was seen to wait")), "{found:#?}");
    assert_ne!(of(false, &[exclusive]).limit, "lock");
    assert_eq!(of(true, &[("java.util.concurrent.locks.StampedLock$WriterNode", 60)]).limit, "lock");
    for class in [
        "java.util.concurrent.LinkedTransferQueue$DualNode",
        "org.apache.tomcat.jdbc.pool.FairBlockingQueue$ExchangeCountDownLatch",
    ] {
        assert_eq!(of(true, &[(class, 60)]).limit, "database-pool", "{class}");
    }
    let found = of(true, &[shared]);
    assert_eq!((found.limit, found.says.as_str()), ("semaphore", "permits (java.util.concurrent.Semaphore)"));
    assert_ne!(of(true, &[shared, ("java.util.concurrent.CountDownLatch$Sync", 60)]).limit, "semaphore");
}

/// Three calls on as many connections: a pool of three, if others wait for one of its connections.
#[test]
fn a_pool_for_which_nobody_waits_is_not_the_limit() {
    let mut recorded = named("semaphore-17-window");
    assert_eq!(explained(&recorded).limit, "semaphore");
    for look in full(&mut recorded).filter_map(|census| census.heap.as_mut()) {
        let class = "io.vertx.core.internal.pool.SimpleConnectionPool$Acquire";
        look.grown.push(Objects { class: class.to_owned(), more: 61 });
    }
    assert_eq!(explained(&recorded).limit, "client-pool");
}

/// Twelve labels are printed by one call, five times a second.
#[test]
fn requests_that_go_on_together_are_told_by_questions_that_are_no_more_often() {
    let found = explained(&named("rate-limiter-25-batches"));
    assert!(found.evidence.iter().any(|it| it.starts_with("12 requests go on at a time")), "{:?}", found.evidence);
}

#[test]
fn connections_of_a_database_are_told_from_those_of_a_client_by_who_waits_for_one() {
    let found = explained(&named("database-pool-17-r2dbc-held"));
    assert_eq!(found.says, "connections to the database (R2DBC’s pool)");
    assert!(found.change.contains("spring.r2dbc.pool.max-size"), "{}", found.change);
    assert_eq!(found.knob.and_then(|knob| knob.has), Some(5.0));
}

/// Always the same few let time pass, as many as there must be by throughput; or a number that changes.
#[test]
fn the_few_that_are_let_in_let_time_pass() {
    let found = |counts: [u64; 3]| {
        let mut recorded = named("rate-limiter-17-reactor");
        let full_load = &recorded.loads["full"];
        let ms = 5.0 / full_load.per_s as f64 * 1e3;
        recorded.loads.get_mut("light").expect("a light load").ms = ms;
        let looks = full(&mut recorded).filter_map(|census| census.heap.as_mut());
        for (look, more) in looks.zip(counts.into_iter().cycle()) {
            let class = "java.util.concurrent.ScheduledThreadPoolExecutor$ScheduledFutureTask".to_owned();
            look.grown = vec![Objects { class, more }];
        }
        explained(&recorded)
    };
    let told = found([5, 5, 5]);
    assert_eq!((told.limit, told.says.as_str()), ("semaphore", "requests that are let in at once (5)"), "{told:#?}");
    assert_eq!(told.knob.and_then(|knob| knob.has), Some(5.0));
    assert!(told.chain.iter().any(|link| link.is_limit && link.size == Some(5.0)), "{:?}", told.chain);
    assert_ne!(found([5, 4, 6]).limit, "semaphore");
    assert_ne!(found([9, 9, 9]).limit, "semaphore", "throughput is that of five");
}
