//! Frames that take the CPU: the CPU time of each group of threads, which the kernel counts, divided by what its
//! threads were seen to run.

use super::{activity::Activity, case::Case, doing::Doing, known::is_collector, tasks::TasksSeen};

/// Threads by the kernel’s name that compile.
const COMPILERS: [&str; 3] = ["C* Compiler", "C1 Compiler", "C2 Compiler"];
/// Characters of a thread’s name that the kernel keeps.
const NAME_MOST: usize = 15;

/// Shares of the target’s CPU, the greatest first, all together 1: by the service’s own frame where threads have been
/// seen to run one, else by what the threads are.
pub(crate) fn shares(case: &Case) -> Vec<(String, f64)> {
    let full = &case.view.full;
    let all: f64 = full.tasks.iter().map(|tasks| tasks.cores).sum();
    let mut shares: Vec<(String, f64)> = Vec::new();
    for (what, cores) in full.tasks.iter().flat_map(|tasks| parts(tasks, &full.threads)) {
        match shares.iter_mut().find(|share| share.0 == what) {
            Some(share) => share.1 += cores / all.max(1e-9),
            None => shares.push((what, cores / all.max(1e-9))),
        }
    }
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    shares
}

/// Threads that were seen to run, in all dumps.
pub(crate) fn samples(case: &Case) -> u64 {
    let full = &case.view.full;
    let runs = full.threads.iter().filter(|doing| doing.what == Activity::Runs && doing.site.is_some());
    let each: f64 = runs.map(|doing| doing.count).sum();
    (each * full.dumps as f64).round() as u64
}

/// The cores of a group by what its threads run.
fn parts(tasks: &TasksSeen, threads: &[Doing]) -> Vec<(String, f64)> {
    let whole = |what: &str| vec![(what.to_owned(), tasks.cores)];
    if COMPILERS.iter().any(|prefix| tasks.group.starts_with(prefix)) {
        return whole("the JIT compiler");
    }
    if is_collector(&tasks.group) {
        return whole("garbage collection");
    }
    let is_meant = |doing: &&Doing| doing.what == Activity::Runs && kernels_name(&doing.group) == tasks.group;
    let runs: Vec<&Doing> = threads.iter().filter(is_meant).collect();
    let sum: f64 = runs.iter().map(|doing| doing.count).sum();
    if sum <= 0.0 {
        return whole(&format!("threads “{}”", tasks.group));
    }
    let what = |doing: &&Doing| doing.site.clone().unwrap_or_else(|| format!("threads “{}”", doing.group));
    runs.iter().map(|doing| (what(doing), tasks.cores * doing.count / sum)).collect()
}

/// The name of a group as the kernel’s view has it: cut off, and the last number that is left replaced.
pub(crate) fn kernels_name(group: &str) -> String {
    if group.chars().count() <= NAME_MOST && group.ends_with('*') {
        return group.to_owned();
    }
    let cut: String = group.chars().take(NAME_MOST).collect();
    let Some(end) = cut.rfind(|letter: char| letter.is_ascii_digit()) else { return cut };
    let (head, tail) = cut.split_at(end + 1);
    format!("{}*{tail}", head.trim_end_matches(|letter: char| letter.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_off_as_the_kernel_does() {
        let names =
            ["http-nio-8080-exec-*", "pool-2-thread-*", "ForkJoinPool-1-worker-*", "reactor-http-epoll-*", "main"];
        let cut = ["http-nio-*-e", "pool-2-thread-*", "ForkJoinPool-*-", "reactor-http-ep", "main"];
        assert_eq!(names.map(kernels_name), cut);
    }
}
