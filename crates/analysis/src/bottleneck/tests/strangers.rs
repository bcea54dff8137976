//! Shapes of services that strangers deploy, put together from recorded ones.

use plimsoll_record::{Census, Nanos, Peer, Side, Stack, ThreadState, Window};

use super::{
    Explanation, explained,
    shapes::{POOL, blocked_for_a_client, dumps, full, stack, waiting},
};
use crate::testing::recorded::{Recorded, named};

const PARKS: [&str; 2] = ["jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.LockSupport.park"];

/// Connections of visitors, by how many the server has accepted, and how many wait.
fn accepting(census: &mut Census, accepted: u32, waits: u32) {
    for peer in census.peers.iter_mut().filter(|peer| peer.side == Side::Inbound) {
        (peer.established, peer.unread, peer.unaccepted) = (accepted, 0, waits);
    }
}

/// A connection to the upstream for each visitor that was accepted is no pool that lacks any.
#[test]
fn requests_that_nobody_has_accepted_lack_no_connection_of_a_client() {
    let of = |waits: u32| {
        blocked_for_a_client(|census| {
            accepting(census, 20, waits);
            let latch = "org.apache.tomcat.util.threads.LimitLatch$Sync";
            let acceptor = [PARKS[0], PARKS[1], "org.apache.tomcat.util.threads.LimitLatch.countUpOrAwait"];
            census.stacks.push(waiting("http-nio-18090-Acceptor", 1, latch, &acceptor));
        })
    };
    assert_eq!(of(0).limit, "client-pool");
    let users = of(0).users.expect("a closed load");
    assert_eq!(of(users - 20).limit, "accept-limit", "{:#?}", of(users - 20));
}

/// Jetty accepts each connection as it comes, and it ends at once: its queue has one place, which is taken.
#[test]
fn connections_that_end_at_once_fill_no_limit() {
    let mut recorded = named("server-threads-17");
    full(&mut recorded).for_each(|census| accepting(census, 0, 1));
    let load = recorded.loads.get_mut("full").expect("a full load");
    load.growth.extend(["listen_overflows", "accept_queue_drops"].map(|metric| (metric.to_owned(), 400.0)));
    for census in dumps(&mut recorded) {
        census.stacks.retain(|stack| !stack.group.contains("pool-"));
    }
    let found = explained(&recorded);
    assert_eq!(found.limit, "listen-queue", "{found:#?}");
}

/// Helidon's thread that accepts waits for a permit of a semaphore, and is named as none that accepts.
#[test]
fn a_thread_is_an_acceptor_by_its_frames() {
    let mut recorded = named("server-threads-17");
    for census in full(&mut recorded) {
        accepting(census, 56, 200);
        if !census.stacks.is_empty() {
            let listens = [
                PARKS[0],
                PARKS[1],
                "java.util.concurrent.Semaphore.acquire",
                "io.helidon.webserver.ServerListener.listen",
            ];
            let class = "java.util.concurrent.Semaphore$NonfairSync";
            census.stacks.push(waiting("server-@default-listener", 1, class, &listens));
        }
    }
    let found = explained(&recorded);
    assert_eq!(found.limit, "accept-limit", "{found:#?}");
    assert!(!found.chain.iter().any(|link| link.name.contains("permits")), "{:#?}", found.chain);
}

/// ZGC hardly stops the JVM: threads that allocate are told as running, use no core, and wait for none.
#[test]
fn threads_that_zgc_lets_wait_for_memory_do_not_run() {
    let of = |collector: &str, used: f64| {
        let mut recorded = named("semaphore-17");
        let means = &mut recorded.loads.get_mut("full").expect("a full load").means;
        means.extend([("cpu_percent".to_owned(), 70.0), ("machine_cpu_percent".to_owned(), 90.0)]);
        for census in &mut recorded.censuses {
            let at = census.at.as_secs_f64();
            let tasks = |group: &str, cores: f64| plimsoll_record::Tasks {
                group: group.to_owned(),
                cpu: Nanos::from_secs_f64(at * cores),
                ..plimsoll_record::Tasks::default()
            };
            census.tasks.extend([tasks(collector, 0.01), tasks("ZWorkerYoung#*", used)]);
        }
        for census in dumps(&mut recorded) {
            for stack in census.stacks.iter_mut().filter(|stack| stack.group.starts_with("pool-")) {
                stack.state = ThreadState::Runnable;
                stack.awaited = None;
                stack.frames.retain(|frame| !frame.starts_with("java.") && !frame.starts_with("jdk."));
            }
        }
        explained(&recorded)
    };
    let found = of("ZDriverMinor", 0.6);
    assert_eq!(found.limit, "gc", "{found:#?}");
    assert!(found.evidence[1].contains("allocation stalls"), "{:?}", found.evidence);
    assert_ne!(of("G1 Main Marker", 0.6).limit, "gc");
    assert_ne!(of("ZDriverMinor", 0.05).limit, "gc", "the collector has time");
}

