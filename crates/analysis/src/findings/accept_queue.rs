//! Connections that had to be asked for again: the target's accept queue was full, and the kernel dropped the SYN.

use plimsoll_record::metric::tcp::LISTEN_OVERFLOWS;

use super::{Cell, ceiling_reached};
use plimsoll_text::{count, counted};

use crate::{
    results::{Finding, Kind, Measure, Weight},
    text::number,
};

pub(super) const KINDS: &[&Kind] = &[&OVERFLOWS, &LATE_CONNECTS];

static OVERFLOWS: Kind = Kind {
    id: "accept-queue-overflows",
    title: "accept-queue overflows",
    weight: Weight::Warning,
    means: "By the kernel's count, connections came while the target's accept queue was full. The kernel drops such \
            a SYN, and the client sends it again after 1 s, 3 s, 7 s; or the client believes that it is connected, \
            and nobody answers. Unless throughput has reached the ceiling of the threads, the figures show the listen \
            backlog.",
    remedy: REMEDY,
    evidence: &[
        Measure { name: "overflows", unit: "", about: "accept-queue overflows" },
        Measure { name: "queue", unit: "", about: "connections that may wait: the listen backlog" },
        Measure { name: "failed", unit: "", about: "failed requests" },
    ],
};

static LATE_CONNECTS: Kind = Kind {
    id: "late-connects",
    title: "late connects",
    weight: Weight::Warning,
    means: "Connects took 1 s and more, the time after which a dropped SYN is sent again, and the kernel's count of \
            overflows was not to be had: the target's accept queue was full, or the network lost the SYN.",
    remedy: REMEDY,
    evidence: &[Measure { name: "connect_p99", unit: "ms", about: "99th percentile of connects" }],
};

const REMEDY: &str = "Raise the listen backlog (Tomcat: `server.tomcat.accept-count`, 100 by default; \
     `ServerSocket`: the second argument, 50 by default; the kernel's `net.core.somaxconn` caps it), or let users \
     come less suddenly.";

/// After this a SYN without an answer is sent again, then after 3 s and 7 s (RFC 6298, section 2; Linux'
/// `TCP_TIMEOUT_INIT`). A connect that takes as long was not slow: it was dropped.
const RETRANSMIT_MS: f64 = 1_000.0;

/// The kernel's count where there is one, else a guess by the time of connects.
pub(super) fn at(cell: &Cell) -> Option<Finding> {
    overflows(cell).or_else(|| late_connects(cell))
}

fn overflows(cell: &Cell) -> Option<Finding> {
    let (place, overflows) = cell.worst(|round| round.watched.growth(LISTEN_OVERFLOWS.name)).filter(|it| it.1 > 0.0)?;
    let (queue, failed) = (cell.results.sockets.accept_queue_max.as_ref(), cell.results.totals.counts.failed);
    let of_queue = queue.map_or(String::new(), |queue| format!(" of a queue of {}", number(queue.median)));
    let failures = if failed > 0 { format!(", and {} requests failed", count(failed)) } else { String::new() };
    let counts = counted(overflows.round() as u64, "accept-queue overflow");
    let is_the_limit = match cell.explanation {
        Some(found) => ["listen-queue", "accept-limit"].contains(&found.limit),
        None => ceiling_reached::reached(cell).is_none(),
    };
    let what = match is_the_limit {
        false => "some users waited to be connected, before they waited to be served",
        true => "these figures show the listen backlog, not the threads",
    };
    let says = format!("The kernel counted {counts}{of_queue}{failures}: {what}.");
    let found = OVERFLOWS.at(place, says).with("overflows", overflows);
    let found = queue.into_iter().fold(found, |found, queue| found.with("queue", queue.median));
    Some(found.with("failed", failed))
}

fn late_connects(cell: &Cell) -> Option<Finding> {
    let p99_ms = cell.results.connect_ms.map(|connect| connect.p99).filter(|&ms| ms >= RETRANSMIT_MS)?;
    let says = "Connects took 1 s and more, the time after which a dropped SYN is sent again: the target's accept \
                queue was full, or the network lost the SYN.";
    Some(LATE_CONNECTS.at(cell.place(), says).with("connect_p99", p99_ms))
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Load, Nanos, ThinkTime};

    use super::*;
    use crate::{
        analyse,
        findings::found_at_levels,
        testing::{Request, execution, greetings, level, level_plan, plan, run, samples, variant},
    };

    fn found(connect_ms: u64, overflows: &[(u64, f64)]) -> Vec<Finding> {
        let load = Load::SharedIterations { vus: 10, iterations: 10, max_duration: None, think: ThinkTime::None };
        let plan_of_level = level_plan("10", load);
        let ms = Nanos::from_millis;
        let request = Request { sent: ms(connect_ms), ..Request::ok(ms(0), ms(connect_ms + 5)) };
        let mut data = level(&plan_of_level, ms(0), &vec![request; 10]);
        data.intervals[0].connect.record(ms(connect_ms));
        let mut data = run(0, 0, ms(0), vec![data]);
        data.samples = samples("listen_overflows", overflows);
        let data = execution(plan(vec![variant("a")], vec![plan_of_level], 1), vec![data]);
        found_at_levels(&data, &analyse(&data), at)
    }

    #[test]
    fn a_dropped_syn_is_told_from_a_slow_connect() {
        assert!(found(900, &[]).is_empty());
        let says = &found(1_010, &[(0, 0.0), (1_000, 0.0)])[0].says;
        assert!(says.starts_with("Connects took 1 s and more"), "{says}");
    }

    #[test]
    fn the_kernels_count_is_told_instead_of_a_guess() {
        let of_kernel = found(1_010, &[(0, 0.0), (100, 214.0), (1_000, 214.0)]);
        assert_eq!(of_kernel.len(), 1);
        assert!(
            of_kernel[0].says.starts_with("The kernel counted 214 accept-queue overflows:"),
            "{}",
            of_kernel[0].says
        );
        assert_eq!((of_kernel[0].gravity(), of_kernel[0].place.round), (214.0, Some(0)));
        assert_eq!(found(5, &[(0, 0.0), (100, 1.0)]).len(), 1, "also where no connect was late");
    }

    #[test]
    fn where_the_threads_are_all_busy_the_backlog_is_not_the_limit() {
        let data = greetings();
        let found = found_at_levels(&data, &analyse(&data), at);
        let places: Vec<String> = found.iter().map(|it| it.place.to_string()).collect();
        assert_eq!(places, ["web-jar @ 2700", "web-jar @ 900"]);
        assert!(found.iter().all(|it| it.says.ends_with("waited to be connected, before they waited to be served.")));
    }
}
