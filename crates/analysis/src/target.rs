//! The target's own metrics at one level.

use std::collections::BTreeMap;

use plimsoll_record::metric;

use crate::{
    measured::{LevelRound, Watched, over_rounds},
    results::TargetFigures,
};

/// Figures by series; empty if none was watched.
pub(crate) fn results(rounds: &[LevelRound]) -> BTreeMap<String, TargetFigures> {
    let mut series: Vec<&str> = rounds.iter().flat_map(|round| round.watched.metrics()).collect();
    series.retain(|name| metric::target_series(name).is_some());
    series.sort_unstable();
    series.dedup();
    let of_series = |name: &str| {
        let figure = |of: fn(&Watched, &str) -> Option<f64>| over_rounds(rounds, |round| of(&round.watched, name));
        let figures =
            TargetFigures { mean: figure(Watched::mean), peak: figure(Watched::peak), growth: figure(Watched::growth) };
        let is_known = [&figures.mean, &figures.peak, &figures.growth].into_iter().any(Option::is_some);
        is_known.then_some(())?;
        Some((metric::target_series(name)?.to_owned(), figures))
    };
    series.into_iter().filter_map(of_series).collect()
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Nanos, Sample};

    use super::*;
    use crate::{
        measured::levels,
        results::Figure,
        testing::{Request, burst, level, run},
    };

    #[test]
    fn a_series_has_mean_peak_and_growth_within_the_level() {
        let plan = burst(1);
        let start = Nanos::from_secs(10);
        let mut data =
            run(0, 0, Nanos::ZERO, vec![level(&plan, start, &[Request::ok(Nanos::ZERO, Nanos::from_secs(4))])]);
        let sample =
            |second: u64, value| Sample { at: Nanos::from_secs(second), metric: metric::of_target("pool"), value };
        data.samples = vec![sample(9, 2.0), sample(11, 10.0), sample(12, 20.0), sample(13, 30.0), sample(20, 500.0)];
        data.samples.push(Sample { metric: "cpu_percent".to_owned(), ..sample(11, 50.0) });
        let found = results(&[LevelRound::of(&levels::split(&plan)[0], &data).unwrap()]);
        assert_eq!(found.keys().collect::<Vec<_>>(), ["pool"]);
        let pool = &found["pool"];
        let median = |figure: &Option<Figure>| figure.as_ref().map(|it| it.median);
        assert_eq!((median(&pool.mean), median(&pool.peak)), (Some(20.0), Some(30.0)));
        // Growth between the level's end and the next sample is the level's own.
        assert_eq!(median(&pool.growth), Some(498.0));
    }
}