/// No thread waits for a connection of R2DBC's pool.
#[test]
fn a_full_pool_of_r2dbc_is_the_databases() {
    let of_open = |libraries: &[&str], group: &'static str, open: u32| {
        blocked_for_a_client(|census| {
            let outbound = census.peers.iter_mut().filter(|peer| peer.side == Side::Outbound);
            outbound.for_each(|peer| peer.open = peer.open.min(open));
            census.process.libraries = libraries.iter().map(ToString::to_string).collect();
            let frames = ["sun.nio.ch.EPoll.wait", "io.netty.channel.epoll.EpollEventLoop.run"];
            census.stacks.push(stack(group, 2, ThreadState::Runnable, &frames));
        })
    };
    let of = |libraries: &[&str], group: &'static str| of_open(libraries, group, u32::MAX);
    let jars = ["r2dbc-pool-1.0.2", "spring-boot-3.5.7", "reactor-netty-http-1.2.0"];
    let found = of(&jars, "reactor-tcp-epoll-*");
    assert_eq!(found.limit, "database-pool", "{found:#?}");
    assert!(found.change.contains("spring.r2dbc.pool.max-size"), "{}", found.change);
    assert_eq!(found.knob.and_then(|knob| knob.has), Some(20.0));
    assert_eq!(of(&jars, "reactor-http-epoll-*").limit, "client-pool", "no loop of a database is there");
    let found = of_open(&jars, "reactor-tcp-epoll-*", 8);
    assert_eq!(found.limit, "database-pool", "each is held for as long as a request takes alone: {found:#?}");
    assert_eq!(of(&jars[1..], "reactor-tcp-epoll-*").limit, "client-pool", "no pool of R2DBC is there");
    let vertx = ["vertx-core-5.0.7", "vertx-sql-client-5.0.7", "vertx-web-client-5.0.7"];
    let at = |port: u16, libraries: &[&str]| {
        blocked_for_a_client(|census| {
            census.process.libraries = libraries.iter().map(ToString::to_string).collect();
            let outbound = census.peers.iter_mut().filter(|peer| peer.side == Side::Outbound);
            outbound.for_each(|peer| peer.port = port);
            let frames = ["sun.nio.ch.EPoll.wait", "io.netty.channel.epoll.EpollEventLoop.run"];
            census.stacks.push(stack("vert.x-eventloop-thread-*", 2, ThreadState::Runnable, &frames));
        })
    };
    let found = at(5432, &[]);
    assert_eq!(found.limit, "database-pool", "Quarkus closes the jar: {found:#?}");
    assert!(found.change.contains("PoolOptions.setMaxSize (4"), "{}", found.change);
    assert!(!found.change.contains("spring."), "{}", found.change);
    assert_eq!(at(8080, &vertx[..2]).limit, "client-pool", "its core has a client for HTTP");
    let either = of(&vertx, "vert.x-eventloop-thread-*");
    assert_eq!(either.limit, "client-pool", "{either:#?}");
    assert!(either.says.contains("Vert.x’s client for HTTP or SQL"), "{}", either.says);
}

/// Each request waits for its answer for 256 ms by a client that has threads of its own, on connections of which `open`
/// have a question; one alone has its answer after 20 ms.
fn waiting_for_a_client(call: &str, open: u32) -> Explanation {
    explained(&waited_for(call, open, |_| {}))
}

