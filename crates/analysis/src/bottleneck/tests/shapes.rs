//! Shapes of services that were met after the rules had been made, put together from recorded ones.

use plimsoll_record::{Awaited, Census, Peer, Phase, Side, Stack, ThreadState, Window};

use super::explained;
use crate::{
    analyse,
    results::Explanation,
    testing::recorded::{Recorded, named},
};

pub(super) const CONDITION: &str = "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject";
pub(super) const POOL: &str = "java.util.concurrent.ThreadPoolExecutor$Worker.run";

pub(super) fn full(recorded: &mut Recorded) -> impl Iterator<Item = &mut Census> {
    recorded.censuses.iter_mut().filter(|census| census.window == Window::Full)
}

/// Looks that tell of threads.
pub(super) fn dumps(recorded: &mut Recorded) -> impl Iterator<Item = &mut Census> {
    full(recorded).filter(|census| !census.stacks.is_empty())
}

pub(super) fn stack(group: &str, count: u32, state: ThreadState, frames: &[&str]) -> Stack {
    let frames = frames.iter().map(|frame| format!("{frame}(Source.java:1)")).collect();
    Stack { group: group.to_owned(), count, state, frames, ..Stack::default() }
}

pub(super) fn waiting(group: &str, count: u32, class: &str, frames: &[&str]) -> Stack {
    let awaited = Some(Awaited { class: class.to_owned(), ..Awaited::default() });
    Stack { awaited, ..stack(group, count, ThreadState::Waiting, frames) }
}

pub(super) fn selecting(group: &str, count: u32, runs: &str) -> Stack {
    let frames = ["sun.nio.ch.EPoll.wait", "sun.nio.ch.EPollSelectorImpl.doSelect", runs];
    stack(group, count, ThreadState::Runnable, &frames)
}

/// One of Jetty’s threads waits for events of connections, another one accepts these.
#[test]
fn a_thread_that_finds_requests_for_others_is_not_idle() {
    let mut recorded = named("server-threads-17");
    for census in dumps(&mut recorded) {
        census.stacks.push(selecting("pool-2-thread-*", 1, POOL));
        census.stacks.push(stack(
            "pool-2-thread-acceptor-*",
            1,
            ThreadState::Runnable,
            &["sun.nio.ch.Net.accept", POOL],
        ));
    }
    let found = explained(&recorded);
    assert_eq!(found.limit, "server-threads", "{found:#?}");
    assert!(found.says.ends_with("(22)"), "{}", found.says);
    assert!(found.evidence[0].contains("20 of 22 threads are busy at each look, 2 accept"), "{:?}", found.evidence);
    assert_eq!(found.knob.and_then(|knob| knob.has), Some(22.0));
}

/// Each request of 45 users calls two services, one after the other, for 25 ms each, and keeps one of 20 threads for
/// both.
#[test]
fn services_that_are_called_one_after_the_other_are_not_slower_together() {
    let mut recorded = named("server-threads-17");
    let load = recorded.loads.get_mut("full").expect("a full load");
    (load.users, load.ms) = (45, 114.0);
    for (look, census) in recorded.censuses.iter_mut().enumerate() {
        let (open, per_s) = match census.window {
            Window::Rest => (0, 0.0),
            Window::Light => (u32::from(look % 2 == 0), 20.0),
            Window::Full => (10, 395.0),
        };
        census.peers.iter_mut().for_each(|peer| peer.established = peer.established.min(45));
        let questions = (census.at.as_secs_f64() * per_s) as u64;
        let peer = Peer { side: Side::Outbound, established: 10, open, questions, ..Peer::default() };
        census.peers.extend([80, 81].map(|port| Peer { port, address: "10.0.0.1".to_owned(), ..peer.clone() }));
        for stack in census.stacks.iter_mut().filter(|stack| stack.frames[0].contains("Thread.sleep")) {
            stack.state = ThreadState::Runnable;
            stack.frames[0] = "sun.nio.ch.NioSocketImpl.timedRead(NioSocketImpl.java:1)".to_owned();
        }
    }
    let found = explained(&recorded);
    assert_eq!(found.limit, "server-threads", "{found:#?}");
}

