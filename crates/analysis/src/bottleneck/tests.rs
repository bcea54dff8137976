//! Small services with one planted cause each, as they were seen: `testing::recorded`.

mod answer;
mod carried;
mod depths;
mod dialects;
mod knobs;
mod objects;
mod outside;
mod refusing;
mod shapes;
mod strangers;
mod stuck;

use plimsoll_record::{Census, Counts, Nanos, Phase, Sample, Side, Stack, ThreadState, Window};

use crate::{
    analyse,
    results::{Explanation, Finding, Link, RequestsAt},
    testing::recorded::{self, Recorded, all, named},
};

fn explained(recorded: &Recorded) -> Explanation {
    analyse(&recorded.data()).explanations.swap_remove(0)
}

#[test]
fn each_planted_cause_is_named() {
    for (name, recorded) in all() {
        let found = explained(&recorded);
        assert!(name.starts_with(&recorded.limit), "{name}");
        assert_eq!(found.limit, recorded.limit, "{name}: {found:#?}");
    }
}

/// A queue that grows without bound is the same queue.
#[test]
fn a_rate_that_is_not_carried_is_explained_by_what_it_waits_for() {
    for (name, recorded) in all() {
        // Requests that take long are too few in five seconds to tell a tenth more from chance.
        let least = if recorded.loads["light"].ms < 200.0 { 1.1 } else { 1.2 };
        for times in [least, 3.0] {
            let rate = (recorded.capacity() as f64 * times).ceil() as u64;
            let found = analyse(&recorded.at_rate(rate)).explanations.swap_remove(0);
            assert_eq!(found.limit, recorded.limit, "{name} at {times} times its capacity: {found:#?}");
            assert_eq!((found.users, found.rate_per_s), (None, Some(rate as f64)), "{name}");
            let said = found.evidence.join("; ");
            assert!(!said.contains("users"), "{name}: {said}");
        }
    }
}

#[test]
fn a_rate_that_is_carried_is_the_limit_itself() {
    for (name, recorded) in all() {
        let found = analyse(&recorded.at_rate(recorded.capacity() * 9 / 10)).explanations.swap_remove(0);
        assert_eq!(found.limit, "offered-load", "{name}: {found:#?}");
        assert_eq!(found.change, "Ask for more with --rate.");
        assert!(found.evidence[0].contains("/s of "), "{:?}", found.evidence);
    }
}

/// Two loads after those that were measured in one run: each by its own figures and looks.
#[test]
fn several_levels_of_a_run_are_told_apart() {
    let found = analyse(&recorded::explained()).explanations;
    let told: Vec<_> = found.iter().map(|it| (it.variant.as_str(), it.level.as_deref(), it.limit)).collect();
    assert_eq!(told, [("a", Some("16"), "lock"), ("a", Some("256"), "server-threads")]);
    for (found, name) in found.iter().zip(["lock-17", "server-threads-17"]) {
        let alone = explained(&named(name));
        assert_eq!((found.throughput_per_s, found.dumps), (alone.throughput_per_s, alone.dumps), "{name}");
    }
}

/// Requests, samples and looks after the loads of a run count towards no figure.
#[test]
fn explanations_are_no_part_of_the_figures() {
    let mut data = recorded::explained();
    let sample = |s, value| Sample { at: Nanos::from_secs(s), metric: "rss_bytes".to_owned(), value };
    data.runs[0].samples.splice(0..0, [sample(2, 7e6)]);
    data.runs[0].samples.push(sample(105, 9e6));
    let mut without = data.clone();
    without.execution.plan.explain = None;
    without.execution.plan.levels.truncate(2);
    let run = &mut without.runs[0];
    run.levels.truncate(2);
    run.censuses.clear();
    run.samples.retain(|sample| sample.at < Nanos::from_secs(100));

    let (mut found, mut expected) = (analyse(&data), analyse(&without));
    assert_eq!((found.explanations.len(), expected.explanations.len()), (2, 0));
    // The finding of an explanation tells the limit.
    let limits = found.variants.iter_mut().chain(&mut expected.variants).flat_map(|it| it.levels.iter_mut().flatten());
    limits.for_each(|level| level.limited_by = None);
    assert_eq!(found.levels, expected.levels);
    assert_eq!(found.variants, expected.variants);
    let is_of_figures = |it: &&Finding| it.kind.id != "gives-way-first";
    assert_eq!(
        found.findings.iter().filter(is_of_figures).collect::<Vec<_>>(),
        expected.findings.iter().collect::<Vec<_>>()
    );
    assert_eq!(found.variants[0].peak_rss_mb.as_ref().map(|peak| peak.median), Some(7.0));
}