/// The same, each look under full load changed.
pub(super) fn waited_for(call: &str, open: u32, change: impl Fn(&mut Census)) -> Recorded {
    let mut recorded = named("upstream-slow-25");
    let client = [PARKS[0], PARKS[1], call];
    for census in recorded.censuses.iter_mut().filter(|census| census.window == Window::Light) {
        let outbound = census.peers.iter_mut().filter(|peer| peer.side == Side::Outbound);
        outbound.for_each(|peer| peer.open = 1);
    }
    for census in full(&mut recorded) {
        let outbound = census.peers.iter_mut().filter(|peer| peer.side == Side::Outbound);
        outbound.for_each(|peer| peer.open = open);
        let is_call = |stack: &&mut Stack| stack.frames[0].starts_with("sun.nio.ch.SocketDispatcher");
        for stack in census.stacks.iter_mut().filter(is_call) {
            let server = stack.frames.iter().position(|frame| frame.starts_with("Planted.")).expect("its own frame");
            stack.frames.splice(..server, client.map(|frame| format!("{frame}(Source.java:1)")));
            (stack.state, stack.count) = (ThreadState::Waiting, 64);
        }
        if !census.stacks.is_empty() {
            let class = "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject";
            let idle = [PARKS[0], PARKS[1], "java.util.concurrent.ThreadPoolExecutor.getTask", POOL];
            census.stacks.push(waiting("pool-2-thread-*", 36, class, &idle));
        }
        change(census);
    }
    recorded
}

#[test]
fn requests_that_wait_for_a_turn_to_call_do_not_wait_for_the_upstream() {
    let of = |open| waiting_for_a_client("jdk.internal.net.http.HttpClientImpl.send", open);
    assert_eq!(of(64).limit, "upstream-slow", "{:#?}", of(64));
    assert_eq!(of(5).limit, "unknown", "{:#?}", of(5));
}

/// Lettuce and gRPC send the calls of all threads on one connection: how many have a question tells nothing.
#[test]
fn calls_that_share_a_connection_wait_for_the_upstream() {
    for call in ["io.lettuce.core.internal.Futures.awaitOrCancel", "io.grpc.stub.ClientCalls.blockingUnaryCall"] {
        let found = waiting_for_a_client(call, 1);
        assert_eq!(found.limit, "upstream-slow", "{found:#?}");
        assert!(found.evidence[0].contains("a call takes 255 ms"), "{found:#?}");
    }
}

/// One method asks a service by gRPC or by HTTP, as it is set: most of its threads share a connection, whichever are
/// told first.
#[test]
fn threads_at_one_place_are_told_apart_by_whether_they_share_a_connection() {
    let of = |first: &str, others: &str| {
        let recorded = waited_for(first, 1, |census| {
            let is_call = |stack: &&Stack| stack.frames.iter().any(|frame| frame.starts_with(first));
            let Some(call) = census.stacks.iter().find(is_call).cloned() else { return };
            let all = census.stacks.iter_mut().filter(|stack| stack.frames == call.frames);
            all.for_each(|stack| stack.count = 14);
            let frames = call.frames.iter().map(|frame| frame.replace(first, others)).collect();
            census.stacks.push(Stack { frames, count: 50, ..call });
        });
        explained(&recorded)
    };
    let (http, grpc) = ("jdk.internal.net.http.HttpClientImpl.send", "io.grpc.stub.ClientCalls.blockingUnaryCall");
    let found = of(http, grpc);
    assert_eq!(found.limit, "upstream-slow", "{found:#?}");
}

/// Callers wait until a bulkhead or a limiter of Failsafe lets them through.
#[test]
fn callers_that_failsafe_holds_up_are_told_by_its_name() {
    let of = |name: &str, frames: &[&str]| {
        let mut recorded = named("semaphore-17");
        for census in full(&mut recorded) {
            let is_held = |stack: &&mut Stack| stack.frames.iter().any(|it| it.contains("concurrent.Semaphore."));
            for stack in census.stacks.iter_mut().filter(is_held) {
                let own = stack.frames.iter().position(|frame| frame.starts_with("Planted.")).expect("its own frame");
                stack.frames.splice(..own, frames.iter().map(|frame| format!("{frame}(Source.java:1)")));
            }
        }
        let found = explained(&recorded);
        assert!(found.says.contains(name), "{found:#?}");
        found.limit
    };
    let future = "java.util.concurrent.CompletableFuture.get";
    let permit = "dev.failsafe.internal.BulkheadImpl.tryAcquirePermit";
    let held = [PARKS[0], PARKS[1], future, permit, "dev.failsafe.internal.BulkheadExecutor.preExecute"];
    assert_eq!(of("Failsafe’s bulkhead", &held), "semaphore");
    let limiter = "dev.failsafe.internal.RateLimiterImpl.acquirePermits";
    let sleeping = ["java.lang.Thread.sleep0", "java.lang.Thread.sleep", limiter];
    assert_eq!(of("Failsafe’s rate limiter", &sleeping), "rate-limiter");
}

