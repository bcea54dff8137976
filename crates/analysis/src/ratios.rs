//! Every variant against the first one that has figures.

use plimsoll_record::ObjectivePlan;

use crate::{
    intervals::{self, Series},
    line,
    measured::{Measured, MeasuredVariant},
    results::Ratio,
};

/// Throughput and mean response time per level, load lines, and start-up. A variant that has no round in common with
/// the baseline has none.
pub(crate) fn all(measured: &Measured) -> Vec<Ratio> {
    let has_figures = |&variant: &usize| {
        let is_searched = measured.plan().line.is_some() && !line::ends(measured, variant, 0).is_empty();
        is_searched || measured.variants[variant].levels.iter().flatten().any(|round| !round.is_broken())
    };
    let Some(baseline) = (0..measured.variants.len()).find(has_figures) else { return Vec::new() };
    (baseline + 1..measured.variants.len()).flat_map(|variant| of_variant(measured, variant, baseline)).collect()
}

fn of_variant(measured: &Measured, variant: usize, baseline: usize) -> Vec<Ratio> {
    let plan = measured.plan();
    let ratio = |level: Option<usize>, metric: &str, series: &dyn Fn(&MeasuredVariant) -> Series| {
        let (value, interval) =
            of_series([variant, baseline].map(|index| series(&measured.variants[index])), measured.error())?;
        Some(Ratio {
            variant: plan.variants[variant].name.clone(),
            baseline: plan.variants[baseline].name.clone(),
            level: level.map(|index| measured.levels[index].label.clone()),
            metric: metric.to_owned(),
            value,
            interval,
        })
    };
    let mut ratios = Vec::new();
    for level in 0..measured.levels.len() {
        let throughput = |it: &MeasuredVariant| it.level_series(level, |round| Some(round.throughput_per_s()));
        let mean = |it: &MeasuredVariant| it.level_series(level, |round| round.response(|times| times.mean_ns()));
        ratios.extend(ratio(Some(level), "throughput", &throughput));
        ratios.extend(ratio(Some(level), "mean", &mean));
    }
    ratios.extend(of_lines(measured, variant, baseline));
    ratios.extend(ratio(None, "startup", &|it| it.run_series(|run| run.startup_s)));
    ratios
}

/// Ratios of load lines, by the lines' names; without a name for the only one.
fn of_lines(measured: &Measured, variant: usize, baseline: usize) -> Vec<Ratio> {
    let plan = measured.plan();
    let objectives = plan.line.as_ref().map_or(&[][..], |line| &line.objectives);
    let of_line = |(index, objective): (usize, &ObjectivePlan)| {
        let ratio = line::ratio(measured, [variant, baseline], index);
        Some(Ratio {
            variant: plan.variants[variant].name.clone(),
            baseline: plan.variants[baseline].name.clone(),
            level: (objectives.len() > 1).then(|| objective.name.clone()),
            metric: "line".to_owned(),
            value: ratio.per_s?,
            interval: ratio.low_per_s.zip(ratio.high_per_s).map(|(low, high)| [low, high]),
        })
    };
    objectives.iter().enumerate().filter_map(of_line).collect()
}

/// The typical ratio within a round, over the rounds that both have; none if there is no such round, or the baseline is
/// zero in one.
pub(crate) fn of_series(series: [Series; 2], error: f64) -> Option<(f64, Option<[f64; 2]>)> {
    let columns = intervals::common_rounds(&series);
    intervals::ratio(&columns[0], &columns[1], error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Line, greetings, lines};

    #[test]
    fn a_ratio_within_rounds_does_not_see_what_moves_the_whole_round() {
        // The machine halves its speed from round to round; the variant is always 3 times as fast.
        let slower: Series = vec![(0, 100.0), (1, 50.0), (2, 25.0)];
        let thrice: Series = slower.iter().map(|&(round, value)| (round, value * 3.0)).collect();
        let (value, interval) = of_series([thrice, slower], 0.05).unwrap();
        let all = [value, interval.unwrap()[0], interval.unwrap()[1]];
        assert!(all.iter().all(|it| (it - 3.0).abs() < 1e-9), "{all:?}");
    }

    #[test]
    fn few_rounds_give_a_value_without_interval_and_none_give_nothing() {
        assert_eq!(of_series([vec![(0, 3.0)], vec![(0, 2.0), (1, 9.0)]], 0.05), Some((1.5, None)));
        assert_eq!(of_series([vec![(0, 3.0)], vec![(1, 2.0)]], 0.05), None);
        assert_eq!(of_series([vec![(0, 3.0)], vec![(0, 0.0)]], 0.05), None);
    }

    #[test]
    fn lines_are_compared_by_the_intervals_of_their_searches() {
        let data = lines(&[("web", &[Line::at(100.0)]), ("web-vt", &[Line::at(300.0)])], &[]);
        let ratios = all(&Measured::of(&data));
        let line = ratios.iter().find(|it| it.metric == "line").unwrap();
        assert_eq!((line.variant.as_str(), line.baseline.as_str(), &line.level), ("web-vt", "web", &None));
        // Intervals reach from 0.95 to 1.05 of each line.
        let near = |value: f64, expected: f64| (value / expected - 1.0).abs() < 1e-9;
        assert!(near(line.value, 3.0) && near(line.interval.unwrap()[0], 3.0 * 0.95 / 1.05), "{line:?}");
        assert!(near(line.interval.unwrap()[1], 3.0 * 1.05 / 0.95), "{line:?}");
    }

    #[test]
    fn every_variant_with_figures_is_compared_with_the_first() {
        let ratios = all(&Measured::of(&greetings()));
        let of = |variant: &str| ratios.iter().filter(|it| it.variant == variant).collect::<Vec<_>>();
        assert_eq!((of("web-jar").len(), of("web-jar-vt").len(), of("web-native").len()), (0, 9, 0));
        assert!(of("web-jar-vt").iter().all(|it| it.baseline == "web-jar" && it.interval.is_some()));
        // It died in one of three rounds, in the last level.
        assert_eq!(of("reactive-jar").iter().filter(|it| it.interval.is_none()).count(), 2);
    }
}
