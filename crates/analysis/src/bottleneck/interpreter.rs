//! Programs that compute in one thread at a time, however many they have: the kernel tells that their one core is
//! used up.

use super::case::Case;

/// A runtime whose processes compute on one core each.
#[derive(Debug)]
pub(crate) struct Interpreter {
    pub name: &'static str,
    /// Beginnings of the names of its programs.
    programs: &'static [&'static str],
    /// Its thread alone computes, by the kernel's names of it; else any of them does, but one at a time.
    threads: &'static [&'static str],
    /// More of its processes.
    pub more: &'static str,
}

const ALL: &[Interpreter] = &[
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

/// Part of a core that its threads use or wait for, from which on they compute all the time.
const FULL: f64 = 0.9;
/// Part of it that they must have had: others that keep the machine busy are another limit.
const HAD: f64 = 0.6;

/// A single process of such a program whose core is used up, while another core is left for the service.
pub(crate) fn full(case: &Case) -> Option<(&'static Interpreter, f64)> {
    let process = &case.view.process;
    let full = &case.view.full;
    let is_its = |it: &&Interpreter| it.programs.iter().any(|name| process.program.starts_with(name));
    // Python without its lock has a `t` at the end.
    let found = ALL.iter().find(is_its).filter(|_| !process.program.ends_with('t') && process.processes == 1)?;
    let computes = |group: &str| found.threads.is_empty() || found.threads.contains(&group.trim_end_matches('*'));
    let tasks = || full.tasks.iter().filter(|tasks| computes(&tasks.group));
    let cores: f64 = tasks().map(|tasks| tasks.cores).sum();
    let wanted = cores + tasks().map(|tasks| tasks.waiting).sum::<f64>();
    let is_full = wanted >= FULL && cores >= HAD && full.cores >= 1.5 && case.in_flight() >= 1.5;
    is_full.then_some((found, cores))
}