/// Reports ask the same service all the time, with and without requests.
#[test]
fn calls_of_a_services_own_work_are_no_calls_of_its_requests() {
    let of = |own: f64| {
        let mut recorded = named("upstream-slow-25");
        for second in [1, 0] {
            let at = Nanos::from_secs(second);
            let rest = Census { at, window: Window::Rest, stacks: Vec::new(), ..recorded.censuses[0].clone() };
            recorded.censuses.insert(0, rest);
        }
        for census in &mut recorded.censuses {
            let (at, per_request) = (census.at.as_secs_f64(), if census.window == Window::Rest { 0.0 } else { 44.0 });
            let outbound = census.peers.iter_mut().filter(|peer| peer.side == Side::Outbound);
            outbound.for_each(|peer| (peer.questions, peer.open) = (((own + per_request) * at) as u64, 60));
        }
        explained(&recorded)
    };
    assert_eq!(of(400.0).limit, of(0.0).limit, "{:#?}", of(400.0));
    assert_ne!(of(400.0).limit, "n-plus-one");
}

/// A gateway to the gRPC service of its own process, whose executor has four threads.
#[test]
fn threads_of_a_server_behind_a_gateway_are_an_executor() {
    let mut recorded = named("executor-25");
    let server = "io.grpc.internal.ServerImpl$JumpToApplicationThreadServerStreamListener$1HalfClosed.runInContext";
    let client = [PARKS[0], PARKS[1], "io.grpc.stub.ClientCalls.blockingUnaryCall"];
    for stack in recorded.censuses.iter_mut().flat_map(|census| &mut census.stacks) {
        if stack.frames[0].contains("Thread.sleep") {
            let worker = stack.frames.iter().position(|frame| frame.contains(".runWorker")).expect("a worker");
            stack.frames.insert(worker, server.to_owned());
        } else if stack.frames.iter().any(|frame| frame.contains("FutureTask.get")) {
            let own = stack.frames.iter().position(|frame| frame.starts_with("Planted.")).expect("its own frame");
            stack.frames.splice(..own, client.map(|frame| format!("{frame}(Source.java:1)")));
        }
    }
    let found = explained(&recorded);
    assert_eq!(found.limit, "executor", "{found:#?}");
    assert!(found.says.contains("pool-1-thread-*") && found.evidence[0].starts_with("4 of 4 threads"), "{found:#?}");
}

/// H2 runs within the service, and a transaction waits in it for another one, as nobody has a socket there.
#[test]
fn a_row_that_another_transaction_has_is_a_lock() {
    let waits = [
        "java.lang.Object.wait",
        "org.h2.mvstore.tx.Transaction.waitForThisToEnd",
        "org.h2.mvstore.tx.Transaction.waitFor",
        "org.h2.mvstore.tx.TransactionMap.lock",
        "org.h2.mvstore.db.MVTable.lockRow",
        "app.Invoices.issue",
        "org.apache.coyote.http11.Http11Processor.service",
    ];
    let mut recorded = named("client-pool-25");
    for census in dumps(&mut recorded) {
        census.stacks.retain(|stack| !stack.group.starts_with("http-nio-18090-exec-"));
        let class = "org.h2.mvstore.tx.Transaction";
        census.stacks.push(waiting("http-nio-18090-exec-*", 90, class, &waits));
    }
    let found = explained(&recorded);
    let says = "a lock (org.h2.mvstore.tx.Transaction) in app.Invoices.issue";
    assert_eq!((found.limit, found.says.as_str()), ("lock", says), "{found:#?}");
}

/// Each task of a full executor has a connection of its own, for which its thread waits as for any other result.
#[test]
fn an_executor_whose_every_task_has_a_connection_is_the_limit() {
    let of = |tasks: u32| {
        blocked_for_a_client(|census| {
            if census.window == Window::Full && !census.stacks.is_empty() {
                let blocks =
                    [PARKS[0], "reactor.core.publisher.BlockingMonoSubscriber.blockingGet", "app.Belt.scan", POOL];
                census.stacks.push(waiting("belt-*", tasks, "", &blocks));
            }
        })
    };
    let found = of(20);
    assert_eq!(found.limit, "executor", "{found:#?}");
    assert_eq!(of(60).limit, "client-pool", "tasks that have no connection wait for one");
}

