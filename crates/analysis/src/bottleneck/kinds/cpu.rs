//! The target uses all the CPU that it may have.

use super::{
    super::{Limit, Verdict, case::Case, hot, interpreter},
    queue,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit {
    id: "cpu",
    means: "the cores; of a single process of Python, Ruby or Node.js the one core that it computes on",
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
    // The target must have about half of what is used, where Plimsoll and others keep the machine busy, too.
    let share = target / full.machine_percent.unwrap_or(target).max(1e-9);
    let has_most = target >= 50.0 && (case.fills_its_cores() || share >= 0.45);
    let all = (case.lacks_cores() && has_most).then(|| Verdict {
        says: format!("CPU ({} of {} CPUs)", number(full.cores), number(case.machine_cores)),
        evidence: evidence(case, target),
        change: "Use less CPU for each request: profile where it goes; or give it more cores.".to_owned(),
    });
    all.or_else(|| of_one_core(case, target))
}

/// Processes that compute in one thread at a time have one core, whatever the machine has.
fn of_one_core(case: &Case, target: f64) -> Option<Verdict> {
    let (interpreter, cores) = interpreter::full(case)?;
    let (name, more) = (interpreter.name, interpreter.more);
    let per_request = target * 10.0 / case.view.full.throughput_per_s.max(1e-9);
    Some(Verdict {
        says: format!("CPU: the one core that a process of {name} computes on"),
        evidence: vec![
            format!(
                "{name} computes in one thread at a time, which uses {} % of a core, and wants more; there are {} \
                 cores",
                number(cores * 100.0),
                number(case.view.full.cores)
            ),
            format!("{} ms of CPU for each request; {}", number(per_request), queue::growth(case)),
        ],
        change: format!("Have more processes share the port ({more}), or use less CPU for each request."),
    })
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
    let per_request = target * 10.0 / full.throughput_per_s.max(1e-9);
    all.push(format!("{} ms of CPU for each request, at {}/s", number(per_request), number(full.throughput_per_s)));
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
