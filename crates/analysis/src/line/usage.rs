//! Usage of the target during trials, by the samples that were taken beside them.

use plimsoll_record::{
    LevelData, Nanos, Sample,
    metric::{CPU_CORES, CPU_PERCENT, Metric, RSS_BYTES, THREADS},
};

use crate::results::Usage;

const SECOND_MS: f64 = 1e3;

/// Usage during all `trials` together.
pub(super) fn of(samples: &[Sample], trials: &[&LevelData]) -> Usage {
    let spans = || trials.iter().map(|trial| (trial.started, trial.started + trial.took.unwrap_or_default()));
    // A sample covers the time since the one before it.
    let is_within = |at: Nanos| spans().any(|(begin, end)| begin < at && at <= end);
    let values = |metric: Metric| {
        let of_metric = samples.iter().filter(move |it| it.metric == metric.name);
        of_metric.filter(|it| is_within(it.at)).map(|it| it.value)
    };
    let (count, sum) = values(CPU_PERCENT).fold((0, 0.0), |(count, sum), value| (count + 1, sum + value));
    let cpu_percent = (count > 0).then(|| sum / f64::from(count));
    let took_s: f64 = spans().map(|(begin, end)| (end - begin).as_secs_f64()).sum();
    let ended: u64 = trials.iter().flat_map(|trial| &trial.intervals).map(plimsoll_record::Interval::ended).sum();
    let of_request = |percent: f64| percent / 100.0 * took_s * SECOND_MS / ended as f64;
    let cpu_ms_per_request = cpu_percent.filter(|_| ended > 0).map(of_request);
    let cores = spans().map(|(_, end)| end).max().and_then(|end| cores_at(samples, end));
    let allows = |(cores, cpu_ms): (f64, f64)| (cpu_ms > 0.0).then(|| cores * SECOND_MS / cpu_ms);
    Usage {
        cpu_percent,
        cpu_ms_per_request,
        cores,
        cpu_allows_per_s: cores.zip(cpu_ms_per_request).and_then(allows),
        memory_mb: values(RSS_BYTES).reduce(f64::max).map(|bytes| bytes / 1e6),
        threads: values(THREADS).reduce(f64::max),
    }
}

/// The cores that the target had at `end`. Of equal samples in a row only the first and the last are kept.
fn cores_at(samples: &[Sample], end: Nanos) -> Option<f64> {
    let mut known = samples.iter().filter(|it| it.metric == CPU_CORES.name).peekable();
    let first = known.peek()?.value;
    Some(known.take_while(|it| it.at <= end).last().map_or(first, |it| it.value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Request, burst, level, samples};

    const fn ms(ms: u64) -> Nanos {
        Nanos::from_millis(ms)
    }

    #[test]
    fn cpu_of_a_trial_is_shared_out_among_its_requests() {
        // Two trials of 1 s with 5 requests each, at 50 % and at 150 % of a core: 2 s of CPU over 10 requests.
        let requests = [Request::ok(ms(0), ms(1_000)); 5];
        let trials = [1_000, 5_000].map(|at| level(&burst(5), ms(at), &requests));
        let mut taken = samples("cpu_percent", &[(900, 400.0), (1_500, 50.0), (2_000, 50.0), (3_000, 400.0)]);
        taken.extend(samples("cpu_percent", &[(5_500, 150.0), (6_000, 150.0), (6_100, 400.0)]));
        taken.extend(samples("rss_bytes", &[(900, 9e8), (1_500, 1e8), (5_500, 2e8), (6_100, 9e8)]));
        taken.extend(samples("cpu_cores", &[(100, 2.0), (3_000, 4.0), (9_000, 4.0)]));
        let both: Vec<&LevelData> = trials.iter().collect();
        let usage = of(&taken, &both);
        assert_eq!((usage.cpu_percent, usage.cpu_ms_per_request), (Some(100.0), Some(200.0)));
        assert_eq!((usage.memory_mb, usage.threads), (Some(200.0), None));
        assert_eq!((usage.cores, usage.cpu_allows_per_s), (Some(4.0), Some(20.0)));
        let first = of(&taken, &both[..1]);
        assert_eq!((first.cores, first.cpu_allows_per_s), (Some(2.0), Some(20.0)));
        assert_eq!((first.cpu_ms_per_request, first.memory_mb), (Some(100.0), Some(100.0)));
    }

    #[test]
    fn nothing_watched_is_nothing_known() {
        let trial = level(&burst(1), ms(0), &[Request::ok(ms(0), ms(500))]);
        assert_eq!(of(&[], &[&trial]), Usage::default());
    }
}
