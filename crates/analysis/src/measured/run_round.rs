//! One run as a whole: start-up and peaks.

use std::collections::BTreeMap;

use plimsoll_record::{RunData, RunStatus, Score};

use super::benchmarks::counted;

/// One run as a whole.
#[derive(Clone, Debug)]
pub(crate) struct RunRound {
    pub round: u32,
    /// From spawn to the first 2xx.
    pub startup_s: Option<f64>,
    /// Scores of its benchmarks; empty if the run does not count.
    pub scores: Vec<Score>,
    /// The highest sample of each metric over the whole run, from the spawn on: a limit must hold during start-up too,
    /// and it is what published tables mean by a peak. Empty if the run does not count.
    peaks: BTreeMap<String, f64>,
}

impl RunRound {
    /// The highest sample of a metric of `plimsoll_record::metric`.
    pub(crate) fn peak(&self, metric: &str) -> Option<f64> {
        self.peaks.get(metric).copied()
    }
}

/// Start-up counts wherever the target became ready. Peaks count for runs that went through the whole load; if there is
/// none, for interrupted ones.
pub(super) fn all(runs: &[&RunData]) -> Vec<RunRound> {
    let any_done = runs.iter().any(|it| it.run.status == RunStatus::Done);
    let counts = |status: RunStatus| match status {
        RunStatus::Done => true,
        RunStatus::Interrupted | RunStatus::Running => !any_done,
        RunStatus::Died
        | RunStatus::NotReady
        | RunStatus::UpstreamFailed
        | RunStatus::BenchmarksFailed
        | RunStatus::Skipped => false,
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
    peaks
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Nanos, Sample};

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
    fn peaks_are_those_of_runs_that_saw_the_whole_load() {
        let runs = [with_peak(0, RunStatus::Done, 30.0), with_peak(1, RunStatus::Died, 90.0)];
        let rounds = all(&runs.iter().collect::<Vec<_>>());
        assert_eq!(rounds.iter().map(|it| it.peak("threads")).collect::<Vec<_>>(), [Some(30.0), None]);
        assert_eq!(rounds.iter().map(|it| it.startup_s).collect::<Vec<_>>(), [Some(1.5), Some(1.5)]);
        let interrupted = [with_peak(0, RunStatus::Interrupted, 20.0)];
        assert_eq!(all(&interrupted.iter().collect::<Vec<_>>())[0].peak("threads"), Some(20.0));
    }
}