/// Ctrl-C while the capacity is looked for: the users asked for next have had no answer yet.
#[test]
fn a_load_that_had_just_begun_tells_less_than_the_one_before() {
    let mut data = named("lock-17").data();
    let levels = &mut data.runs[0].levels;
    levels.remove(0);
    levels[0].plan.phase = Phase::WarmUp;
    let mut next = levels[0].clone();
    next.started = next.started + Nanos::from_secs(30);
    next.intervals.truncate(1);
    next.intervals[0].counts = Counts { offered: 32, ..Counts::default() };
    levels.push(next);
    let alone = explained(&named("lock-17"));
    assert_eq!(analyse(&data).explanations[0].throughput_per_s, alone.throughput_per_s);
}

#[test]
fn the_time_of_a_request_is_accounted_for() {
    for (name, recorded) in all() {
        let found = explained(&recorded);
        let sum: f64 = found.time.iter().map(|share| share.percent).sum();
        assert!((98.0..=101.0).contains(&sum), "{name}: {:?}", found.time);
    }
}

#[test]
fn evidence_names_the_place_the_holder_and_the_wait() {
    let found = explained(&named("lock-17"));
    assert_eq!(found.says, "a lock (java.lang.Object) in Planted.work");
    let said = found.evidence.join("; ");
    assert!(
        said.contains("15 requests of 16 in flight") && said.contains("its holder: sleep in Planted.work"),
        "{said}"
    );
}

/// Another process keeps both cores busy: who waits for a lock does not wait for a core.
#[test]
fn a_busy_machine_is_not_the_limit_of_those_who_wait_for_something_else() {
    for (name, mut recorded) in all() {
        let full = recorded.loads.get_mut("full").expect("a full load");
        full.means.insert("machine_cpu_percent".to_owned(), 200.0);
        assert_eq!(explained(&recorded).limit, recorded.limit, "{name}");
    }
}

/// As many event loops, each of which computes and has that much of a core.
fn computing(loops: u32, cores: f64) -> Explanation {
    explained(&computing_loops(loops, cores))
}

fn computing_loops(loops: u32, cores: f64) -> Recorded {
    let mut recorded = named("event-loop-25");
    for census in recorded.censuses.iter_mut().filter(|census| census.window == Window::Full) {
        for stack in census.stacks.iter_mut().filter(|stack| stack.group == "reactor-http-epoll-*") {
            stack.state = ThreadState::Runnable;
            stack.frames.splice(..20, ["app.Hash.of(Hash.java:1)".to_owned()]);
            stack.count = loops;
        }
        let seconds = census.at.as_secs_f64() * cores * f64::from(loops);
        for tasks in census.tasks.iter_mut().filter(|tasks| tasks.group == "reactor-http-ep") {
            (tasks.cpu, tasks.delay) = (Nanos::from_secs_f64(seconds), Nanos::ZERO);
        }
    }
    recorded
}

