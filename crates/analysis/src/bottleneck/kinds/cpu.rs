//! The target uses all the CPU that it may have.

use super::{
    super::{
        Limit, Verdict,
        case::Case,
        hot,
        one_core::{self, Full},
    },
    queue,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit {
    id: "cpu",
    means: "the cores; of Python, Ruby, Node.js and of servers with few threads, such as nginx, the one core that a process or a thread computes on",
    find,
    cleared,
    knob: super::no_knob,
};

/// Shares of the CPU that are named: at most so many, each from this share on.
const SHARES_MOST: usize = 4;
const LEAST: f64 = 0.02;

fn find(case: &Case) -> Option<Verdict> {
    let full = &case.view.full;
    let target = full.cpu_percent?;
    // Where Plimsoll and other processes keep the machine busy, too, the target must have about half of the CPU used.
    let share = target / full.machine_percent.unwrap_or(target).max(1e-9);
    let has_most = target >= 50.0 && (case.fills_its_cores() || share >= 0.45);
    let all = (case.lacks_cores() && has_most).then(|| Verdict {
        says: format!("CPU ({} of {} CPUs)", number(full.cores), number(case.machine_cores)),
        evidence: evidence(case, target),
        change: match case.view.full.is_stuck() {
            true => {
                "Look where it goes: for a loop that does not end, or work that is too much for one request.".to_owned()
            }
            false => "Use less CPU for each request: profile where it goes; or give it more cores.".to_owned(),
        },
    });
    all.or_else(|| of_one_core(case, target))
}

/// The verdict on processes or threads that compute on one core each and use it up, however many the machine has.
fn of_one_core(case: &Case, target: f64) -> Option<Verdict> {
    let full = one_core::full(case)?;
    let Full { name, count, more, .. } = &full;
    let unit = if full.by_process { "process" } else { "thread" };
    let more = if more.is_empty() { String::new() } else { format!(" ({more})") };
    Some(Verdict {
        says: match count {
            1 => format!("CPU: the one core that a {unit} of {name} computes on"),
            _ => format!("CPU: the {count} cores that {count} {} of {name} compute on, one each", units(&full)),
        },
        evidence: vec![used_up(case, &full), format!("{}{}", of_each(case, target), queue::growth(case))],
        change: format!(
            "Have more {} answer{more}, and see that each has connections; or use less CPU for each request.",
            units(&full)
        ),
    })
}

/// `1.2 ms of CPU for each request; `, if any comes to an end.
fn of_each(case: &Case, target: f64) -> String {
    let per_s = case.view.full.throughput_per_s;
    let ms = || format!("{} ms of CPU for each request; ", number(target * 10.0 / per_s));
    (per_s > 0.0).then(ms).unwrap_or_default()
}

const fn units(full: &Full) -> &'static str {
    if full.by_process { "processes" } else { "threads" }
}

/// A sentence on the use of their cores, and on what is left of others.
fn used_up(case: &Case, full: &Full) -> String {
    let cores = number(case.view.full.cores);
    let uses = number(full.cores / full.count as f64 * 100.0);
    let pids: Vec<String> = full.pids.iter().map(ToString::to_string).collect();
    let pids = match &pids[..] {
        [] => String::new(),
        [pid] => format!(" (process {pid})"),
        several => format!(" (processes {})", several.join(", ")),
    };
    let rest = match full.others {
        Some(others) => format!("; all the rest of it uses {} %", number(others * 100.0)),
        None => String::new(),
    };
    let Full { name, count, .. } = full;
    match (count, full.by_process) {
        (1, true) => format!(
            "{name} computes in one thread at a time, which uses {uses} % of a core, and wants more{pids}; there are {cores} \
             cores{rest}"
        ),
        (1, false) => {
            format!("one thread of {name}{pids} uses {uses} % of a core, and wants more; there are {cores} cores{rest}")
        }
        (_, true) => format!(
            "{count} processes of {name}{pids} compute on one core each, use {uses} % of it on average, and want more; \
             there are {cores} cores{rest}"
        ),
        (_, false) => format!(
            "{count} threads of {name}{pids} use {uses} % of a core each on average, and want more; there are {cores} \
             cores{rest}"
        ),
    }
}

fn evidence(case: &Case, target: f64) -> Vec<String> {
    let full = &case.view.full;
    let mut all = vec![format!(
        "the target uses {} % of a core, the machine {} of {} cores; {} of its threads wait for a core",
        number(target),
        number(full.machine_percent.unwrap_or(target) / 100.0),
        number(case.machine_cores),
        number(case.waiting_for_cores())
    )];
    all.extend(one_core::full_processes(case).filter(|it| it.count > 1).map(|it| used_up(case, &it)));
    all.push(format!("{}{}", of_each(case, target), queue::measured(case)));
    all.extend(full.hottest.as_ref().map(|hot| {
        let jdk = hot.jdk.as_ref().map_or_else(String::new, |class| format!(", most of them in {class}"));
        format!("{} % of the threads that run are in {}{jdk}", number((hot.share * 100.0).round()), hot.class)
    }));
    let shares: Vec<String> = hot::shares(case)
        .iter()
        .take(SHARES_MOST)
        .filter(|(_, share)| *share >= LEAST)
        .map(|(what, share)| format!("{} % {what}", number(share * 100.0)))
        .collect();
    let by = match hot::samples(case) {
        0 => "it goes to".to_owned(),
        samples => format!("by {} of threads it goes to", plimsoll_text::counted(samples, "sample")),
    };
    all.extend((!shares.is_empty()).then(|| format!("{by}: {}", shares.join(", "))));
    all
}

fn cleared(case: &Case) -> Option<String> {
    Some(format!("CPU {} %", number(case.target_share() * 100.0)))
}
