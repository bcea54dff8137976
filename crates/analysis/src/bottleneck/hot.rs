//! Frames that take the CPU: the CPU time of each group of threads, which the kernel counts, split by what its threads
//! were seen to run.

use std::collections::BTreeMap;

use plimsoll_record::Census;

use super::{
    activity::{Activity, class, is_work},
    case::Case,
    doing::Doing,
    known::{self, is_collector},
    seen::Seen,
    tasks::TasksSeen,
};

/// Threads by the kernel’s name that compile, on JDK 26, too (see [`is_of`]).
const COMPILERS: [&str; 3] = ["C* Comp", "C1 Comp", "C2 Comp"];
/// Characters of a thread’s name that the kernel keeps.
const NAME_MOST: usize = 15;

/// The share of the CPU from which on it was used by threads that are gone: figures of threads and of processes are not
/// of quite the same time.
const GONE: f64 = 0.3;

/// Cores that child processes and threads used which have ended; none if they are few.
pub(crate) fn gone(full: &Seen) -> Option<f64> {
    let used = full.cpu_percent.unwrap_or(0.0) / 100.0;
    let seen: f64 = full.tasks.iter().map(|tasks| tasks.cores).sum();
    Some(used - seen).filter(|&gone| used > 0.0 && gone >= GONE * used)
}

/// Shares of the target’s CPU, the greatest first, all together 1: by the service’s own frame where threads have been
/// seen to run one, else by what the threads are.
pub(crate) fn shares(case: &Case) -> Vec<(String, f64)> {
    let full = &case.view.full;
    let gone = gone(full).map(|cores| ("child processes and threads that ended".to_owned(), cores));
    let parts: Vec<_> = full.tasks.iter().flat_map(|tasks| parts(tasks, &full.threads)).chain(gone).collect();
    let all: f64 = parts.iter().map(|(_, cores)| cores).sum();
    let mut shares: Vec<(String, f64)> = Vec::new();
    for (what, cores) in parts {
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
    let is_meant = |doing: &&Doing| doing.what == Activity::Runs && is_of(&tasks.group, &doing.group);
    let runs: Vec<&Doing> = threads.iter().filter(is_meant).collect();
    let sum: f64 = runs.iter().map(|doing| doing.count).sum();
    if sum <= 0.0 {
        return whole(&format!("threads “{}”", tasks.group));
    }
    let what = |doing: &&Doing| doing.site.clone().unwrap_or_else(|| format!("threads “{}”", doing.group));
    runs.iter().map(|doing| (what(doing), tasks.cores * doing.count / sum)).collect()
}

/// Whether the kernel’s name of threads is that of a group. JDK 26 leaves out the middle of a long name
/// (`http-ni..xec-17`), the kernel its end.
pub(crate) fn is_of(tasks: &str, group: &str) -> bool {
    match tasks.split_once("..") {
        Some((head, tail)) => group.starts_with(head) && group.ends_with(tail),
        None => kernels_name(group) == tasks,
    }
}

/// The name of a group as the kernel’s view has it: cut off, and the last number that is left replaced.
fn kernels_name(group: &str) -> String {
    if group.chars().count() <= NAME_MOST && group.ends_with('*') {
        return group.to_owned();
    }
    let cut: String = group.chars().take(NAME_MOST).collect();
    let Some(end) = cut.rfind(|letter: char| letter.is_ascii_digit()) else { return cut };
    let (head, tail) = cut.split_at(end + 1);
    format!("{}*{tail}", head.trim_end_matches(|letter: char| letter.is_ascii_digit()))
}

/// A class in which threads run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hot {
    /// The innermost class that is not the JDK's, if there is one.
    pub class: String,
    /// The innermost class of all, if most of these threads are in the JDK.
    pub jdk: Option<String>,
    /// Its share of the threads that run.
    pub share: f64,
}

