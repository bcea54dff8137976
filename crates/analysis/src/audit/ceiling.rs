//! Workers ÷ service time and pool ÷ call time are the most a system can do.

use plimsoll_record::{Nanos, Statistic};

use super::{Row, contradiction, limit, words::*};
use crate::results::AuditFinding;

/// From this share of a ceiling on it is what limits.
const REACHED: f64 = 0.9;
/// Of call times that vary only the mean is known.
const TOLERANCE: f64 = 0.02;

pub(super) fn check(row: &Row, _: &[Row]) -> Option<Vec<AuditFinding>> {
    let least = row.conditions.service_time.map(|least| too_fast(row, least));
    let service_time = row.conditions.service_time;
    let by_workers = throughput(row, "workers", row.conditions.workers, service_time);
    let by_pool = throughput(row, "pooled connections", row.conditions.pool, row.conditions.call_time);
    let found: Vec<Vec<AuditFinding>> =
        [least.flatten(), waves(row), by_workers, by_pool].into_iter().flatten().collect();
    (!found.is_empty()).then(|| found.concat())
}

/// No request is done before the time that each takes.
fn too_fast(row: &Row, least: Nanos) -> Option<Vec<AuditFinding>> {
    let least_ms = least.as_millis_f64();
    let time = |statistic| Some((statistic, row.get(statistic)?));
    let (statistic, time) = time(Statistic::Min).or_else(|| time(Statistic::Mean))?;
    let text =
        || format!("{} is {}, but each request takes {} at least.", statistic.name(), ms(time.value), ms(least_ms));
    Some(if time.high >= least_ms { Vec::new() } else { vec![contradiction("faster than the service", text())] })
}

/// Requests that all come at once are served in waves, so the mean has a least value: the last wait for all before.
fn waves(row: &Row) -> Option<Vec<AuditFinding>> {
    let (requests, workers) = (row.conditions.requests? as f64, f64::from(row.conditions.workers?));
    let service_ms = row.conditions.service_time?.as_millis_f64();
    let mean = row.get(Statistic::Mean).filter(|_| row.is_burst())?;
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
    Some(if mean.high >= least_ms { Vec::new() } else { vec![contradiction("faster than its workers", text())] })
}

fn throughput(row: &Row, who: &str, at_once: Option<u32>, each: Option<Nanos>) -> Option<Vec<AuditFinding>> {
    let throughput = row.throughput()?;
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
    // With fewer users than that, the load is the limit: see there.
    let is_by_settings = row.conditions.vus.is_none_or(|users| users > at_once);
    Some(if throughput.low > ceiling * (1.0 + TOLERANCE) + carried {
        vec![contradiction("above its ceiling", format!("{}: one of these figures is wrong.", figures(share)))]
    } else if throughput.high >= REACHED * ceiling && is_by_settings {
        let text = format!("{}: this row shows that setting. More of them move it.", figures(share));
        vec![limit("at its ceiling", text)]
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
        assert_eq!(check(&burst(300, 1_330.0), &[]).unwrap()[0].label, "faster than its workers");
        assert_eq!(check(&burst(100, 1_000.0), &[]), Some(Vec::new()));
        assert_eq!(check(&burst(100, 990.0), &[]).unwrap()[0].label, "faster than the service");
    }
}
