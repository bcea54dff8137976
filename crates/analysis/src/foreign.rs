//! Other processes of the machine: the target and the generator lack the CPU that they use.

use plimsoll_record::metric;

use crate::{
    measured::{LevelRound, Watched, over_rounds},
    results::Figure,
};

/// Share of the machine from which on figures are no longer those of the service alone, in percent.
pub(crate) const MOST_PERCENT: f64 = 10.0;

/// CPU that other processes used, 100 = all cores of the machine; none if it was not watched.
pub(crate) fn cpu_percent(rounds: &[LevelRound]) -> Option<Figure> {
    over_rounds(rounds, LevelRound::foreign_percent)
}

/// The same in the typical round; none unless it is more than [`MOST_PERCENT`].
pub(crate) fn disturbing_percent(rounds: &[LevelRound]) -> Option<f64> {
    disturbing(cpu_percent(rounds).as_ref())
}

/// The same of a figure over rounds.
pub(crate) fn disturbing(cpu_percent: Option<&Figure>) -> Option<f64> {
    cpu_percent.map(|figure| figure.median).filter(|&percent| percent > MOST_PERCENT)
}

/// The name of the busiest other processes, with its share of the machine in percent. Each look tells only the one
/// that is busiest then.
pub(crate) fn busiest<'a>(watched: impl Iterator<Item = &'a Watched> + Clone) -> Option<(&'a str, f64)> {
    let looks = metric::FOREIGN_CPU_PERCENT.name;
    let names = watched.clone().flat_map(Watched::metrics).filter_map(metric::other_process);
    let shares = names.filter_map(|name| {
        let shares = watched.clone().filter_map(|it| it.mean_over(&metric::of_other(name), looks));
        Some((name, shares.sum::<f64>() / watched.clone().count() as f64)).filter(|(_, share)| *share > 0.0)
    });
    shares.max_by(|a, b| a.1.total_cmp(&b.1))
}