/// More loops than cores use all of them: then the CPU is the limit, or those who use the rest of it.
#[test]
fn an_event_loop_that_computes_is_blocked_where_a_core_is_left_for_others() {
    let found = computing(1, 0.95);
    assert_eq!(found.limit, "event-loop", "{found:#?}");
    assert!(found.evidence[0].ends_with("CPU in app.Hash.of"), "{:?}", found.evidence);
    for (loops, cores) in [(4, 0.45), (2, 0.95), (1, 0.5)] {
        assert_ne!(computing(loops, cores).limit, "event-loop", "{loops} of {cores}");
    }
}

/// One loop has all connections, and three have none.
#[test]
fn an_event_loop_that_has_all_connections_is_blocked_though_others_are_idle() {
    let with_idle = |unread: u32| {
        let mut recorded = computing_loops(1, 0.95);
        for census in recorded.censuses.iter_mut().filter(|census| census.window == Window::Full) {
            let idle = ["sun.nio.ch.EPoll.wait", "sun.nio.ch.EPollSelectorImpl.doSelect", "io.netty.Loop.run"];
            let frames = idle.map(|frame| format!("{frame}(Source.java:1)")).to_vec();
            let group = "reactor-http-epoll-*".to_owned();
            if !census.stacks.is_empty() {
                census.stacks.push(Stack { group, count: 3, state: ThreadState::Runnable, frames, ..Stack::default() });
            }
            census.peers.retain(|peer| peer.side == Side::Inbound);
            census.peers.iter_mut().for_each(|peer| peer.unread = unread);
        }
        explained(&recorded)
    };
    let found = with_idle(60);
    assert_eq!(found.limit, "event-loop", "{found:#?}");
    assert!(found.evidence[1].starts_with("the other threads have no request"), "{:?}", found.evidence);
    assert!(found.change.contains("let the idle loops have connections"), "{}", found.change);
    assert_eq!(found.knob.map(|knob| (knob.settings.len(), knob.has)), Some((0, Some(1.0))));
    assert_ne!(with_idle(0).limit, "event-loop");
}

/// A server of its own reads requests in frames of its own: only connections tell them from answers.
#[test]
fn threads_that_read_sockets_wait_for_requests_where_no_other_service_is_asked() {
    let mut recorded = named("server-threads-17");
    recorded.censuses.iter_mut().for_each(|census| census.stacks.retain(|stack| stack.group != "HTTP-Dispatcher"));
    let full = recorded.censuses.iter_mut().filter(|census| census.window == Window::Full);
    for stack in full.flat_map(|census| &mut census.stacks) {
        if stack.group == "pool-2-thread-*" {
            stack.state = ThreadState::Runnable;
            stack.frames = ["sun.nio.ch.NioSocketImpl.timedRead(Native Method)", "app.Reader.readLine(Reader.java:1)"]
                .map(str::to_owned)
                .to_vec();
        }
    }
    let peer = plimsoll_record::Peer { side: Side::Outbound, port: 9190, established: 20, ..Default::default() };
    recorded.censuses.iter_mut().for_each(|census| census.peers.retain(|peer| peer.side == Side::Inbound));
    assert_ne!(explained(&recorded).limit, "server-threads", "they are idle");
    recorded.censuses.iter_mut().for_each(|census| census.peers.push(peer.clone()));
    assert_eq!(explained(&recorded).limit, "server-threads");
}

