//! Programs whose threads nobody can ask, and what the kernel tells of them; put together from a recorded service.

use plimsoll_record::{Nanos, Side, Tasks, Thread};

use super::{Explanation, explained, shapes::full};
use crate::testing::recorded::{Recorded, named};

/// Sixteen requests at once, of a program that is no JVM and uses `cores` of two cores.
fn of_program(program: &str, processes: u32, group: &str, cores: f64) -> Recorded {
    let mut recorded = named("lock-17");
    let means = &mut recorded.loads.get_mut("full").expect("a full load").means;
    means.insert("cpu_percent".to_owned(), cores * 100.0);
    means.insert("machine_cpu_percent".to_owned(), cores * 100.0 + 20.0);
    for census in &mut recorded.censuses {
        census.stacks.clear();
        census.peers.clear();
        let cpu = Nanos::from_secs_f64(census.at.as_secs_f64() * cores);
        census.tasks = vec![Tasks { group: group.to_owned(), count: 45, cpu, ..Tasks::default() }];
        let process = &mut census.process;
        process.blind = Some("process 7 is no HotSpot JVM".to_owned());
        (process.jvm, process.program, process.processes) = (None, program.to_owned(), processes);
    }
    recorded
}

fn told(program: &str, processes: u32, group: &str, cores: f64) -> Explanation {
    explained(&of_program(program, processes, group, cores))
}

#[test]
fn one_core_is_all_that_an_interpreter_computes_on() {
    let found = told("python3.13", 1, "uvicorn", 0.97);
    assert_eq!(found.limit, "cpu", "{found:#?}");
    assert_eq!(found.says, "CPU: the one core that a process of Python computes on");
    let said = "Python computes in one thread at a time, which uses 97 % of a core, and wants more; there are 2 cores";
    assert_eq!(found.evidence[0], said);
    assert!(found.change.contains("--workers of Uvicorn or Gunicorn"), "{}", found.change);
    assert_eq!(told("node", 1, "MainThread", 0.97).limit, "cpu");
}

#[test]
fn nothing_is_concluded_of_programs_that_compute_in_parallel() {
    for (program, processes, group, cores) in [
        ("python3.13", 1, "uvicorn", 0.6),
        ("python3.13", 3, "uvicorn", 0.97),
        ("python3.14t", 1, "uvicorn", 0.97),
        ("shop", 1, "shop", 0.97),
        ("node", 1, "libuv-worker", 0.97),
        ("", 0, "uvicorn", 0.97),
    ] {
        assert_eq!(told(program, processes, group, cores).limit, "unknown", "{program}, {processes}, {group}, {cores}");
    }
}

/// The same with what the kernel tells of each thread: its process, its name, and the cores that it uses.
fn of_threads(program: &str, cores: u32, threads: &[(i32, &str, f64)]) -> Explanation {
    let used = threads.iter().map(|it| it.2).sum();
    let mut recorded = of_program(program, threads.len() as u32, program, used);
    for load in recorded.loads.values_mut() {
        load.means.insert("cpu_cores".to_owned(), f64::from(cores));
    }
    for census in &mut recorded.censuses {
        let at = census.at.as_secs_f64();
        let thread = |(tid, &(pid, group, cores)): (i32, &(i32, &str, f64))| Thread {
            pid,
            tid,
            group: group.to_owned(),
            cpu: Nanos::from_secs_f64(at * cores),
            ..Thread::default()
        };
        census.busiest = (100..).zip(threads).map(thread).collect();
    }
    let mut data = recorded.data();
    data.execution.environment.cores = Some(cores);
    crate::analyse(&data).explanations.swap_remove(0)
}