/// As many as 256 connections are wanted, 56 are accepted, and 200 wait.
fn half_accepted(more: impl Fn(&mut Census)) -> Explanation {
    let mut recorded = named("server-threads-17");
    for census in full(&mut recorded) {
        for peer in census.peers.iter_mut().filter(|peer| peer.side == Side::Inbound) {
            (peer.established, peer.unread, peer.unaccepted) = (56, 0, 200);
        }
        if !census.stacks.is_empty() {
            more(census);
        }
    }
    explained(&recorded)
}

#[test]
fn a_server_accepts_no_more_where_its_acceptor_waits_or_has_time() {
    let park = ["jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.LockSupport.park"];
    let found = half_accepted(|census| census.stacks.push(waiting("qtp1-acceptor-0@*", 1, CONDITION, &park)));
    assert_eq!(found.limit, "accept-limit", "{found:#?}");
    let accepts = stack("qtp1-acceptor-0@*", 1, ThreadState::Runnable, &["sun.nio.ch.Net.accept"]);
    let found = half_accepted(|census| census.stacks.push(accepts.clone()));
    assert_eq!(found.limit, "server-threads", "no thread has time for more: {found:#?}");
    let idle = ["java.util.concurrent.ThreadPoolExecutor.getTask", POOL];
    let found = half_accepted(|census| {
        census.stacks.push(waiting("pool-2-thread-*", 5, CONDITION, &idle));
    });
    assert_eq!(found.limit, "accept-limit", "threads have time, and no connection comes: {found:#?}");
}

const FUTURE: &[&str] = &[
    "jdk.internal.misc.Unsafe.park",
    "java.util.concurrent.FutureTask.awaitDone",
    "java.util.concurrent.FutureTask.get",
    "app.Quotes.ask",
    POOL,
];

/// Tomcat waits for 40 threads, which wait for the 4 that have work.
#[test]
fn of_executors_that_wait_for_each_other_the_last_is_the_limit() {
    let mut recorded = named("executor-25");
    for census in dumps(&mut recorded) {
        census.stacks.push(waiting("quotes-*", 40, "java.util.concurrent.FutureTask", FUTURE));
    }
    let found = explained(&recorded);
    assert_eq!(found.limit, "executor", "{found:#?}");
    assert!(found.says.contains("pool-1-thread-*"), "{}", found.says);
}

/// Event loops hand tasks to 4 threads, or Tomcat does, as Spring MVC's callables: these serve requests, and are no
/// server’s.
#[test]
fn threads_that_have_requests_from_others_are_an_executor() {
    let loops = selecting("gateway-*", 2, "io.netty.channel.nio.NioEventLoop.run");
    let tomcat = selecting("http-nio-8080-Poller", 1, "org.apache.tomcat.util.net.NioEndpoint$Poller.run");
    for others in [loops, tomcat] {
        let mut recorded = named("executor-25");
        for census in dumps(&mut recorded) {
            census.stacks.retain(|stack| stack.group != "pool-2-thread-*");
            census.stacks.push(others.clone());
        }
        let found = explained(&recorded);
        assert_eq!(found.limit, "executor", "{found:#?}");
        assert!(found.says.contains("(ThreadPoolExecutor, 4)"), "{}", found.says);
    }
}

/// Tasks of another pool have the requests, of which one is just handed on in one of the looks.
#[test]
fn a_request_that_is_just_handed_on_hides_none_of_the_others() {
    let of = |state| {
        let mut recorded = named("semaphore-17");
        for census in dumps(&mut recorded) {
            let tasks = census.stacks.iter_mut().filter(|stack| stack.group == "pool-2-thread-*");
            tasks.for_each(|stack| stack.frames.retain(|frame| !frame.contains(".httpserver.")));
            let serves = ["org.apache.coyote.http11.Http11Processor.service", POOL];
            census.stacks.push(stack("http-nio-8080-exec-*", 1, state, &serves));
        }
        explained(&recorded).limit
    };
    assert_eq!(of(ThreadState::Runnable), "semaphore");
    assert_ne!(of(ThreadState::Waiting), "semaphore", "it waits for what others do");
}