/// The kernel counts the CPU of threads, dumps say what those threads run.
#[test]
fn the_cpu_goes_to_frames_of_the_service_and_to_the_jvm() {
    let mut recorded = named("server-threads-17");
    let full = recorded.loads.get_mut("full").expect("a full load");
    full.means.extend([("cpu_percent".to_owned(), 195.0), ("machine_cpu_percent".to_owned(), 200.0)]);
    for census in recorded.censuses.iter_mut().filter(|census| census.window == Window::Full) {
        let mut stacks = std::mem::take(&mut census.stacks);
        for stack in stacks.iter_mut().filter(|stack| stack.group == "pool-2-thread-*") {
            (stack.state, stack.count) = (ThreadState::Runnable, 15);
            stack.frames[0] = "app.Hash.of(Hash.java:1)".to_owned();
        }
        let of_threads = stacks.iter().find(|stack| stack.group == "pool-2-thread-*").cloned();
        stacks.extend(of_threads.map(|mut stack| {
            stack.count = 5;
            stack.frames[0] = "app.Text.of(Text.java:1)".to_owned();
            stack
        }));
        census.stacks = stacks;
        for tasks in &mut census.tasks {
            let share = match tasks.group.as_str() {
                "pool-2-thread-*" => 1.6,
                "C* CompilerThre" => 0.3,
                "GC Thread#*" => 0.1,
                _ => 0.0,
            };
            tasks.cpu = Nanos::from_secs_f64(census.at.as_secs_f64() * share);
        }
    }
    let found = explained(&recorded);
    assert_eq!(found.limit, "cpu", "{found:#?}");
    let last = found.evidence.last().expect("evidence");
    let shares = "60 % app.Hash.of, 20 % app.Text.of, 15 % the JIT compiler, 5 % garbage collection";
    assert_eq!(last, &format!("by 20 samples of threads it goes to: {shares}"));
}

/// JDK 25 is not asked for virtual threads while the CPU is busy: such dumps count only where there are no others.
#[test]
fn dumps_without_virtual_threads_do_not_thin_out_those_that_have_them() {
    let whole = named("carriers-25-virtual");
    let mut partly = named("carriers-25-virtual");
    let mut dumps: Vec<Census> = partly.censuses.clone();
    for census in dumps.iter_mut().filter(|census| !census.stacks.is_empty()) {
        census.process.blind = Some("the CPU is busy".to_owned());
        census.stacks.retain(|stack| stack.is_carrying);
    }
    let mut blind = named("carriers-25-virtual");
    blind.censuses.clone_from(&dumps);
    partly.censuses.extend(dumps.into_iter().filter(|census| !census.stacks.is_empty()));
    partly.censuses.sort_by_key(|census| census.at);
    let (whole, partly) = (explained(&whole), explained(&partly));
    assert_eq!((partly.limit, &partly.evidence, partly.blind), (whole.limit, &whole.evidence, None));
    blind.censuses.retain(|census| census.window == Window::Full);
    assert_eq!(explained(&blind).blind.as_deref(), Some("the CPU is busy"));
}

/// Carriers for each core that others keep busy: more of them would have no more of it.
#[test]
fn as_many_carriers_as_cores_are_not_too_few() {
    let mut recorded = named("carriers-25-virtual");
    for census in recorded.censuses.iter_mut().filter(|census| census.window == Window::Full) {
        census.stacks.iter_mut().filter(|stack| stack.is_carrying).for_each(|stack| stack.count = 2);
        let tasks = census.tasks.iter_mut().find(|tasks| tasks.group == "ForkJoinPool-*-").expect("carriers");
        tasks.delay = tasks.delay + census.at;
    }
    assert_ne!(explained(&recorded).limit, "carriers");
}

/// A limit of permits or threads says how many there are, and how many would do.
#[test]
fn a_knob_has_the_size_that_was_seen() {
    let parallelism = "-Djava.util.concurrent.ForkJoinPool.common.parallelism";
    let knobs = [
        ("semaphore-17", None, 4.0, 64.0),
        ("server-threads-17", None, 20.0, 256.0),
        ("common-pool-17", Some(parallelism), 3.0, 64.0),
    ];
    for (name, setting, has, wants) in knobs {
        let knob = explained(&named(name)).knob.expect(name);
        let settings: Vec<String> = setting.into_iter().map(ToOwned::to_owned).collect();
        assert_eq!((knob.settings, knob.has, knob.wants), (settings, Some(has), Some(wants)), "{name}");
    }
    assert_eq!(explained(&named("lock-17")).knob, None, "a lock has no size");
}