/// The class in which most threads run.
pub(super) fn hottest(dumps: &[&Census]) -> Option<Hot> {
    let mut classes: BTreeMap<&str, BTreeMap<&str, u32>> = BTreeMap::new();
    for stack in dumps.iter().flat_map(|census| &census.stacks) {
        let top = stack.frames.first().and_then(|frame| class(frame));
        if let Some(top) = top.filter(|_| is_work(stack) && Activity::of(stack) == Activity::Runs) {
            let beyond = stack.frames.iter().find(|frame| !known::is_of_jdk(frame)).and_then(|frame| class(frame));
            *classes.entry(beyond.unwrap_or(top)).or_default().entry(top).or_default() += stack.count;
        }
    }
    let count = |within: &BTreeMap<&str, u32>| within.values().sum::<u32>();
    let all: u32 = classes.values().map(count).sum();
    let (class, within) = classes.iter().max_by_key(|(_, within)| count(within))?;
    let (top, _) = within.iter().max_by_key(|(_, count)| **count)?;
    Some(Hot {
        class: (*class).to_owned(),
        jdk: (top != class).then(|| (*top).to_owned()),
        share: f64::from(count(within)) / f64::from(all.max(1)),
    })
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Stack, ThreadState};

    use super::*;

    #[test]
    fn names_are_cut_off_as_the_kernel_does() {
        let names =
            ["http-nio-8080-exec-*", "pool-2-thread-*", "ForkJoinPool-1-worker-*", "reactor-http-epoll-*", "main"];
        let cut = ["http-nio-*-e", "pool-2-thread-*", "ForkJoinPool-*-", "reactor-http-ep", "main"];
        assert_eq!(names.map(kernels_name), cut);
        let by_jdk_26 = ["http-ni..xec-*", "ForkJoi..rker-*", "C2 Comp..hread*"];
        let groups = ["http-nio-8080-exec-*", "ForkJoinPool-1-worker-*", "C2 CompilerThread*"];
        assert!(by_jdk_26.into_iter().zip(groups).all(|(tasks, group)| is_of(tasks, group)));
        assert!(!is_of("http-ni..xec-*", "http-nio-8080-Acceptor"));
    }

    #[test]
    fn the_cpu_of_children_that_ended_is_what_no_thread_has_used() {
        let of = |cores: f64| {
            let tasks = vec![TasksSeen { cores, ..TasksSeen::default() }];
            gone(&Seen { cpu_percent: Some(90.0), tasks, ..Seen::default() })
        };
        assert!(of(0.3).is_some_and(|gone| (gone - 0.6).abs() < 1e-9));
        assert_eq!((of(0.7), gone(&Seen::default())), (None, None));
    }

    fn running(count: u32, frames: &[&str]) -> Stack {
        let served =
            ["org.apache.coyote.http11.Http11Processor.service(Http11Processor.java:1)", "java.lang.Thread.run"];
        Stack {
            group: "http-nio-8080-exec-*".to_owned(),
            count,
            state: ThreadState::Runnable,
            frames: frames.iter().chain(&served).map(|frame| (*frame).to_owned()).collect(),
            ..Stack::default()
        }
    }

    #[test]
    fn the_cpu_is_told_by_who_uses_the_jdk_and_for_what() {
        let generator = "tools.jackson.core.json.UTF8JsonGenerator.writeNumber(UTF8JsonGenerator.java:1)";
        let stacks = vec![
            running(3, &["jdk.internal.math.DoubleToDecimal.toDecimal(DoubleToDecimal.java:1)", generator]),
            running(2, &["java.lang.String.getBytes(String.java:1)", generator]),
            running(1, &[generator]),
            running(4, &["app.Prices.sum(Prices.java:1)", generator]),
        ];
        let hot = hottest(&[&Census { stacks, ..Census::default() }]).unwrap();
        assert_eq!(hot.class, "tools.jackson.core.json.UTF8JsonGenerator");
        assert_eq!((hot.jdk.as_deref(), hot.share), (Some("jdk.internal.math.DoubleToDecimal"), 0.6));
        assert!(hottest(&[&Census::default()]).is_none());
    }
}
