//! Connections whose SYN had to be sent again: the target's accept queue was full, and the kernel dropped it.

use plimsoll_text::{count, counted};

use super::{Cell, ceiling_reached};
use crate::{
    bottleneck::server,
    measured::{Overflows, SYN_RETRANSMIT},
    results::{Finding, Kind, Measure, Weight},
    text::number,
};

pub(super) const KINDS: &[&Kind] = &[&OVERFLOWS, &LATE_CONNECTS];
pub(super) const ELSEWHERE_KINDS: &[&Kind] = &[&ELSEWHERE];

static OVERFLOWS: Kind = Kind {
    id: "accept-queue-overflows",
    title: "accept-queue overflows",
    weight: Weight::Warning,
    means: "By the counts of the kernel and of the target's own listening sockets, connections came while the target's \
            accept queue was full. The kernel drops such a SYN, and the client sends it again after 1 s, 3 s, 7 s; or \
            the client believes that it is connected, and nobody answers. Unless throughput has reached the ceiling of \
            the threads, the figures show the listen backlog. Where the sockets do not tell, overflows are the \
            target's if its queue was seen full or a connect took 1 s and more.",
    remedy: "Raise the listen backlog, in the words of the target's server where that is known (Tomcat: \
             `server.tomcat.accept-count`, 100 by default; the kernel's `net.core.somaxconn` caps it), or let users \
             come less suddenly.",
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
    means: "Connects took 1 s and more, the time after which a dropped SYN is sent again, and no overflow was counted: \
            the network lost the SYN; or, where the kernel's counts were not to be had, the target's accept queue was \
            full.",
    remedy: "Look at the network between the two; if the target's accept queue was full, raise its listen backlog.",
    evidence: &[Measure { name: "connect_p99", unit: "ms", about: "99th percentile of connects" }],
};

static ELSEWHERE: Kind = Kind {
    id: "overflows-elsewhere",
    title: "overflows of another socket",
    weight: Weight::Info,
    means: "The kernel counts overflows of accept queues for a whole network namespace, and those were not the \
            target's: its own listening sockets refused nothing, or far less. Where these do not tell, its queue was \
            never seen full, and no connect took 1 s. The figures of the target do not show them.",
    remedy: "Nothing is to be done about the target. `ss -ltn` lists what else listens there; a run with `network` has \
             namespaces of its own.",
    evidence: &[Measure { name: "overflows", unit: "", about: "overflows of other sockets" }],
};

/// The relative difference that is due to reading counts one after the other.
const NOTABLE: f64 = 0.05;

/// The target's own overflows if there are any, else a guess by the time of connects.
pub(super) fn at(cell: &Cell) -> Option<Finding> {
    overflows(cell).or_else(|| late_connects(cell))
}

fn overflows(cell: &Cell) -> Option<Finding> {
    let (place, overflows) = cell.worst(|round| Some(round.overflows()?.own)).filter(|it| it.1 > 0.0)?;
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
    let found = OVERFLOWS.at(place, says).advising(remedy(cell)).with("overflows", overflows);
    let found = queue.into_iter().fold(found, |found, queue| found.with("queue", queue.median));
    Some(found.with("failed", failed))
}

/// The remedy, with the server's own setting if the server was seen.
fn remedy(cell: &Cell) -> String {
    let setting = server::accept_queue_of(cell.variant.server.as_ref()).text;
    format!("Raise {setting}, which the kernel’s net.core.somaxconn caps, or let users come less suddenly.")
}

/// Overflows of the namespace that are not the target's.
pub(super) fn elsewhere(cell: &Cell) -> Option<Finding> {
    let is_notable = |it: &Overflows| it.others >= 1.0 && it.others > NOTABLE * it.own;
    let overflows = cell.rounds.iter().filter_map(|round| Some((round.round, round.overflows()?)));
    let notable = overflows.filter(|(_, overflows)| is_notable(overflows));
    let (round, found) = notable.max_by(|a, b| a.1.others.total_cmp(&b.1.others))?;
    let counts = counted(found.others.round() as u64, "accept-queue overflow");
    let whose = match (found.is_told, found.own > 0.0) {
        (true, true) => "beside those of the target's own socket: another socket of this namespace overflowed, too",
        (true, false) => "none of them of the target's own socket: another socket of this namespace overflowed",
        (false, _) => {
            "and nothing shows that they are the target's: its queue was never seen full, and no connect took 1 s"
        }
    };
    let says = format!("The kernel counted {counts} in the target's network namespace, {whose}.");
    let place = cell.place().in_round(Some(round));
    Some(ELSEWHERE.at(place, says).with("overflows", found.others))
}