/// A thread of scheduled tasks that are always late has as much to do without a request.
#[test]
fn threads_that_are_busy_at_rest_are_no_executor_of_requests() {
    let of = |at_rest: &[&str]| {
        let mut recorded = named("executor-25");
        let tasks = "pool-1-thread-*";
        let works = stack(tasks, 4, ThreadState::TimedWaiting, at_rest);
        for census in recorded.censuses.iter_mut().filter(|census| !census.stacks.is_empty()) {
            if census.window == Window::Rest {
                census.stacks.retain(|stack| stack.group != tasks);
                census.stacks.push(works.clone());
            } else if at_rest.contains(&"app.Late.tidies") {
                census.stacks.push(Stack { count: 1, ..works.clone() });
            }
        }
        explained(&recorded).limit
    };
    assert_ne!(of(&["java.lang.Thread.sleep", "app.Late.tidies", POOL]), "executor");
    let polls = ["java.lang.Thread.sleep", "app.Printer.polls", POOL];
    assert_eq!(of(&polls), "executor", "a thread that looks for work again and again has none");
    assert_eq!(
        of(&[PARKS[0], PARKS[1], "java.util.concurrent.LinkedBlockingQueue.take", "app.Printer.prints"]),
        "executor"
    );
}

/// A queue that requests stand in makes them longer.
#[test]
fn requests_that_take_no_longer_than_one_alone_stand_in_no_queue() {
    for (planted, name) in [("executor", "executor-25"), ("server-threads", "server-threads-17"), ("lock", "lock-25")] {
        let mut recorded = named(name);
        let alone = recorded.loads["full"].ms / 1.25;
        let of = |recorded: &Recorded| explained(recorded).limit;
        assert_eq!(of(&recorded), planted);
        recorded.loads.get_mut("light").expect("a light load").ms = alone;
        assert_ne!(of(&recorded), planted);
    }
}

/// A service whose threads wait in its own code for permits that it hands out itself, in another way than a semaphore.
fn waiting_by_itself(state: ThreadState, wait: &str, more: impl Fn(&mut Recorded)) -> Explanation {
    let mut recorded = named("semaphore-17");
    for stack in dumps(&mut recorded).flat_map(|census| &mut census.stacks) {
        if stack.frames.iter().any(|frame| frame.starts_with("java.util.concurrent.Semaphore.")) {
            (stack.awaited, stack.state) = (None, state);
            stack.frames.retain(|frame| !frame.starts_with("java.util.concurrent."));
            stack.frames.insert(1, format!("{wait}(Source.java:1)"));
        }
    }
    let looks: Vec<Census> = dumps(&mut recorded).map(|census| census.clone()).collect();
    recorded.censuses.extend([looks.clone(), looks].concat());
    for census in &mut recorded.censuses {
        census.peers.push(Peer { side: Side::Outbound, port: 9, established: 4, open: 4, ..Peer::default() });
    }
    more(&mut recorded);
    explained(&recorded)
}

/// Whether such threads are past its queue.
fn has_one(stack: &Stack) -> bool {
    stack.frames.first().is_some_and(|frame| frame.starts_with("java.lang.Thread.sleep"))
}

/// A limiter whose name does not tell: each thread parks until its turn has come.
#[test]
fn threads_that_wait_the_longer_for_time_to_pass_the_more_there_are_keep_a_pace() {
    let of = |alone_per_s: u64| {
        let parks = "java.util.concurrent.locks.LockSupport.parkNanos";
        waiting_by_itself(ThreadState::TimedWaiting, parks, |recorded| {
            recorded.loads.get_mut("light").expect("a light load").per_s = alone_per_s;
        })
    };
    let found = of(44);
    assert_eq!(found.limit, "rate-limiter", "{found:#?}");
    assert!(found.evidence[0].contains("called from Planted.work"), "{:?}", found.evidence);
    assert!(found.chain.iter().any(|link| link.is_limit), "{:?}", found.chain);
    assert_ne!(of(4).limit, "rate-limiter", "one alone sleeps nearly as long");
}