/// The threads of an executor wait for the threads of a client, each for an answer on a connection of its own.
#[test]
fn connections_that_are_as_many_as_the_threads_which_call_are_no_limit() {
    let called = |threads: u32| {
        let mut recorded = named("executor-25");
        for census in dumps(&mut recorded) {
            // The JDK's own client has as many connections as it has calls.
            let is_other = |group: &str| group != "pool-1-thread-*" && !group.starts_with("HttpClient-");
            census.stacks.retain(|stack| is_other(&stack.group));
            let send = ["jdk.internal.net.http.HttpClientImpl.send", POOL];
            census.stacks.push(waiting("pool-1-thread-*", threads, "", &send));
        }
        let (side, address) = (Side::Outbound, "10.0.0.7".to_owned());
        let peer = plimsoll_record::Peer { side, address, port: 80, established: 4, open: 4, ..Default::default() };
        full(&mut recorded).for_each(|census| census.peers.push(peer.clone()));
        explained(&recorded).limit
    };
    assert_eq!(called(4), "executor");
    assert_eq!(called(9), "client-pool", "five of them lack one");
}

/// All threads of a server are blocked by a client, each with a connection of its own; or the few that may be of a pool
/// whose others are idle.
#[test]
fn connections_that_are_as_many_as_the_threads_that_are_blocked_are_no_limit() {
    let of = |mut recorded: Recorded, blocked: u32| {
        let (side, address) = (Side::Outbound, "10.0.0.7".to_owned());
        let (established, open) = (blocked, blocked);
        let peer = plimsoll_record::Peer { side, address, port: 80, established, open, ..Default::default() };
        for census in full(&mut recorded) {
            census.peers.iter_mut().for_each(|visitors| (visitors.unread, visitors.unaccepted) = (0, 0));
            census.peers.push(peer.clone());
        }
        explained(&recorded).limit
    };
    let threads = explained(&named("server-threads-17")).chain;
    let threads = threads.iter().find(|link| link.kind == "server-threads").and_then(|link| link.busy);
    assert_eq!(of(named("server-threads-17"), threads.expect("its threads").round() as u32), "server-threads");

    let mut recorded = named("executor-25");
    for census in dumps(&mut recorded) {
        let tasks = "pool-1-thread-*";
        census.stacks.retain(|stack| stack.group != tasks && stack.group != "pool-2-thread-*");
        census.stacks.push(waiting(tasks, 4, "java.util.concurrent.CompletableFuture$Signaller", FUTURE));
        let idle = ["java.util.concurrent.ThreadPoolExecutor.getTask", POOL];
        census.stacks.push(waiting(tasks, 6, CONDITION, &idle));
    }
    assert_ne!(of(recorded, 4), "client-pool");
}

/// All connections of a pool are in use, or all permits, by calls that take five times as long as one at a time.
#[test]
fn a_turn_to_call_a_service_that_is_full_is_no_limit() {
    let mut recorded = named("client-pool-25");
    let light = recorded.loads.get_mut("light").expect("a light load");
    (light.ms, light.per_s) = (light.ms / 5.0, light.per_s * 5);
    for census in recorded.censuses.iter_mut().filter(|census| census.window == Window::Light) {
        let outbound = census.peers.iter_mut().filter(|peer| peer.side == Side::Outbound);
        outbound.for_each(|peer| peer.questions *= 5);
    }
    let assert_full = |recorded: &Recorded| {
        let found = explained(recorded);
        assert_eq!(found.limit, "upstream-slow", "{found:#?}");
        assert!(found.evidence[0].ends_with("wait for its answer, or for a turn to call it"), "{:?}", found.evidence);
    };
    assert_full(&recorded);
    for stack in dumps(&mut recorded).flat_map(|census| &mut census.stacks) {
        let lease = stack.frames.iter().rposition(|frame| frame.contains("PoolingHttpClientConnectionManager$"));
        let acquire = "java.util.concurrent.Semaphore.acquire(Semaphore.java:1)".to_owned();
        lease.into_iter().for_each(|lease| drop(stack.frames.splice(..=lease, [acquire.clone()])));
    }
    assert_full(&recorded);
}