fn late_connects(cell: &Cell) -> Option<Finding> {
    let is_late = |&ms: &f64| ms >= SYN_RETRANSMIT.as_millis_f64();
    let p99_ms = cell.results.connect_ms.map(|connect| connect.p99).filter(is_late)?;
    let is_told = cell.rounds.iter().all(|round| round.overflows().is_some_and(|it| it.is_told));
    let why = match is_told {
        true => "the target's accept queue refused none, so the network lost the SYN",
        false => "the target's accept queue was full, or the network lost the SYN",
    };
    let says = format!("Connects took 1 s and more, the time after which a dropped SYN is sent again: {why}.");
    Some(LATE_CONNECTS.at(cell.place(), says).with("connect_p99", p99_ms))
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Load, Nanos, ServerSeen, ThinkTime, VariantPlan};

    use super::*;
    use crate::{
        analyse,
        findings::found_at_levels,
        testing::{Request, execution, greetings, level, level_plan, plan, run, samples, variant},
    };

    fn found(connect_ms: u64, overflows: &[(u64, f64)]) -> Vec<Finding> {
        found_by(at, connect_ms, &[("listen_overflows", overflows)], None)
    }

    fn found_by(
        finder: fn(&Cell) -> Option<Finding>,
        connect_ms: u64,
        sampled: &[(&str, &[(u64, f64)])],
        server: Option<ServerSeen>,
    ) -> Vec<Finding> {
        let load = Load::SharedIterations { vus: 10, iterations: 10, max_duration: None, think: ThinkTime::None };
        let plan_of_level = level_plan("10", load);
        let ms = Nanos::from_millis;
        let request = Request { sent: ms(connect_ms), ..Request::ok(ms(0), ms(connect_ms + 5)) };
        let mut data = level(&plan_of_level, ms(0), &vec![request; 10]);
        data.intervals[0].connect.record(ms(connect_ms));
        let mut data = run(0, 0, ms(0), vec![data]);
        data.samples = sampled.iter().flat_map(|(metric, values)| samples(metric, values)).collect();
        let variants = vec![VariantPlan { server, ..variant("a") }];
        let data = execution(plan(variants, vec![plan_of_level], 1), vec![data]);
        found_at_levels(&data, &analyse(&data), finder)
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
        let (counted, refused) = ([(0, 0.0), (100, 1.0)], [(0, 0.0), (100, 1.0)]);
        let told = found_by(at, 5, &[("listen_overflows", &counted), ("accept_queue_drops", &refused)], None);
        assert_eq!(told.len(), 1, "also where no connect was late");
    }

    #[test]
    fn overflows_of_another_socket_are_not_the_targets() {
        let of = |finder, refused, connect_ms| {
            let counted = [(0, 0.0), (100, 214.0)];
            let refused = [(0, 0.0), (100, refused)];
            let sampled = [("listen_overflows", &counted[..]), ("accept_queue_drops", &refused[..])];
            let found = found_by(finder, connect_ms, &sampled, None);
            found.first().map(|it| it.says.clone())
        };
        assert_eq!(of(at, 0.0, 5), None);
        let others = of(elsewhere, 0.0, 5).expect("the kernel counted some");
        assert!(others.contains("214 accept-queue overflows in the target's network namespace, none"), "{others}");
        let late = of(at, 0.0, 1_010).expect("connects were late");
        assert!(late.ends_with("refused none, so the network lost the SYN."), "{late}");

        assert!(of(at, 214.0, 5).is_some_and(|says| says.starts_with("The kernel counted 214")));
        assert_eq!(of(elsewhere, 214.0, 5), None);
        assert_eq!(of(elsewhere, 210.0, 5), None, "counts are read one after the other");
        assert!(of(elsewhere, 14.0, 5).is_some_and(|says| says.contains("200 accept-queue overflows")));
    }

    #[test]
    fn sockets_that_do_not_tell_leave_it_to_signs() {
        let unclear = [("listen_overflows", &[(0, 0.0), (100, 3.0)][..])];
        assert_eq!(found_by(at, 5, &unclear, None), []);
        let says = &found_by(elsewhere, 5, &unclear, None)[0].says;
        assert!(says.contains("nothing shows that they are the target's"), "{says}");
    }

    #[test]
    fn the_remedy_is_in_the_words_of_the_server() {
        let remedy = |process: &str, library: &str| {
            let server = ServerSeen { process: process.to_owned(), libraries: vec![library.to_owned()] };
            let counted = [("listen_overflows", &[(0, 0.0), (100, 3.0)][..])];
            found_by(at, 1_010, &counted, Some(server))[0].remedy.clone()
        };
        assert!(remedy("nginx", "").starts_with("Raise `backlog=` of nginx’s `listen`"));
        assert!(remedy("java", "jetty-server-12.0.1").contains("setAcceptQueueSize"));
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