#[test]
fn what_a_service_hands_out_itself_is_told_by_those_who_have_it() {
    let of = |frames: &'static [&str]| {
        waiting_by_itself(ThreadState::Waiting, "java.lang.Object.wait", |recorded| {
            for stack in dumps(recorded).flat_map(|census| &mut census.stacks).filter(|stack| has_one(stack)) {
                stack.state = ThreadState::Runnable;
                let own = stack.frames.split_off(1);
                stack.frames = frames.iter().map(|frame| format!("{frame}(Source.java:1)")).chain(own).collect();
            }
        })
    };
    let found = of(&["app.Clerk.computes"]);
    assert_eq!(found.limit, "semaphore", "{found:#?}");
    assert_eq!(found.knob.and_then(|knob| knob.has), Some(4.0));
    let asks = of(&["sun.nio.ch.NioSocketImpl.timedRead", "vendor.jdbc.Query.executeQuery"]);
    assert_eq!(asks.limit, "database-pool", "{asks:#?}");
    let reads = of(&["sun.nio.ch.NioSocketImpl.timedRead", "java.io.BufferedReader.readLine"]);
    assert_eq!(reads.limit, "client-pool", "{reads:#?}");
    let now_more_now_less = waiting_by_itself(ThreadState::Waiting, "java.lang.Object.wait", |recorded| {
        for (census, count) in dumps(recorded).zip([2, 9, 5]) {
            census.stacks.iter_mut().filter(|stack| has_one(stack)).for_each(|stack| stack.count = count);
        }
    });
    assert_eq!(now_more_now_less.limit, "unknown", "{now_more_now_less:#?}");
}

/// A selector of the service's own, or of a library that nobody knows, whose thread calls somebody else in between.
#[test]
fn a_loop_without_a_name_is_told_by_its_selector_at_rest() {
    let of = |at_rest: &str, runs: &str| {
        let mut recorded = named("event-loop-25");
        for census in recorded.censuses.iter_mut().filter(|census| !census.stacks.is_empty()) {
            let is_rest = census.window == Window::Rest;
            for stack in census.stacks.iter_mut().filter(|stack| stack.group == "reactor-http-epoll-*") {
                stack.group = "own-*".to_owned();
                stack.frames.retain(|frame| !frame.starts_with("io.netty.") && !frame.starts_with("reactor."));
                stack.frames.push(format!("{runs}(Loop.java:1)"));
                if is_rest {
                    stack.frames.insert(0, format!("{at_rest}(EPoll.java:1)"));
                }
            }
        }
        explained(&recorded)
    };
    for runs in ["app.Own.run", "org.apache.hc.core5.reactor.SingleCoreIOReactor.doExecute"] {
        let found = of("sun.nio.ch.EPoll.wait", runs);
        assert_eq!(found.limit, "event-loop", "{found:#?}");
        assert_ne!(of("java.util.concurrent.LinkedBlockingQueue.take", runs).limit, "event-loop");
    }
}

/// Twelve questions for each request, one after the other, on one connection that all requests share.
#[test]
fn questions_on_a_shared_connection_are_counted_by_the_time_that_they_take_alone() {
    let told = |questions: f64| {
        let mut recorded = named("client-pool-25-streams");
        let alone_ms = recorded.loads["light"].ms;
        let per_s = |window| match window {
            Window::Rest => 0.0,
            Window::Light => 1e3 / alone_ms,
            Window::Full => 8e3 / alone_ms,
        };
        for (load, window) in [("light", Window::Light), ("full", Window::Full)] {
            let load = recorded.loads.get_mut(load).expect("a load");
            (load.ms, load.per_s) = (alone_ms, per_s(window).round() as u64);
        }
        recorded.loads.get_mut("full").expect("a full load").users = 8;
        for census in &mut recorded.censuses {
            let rate = questions * per_s(census.window);
            for peer in census.peers.iter_mut().filter(|peer| peer.side == Side::Outbound) {
                (peer.established, peer.open) = (1, u32::from(rate > 0.0));
                peer.questions = (census.at.as_secs_f64() * rate) as u64;
            }
            census.heap.iter_mut().for_each(|look| look.grown.clear());
        }
        explained(&recorded)
    };
    let many = told(12.0);
    assert_eq!(many.limit, "n-plus-one", "{many:#?}");
    assert!(many.evidence[0].contains("8 of 8 requests in flight wait for the answer to one"), "{:?}", many.evidence);
    let one = told(1.0);
    assert_eq!(one.limit, "upstream-latency", "{one:#?}");
    assert_eq!(one.time[0].what, "upstream", "{:?}", one.time);
}
