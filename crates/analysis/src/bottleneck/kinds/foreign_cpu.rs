//! Other processes use the CPU.

use super::{
    super::{Limit, Verdict, case::Case, tasks::OtherSeen},
    silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit =
    Limit { id: "foreign-cpu", means: "other processes on the machine", find, cleared: silent, knob: super::no_knob };

/// The most processes that are named, and the least CPU of each, 100 = one core.
const NAMED_MOST: usize = 3;
const NAMED_PERCENT: f64 = 10.0;
/// Share of the machine that others use.
const SHARE: f64 = 0.3;

fn find(case: &Case) -> Option<Verdict> {
    let full = &case.view.full;
    let others = full.others_percent()?;
    let target = full.cpu_percent?;
    let share = others / (case.machine_cores * 100.0);
    // A target that fills its own cores is not held back by others.
    let is_held_back = case.lacks_cores() && !case.fills_its_cores();
    ((is_held_back && share >= SHARE && others >= 0.8 * target)
        || (case.is_crowded_out() && others >= full.own_percent))
        .then(|| Verdict {
            says: "CPU that other processes use".to_owned(),
            evidence: evidence(case, others, target),
            change: "Move them to another machine, or give each its cores (cpusets, requests and limits).".to_owned(),
        })
}

fn evidence(case: &Case, others: f64, target: f64) -> Vec<String> {
    let full = &case.view.full;
    let busy = format!(
        "the machine’s {} cores are busy: others use {} % of a core, the target {} %, Plimsoll {} %; {} of the \
         target’s threads wait for a core",
        number(case.machine_cores),
        number(others),
        number(target),
        number(full.own_percent),
        number(case.waiting_for_cores())
    );
    let named = by_name(&full.others).into_iter().take(NAMED_MOST).filter(|(_, _, percent)| *percent >= NAMED_PERCENT);
    let process = |pids: &[i32]| match pids {
        [pid] => format!("process {pid}"),
        several => format!("{} processes, {} first", several.len(), several[0]),
    };
    let named: Vec<String> =
        named.map(|(name, pids, percent)| format!("{name} ({}) {} %", process(&pids), number(percent))).collect();
    let busiest = (!named.is_empty()).then(|| format!("the busiest of them: {}", named.join(", ")));
    [busy].into_iter().chain(busiest).collect()
}

/// Processes of one name together, the busiest name first, the busiest process of it first.
fn by_name(others: &[OtherSeen]) -> Vec<(&str, Vec<i32>, f64)> {
    let mut names: Vec<(&str, Vec<i32>, f64)> = Vec::new();
    for other in others {
        match names.iter_mut().find(|it| it.0 == other.name) {
            Some((_, pids, percent)) => {
                pids.push(other.pid);
                *percent += other.percent;
            }
            None => names.push((&other.name, vec![other.pid], other.percent)),
        }
    }
    names.sort_by(|a, b| b.2.total_cmp(&a.2));
    names
}
