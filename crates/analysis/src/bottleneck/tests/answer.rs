//! The answer in words: sizes, ceilings, what comes next, and what was ruled out.

use plimsoll_record::{Census, Nanos, OtherProcess, Side, Stack, ThreadState, Window};

use super::{chain, explained};
use crate::{
    results::Explanation,
    testing::recorded::{Recorded, named},
};

fn full(recorded: &mut Recorded) -> impl Iterator<Item = &mut Census> {
    recorded.censuses.iter_mut().filter(|census| census.window == Window::Full)
}

fn stacks<'a>(recorded: &'a mut Recorded, group: &'a str) -> impl Iterator<Item = &'a mut Stack> {
    let stacks = recorded.censuses.iter_mut().flat_map(|census| &mut census.stacks);
    stacks.filter(move |stack| stack.group == group)
}

/// Requests that end while a queue grows had less to wait for: throughput × response time is less than what is there.
#[test]
fn requests_without_a_thread_are_those_that_are_seen() {
    for ms in [647.0, 500.0] {
        let mut recorded = named("server-threads-17");
        recorded.loads.get_mut("full").expect("a full load").ms = ms;
        let found = explained(&recorded);
        assert!(found.evidence[0].contains("236 requests of 256 in flight"), "{ms} ms: {:?}", found.evidence);
    }
}

/// The sizes are those that were planted: 20 connections of a call of 100 ms, 20 threads that sleep for 50 ms.
#[test]
fn a_size_that_is_known_has_a_ceiling_beside_what_was_measured() {
    let found = explained(&named("client-pool-25"));
    assert_eq!(found.says, "connections to 127.0.0.1:19191 (Apache HttpClient 5, 20)");
    let said = found.evidence.join("; ");
    assert!(said.contains("a call takes 123 ms, as under light load"), "{said}");
    // 20 ÷ 0.1106 s = 180.8/s.
    assert!(said.contains("ceiling 20 ÷ 111 ms (a request alone) = 181/s, measured 171/s"), "{said}");
    let cleared = found.not_the_limit.join(" · ");
    for part in ["CPU 8.12 %", "locks", "upstream: a call takes 123 ms", "Tomcat’s threads: 95 of 100 busy", "0 of 100"]
    {
        assert!(cleared.contains(part), "{part}: {cleared}");
    }
    let threads = explained(&named("server-threads-17")).evidence.join("; ");
    assert!(threads.contains("ceiling 20 ÷ 50.8 ms (a request alone) = 394/s, measured 395/s"), "{threads}");
}

/// Jetty's acceptor is busy at each look, and is one thread: as full as a pool can be.
#[test]
fn threads_that_accept_connections_are_no_executor() {
    let mut renamed = named("executor-25");
    let full = explained(&renamed).says;
    for stack in renamed.censuses.iter_mut().flat_map(|census| &mut census.stacks) {
        if full.contains(&format!("“{}”", stack.group)) {
            stack.group = "qtp1340565491-14-acceptor-0@49b3c515-oejs.ServerConnector".to_owned();
        }
    }
    assert_ne!(renamed.censuses, named("executor-25").censuses);
    assert_ne!(explained(&renamed).limit, "executor");
}

/// A permit that is held for 5 of 22 ms: the time of a whole request makes no ceiling of it.
#[test]
fn a_size_that_is_held_for_a_part_of_a_request_has_none() {
    let said = explained(&named("semaphore-25-virtual")).evidence.join("; ");
    assert!(said.contains("a request holds one for 5.15 ms (1 ÷ 194/s)") && !said.contains("ceiling"), "{said}");
}

#[test]
fn the_change_says_how_much_it_makes_room_for_and_what_comes_next() {
    let found = explained(&named("client-pool-25"));
    let outlook = found.outlook.expect("the size is known");
    // 95 of 100 threads are busy, of which 75 wait for a connection: 20 carry 171/s, and 100 five times as much.
    assert_eq!((outlook.has, outlook.to), (20.0, 100.0));
    assert!((outlook.up_to_per_s - 5.0 * 171.0).abs() < 10.0, "{outlook:?}");
    assert!(found.change.ends_with("20 → 100: up to 855/s, then Tomcat’s threads (100)."), "{}", found.change);
    // With half as many threads these come first.
    let mut few = named("client-pool-25");
    for stack in full(&mut few).flat_map(|census| &mut census.stacks) {
        if stack.count > 30 {
            stack.count -= 30;
        }
    }
    let outlook = explained(&few).outlook.expect("the size is known");
    assert!(outlook.up_to_per_s < 700.0, "{outlook:?}");
    assert_eq!(explained(&named("lock-17")).outlook, None, "a lock has no size");
}

