//! Programs that compute on one core, or on one for each of their processes or threads, however many cores there are:
//! the kernel tells that these cores are used up while others are left.

use std::collections::BTreeMap;

use super::{case::Case, tasks::ThreadSeen};

/// A runtime whose processes compute on one core each.
#[derive(Debug)]
struct Interpreter {
    name: &'static str,
    /// Beginnings of the names of its programs.
    programs: &'static [&'static str],
    /// The kernel's names of the only thread that computes; if empty, all threads do, but one at a time.
    threads: &'static [&'static str],
    /// How to have more of its processes.
    more: &'static str,
}

const INTERPRETERS: &[Interpreter] = &[
    Interpreter {
        name: "Python",
        programs: &["python", "pypy"],
        threads: &[],
        more: "--workers of Uvicorn or Gunicorn",
    },
    Interpreter { name: "Ruby", programs: &["ruby"], threads: &[], more: "workers of Puma" },
    Interpreter {
        name: "Node.js",
        programs: &["node"],
        threads: &["node", "MainThread"],
        more: "the module cluster, or instances behind a proxy",
    },
];

/// Native servers by the beginning of their programs' names, and how to have more of their threads or processes.
const SERVERS: &[(&str, &str)] = &[
    ("nginx", "worker_processes of nginx, 1 by default"),
    ("haproxy", "nbthread of HAProxy"),
    ("envoy", "--concurrency of Envoy"),
    ("lighttpd", "server.max-worker of lighttpd"),
];

/// The part of a core that a worker uses or waits for, from which on it computes all the time.
const FULL: f64 = 0.9;
/// The part of a core that it must have had: if other processes took it, they are the limit.
const HAD: f64 = 0.6;
/// Cores that the rest of the target uses at most, for each full worker.
const OTHERS: f64 = 0.25;

/// Processes or threads that compute all the time, on one core each.
#[derive(Debug)]
pub(crate) struct Full {
    /// Name of the runtime, or of the program.
    pub name: String,
    /// Whether a process computes on one core, however many threads it has; else a thread does.
    pub by_process: bool,
    /// Their processes, the busiest first.
    pub pids: Vec<i32>,
    /// How many there are.
    pub count: usize,
    /// Cores that they use, all together.
    pub cores: f64,
    /// Cores that the rest of the target uses; none where that was not seen.
    pub others: Option<f64>,
    /// How to have more of them; empty where that is not known.
    pub more: &'static str,
}

/// A process or thread that computes on one core, with what it had and what it wants.
struct Worker {
    pid: i32,
    cores: f64,
    wanted: f64,
}

/// The full workers of the target, if another core is left for it.
pub(crate) fn full(case: &Case) -> Option<Full> {
    let found = find(case)?;
    let count = found.count as f64;
    (case.view.full.cores >= count + 0.5 && case.in_flight() >= 1.5 * count).then_some(found)
}

/// Processes of an interpreter that compute all the time, whether or not a core is left.
pub(crate) fn full_processes(case: &Case) -> Option<Full> {
    find(case).filter(|it| it.by_process)
}

fn find(case: &Case) -> Option<Full> {
    let process = &case.view.process;
    let is_its = |it: &&Interpreter| it.programs.iter().any(|name| process.program.starts_with(name));
    // Python without its global lock has a `t` at the end.
    let interpreter = INTERPRETERS.iter().find(is_its).filter(|_| !process.program.ends_with('t'));
    let computes = |group: &str| {
        let threads = interpreter.map_or(&[][..], |it| it.threads);
        threads.is_empty() || threads.contains(&group.trim_end_matches('*'))
    };
    let threads = &case.view.full.busiest;
    let workers = match interpreter {
        Some(_) if threads.is_empty() => return of_groups(case, interpreter?, computes),
        Some(_) => of_processes(threads.iter().filter(|it| computes(&it.group))),
        // A JVM that cannot be asked has threads of its own that compute.
        None if process.program.is_empty() || process.program.starts_with("java") => return None,
        None => threads.iter().map(|it| worker(it.pid, it.cores, it.waiting)).collect(),
    };
    let all: f64 = threads.iter().map(|it| it.cores).sum();
    let mut full: Vec<Worker> = workers.into_iter().filter(|it| it.wanted >= FULL && it.cores >= HAD).collect();
    full.sort_by(|a, b| b.cores.total_cmp(&a.cores));
    let cores: f64 = full.iter().map(|it| it.cores).sum();
    let others = (all - cores).max(0.0);
    let mut pids: Vec<i32> = full.iter().map(|it| it.pid).collect();
    pids.dedup();
    let more = SERVERS.iter().find(|(name, _)| process.program.starts_with(name)).map_or("", |it| it.1);
    (!full.is_empty() && others <= OTHERS * full.len() as f64).then(|| Full {
        name: interpreter.map_or_else(|| process.program.clone(), |it| it.name.to_owned()),
        by_process: interpreter.is_some(),
        pids,
        count: full.len(),
        cores,
        others: Some(others),
        more: interpreter.map_or(more, |it| it.more),
    })
}

fn worker(pid: i32, cores: f64, waiting: f64) -> Worker {
    Worker { pid, cores, wanted: cores + waiting }
}

fn of_processes<'a>(threads: impl Iterator<Item = &'a ThreadSeen>) -> Vec<Worker> {
    let mut processes: BTreeMap<i32, Worker> = BTreeMap::new();
    for thread in threads {
        let process = processes.entry(thread.pid).or_insert_with(|| worker(thread.pid, 0.0, 0.0));
        process.cores += thread.cores;
        process.wanted += thread.cores + thread.waiting;
    }
    processes.into_values().collect()
}

/// The same for a single process whose threads were not told one by one.
fn of_groups(case: &Case, interpreter: &Interpreter, computes: impl Fn(&str) -> bool) -> Option<Full> {
    let tasks = || case.view.full.tasks.iter().filter(|tasks| computes(&tasks.group));
    let cores: f64 = tasks().map(|tasks| tasks.cores).sum();
    let wanted = cores + tasks().map(|tasks| tasks.waiting).sum::<f64>();
    (case.view.process.processes == 1 && wanted >= FULL && cores >= HAD).then(|| Full {
        name: interpreter.name.to_owned(),
        by_process: true,
        pids: Vec::new(),
        count: 1,
        cores,
        others: None,
        more: interpreter.more,
    })
}
