//! Rounds that do not agree.

use super::{cells, listed, warning};
use crate::{
    measured::Measured,
    results::{Note, Results},
};

/// Greatest minus least round, as a share of the median.
const MOST: f64 = 0.2;

pub(super) fn find(measured: &Measured, results: &Results) -> Vec<Note> {
    let noisy = cells(measured, results).filter_map(|cell| {
        let figures = [&cell.results.throughput_per_s, &cell.results.response.mean_ms];
        let range = figures.map(|it| it.relative_range()).into_iter().fold(0.0, f64::max);
        (range > MOST).then(|| format!("{} ({:.0} %)", cell.name(), range * 100.0))
    });
    let noisy: Vec<String> = noisy.collect();
    let note = || {
        warning(format!(
            "Rounds differ by more than {:.0} % of their median in throughput or mean response time: {}. Run more \
             rounds, on a machine that does \
             nothing else.",
            MOST * 100.0,
            listed(&noisy)
        ))
    };
    (!noisy.is_empty()).then(note).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use plimsoll_record::Nanos;

    use super::*;
    use crate::{
        analyse,
        testing::{Request, burst, execution, level, plan, run, variant},
    };

    fn found(rounds_ms: [u64; 3]) -> Vec<Note> {
        let runs = (0..).zip(rounds_ms).map(|(round, ms)| {
            let request = Request::ok(Nanos::ZERO, Nanos::from_millis(ms));
            run(0, round, Nanos::ZERO, vec![level(&burst(1), Nanos::ZERO, &[request])])
        });
        let data = execution(plan(vec![variant("a")], vec![burst(1)], 3), runs.collect());
        find(&Measured::of(&data), &analyse(&data))
    }

    #[test]
    fn a_fifth_of_the_median_is_too_much() {
        assert!(found([1_000, 1_050, 1_100]).is_empty());
        assert!(found([1_000, 1_000, 2_000])[0].text.contains("a @ 1 (100 %)"));
    }
}