/// All threads of Tomcat block for a client that has threads and 20 connections of its own.
pub(super) fn blocked_for_a_client(per_look: impl Fn(&mut Census)) -> Explanation {
    let mut recorded = named("client-pool-25");
    let blocks = [
        "jdk.internal.misc.Unsafe.park",
        "java.util.concurrent.CountDownLatch.await",
        "reactor.core.publisher.BlockingSingleSubscriber.blockingGet",
        "app.Stock.find",
        "org.apache.coyote.http11.Http11Processor.service",
    ];
    for census in recorded.censuses.iter_mut().filter(|census| !census.stacks.is_empty()) {
        census.stacks.retain(|stack| !stack.group.starts_with("http-nio-18090-exec-"));
        if census.window == Window::Full {
            census.stacks.push(waiting("http-nio-18090-exec-*", 100, "", &blocks));
            census.stacks.push(selecting("reactor-http-epoll-*", 2, "io.netty.channel.epoll.EpollEventLoop.run"));
        }
    }
    recorded.censuses.iter_mut().for_each(per_look);
    explained(&recorded)
}

#[test]
fn threads_that_block_for_a_client_of_few_connections_wait_for_these() {
    let found = blocked_for_a_client(|_| {});
    assert_eq!(found.limit, "client-pool", "{found:#?}");
    assert_eq!(found.says, "connections to 127.0.0.1:19191 (Reactor Netty, 20)");
    assert!(found.change.contains("ConnectionProvider.maxConnections"), "{}", found.change);
    let roughly = blocked_for_a_client(|census| {
        let is_first = census.window == Window::Light && census.at < plimsoll_record::Nanos::from_secs(14);
        let outbound = census.peers.iter_mut().filter(|peer| is_first && peer.side == Side::Outbound);
        outbound.for_each(|peer| peer.open = 0);
    });
    assert_eq!(roughly.limit, "client-pool", "{roughly:#?}");
    let shared = blocked_for_a_client(|census| {
        let is_full = census.window == Window::Full;
        let outbound = census.peers.iter_mut().filter(|peer| is_full && peer.side == Side::Outbound);
        outbound.for_each(|peer| (peer.established, peer.open) = (2, 2));
    });
    assert_ne!(shared.limit, "client-pool", "many calls at once on each connection: {shared:#?}");
}

/// A semaphore, flatMap's concurrency, or consumers of a queue, in front of a client that has more connections.
#[test]
fn as_many_calls_at_each_look_on_more_connections_are_all_that_are_let_through() {
    let called = |open: &dyn Fn(usize) -> u32| {
        let mut recorded = named("server-threads-17");
        for (look, census) in full(&mut recorded).enumerate() {
            census.peers.iter_mut().for_each(|peer| (peer.unread, peer.unaccepted) = (0, 0));
            let (address, open) = ("127.0.0.1".to_owned(), open(look));
            let peer = Peer { side: Side::Outbound, port: 19_191, address, established: 24, open, ..Peer::default() };
            census.peers.push(peer);
            for stack in census.stacks.iter_mut().filter(|stack| stack.group == "pool-2-thread-*") {
                let idle = ["java.util.concurrent.ThreadPoolExecutor.getTask", POOL];
                *stack = waiting("pool-2-thread-*", stack.count, CONDITION, &idle);
            }
        }
        explained(&recorded)
    };
    let found = called(&|_| 16);
    assert_eq!(
        (found.limit, found.says.as_str()),
        ("semaphore", "requests that are let in at once (16)"),
        "{found:#?}"
    );
    assert!(found.evidence[0].starts_with("16 calls to 127.0.0.1:19191 are under way"), "{:?}", found.evidence);
    assert_eq!(found.knob.and_then(|knob| knob.has), Some(16.0));
    assert_ne!(called(&|look| [16, 3, 9][look % 3]).limit, "semaphore", "now more, now less");
}

