//! Times beyond what the histograms hold.

use plimsoll_record::Histogram;

use super::{cells, listed, warning};
use crate::{
    measured::Measured,
    results::{Note, Results},
};

pub(super) fn find(measured: &Measured, results: &Results) -> Vec<Note> {
    let clamped = cells(measured, results).filter(|cell| {
        cell.rounds.iter().any(|it| is_clamped(&it.merged.ok.response) || is_clamped(&it.merged.failed.response))
    });
    let names: Vec<String> = clamped.map(|it| it.name()).collect();
    let note = || {
        warning(format!(
            "{}: some requests took {:.0} minutes or more and are counted as that, so the mean and the maximum are \
             lower bounds. Set a \
             shorter time-out.",
            listed(&names),
            Histogram::HIGHEST.as_secs_f64() / 60.0
        ))
    };
    (!names.is_empty()).then(note).into_iter().collect()
}

/// Three digits are kept: the highest value is the last thousandth.
fn is_clamped(histogram: &Histogram) -> bool {
    histogram.max().as_secs_f64() >= Histogram::HIGHEST.as_secs_f64() * 0.999
}

#[cfg(test)]
mod tests {
    use plimsoll_record::Nanos;

    use super::*;
    use crate::{analyse, testing::greetings};

    #[test]
    fn an_hour_is_the_longest() {
        let mut data = greetings();
        assert!(find(&Measured::of(&data), &analyse(&data)).is_empty());
        data.runs[0].levels[2].intervals[0].ok.response.record(Nanos::from_secs(4_000));
        let text = &find(&Measured::of(&data), &analyse(&data))[0].text;
        assert!(text.starts_with("web-jar @ 300: some requests took 60 minutes or more"), "{text}");
    }
}