#[test]
fn without_a_look_at_threads_nothing_is_made_up() {
    for (name, mut recorded) in all() {
        recorded.censuses.iter_mut().for_each(|census| census.stacks.clear());
        let found = explained(&recorded);
        let from_outside = ["unknown", "cpu", "gc", "upstream-slow", "upstream-latency", "client-pool"];
        assert!(from_outside.contains(&found.limit), "{name}: {found:#?}");
    }
}

/// `kind busy/size +waiting` for each link, the limit between brackets.
fn chain(found: &Explanation) -> String {
    let link = |link: &Link| {
        let round = |it: Option<f64>| it.map_or_else(|| "?".to_owned(), |value| format!("{value:.0}"));
        let text = format!("{} {}/{} +{:.0}", link.kind, round(link.busy), round(link.size), link.waiting);
        if link.is_limit { format!("[{text}]") } else { text }
    };
    found.chain.iter().map(link).collect::<Vec<_>>().join(", ")
}

/// As the services were made: one lock, 4 permits, 20 threads of a server, 4 of an executor, 3 of the common pool; 40
/// threads before an upstream; 100 threads of Tomcat, with its backlog of 100, before 20 connections.
#[test]
fn the_chain_has_the_sizes_that_were_planted_and_ends_with_what_is_deepest() {
    let expected = [
        ("lock-17", "listen-queue 0/1000 +0, server-threads 16/200 +0, [lock 1/? +15], sleep 1/? +0"),
        ("semaphore-17", "listen-queue 0/1000 +0, server-threads 64/200 +0, [semaphore 4/? +60], sleep 4/? +0"),
        ("server-threads-17", "listen-queue 0/1000 +0, [server-threads 20/20 +236], sleep 20/? +0"),
        ("executor-25", "listen-queue 0/1000 +0, server-threads 64/200 +0, [executor 4/4 +60], sleep 4/? +0"),
        ("common-pool-17", "listen-queue 0/1000 +0, server-threads 64/200 +0, [common-pool 3/3 +61], sleep 3/? +0"),
        ("lock-25-virtual", "listen-queue 0/1000 +0, server-threads 16/? +0, [lock 1/? +15], upstream 1/? +0"),
        ("logging-17", "listen-queue 0/1000 +0, server-threads 200/200 +822, [logging ?/? +196], cpu 1/2 +3"),
        ("gc-17", "listen-queue 7/1000 +0, server-threads 2/199 +11, [gc ?/? +0]"),
        ("upstream-slow-25", "listen-queue 0/1000 +0, server-threads 40/40 +24, [upstream 40/? +0]"),
        (
            "client-pool-25",
            "listen-queue 0/100 +0, server-threads 95/100 +28, [client-pool 20/20 +75], upstream 20/? +0",
        ),
    ];
    for (name, expected) in expected {
        assert_eq!(chain(&explained(&named(name))), expected, "{name}");
    }
}

#[test]
fn the_limit_is_marked_once_in_each_chain() {
    for (name, recorded) in all() {
        let found = explained(&recorded);
        assert_eq!(found.chain.iter().filter(|link| link.is_limit).count(), 1, "{name}: {}", chain(&found));
    }
}

/// Little's law: under each load there are as many requests as throughput × response time.
#[test]
fn no_request_is_lost_between_the_parts() {
    for (name, recorded) in all() {
        let found = explained(&recorded);
        let requests = &found.requests;
        assert!((2..=8).contains(&requests.parts.len()), "{name}: {:?}", requests.parts);
        let in_flight = |window| match window {
            Window::Light => found.light_per_s * found.light_ms / 1e3,
            _ => found.throughput_per_s * found.response_ms / 1e3,
        };
        assert_eq!(
            requests.loads.iter().map(|at| at.load).collect::<Vec<_>>(),
            [Window::Light, Window::Full],
            "{name}"
        );
        for at in requests.loads.iter().chain(&requests.looks) {
            assert_eq!(at.requests.len(), requests.parts.len(), "{name}");
            let sum: f64 = at.requests.iter().sum();
            // Threads of a look may have a few more than there are on average.
            assert!((0.98..1.1).contains(&(sum / in_flight(at.load))), "{name}: {at:?} of {}", in_flight(at.load));
        }
        let dumps = recorded.censuses.iter().filter(|it| it.window != Window::Rest && !it.stacks.is_empty());
        assert_eq!(requests.looks.len(), dumps.count(), "{name}");
    }
}