/// 4 calls run, as the Dispatcher lets them, and 60 threads wait for theirs.
#[test]
fn calls_that_queue_before_okhttp_are_told_by_its_name() {
    let mut recorded = named("executor-25");
    for stack in stacks(&mut recorded, "pool-1-thread-*") {
        stack.group = "OkHttp http://127.0.0.1:*/...".to_owned();
        let run = "okhttp3.internal.connection.RealCall$AsyncCall.run(RealCall.kt:517)";
        let below = stack.frames.iter().position(|frame| frame.contains(".runWorker")).expect("a worker");
        // One without work is a thread of the executor.
        if stack.frames[0].contains("sleep") {
            stack.frames.insert(below, run.to_owned());
        } else {
            stack.group = "OkHttp Dispatcher".to_owned();
        }
    }
    let found = explained(&recorded);
    assert_eq!((found.limit, found.says.as_str()), ("client-pool", "calls that OkHttp’s Dispatcher lets run (4)"));
    let said = found.evidence.join("; ");
    assert!(said.contains("64 requests wait for theirs, of which 60 are in the queue of the Dispatcher"), "{said}");
    assert!(found.change.contains("Dispatcher.setMaxRequestsPerHost and setMaxRequests (5 and 64"), "{}", found.change);
    assert!(chain(&found).contains("[client-pool 4/4 +60]"), "{}", chain(&found));
}

/// The kernel holds back the second piece of each question until the first one is acknowledged.
#[test]
fn questions_that_wait_for_an_acknowledgement_are_no_slow_upstream() {
    let held = |resting: u32, held_back: fn(u32) -> u32| {
        let mut recorded = named("upstream-slow-25");
        recorded.loads.get_mut("light").expect("a light load").ms = 45.0;
        for census in &mut recorded.censuses {
            let resting = if census.window == Window::Light { resting } else { 0 };
            for peer in census.peers.iter_mut().filter(|peer| peer.side == Side::Outbound) {
                (peer.open, peer.held_back) = (peer.established.min(peer.open.max(1)), 0);
                peer.held_back = held_back(peer.open);
                peer.open += resting;
            }
        }
        explained(&recorded)
    };
    let found = held(0, |open| open);
    assert_eq!(found.limit, "delayed-ack", "{found:#?}");
    assert!(found.says.starts_with("delayed acknowledgements of requests to 127.0.0.1:"), "{}", found.says);
    assert_eq!(held(7, |open| open).limit, "delayed-ack", "connections that rest look open");
    assert_eq!(held(0, |_| 0).limit, "upstream-slow");
}

/// Another process takes what the target's threads wait for.
#[test]
fn who_takes_the_cpu_is_named() {
    let mut recorded = named("server-threads-17");
    let means = &mut recorded.loads.get_mut("full").expect("a full load").means;
    means.extend([("cpu_percent".to_owned(), 20.0), ("machine_cpu_percent".to_owned(), 200.0)]);
    let first = full(&mut recorded).next().expect("a look").at;
    for census in full(&mut recorded) {
        let seconds = (census.at - first).as_secs_f64();
        let other = |pid, name: &str, cores: f64| OtherProcess {
            pid,
            name: name.to_owned(),
            cpu: Nanos::from_secs_f64(100.0 + seconds * cores),
        };
        census.others = vec![other(4712, "sshd", 0.01), other(4713, "python3", 0.5), other(4711, "python3", 1.0)];
        for stack in census.stacks.iter_mut().filter(|stack| stack.group == "pool-2-thread-*") {
            stack.state = ThreadState::Runnable;
            stack.frames[0] = "app.Hash.of(Hash.java:1)".to_owned();
        }
        for tasks in census.tasks.iter_mut().filter(|tasks| tasks.group == "pool-2-thread-*") {
            (tasks.cpu, tasks.delay) = (Nanos::from_secs_f64(seconds * 0.2), Nanos::from_secs_f64(seconds * 18.0));
        }
    }
    let found = explained(&recorded);
    assert_eq!(found.limit, "foreign-cpu", "{found:#?}");
    assert_eq!(found.evidence[1], "the busiest of them: python3 (2 processes, 4711 first) 150 %");
}

/// A service that has all the cores that it may have is not held back by what others do on the rest.
#[test]
fn who_fills_its_own_cores_lacks_no_others() {
    let mut recorded = named("server-threads-17");
    let means = &mut recorded.loads.get_mut("full").expect("a full load").means;
    let shares = [("cpu_percent", 99.0), ("machine_cpu_percent", 200.0), ("cpu_cores", 1.0)];
    means.extend(shares.map(|(name, value)| (name.to_owned(), value)));
    for census in &mut recorded.censuses {
        census.process.machine_cores = Some(2);
    }
    let found = explained(&recorded);
    assert_eq!((found.limit, found.says.as_str()), ("cpu", "CPU (1 of 2 CPUs)"), "{found:#?}");
}

/// JDK 25 was not asked for virtual threads: those that wait for a carrier are requests that nobody has read.
#[test]
fn too_few_carriers_are_seen_without_the_threads_that_wait_for_them() {
    let mut recorded = named("carriers-25-virtual");
    for census in recorded.censuses.iter_mut().filter(|census| !census.stacks.is_empty()) {
        census.process.blind = Some("the CPU is busy".to_owned());
        census.stacks.retain(|stack| !stack.is_virtual || stack.is_carrying);
    }
    let found = explained(&recorded);
    assert_eq!(found.limit, "carriers", "{found:#?}");
    assert!(found.evidence[0].contains("requests have no carrier"), "{:?}", found.evidence);
}

