//! Workers ÷ service time and pool ÷ call time are the most a system can do.

use plimsoll_record::{Nanos, Statistic};

use super::{Row, row::FAILED_PERCENT};
use crate::{
    results::{Finding, Kind, Measure, Weight},
    text::{figure, ms, number, seconds},
};

pub(super) const KINDS: &[&Kind] = &[&FASTER_THAN_SERVICE, &FASTER_THAN_WORKERS, &ABOVE, &REACHED];

static FASTER_THAN_SERVICE: Kind = Kind {
    id: "audit-faster-than-service",
    title: "faster than the service",
    weight: Weight::Contradiction,
    means: "A time is shorter than each request takes at least.",
    remedy: "Do not use the row: one of the figures is wrong.",
    evidence: &[
        Measure { name: "time", unit: "ms", about: "printed" },
        Measure { name: "least", unit: "ms", about: "at least" },
    ],
};

static FASTER_THAN_WORKERS: Kind = Kind {
    id: "audit-faster-than-workers",
    title: "faster than its workers",
    weight: Weight::Warning,
    means: "Requests that come at once are served in waves, and their mean is lower than the waves allow: they did not \
            all come at once, or one of the figures is wrong.",
    remedy: "Do not take the mean for that of a burst.",
    evidence: &[
        Measure { name: "mean", unit: "ms", about: "mean printed" },
        Measure { name: "least", unit: "ms", about: "mean at least" },
    ],
};

static ABOVE: Kind = Kind {
    id: "audit-above-ceiling",
    title: "above its ceiling",
    weight: Weight::Contradiction,
    means: "Throughput is above what workers ÷ service time, or pooled connections ÷ call time, allow.",
    remedy: "Do not use the row: one of the figures is wrong.",
    evidence: &[
        Measure { name: "reached", unit: "%", about: "of the ceiling" },
        Measure { name: "ceiling", unit: "/s", about: "that the setting allows" },
    ],
};

static REACHED: Kind = Kind {
    id: "audit-at-ceiling",
    title: "at its ceiling",
    weight: Weight::Info,
    means: "Throughput is what workers ÷ service time, or pooled connections ÷ call time, allow: the row shows that \
            setting.",
    remedy: "More of them move the limit.",
    evidence: &[
        Measure { name: "reached", unit: "%", about: "of the ceiling" },
        Measure { name: "ceiling", unit: "/s", about: "that the setting allows" },
    ],
};

/// A ceiling is what limits once this share of it is reached.
const REACHED_LEAST: f64 = 0.9;
/// Call times may vary, and only their mean is known.
const TOLERANCE: f64 = 0.02;

pub(super) fn check(row: &Row, _: &[Row]) -> Option<Vec<Finding>> {
    let least = row.conditions.service_time.map(|least| too_fast(row, least));
    let service_time = row.conditions.service_time;
    let by_workers = throughput(row, "workers", row.conditions.workers, service_time);
    let by_pool = throughput(row, "pooled connections", row.conditions.pool, row.conditions.call_time);
    let found: Vec<Vec<Finding>> = [least.flatten(), waves(row), by_workers, by_pool].into_iter().flatten().collect();
    (!found.is_empty()).then(|| found.concat())
}

/// No request is done before the time that each takes; a failure may be.
fn too_fast(row: &Row, least: Nanos) -> Option<Vec<Finding>> {
    let least_ms = least.as_millis_f64();
    let time = |statistic| Some((statistic, row.get(statistic)?));
    let (statistic, time) = time(Statistic::Min).or_else(|| time(Statistic::Mean)).filter(|_| has_no_failure(row))?;
    let text =
        || format!("{} is {}, but each request takes {} at least.", statistic.name(), ms(time.value), ms(least_ms));
    let found = || FASTER_THAN_SERVICE.at(row.place(), text()).with("time", time.value).with("least", least_ms);
    Some(if time.high >= least_ms { Vec::new() } else { vec![found()] })
}

