//! Programs whose threads nobody can ask, and what the kernel tells of them; put together from a recorded service.

use plimsoll_record::{Nanos, Tasks};

use super::{Explanation, explained};
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
        census.tasks = vec![Tasks { group: group.to_owned(), count: 45, cpu, delay: Nanos::ZERO }];
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