/// Their frames are the same.
#[test]
fn threads_at_files_in_memory_wait_for_no_disk() {
    let mut recorded = named("disk-25");
    assert!(explained(&recorded).evidence[0].contains("though the CPU is free"));
    let cores = recorded.loads["full"].means["cpu_cores"];
    recorded.loads.get_mut("full").unwrap().means.insert("cpu_percent".to_owned(), 97.0 * cores);
    let found = explained(&recorded);
    assert_eq!(found.limit, "cpu", "{found:#?}");
}

/// The target has nothing to do meanwhile.
#[test]
fn a_generator_that_a_quota_holds_back_is_told() {
    let throttled = |a_second: f64, periods_a_second: f64| {
        let mut recorded = named("server-threads-17");
        for census in &mut recorded.censuses {
            let counted = |a_second: f64| (census.at.as_secs_f64() * a_second) as u64;
            (census.own_throttled_periods, census.own_quota_periods) = (counted(a_second), counted(periods_a_second));
        }
        explained(&recorded)
    };
    let found = throttled(9.0, 10.0);
    assert_eq!(found.limit, "generator");
    assert!(found.evidence[1].contains("its own CPU quota was used up"), "{:?}", found.evidence);
    assert_eq!(throttled(1.0, 10.0).limit, "server-threads", "now and then");
    assert_eq!(throttled(9.0, 100.0).limit, "server-threads", "now and then, in periods of 10 ms");
    assert_eq!(throttled(9.0, 0.0).limit, "generator", "in a record without the number of periods");
}

/// Other processes are before it, and not before the target.
#[test]
fn a_generator_without_a_core_is_told_where_the_target_has_one() {
    let starved = |own: f64, target: f64| {
        let mut recorded = named("server-threads-17");
        for census in &mut recorded.censuses {
            let (own, target) = (census.at.as_secs_f64() * own, census.at.as_secs_f64() * target);
            census.own_delay = Nanos::from_secs_f64(own);
            census.tasks.iter_mut().for_each(|tasks| tasks.delay = Nanos::ZERO);
            if let Some(first) = census.tasks.first_mut() {
                first.delay = Nanos::from_secs_f64(target);
            }
        }
        explained(&recorded)
    };
    let found = starved(1.5, 0.1);
    assert_eq!(found.limit, "generator", "{found:#?}");
    assert!(found.evidence[1].contains("have no core"), "{:?}", found.evidence);
    assert_ne!(starved(0.3, 0.1).limit, "generator", "now and then");
    assert_ne!(starved(1.5, 1.5).limit, "generator", "both of them");
}

/// Requests take no longer than one alone: nor does a call.
#[test]
fn an_upstream_is_not_slow_where_requests_are_not() {
    let mut recorded = named("upstream-slow-25");
    let light = recorded.loads["full"].ms / 1.2;
    recorded.loads.get_mut("light").expect("a light load").ms = light;
    assert_ne!(explained(&recorded).limit, "upstream-slow");
}

/// A queue of 50 places is full: of 256 users 20 are accepted, 51 wait there, and the kernel turns 185 away.
#[test]
fn users_who_are_turned_away_are_in_the_account() {
    let of = |most: u32| {
        let mut recorded = named("server-threads-17");
        for peer in full(&mut recorded).flat_map(|census| &mut census.peers).filter(|it| it.side == Side::Inbound) {
            (peer.established, peer.unread, peer.unaccepted, peer.unaccepted_max) = (20, 0, 51, Some(most));
        }
        recorded.loads.get_mut("full").expect("a full load").ms = 180.0;
        explained(&recorded)
    };
    let percent = |found: &Explanation, what: &str| {
        found.time.iter().find(|share| share.what == what).map_or(0.0, |share| share.percent.round())
    };
    let found = of(50);
    // 185 of 256, and 20 that sleep in threads.
    assert_eq!(["not yet connected", "not yet accepted", "sleep"].map(|it| percent(&found, it)), [72.0, 20.0, 8.0]);
    let at_a_look = found.requests.looks.last().expect("a look");
    assert!(at_a_look.requests.iter().any(|count| (count - 185.0).abs() < 0.5), "{:?}", found.requests);
    // 395/s × 0.18 s are in flight where the queue has places left.
    assert_eq!(["not yet connected", "not yet accepted", "sleep"].map(|it| percent(&of(1000), it)), [0.0, 72.0, 28.0]);
}

/// A machine with cores left, on which the JVM stands still for `ms` of five seconds.
#[test]
fn a_collector_that_uses_much_of_the_cpu_needs_no_long_pauses() {
    let told = |ms: f64| {
        let mut recorded = named("gc-17");
        let full = recorded.loads.get_mut("full").expect("a full load");
        full.means.insert("machine_cpu_percent".to_owned(), 120.0);
        full.growth.insert("jvm_gc_ms".to_owned(), ms);
        explained(&recorded).limit
    };
    assert_eq!(told(600.0), "gc");
    assert_ne!(told(300.0), "gc");
}
