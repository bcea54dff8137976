//! Processes beside the target that take the CPU.

use std::cmp::Reverse;

use plimsoll_record::{Nanos, OtherProcess};
use rustix::param::clock_ticks_per_second;

use crate::processes::Processes;

/// Share of a core, since the last look, from which on one is told.
const NOTABLE: f64 = 0.01;
/// Processes that are told at most, the busiest first.
const MOST: usize = 20;

/// Looks at all processes now and then.
#[derive(Debug, Default)]
pub(super) struct Others {
    last: Option<Processes>,
}

impl Others {
    /// Processes that have used a notable part of a core since the last look, but for this one and those of the
    /// target; none at the first.
    pub fn look(&mut self, target: &[i32]) -> Vec<OtherProcess> {
        let now = Processes::look();
        let own = i32::try_from(std::process::id()).unwrap_or(-1);
        let told = self.last.as_ref().map(|last| busiest(&now, last, |pid| pid == own || target.contains(&pid)));
        self.last = Some(now);
        told.unwrap_or_default()
    }
}

fn busiest(now: &Processes, last: &Processes, has_part: impl Fn(i32) -> bool) -> Vec<OtherProcess> {
    let least = (NOTABLE * now.ticks_since(last)).max(1.0);
    let mut busy: Vec<(u64, OtherProcess)> = now
        .used_since(last)
        .filter(|&(pid, _, used)| !has_part(pid) && used as f64 >= least)
        .map(|(pid, process, used)| {
            let cpu = Nanos::from_secs_f64(process.stat.cpu_ticks as f64 / clock_ticks_per_second() as f64);
            (used, OtherProcess { pid, name: process.name.clone(), cpu })
        })
        .collect();
    busy.sort_by_key(|(used, process)| (Reverse(*used), process.pid));
    busy.into_iter().take(MOST).map(|(_, process)| process).collect()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::processes::testing::processes;

    #[test]
    fn the_busiest_since_the_last_look_are_told_by_name() {
        let begun = Instant::now();
        let last = [(7, "p7", 1, 999), (8, "p8", 1, 100), (10, "p10", 1, 2), (11, "p11", 1, 900), (12, "p12", 1, 9)];
        let now = [
            (7, "p7", 1, 1_000),
            (8, "p8", 1, 150),
            (9, "p9", 5, 40),
            (10, "p10", 1, 2),
            (11, "new", 6, 30),
            (12, "p12", 1, 99),
        ];
        // Five seconds: at least a hundredth of a core.
        let (last, now) = (processes(begun, &last), processes(begun + Duration::from_secs(5), &now));
        let told = busiest(&now, &last, |pid| pid == 12);
        let told: Vec<(i32, &str)> = told.iter().map(|it| (it.pid, it.name.as_str())).collect();
        assert_eq!(told, [(8, "p8"), (9, "p9"), (11, "new")], "one that is new has used all of its time since then");
    }

    #[test]
    fn the_first_look_tells_nobody() {
        assert_eq!(Others::default().look(&[1]), []);
    }
}