/// The greatest part under full load is what the threads of the dump do, counted by hand.
#[test]
fn where_requests_are_is_told_load_by_load() {
    let found = explained(&named("client-pool-25")).requests;
    assert_eq!(found.parts, ["connection pool", "not yet read by a thread", "upstream", "not located"]);
    let rounded = |at: &RequestsAt| at.requests.iter().map(|it| it.round()).collect::<Vec<_>>();
    assert_eq!(rounded(&found.loads[0]), [0.0, 0.0, 1.0, 0.0]);
    assert_eq!(rounded(&found.loads[1])[..3], [75.0, 28.0, 20.0]);
    assert_eq!(rounded(found.looks.last().expect("a look"))[..3], [80.0, 28.0, 20.0]);
    assert!(found.looks.is_sorted_by(|a, b| a.at_s < b.at_s));
}

#[test]
fn many_parts_are_eight_with_the_others_in_one() {
    let mut recorded = named("client-pool-25");
    // Threads of Tomcat that do eight other things, three of them each.
    let last = recorded.censuses.last_mut().expect("a look");
    let is_waiting = |stack: &&mut Stack| stack.count > 50;
    let waiting = last.stacks.iter_mut().find(is_waiting).expect("those who wait for a connection");
    let frames = waiting.frames.clone();
    let tops = [
        "java.lang.Thread.sleep(Native Method)",
        "java.util.concurrent.Semaphore.acquire(Semaphore.java:1)",
        "com.zaxxer.hikari.pool.HikariPool.getConnection(HikariPool.java:1)",
        "io.github.resilience4j.ratelimiter.RateLimiter.waitForPermission(RateLimiter.java:1)",
        "java.util.concurrent.FutureTask.get(FutureTask.java:1)",
        "ch.qos.logback.core.OutputStreamAppender.append(OutputStreamAppender.java:1)",
        "java.net.Inet4AddressImpl.lookupAllHostAddr(Native Method)",
        "sun.nio.ch.Net.connect(Native Method)",
    ];
    let server = frames.iter().rposition(|frame| frame.starts_with("org.apache.coyote.")).expect("Tomcat's frames");
    let stack = |top: &&str| Stack {
        count: 3,
        frames: std::iter::once((*top).to_owned()).chain(frames[server..].iter().cloned()).collect(),
        awaited: None,
        ..waiting.clone()
    };
    let others: Vec<Stack> = tops.iter().map(stack).collect();
    waiting.count -= 24;
    last.stacks.extend(others);
    let found = explained(&recorded).requests;
    assert_eq!(found.parts.len(), 8, "{:?}", found.parts);
    assert_eq!(found.parts[6..], ["others", "not located"]);
    let last = found.looks.last().expect("a look");
    assert!((last.requests[6] - 15.0).abs() < 0.5, "five of eleven: {:?} {:?}", found.parts, last.requests);
}

/// Threads are not told: requests that no thread has read and calls that are open were seen nevertheless.
#[test]
fn without_threads_the_chain_has_what_the_kernel_tells() {
    let mut recorded = named("client-pool-25");
    recorded.censuses.iter_mut().for_each(|census| census.stacks.clear());
    let found = explained(&recorded);
    assert_eq!(chain(&found), "listen-queue 0/100 +0, [client-pool 20/20 +85], upstream 20/? +0");
    assert_eq!(found.requests.parts, ["not yet read by a thread", "upstream", "not located"]);
    assert_eq!(found.requests.looks.len(), 9, "all looks under load");
}
