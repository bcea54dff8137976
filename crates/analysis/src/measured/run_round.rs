//! One run as a whole: start-up and peaks.

use std::collections::BTreeMap;

use plimsoll_record::{Nanos, RunData, RunStatus, Sample, Score, metric};

use super::benchmarks::counted;

/// One run as a whole.
#[derive(Clone, Debug)]
pub(crate) struct RunRound {
    pub round: u32,
    /// From spawn to the first 2xx.
    pub startup_s: Option<f64>,
    /// Scores of its benchmarks; empty if the run does not count.
    pub scores: Vec<Score>,
    /// The highest sample of each metric over the whole run, from the spawn on, which is what published tables mean by
    /// a peak: a limit must hold during start-up, too. For CPU it is the highest mean over a second, as a sample of
    /// 100 ms may contain the CPU time of a longer one. Empty if the run does not count.
    peaks: BTreeMap<String, f64>,
}

impl RunRound {
    /// The highest sample of a metric of `plimsoll_record::metric`.
    pub(crate) fn peak(&self, metric: &str) -> Option<f64> {
        self.peaks.get(metric).copied()
    }
}

/// One for each run. Start-up counts if the target became ready. Peaks count for runs that went through the whole load;
/// if there is none, for those that were ended early.
pub(super) fn all(runs: &[&RunData]) -> Vec<RunRound> {
    let any_done = runs.iter().any(|it| it.run.status == RunStatus::Done);
    let counts = |status: RunStatus| match status {
        RunStatus::Done => true,
        RunStatus::Interrupted | RunStatus::PartsLost | RunStatus::Running => !any_done,
        _ => false,
    };
    let round = |data: &&RunData| RunRound {
        round: data.run.round,
        startup_s: data.run.startup.map(|it| it.as_secs_f64()),
        scores: counted(data).to_vec(),
        peaks: if counts(data.run.status) { peaks(data) } else { BTreeMap::new() },
    };
    runs.iter().map(round).collect()
}

fn peaks(data: &RunData) -> BTreeMap<String, f64> {
    let mut peaks: BTreeMap<String, f64> = BTreeMap::new();
    for sample in &data.samples {
        let peak = peaks.entry(sample.metric.clone()).or_insert(sample.value);
        *peak = peak.max(sample.value);
    }
    for metric in [metric::CPU_PERCENT, metric::MACHINE_CPU_PERCENT] {
        let samples = data.samples.iter().filter(|sample| sample.metric == metric.name);
        let peak = highest_mean(&samples.collect::<Vec<_>>());
        peaks.extend(peak.map(|peak| (metric.name.to_owned(), peak)));
    }
    peaks
}

/// The highest mean over a second, or over all samples if they are shorter; none without any. `samples` ascend in time.
fn highest_mean(samples: &[&Sample]) -> Option<f64> {
    let mean = |of: &[&Sample]| of.iter().map(|sample| sample.value).sum::<f64>() / of.len() as f64;
    let (first, last) = (samples.first()?.at, samples.last()?.at);
    let until = |end: usize| {
        let after = samples[end].at.0.saturating_sub(SECOND.0);
        let is_whole = samples[end].at >= first + SECOND;
        let begin = samples.partition_point(|sample| is_whole && sample.at.0 <= after);
        is_whole.then(|| mean(&samples[begin..=end]))
    };
    if last < first + SECOND {
        return Some(mean(samples));
    }
    (0..samples.len()).filter_map(until).max_by(f64::total_cmp)
}

const SECOND: Nanos = Nanos::from_secs(1);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run;

    fn with_peak(round: u32, status: RunStatus, peak: f64) -> RunData {
        let sample = |value| Sample { at: Nanos::ZERO, metric: "threads".to_owned(), value };
        let mut data = run(0, round, Nanos::from_millis(1_500), Vec::new());
        data.run.status = status;
        data.samples = vec![sample(1.0), sample(peak), sample(2.0)];
        data
    }

    #[test]
    fn a_peak_of_cpu_is_a_mean_over_a_second() {
        let sample = |at_ms, value| Sample { at: Nanos::from_millis(at_ms), metric: "cpu_percent".to_owned(), value };
        let peak = |samples: Vec<Sample>| {
            let mut data = run(0, 0, Nanos::ZERO, Vec::new());
            data.samples = samples;
            all(&[&data])[0].peak("cpu_percent").map(f64::round)
        };
        // Two samples of a burst in three seconds of 50 %; then a second of 150 %.
        let burst = |tenth: u64| if (10..12).contains(&tenth) { 350.0 } else { 50.0 };
        let mut samples: Vec<Sample> = (0..30).map(|tenth| sample(tenth * 100, burst(tenth))).collect();
        assert_eq!(peak(samples.clone()), Some(110.0));
        samples.extend((30..40).map(|tenth| sample(tenth * 100, 150.0)));
        assert_eq!(peak(samples), Some(150.0));
        assert_eq!(peak(vec![sample(0, 10.0), sample(100, 30.0)]), Some(20.0));
        assert_eq!(peak(Vec::new()), None);
    }

    #[test]
    fn peaks_are_those_of_runs_that_saw_the_whole_load() {
        let runs = [with_peak(0, RunStatus::Done, 30.0), with_peak(1, RunStatus::Died, 90.0)];
        let rounds = all(&runs.iter().collect::<Vec<_>>());
        assert_eq!(rounds.iter().map(|it| it.peak("threads")).collect::<Vec<_>>(), [Some(30.0), None]);
        assert_eq!(rounds.iter().map(|it| it.startup_s).collect::<Vec<_>>(), [Some(1.5), Some(1.5)]);
        for early in [RunStatus::Interrupted, RunStatus::PartsLost] {
            let ended = with_peak(0, early, 20.0);
            assert_eq!(all(&[&ended])[0].peak("threads"), Some(20.0));
            assert_eq!(all(&[&runs[0], &ended])[1].peak("threads"), None);
        }
    }
}
