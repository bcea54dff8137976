//! Times beyond what the histograms hold.

use plimsoll_record::Histogram;

use super::Cell;
use crate::results::{Finding, Kind, Weight};

pub(super) const KINDS: &[&Kind] = &[&CLAMPED];

static CLAMPED: Kind = Kind {
    id: "times-clamped",
    title: "times beyond the range",
    weight: Weight::Warning,
    means: "Some requests took as long as the histograms can hold, or longer, and are counted with that time: the \
            mean and the maximum are lower bounds.",
    remedy: "Set a shorter time-out.",
    evidence: &[],
};

pub(super) fn at(cell: &Cell) -> Option<Finding> {
    let mut histograms = cell.rounds.iter().flat_map(|it| [&it.merged.ok.response, &it.merged.failed.response]);
    let says = || {
        format!(
            "Some requests took {:.0} minutes or more and are counted as that: the mean and the maximum are \
             lower bounds.",
            Histogram::HIGHEST.as_secs_f64() / 60.0
        )
    };
    histograms.any(is_clamped).then(|| CLAMPED.at(cell.place(), says()))
}

/// Whether a value was cut off: histograms keep three digits, so the highest value is anywhere in the last thousandth.
fn is_clamped(histogram: &Histogram) -> bool {
    histogram.max().as_secs_f64() >= Histogram::HIGHEST.as_secs_f64() * 0.999
}

#[cfg(test)]
mod tests {
    use plimsoll_record::Nanos;

    use super::*;
    use crate::{analyse, findings::found_at_levels, testing::greetings};

    #[test]
    fn an_hour_is_the_longest() {
        let mut data = greetings();
        assert!(found_at_levels(&data, &analyse(&data), at).is_empty());
        data.runs[0].levels[2].intervals[0].ok.response.record(Nanos::from_secs(4_000));
        let found = found_at_levels(&data, &analyse(&data), at);
        assert!(found[0].says.starts_with("Some requests took 60 minutes or more"), "{}", found[0].says);
        assert_eq!(found[0].place.to_string(), "web-jar @ 300");
    }
}