/// A queue that requests take answers out of has nothing that anybody could give back.
#[test]
fn a_queue_is_a_pool_only_where_somebody_has_one_of_it() {
    let takes = [
        "jdk.internal.misc.Unsafe.park",
        "java.util.concurrent.ArrayBlockingQueue.take",
        "app.Mainframe.ask",
        "sun.net.httpserver.ServerImpl$Exchange.run",
        POOL,
    ];
    let of = |waits: u32, holds: u32| {
        let mut recorded = named("semaphore-17");
        for census in dumps(&mut recorded) {
            let served = |stack: &Stack| {
                stack.frames.iter().any(|frame| frame.starts_with("sun.net.httpserver.ServerImpl$Exchange"))
            };
            let group = census.stacks.iter().find(|stack| served(stack)).map(|it| it.group.clone()).expect("served");
            census.stacks.retain(|stack| !served(stack));
            census.stacks.push(waiting(&group, waits, CONDITION, &takes));
            if holds > 0 {
                let sleeps = ["java.lang.Thread.sleep", "app.Mainframe.ask", takes[3], POOL];
                census.stacks.push(stack(&group, holds, ThreadState::TimedWaiting, &sleeps));
            }
        }
        explained(&recorded)
    };
    let found = of(60, 4);
    assert_eq!((found.limit, found.says.as_str()), ("client-pool", "connections of a client (Mainframe)"));
    assert_ne!(of(64, 0).limit, "client-pool");
}

/// Threads that read answers have no core, so that calls take longer, too.
#[test]
fn calls_that_take_longer_without_a_core_are_not_the_upstreams() {
    let mut recorded = named("upstream-slow-25");
    let means = &mut recorded.loads.get_mut("full").expect("a full load").means;
    means.extend([("cpu_percent".to_owned(), 60.0), ("machine_cpu_percent".to_owned(), 150.0)]);
    means.insert("cpu_cores".to_owned(), 1.0);
    for census in full(&mut recorded) {
        let waited = census.at.as_secs_f64() * 19.0;
        census.tasks.iter_mut().take(1).for_each(|tasks| tasks.delay = plimsoll_record::Nanos::from_secs_f64(waited));
    }
    let found = explained(&recorded);
    assert_eq!(found.limit, "foreign-cpu", "{found:#?}");
}

/// The next owner of a monitor is blocked, and a dump has no lock for it: it waits for the same as those behind it.
#[test]
fn the_next_owner_of_a_lock_stands_in_no_queue_of_its_own() {
    let mut recorded = named("lock-17");
    for census in dumps(&mut recorded) {
        let is_blocked = |stack: &&Stack| stack.state == ThreadState::Blocked;
        let frames = census.stacks.iter().find(is_blocked).expect("those who wait for it").frames.clone();
        let is_holder =
            |stack: &&mut Stack| stack.frames.iter().any(|frame| frame.starts_with("java.lang.Thread.sleep"));
        let holder = census.stacks.iter_mut().find(is_holder).expect("its holder");
        (holder.state, holder.frames) = (ThreadState::Blocked, frames);
    }
    let found = explained(&recorded);
    assert_eq!((found.limit, found.says.as_str()), ("lock", "a lock (java.lang.Object) in Planted.work"), "{found:#?}");
    assert_eq!(found.chain.iter().filter(|link| link.kind == "lock").count(), 1, "{:?}", found.chain);
}