/// nginx with `worker_processes 1`: its master does nothing.
#[test]
fn a_native_server_with_one_busy_worker_has_one_core() {
    let found = of_threads("nginx", 2, &[(7, "nginx", 0.0), (8, "nginx", 0.98)]);
    assert_eq!(found.limit, "cpu", "{found:#?}");
    assert_eq!(found.says, "CPU: the one core that a thread of nginx computes on");
    let said = "one thread of nginx (process 8) uses 98 % of a core, and wants more; there are 2 cores; all the rest of \
                it uses 0 %";
    assert_eq!(found.evidence[0], said);
    assert!(found.change.contains("worker_processes of nginx"), "{}", found.change);
    let two = of_threads("nginx", 4, &[(7, "nginx", 0.0), (8, "nginx", 0.98), (9, "nginx", 0.96)]);
    assert_eq!(two.says, "CPU: the 2 cores that 2 threads of nginx compute on, one each", "{two:#?}");
    for (cores, threads) in [
        (2, &[(8, "nginx", 0.5), (9, "nginx", 0.5)][..]),
        (4, &[(8, "shop", 0.95), (8, "shop", 0.6)]),
        (1, &[(8, "nginx", 0.98)]),
    ] {
        assert_ne!(of_threads("nginx", cores, threads).says, "CPU: the one core that a thread of nginx computes on");
    }
    assert_eq!(of_threads("java", 2, &[(8, "C2 CompilerThre", 0.98)]).limit, "unknown");
}

#[test]
fn each_worker_of_an_interpreter_has_one_core() {
    let parent = (7, "uvicorn", 0.0);
    let one = of_threads("python3.13", 2, &[parent, (8, "python3", 0.9), (8, "AnyIO worker th", 0.06)]);
    assert_eq!(one.says, "CPU: the one core that a process of Python computes on", "{one:#?}");
    assert!(one.evidence[0].contains("uses 96 % of a core, and wants more (process 8); there are 2 cores"), "{one:#?}");
    let three = [parent, (8, "python3", 0.97), (9, "python3", 0.95), (10, "python3", 0.93)];
    let found = of_threads("python3.13", 4, &three);
    assert_eq!(found.says, "CPU: the 3 cores that 3 processes of Python compute on, one each", "{found:#?}");
    let said = "3 processes of Python (processes 8, 9, 10) compute on one core each, use 95 % of it on average";
    assert!(found.evidence[0].starts_with(said), "{found:#?}");
    // As many as there are cores: more of them would find none.
    let full = of_threads("python3.13", 3, &three);
    assert_eq!(full.says, "CPU (3 of 3 CPUs)", "{full:#?}");
    assert!(full.evidence.iter().any(|it| it.starts_with(said)), "{full:#?}");
    assert_eq!(of_threads("python3.13", 4, &[parent, (8, "python3", 0.5), (9, "python3", 0.5)]).limit, "unknown");
}

/// All connections of a client are at a call at each look. The one call at a time may be that of a virtual thread with
/// a lock.
#[test]
fn nothing_is_concluded_of_one_call_at_a_time_by_threads_that_were_not_asked() {
    let of = |calls: u32| {
        let mut recorded = named("semaphore-17-window");
        for census in full(&mut recorded) {
            census.process.blind = Some("virtual threads were left out".to_owned());
            let outbound = census.peers.iter_mut().filter(|peer| peer.side == Side::Outbound);
            outbound.for_each(|peer| (peer.established, peer.open) = (calls, calls));
        }
        explained(&recorded).limit
    };
    assert_eq!((of(3), of(1)), ("semaphore", "unknown"));
}

#[test]
fn threads_that_were_seen_are_not_said_to_be_unseen() {
    let mut recorded = named("lock-17");
    for census in &mut recorded.censuses {
        census.process.blind = Some("virtual threads were left out".to_owned());
        census.stacks.iter_mut().for_each(|stack| stack.awaited = None);
        census.stacks.retain(|stack| !stack.group.starts_with("pool-"));
    }
    let found = explained(&recorded);
    assert_eq!(found.limit, "unknown", "{found:#?}");
    assert_eq!(
        found.evidence.last().map(String::as_str),
        Some("not all threads were seen: virtual threads were left out")
    );
}
