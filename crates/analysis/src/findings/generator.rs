//! The generator, not the service, was the limit.

use plimsoll_record::ErrorKind;

use super::Cell;
use plimsoll_text::count;

use crate::{
    generator,
    results::{Finding, GeneratorLimit, Kind, Measure, Weight},
    text::number,
};

pub(super) const CPU_KINDS: &[&Kind] = &[&CPU];
pub(super) const LATE_KINDS: &[&Kind] = &[&LATE];
pub(super) const PORTS_KINDS: &[&Kind] = &[&PORTS];
pub(super) const DESCRIPTORS_KINDS: &[&Kind] = &[&DESCRIPTORS];

static CPU: Kind = Kind {
    id: "generator-cpu",
    title: "generator out of CPU",
    weight: Weight::Warning,
    means: "A thread of the generator had no CPU left for more than a tenth of the level: the figures are those of the \
            generator, and no claim about them is judged.",
    remedy: "Give the generator more threads (`--threads`) and cores of its own, or share the load among machines \
             (`--segment`).",
    evidence: &[
        Measure { name: "saturated", unit: "%", about: "of the time without CPU left" },
        Measure { name: "busiest_worker", unit: "%", about: "of a core used by the busiest thread" },
    ],
};

static LATE: Kind = Kind {
    id: "generator-late",
    title: "generator late",
    weight: Weight::Warning,
    means: "The generator sent requests late though no limit held them back, by more than a twentieth of the median \
            response time. Response times count that wait.",
    remedy: "Give the generator cores of its own, or lower the load.",
    evidence: &[
        Measure { name: "send_lag_p99", unit: "ms", about: "send lag that 1 % of requests exceeded, and ten at least" },
        Measure { name: "response_median", unit: "ms", about: "median response time" },
    ],
};

static PORTS: Kind = Kind {
    id: "generator-ports",
    title: "generator out of ports",
    weight: Weight::Warning,
    means: "Requests found no local port for a new connection.",
    remedy: "Keep connections open, use several source addresses (`--source`), or widen \
             `net.ipv4.ip_local_port_range`.",
    evidence: &[Measure { name: "failed", unit: "", about: "requests without a local port" }],
};

static DESCRIPTORS: Kind = Kind {
    id: "generator-descriptors",
    title: "generator out of descriptors",
    weight: Weight::Warning,
    means: "Requests found no file descriptor for a new connection.",
    remedy: "Raise the hard limit (`ulimit -Hn`, `LimitNOFILE=` of a service), or allow fewer requests in flight.",
    evidence: &[Measure { name: "failed", unit: "", about: "requests without a file descriptor" }],
};

fn is_limited_by(cell: &Cell, limit: GeneratorLimit) -> bool {
    cell.results.generator.limits.contains(&limit)
}

pub(super) fn cpu(cell: &Cell) -> Option<Finding> {
    let health = &cell.results.generator;
    let says = format!(
        "The generator was the limit: one of its threads had no CPU left in {} % of the time (it used {} % of a core).",
        number(health.saturated_percent),
        number(health.busiest_worker_percent)
    );
    let found = || CPU.at(cell.place(), says).with("saturated", health.saturated_percent);
    is_limited_by(cell, GeneratorLimit::Cpu).then(|| found().with("busiest_worker", health.busiest_worker_percent))
}

pub(super) fn late(cell: &Cell) -> Option<Finding> {
    let generator::Latest { round, share_percent, lag_ms, median_ms } =
        generator::latest(cell.rounds).filter(|_| is_limited_by(cell, GeneratorLimit::SendLag))?;
    let says = format!(
        "The generator was the limit: it sent {} % of requests more than {} ms late, at a median response time of {} \
         ms, and response times count that wait.",
        number(share_percent),
        number(lag_ms),
        number(median_ms)
    );
    let found = LATE.at(cell.place().in_round(Some(round)), says);
    Some(found.with("send_lag_p99", lag_ms).with("response_median", median_ms))
}

pub(super) fn ports(cell: &Cell) -> Option<Finding> {
    failed_by(cell, ErrorKind::PortsExhausted, &PORTS, "local port")
}

pub(super) fn descriptors(cell: &Cell) -> Option<Finding> {
    failed_by(cell, ErrorKind::DescriptorsExhausted, &DESCRIPTORS, "file descriptor")
}

fn failed_by(cell: &Cell, error: ErrorKind, kind: &'static Kind, lacking: &str) -> Option<Finding> {
    let failed = generator::failed_by(cell.rounds, error);
    let says = || format!("The generator was the limit: {} requests found no {lacking}.", count(failed));
    (failed > 0).then(|| kind.at(cell.place(), says()).with("failed", failed))
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Arrivals, ErrorKind, Load, Nanos};

    use crate::{
        analyse,
        testing::{Request, burst, execution, level, level_plan, plan, run, variant},
    };

    #[test]
    fn levels_with_the_same_limit_are_alike() {
        let levels = [burst(1), burst(2)];
        let data = levels.clone().map(|plan| {
            let mut data = level(&plan, Nanos::ZERO, &[Request::ok(Nanos::ZERO, Nanos::from_secs(1))]);
            data.intervals[0].generator.busiest_worker_percent = 99.0;
            data
        });
        let runs = vec![run(0, 0, Nanos::ZERO, data.to_vec())];
        let findings = analyse(&execution(plan(vec![variant("a")], levels.to_vec(), 1), runs)).findings;
        let found: Vec<_> = findings.iter().filter(|it| it.kind.id == "generator-cpu").collect();
        let [first, second] = found[..] else { panic!("{findings:#?}") };
        assert!(first.says.contains("one of its threads had no CPU left in 100 %"), "{}", first.says);
        assert_eq!((first.gravity(), first.place.to_string().as_str()), (100.0, "a @ 1"));
        assert!(first.is_like(second));
    }

    #[test]
    fn each_thing_that_a_generator_lacks_is_told_by_its_name() {
        let ms = Nanos::from_millis;
        let load = Load::ConstantArrivalRate {
            rate: 100.0,
            duration: ms(5_000),
            arrivals: Arrivals::Even,
            max_in_flight: 100,
            drop_late: false,
        };
        let late = |k: u64| Request { sent: ms(k * 10 + 50), ..Request::ok(ms(k * 10), ms(k * 10 + 70)) };
        let plan_of_level = level_plan("x", load);
        let mut data = level(&plan_of_level, ms(0), &(0..500).map(late).collect::<Vec<_>>());
        for kind in [ErrorKind::PortsExhausted, ErrorKind::DescriptorsExhausted] {
            data.intervals[0].errors.entry(kind).or_default().count = 3;
        }
        let runs = vec![run(0, 0, ms(0), vec![data])];
        let findings = analyse(&execution(plan(vec![variant("a")], vec![plan_of_level], 1), runs)).findings;
        let gravity = |id| findings.iter().find(|it| it.kind.id == id).map(|it| it.gravity().round());
        assert_eq!(gravity("generator-late"), Some(50.0));
        assert_eq!((gravity("generator-ports"), gravity("generator-descriptors")), (Some(3.0), Some(3.0)));
        assert_eq!(gravity("generator-cpu"), None);
    }
}