/// Requests that all come at once are served in waves, each of which waits for those before: this bounds the mean from
/// below.
fn waves(row: &Row) -> Option<Vec<Finding>> {
    let (requests, workers) = (row.conditions.requests? as f64, f64::from(row.conditions.workers?));
    let service_ms = row.conditions.service_time?.as_millis_f64();
    let mean = row.get(Statistic::Mean).filter(|_| row.is_burst() && has_no_failure(row))?;
    let full = (requests / workers).floor();
    let last = requests - full * workers;
    let least_ms = service_ms * (workers * full * (full + 1.0) / 2.0 + last * (full + 1.0)) / requests;
    let text = || {
        format!(
            "{} requests at once on {} workers × {} average {} at least, not {}.",
            number(requests),
            number(workers),
            ms(service_ms),
            ms(least_ms),
            ms(mean.value)
        )
    };
    let found = || FASTER_THAN_WORKERS.at(row.place(), text()).with("mean", mean.value).with("least", least_ms);
    Some(if mean.high >= least_ms { Vec::new() } else { vec![found()] })
}

/// Whether no failure is printed. One that is refused takes no worker's time, and many tools count it like the others.
fn has_no_failure(row: &Row) -> bool {
    row.failed_among().is_none_or(|it| it.value == 0.0)
}

fn throughput(row: &Row, who: &str, at_once: Option<u32>, each: Option<Nanos>) -> Option<Vec<Finding>> {
    let are_answers = row.failed_among().is_none_or(|it| it.high <= FAILED_PERCENT);
    let throughput = row.throughput().filter(|_| are_answers)?;
    let (at_once, each_s) = (f64::from(at_once?), each.filter(|&it| it > Nanos::ZERO)?.as_secs_f64());
    let ceiling = at_once / each_s;
    // A worker ends at most T ÷ s requests that it began within T, and one that it began before.
    let held = row.conditions.duration.filter(|&it| it > Nanos::ZERO);
    let carried = held.map_or(0.0, |held| at_once / held.as_secs_f64());
    let because = format!("{} {who} ÷ {}", number(at_once), seconds(each_s));
    let figures = |share: f64| {
        format!("{}/s is {:.0} % of the {}/s that {because} allow", figure(throughput.value), share, number(ceiling))
    };
    let share = throughput.value / ceiling * 100.0;
    // With fewer users the load is the limit: see `offered_load`.
    let is_by_settings = row.conditions.vus.is_none_or(|users| users > at_once);
    let found = |kind: &'static Kind, follows: &str| {
        let says = format!("{}: {follows}.", figures(share));
        vec![kind.at(row.place(), says).with("reached", share).with("ceiling", ceiling)]
    };
    Some(if throughput.low > ceiling * (1.0 + TOLERANCE) + carried {
        found(&ABOVE, "one of these figures is wrong")
    } else if throughput.high >= REACHED_LEAST * ceiling && is_by_settings {
        found(&REACHED, "this row shows that setting")
    } else {
        Vec::new()
    })
}

#[cfg(test)]
mod tests {
    use plimsoll_record::Conditions;

    use super::*;
    use crate::audit::Bounds;

    fn burst(requests: u64, mean_ms: f64) -> Row {
        let conditions = Conditions {
            vus: Some(requests as f64),
            requests: Some(requests),
            workers: Some(200),
            service_time: Some(Nanos::from_secs(1)),
            ..Conditions::default()
        };
        Row { figures: [(Statistic::Mean, Bounds::exact(mean_ms))].into(), conditions, ..Row::default() }
    }

    #[test]
    fn three_hundred_at_once_on_two_hundred_workers_average_four_thirds_of_the_service_time() {
        assert_eq!(check(&burst(300, 1_334.0), &[]), Some(Vec::new()));
        assert_eq!(check(&burst(300, 1_330.0), &[]).unwrap()[0].kind, &FASTER_THAN_WORKERS);
        assert_eq!(check(&burst(100, 1_000.0), &[]), Some(Vec::new()));
        assert_eq!(check(&burst(100, 990.0), &[]).unwrap()[0].kind, &FASTER_THAN_SERVICE);
    }
}
