//! Processes beside the target that take the CPU.

use std::{collections::HashMap, time::Instant};

use plimsoll_record::{Nanos, OtherProcess};
use rustix::param::clock_ticks_per_second;

use crate::{
    listener,
    parse::process::{self, Stat},
    read,
};

/// Share of a core, since the last look, from which on one is told.
const NOTABLE: f64 = 0.01;
/// Processes that are told at most, the busiest first.
const MOST: usize = 20;

/// Looks at all processes now and then.
#[derive(Debug, Default)]
pub(super) struct Others {
    /// CPU time of each at the last look, in clock ticks, and when that was.
    last: Option<(Instant, HashMap<i32, u64>)>,
}

impl Others {
    /// Processes that have used a notable part of a core since the last look, but for this one and those of the
    /// target; none at the first.
    pub fn look(&mut self, target: &[i32]) -> Vec<OtherProcess> {
        let now = Instant::now();
        let own = i32::try_from(std::process::id()).unwrap_or(-1);
        let all = listener::pids().into_iter().filter(|pid| *pid != own && !target.contains(pid));
        let all: Vec<(i32, String, u64)> = all.filter_map(|pid| named(pid, &text(pid)?)).collect();
        let ticks = all.iter().map(|(pid, _, ticks)| (*pid, *ticks)).collect();
        let Some((before, last)) = self.last.replace((now, ticks)) else { return Vec::new() };
        let least = NOTABLE * (now - before).as_secs_f64() * clock_ticks_per_second() as f64;
        busiest(all, &last, least)
    }
}

fn text(pid: i32) -> Option<String> {
    read::text(format!("/proc/{pid}/stat"))
}

/// Number, name and CPU time in clock ticks.
fn named(pid: i32, text: &str) -> Option<(i32, String, u64)> {
    let Stat { cpu_ticks, .. } = process::stat(text)?;
    Some((pid, process::name(text)?.to_owned(), cpu_ticks))
}

fn busiest(all: Vec<(i32, String, u64)>, last: &HashMap<i32, u64>, least: f64) -> Vec<OtherProcess> {
    // One that was not there before has begun since.
    let grown = |pid: i32, ticks: u64| ticks.saturating_sub(last.get(&pid).copied().unwrap_or(0)) as f64;
    let mut busy: Vec<(f64, OtherProcess)> = all
        .into_iter()
        .map(|(pid, name, ticks)| {
            let cpu = Nanos::from_secs_f64(ticks as f64 / clock_ticks_per_second() as f64);
            (grown(pid, ticks), OtherProcess { pid, name, cpu })
        })
        .filter(|(grown, _)| *grown >= least.max(1.0))
        .collect();
    busy.sort_by(|a, b| b.0.total_cmp(&a.0));
    busy.into_iter().take(MOST).map(|(_, process)| process).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_busiest_since_the_last_look_are_told_by_name() {
        let process = |pid: i32, ticks| (pid, format!("p{pid}"), ticks);
        let all = vec![process(7, 1_000), process(8, 150), process(9, 40), process(10, 2)];
        let last = HashMap::from([(7, 999), (8, 100), (10, 2)]);
        let told = busiest(all, &last, 5.0);
        let told: Vec<(i32, &str)> = told.iter().map(|it| (it.pid, it.name.as_str())).collect();
        assert_eq!(told, [(8, "p8"), (9, "p9")], "one that is new has used all of its time since then");
    }

    #[test]
    fn the_first_look_tells_nobody() {
        assert_eq!(Others::default().look(&[1]), []);
    }
}
