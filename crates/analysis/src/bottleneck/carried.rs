//! Carriers of virtual threads before JDK 24, where a virtual thread that waits for a monitor keeps its carrier, and no
//! dump tells that it waits: threads that run without a core do.

use super::{
    activity::Activity,
    doing::{Doing, count},
    framework::Framework,
    seen::Seen,
    tasks::TasksSeen,
    view::View,
};

/// The first release whose virtual threads leave their carriers at a monitor (JEP 491).
const LEAVES: u32 = 24;
/// The part of the running carriers that have a core, or wait for one, up to which others of them wait for a monitor.
const WITH_A_CORE: f64 = 0.6;

/// Says of carriers that seem to run, and have no core nor want one, that they wait for a monitor.
pub(super) fn mark(view: &mut View) {
    if Framework::of(&view.process).java().is_some_and(|java| java < LEAVES) {
        [&mut view.light, &mut view.full].into_iter().for_each(mark_in);
    }
}

fn mark_in(seen: &mut Seen) {
    let runs = count(&seen.threads, is_meant);
    let want = cores_wanted(&seen.tasks);
    if runs < 0.5 || want > WITH_A_CORE * runs {
        return;
    }
    let waiting = 1.0 - want / runs;
    split(&mut seen.threads, waiting);
    seen.each.iter_mut().for_each(|threads| split(threads, waiting));
}

fn is_meant(doing: &Doing) -> bool {
    doing.is_carrying && doing.what == Activity::Runs && doing.may_enter.is_some()
}

/// Cores that carriers use, and those that they wait for.
pub(super) fn cores_wanted(tasks: &[TasksSeen]) -> f64 {
    let is_of_carriers = |it: &&TasksSeen| ["ForkJoinPool-", "ForkJoi.."].iter().any(|name| it.group.starts_with(name));
    tasks.iter().filter(is_of_carriers).map(|tasks| tasks.cores + tasks.waiting).sum()
}

/// Parts threads into those that run and those that are `waiting`, a share of them.
fn split(threads: &mut Vec<Doing>, waiting: f64) {
    let mut at_monitors = Vec::new();
    for doing in threads.iter_mut().filter(|doing| is_meant(doing)) {
        let class = doing.may_enter.clone().unwrap_or_default();
        at_monitors.push(Doing { what: Activity::Lock { class }, count: doing.count * waiting, ..doing.clone() });
        doing.count *= 1.0 - waiting;
    }
    threads.extend(at_monitors);
    threads.sort_by(|a, b| b.count.total_cmp(&a.count));
}
