//! Answers in the words of the framework that was seen, by what a first try on services of strangers told wrongly.

use plimsoll_record::ThreadState;

use super::{
    Explanation, explained,
    shapes::{CONDITION, dumps, stack, waiting},
};
use crate::testing::recorded::named;

fn with_libraries(name: &str, libraries: &[&str]) -> Explanation {
    let mut recorded = named(name);
    for census in &mut recorded.censuses {
        census.process.libraries = libraries.iter().map(ToString::to_string).collect();
    }
    explained(&recorded)
}

#[test]
fn work_leaves_the_event_loop_as_its_framework_says() {
    let change = |library: &str| with_libraries("event-loop-25", &[library]).change;
    assert!(change("io.quarkus.quarkus-bootstrap-runner-3.33.2").contains("to other threads (@Blocking)"));
    assert!(change("micronaut-core-4.10.15").contains("to other threads (@ExecuteOn(TaskExecutors.BLOCKING))"));
    assert!(change("ktor-server-netty-jvm-0").contains("to other threads (withContext(Dispatchers.IO))"));
}

/// Jetty keeps some of its threads apart, which no request is given to that waits in the pool’s queue.
#[test]
fn threads_that_jetty_reserves_are_not_idle() {
    let mut recorded = named("server-threads-17");
    for census in dumps(&mut recorded) {
        let keeps = [
            "jdk.internal.misc.Unsafe.park",
            "org.eclipse.jetty.util.thread.ReservedThreadExecutor$ReservedThread.waitForTask",
            "org.eclipse.jetty.util.thread.ReservedThreadExecutor$ReservedThread.run",
        ];
        census.stacks.push(waiting("pool-2-thread-*", 2, CONDITION, &keeps));
    }
    let found = explained(&recorded);
    assert_eq!(found.limit, "server-threads", "{found:#?}");
    assert!(found.says.ends_with("(22)"), "{}", found.says);
}

/// The thread of Quarkus’ `main` waits for the end, and another loop for connections.
#[test]
fn threads_that_serve_no_request_are_no_part_of_the_chain() {
    let mut recorded = named("event-loop-25");
    for census in dumps(&mut recorded) {
        let waits = [
            "jdk.internal.misc.Unsafe.park",
            "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.awaitUninterruptibly",
            "io.quarkus.runtime.ApplicationLifecycleManager.run",
            "io.quarkus.runtime.Quarkus.run",
        ];
        census.stacks.push(waiting("main", 1, CONDITION, &waits));
        let accepts = ["sun.nio.ch.EPoll.wait", "io.netty.channel.nio.NioEventLoop.run"];
        census.stacks.push(stack("vert.x-acceptor-thread-*", 1, ThreadState::Runnable, &accepts));
    }
    let found = explained(&recorded);
    assert_eq!(found.limit, "event-loop", "{found:#?}");
    assert!(!found.not_the_limit.iter().any(|it| it.contains("Quarkus")), "{:?}", found.not_the_limit);
    let whole = explained(&named("event-loop-25"));
    assert_eq!(found.chain, whole.chain);
}
