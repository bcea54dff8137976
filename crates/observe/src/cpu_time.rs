//! CPU time of processes, with that of children which ended and which they have waited for: a service that runs a
//! command for each request uses most of its CPU in these.

use std::collections::BTreeMap;

use crate::parse::process::Stat;

/// CPU time, in clock ticks, that these processes have used since `last`. One that is seen for the first time counts if
/// it began at `since` or later, in clock ticks after boot: all that another one used so far would look like a peak.
/// `busy` are the ticks for which the machine was busy meanwhile: a child that ended may have used its CPU before.
pub(crate) fn used(last: &BTreeMap<i32, Stat>, now: &BTreeMap<i32, Stat>, since: u64, busy: Option<u64>) -> u64 {
    let of = |all: &BTreeMap<i32, Stat>, pid: &i32, it: &Stat| all.get(pid).copied().filter(|found| found.is_same(it));
    let (mut used, mut waited_for) = (0_u64, 0_u64);
    for (pid, stat) in now {
        let (cpu, waited) = match of(last, pid, stat) {
            Some(before) => (before.cpu_ticks, before.waited_ticks),
            None if stat.start_ticks >= since => (0, 0),
            None => continue,
        };
        used += stat.cpu_ticks.saturating_sub(cpu);
        waited_for += stat.waited_ticks.saturating_sub(waited);
    }
    // Processes that have ended since have counted for as long as they were seen.
    let ended = last.iter().filter(|&(pid, stat)| of(now, pid, stat).is_none());
    let counted = ended.fold(0_u64, |sum, (_, stat)| sum + stat.cpu_ticks + stat.waited_ticks);
    let unseen = waited_for.saturating_sub(counted);
    used + busy.map_or(unseen, |busy| unseen.min(busy.saturating_sub(used)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Processes by number, CPU time, that of children which were waited for, and the tick of their start.
    fn processes(all: &[(i32, u64, u64, u64)]) -> BTreeMap<i32, Stat> {
        let stat = |&(pid, cpu_ticks, waited_ticks, start_ticks): &(i32, u64, u64, u64)| {
            (pid, Stat { state: 'S', parent: 1, cpu_ticks, waited_ticks, start_ticks })
        };
        all.iter().map(stat).collect()
    }

    #[test]
    fn the_time_is_that_of_this_interval_and_these_processes() {
        let last = processes(&[(1, 100, 0, 500), (2, 70, 0, 600), (3, 9, 0, 700)]);
        // 1 used 30. 3 is another process under a used number: 4. 4 is new: 8. 5 is old, but not seen before: nobody
        // can tell.
        let now = processes(&[(1, 130, 0, 500), (3, 4, 0, 1_005), (4, 8, 0, 1_002), (5, 900, 40, 400)]);
        assert_eq!(used(&last, &now, 1_000, None), 42);
    }

    #[test]
    fn children_count_that_came_and_went_between_two_looks() {
        let (last, now) = (processes(&[(1, 100, 500, 7)]), processes(&[(1, 103, 560, 7)]));
        assert_eq!(used(&last, &now, 1_000, None), 63);
    }

    #[test]
    fn a_child_that_was_seen_counts_once() {
        // 2 used 5 more after it was seen last.
        let (last, now) = (processes(&[(1, 100, 0, 7), (2, 800, 10, 8)]), processes(&[(1, 103, 815, 7)]));
        assert_eq!(used(&last, &now, 1_000, None), 3 + 5);
        // Nobody waited for it: its last ticks are lost.
        assert_eq!(used(&last, &processes(&[(1, 103, 0, 7)]), 1_000, None), 3);
    }

    #[test]
    fn no_more_is_used_than_the_machine_was_busy() {
        // 2 was gone before 1 was read to have waited for it.
        let (last, now) = (processes(&[(1, 100, 0, 7)]), processes(&[(1, 103, 815, 7)]));
        assert_eq!(used(&last, &now, 1_000, Some(20)), 20);
        assert_eq!(used(&last, &now, 1_000, Some(2)), 3);
    }
}