/// Connections that found the listen queue full come again in waves, and threads are looked at in one of them.
#[test]
fn calls_are_no_slower_where_more_of_them_were_made_while_threads_were_looked_at() {
    let recorded = named("upstream-slow-25");
    for (times, is_slow) in [(1, true), (16, false)] {
        let mut data = recorded.data();
        let levels = &mut data.runs[0].levels;
        let mut looked_at = levels.iter().find(|level| level.plan.label == "full").expect("a full load").clone();
        looked_at.plan.phase = Phase::Census;
        looked_at.intervals.iter_mut().for_each(|interval| interval.counts.succeeded *= times);
        levels.push(looked_at);
        let found = analyse(&data).explanations.swap_remove(0);
        assert_eq!(found.limit == "upstream-slow", is_slow, "{found:#?}");
    }
}

/// Jetty's QoSHandler, and others that let few requests in: the others wait in no thread, and threads are idle.
#[test]
fn requests_that_are_kept_in_front_of_idle_threads_wait_for_a_limit_of_those_at_once() {
    let kept = |unread, let_in: &dyn Fn(usize) -> u32| {
        let mut recorded = named("server-threads-17");
        full(&mut recorded).flat_map(|census| &mut census.peers).for_each(|peer| {
            (peer.unread, peer.unaccepted) = (unread, 0);
        });
        let at = recorded.censuses.iter().position(|it| it.window == Window::Full && !it.stacks.is_empty());
        let dump = recorded.censuses.remove(at.expect("a dump"));
        for look in 0..5 {
            let (mut census, mut left) = (dump.clone(), let_in(look));
            for stack in census.stacks.iter_mut().filter(|stack| stack.group == "pool-2-thread-*") {
                stack.count = stack.count.min(left);
                left -= stack.count;
            }
            census.stacks.retain(|stack| stack.count > 0);
            let idle = ["java.util.concurrent.ThreadPoolExecutor.getTask", POOL];
            census.stacks.push(waiting("pool-2-thread-*", 20, CONDITION, &idle));
            recorded.censuses.push(census);
        }
        explained(&recorded)
    };
    let found = kept(0, &|_| 10);
    assert_eq!(
        (found.limit, found.says.as_str()),
        ("semaphore", "requests that are let in at once (10)"),
        "{found:#?}"
    );
    assert!(found.evidence[0].starts_with("10 requests have a thread at nearly each look"), "{:?}", found.evidence);
    assert_eq!(found.knob.and_then(|knob| knob.has), Some(10.0));
    assert_ne!(kept(200, &|_| 10).limit, "semaphore", "they have not been read");
    assert_ne!(kept(0, &|look| [4, 9, 2, 7, 12][look]).limit, "semaphore", "now more, now less");
}

/// The JDK's server has given its exchanges to futures, which the common pool completes: its own threads are idle.
#[test]
fn threads_that_complete_exchanges_of_the_jdks_server_are_no_threads_of_that() {
    let mut recorded = named("common-pool-17");
    for stack in full(&mut recorded).flat_map(|census| &mut census.stacks) {
        if stack.frames.iter().any(|frame| frame.contains("httpserver")) && stack.group != "HTTP-Dispatcher" {
            let idle = ["java.util.concurrent.ThreadPoolExecutor.getTask", POOL];
            *stack = waiting(&stack.group.clone(), stack.count, CONDITION, &idle);
        }
    }
    let found = explained(&recorded);
    assert_eq!(found.limit, "common-pool", "{found:#?}");
}

/// Other processes keep the machine busy, and a few threads of the service wait for a core.
#[test]
fn event_loops_that_are_blocked_do_not_lack_a_core() {
    let mut recorded = named("event-loop-25");
    let means = &mut recorded.loads.get_mut("full").expect("a full load").means;
    means.extend([("cpu_percent".to_owned(), 20.0), ("machine_cpu_percent".to_owned(), 195.0)]);
    for census in full(&mut recorded) {
        let waited = plimsoll_record::Nanos::from_secs_f64(census.at.as_secs_f64() * 1.3);
        census.tasks.iter_mut().for_each(|tasks| tasks.delay = plimsoll_record::Nanos::ZERO);
        census.tasks.iter_mut().take(1).for_each(|tasks| tasks.delay = waited);
    }
    let found = explained(&recorded);
    assert_eq!(found.limit, "event-loop", "{found:#?}");
}
