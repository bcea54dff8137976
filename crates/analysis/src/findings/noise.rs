//! Rounds that do not agree.

use super::Cell;
use crate::{
    results::{Finding, Kind, Measure, Weight},
    text::number,
};

pub(super) const KINDS: &[&Kind] = &[&NOISE];

static NOISE: Kind = Kind {
    id: "rounds-differ",
    title: "rounds differ",
    weight: Weight::Warning,
    means: "The rounds differ by more than 20 % of their median in throughput or mean response time.",
    remedy: "Run more rounds, on a machine that does nothing else.",
    evidence: &[Measure { name: "range", unit: "%", about: "of the median between the least and the greatest round" }],
};

/// Greatest minus least round, as a share of the median.
const MOST: f64 = 0.2;

pub(super) fn at(cell: &Cell) -> Option<Finding> {
    let figures =
        [(&cell.results.throughput_per_s, "throughput"), (&cell.results.response.mean_ms, "mean response time")];
    let ranges = figures.map(|(figure, name)| (figure.relative_range(), name));
    let (range, name) = ranges.into_iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let says = || format!("Rounds differ by {} % of their median in {name}.", number(range * 100.0));
    (range > MOST).then(|| NOISE.at(cell.place(), says()).with("range", range * 100.0))
}

#[cfg(test)]
mod tests {
    use plimsoll_record::Nanos;

    use super::*;
    use crate::{
        analyse,
        findings::found_at_levels,
        testing::{Request, burst, execution, level, plan, run, variant},
    };

    fn found(rounds_ms: [u64; 3]) -> Vec<Finding> {
        let runs = (0..).zip(rounds_ms).map(|(round, ms)| {
            let request = Request::ok(Nanos::ZERO, Nanos::from_millis(ms));
            run(0, round, Nanos::ZERO, vec![level(&burst(1), Nanos::ZERO, &[request])])
        });
        let data = execution(plan(vec![variant("a")], vec![burst(1)], 3), runs.collect());
        found_at_levels(&data, &analyse(&data), at)
    }

    #[test]
    fn a_fifth_of_the_median_is_too_much() {
        assert!(found([1_000, 1_050, 1_100]).is_empty());
        assert!(found([1_000, 1_000, 2_000])[0].says.contains("by 100 % of their median"));
    }
}
