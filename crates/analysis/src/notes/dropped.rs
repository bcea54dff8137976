//! Requests that were never sent.

use super::{cells, warning};
use crate::{
    measured::Measured,
    results::{Note, Results},
};

pub(super) fn find(measured: &Measured, results: &Results) -> Vec<Note> {
    let dropped = cells(measured, results).filter(|it| it.results.totals.dropped > 0);
    let note = |cell: super::Cell| {
        let totals = &cell.results.totals;
        warning(format!(
            "{}: {} of {} requests were given up before they were sent. No time counts them: real users would have \
             waited. Lower the \
             rate, or raise `max-in-flight` if the target was not at its limit.",
            cell.name(),
            totals.dropped,
            totals.offered
        ))
    };
    dropped.map(note).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{analyse, testing::greetings};

    #[test]
    fn they_are_counted_over_all_rounds() {
        let mut data = greetings();
        assert!(find(&Measured::of(&data), &analyse(&data)).is_empty());
        for run in data.runs.iter_mut().filter(|it| it.run.variant == 0) {
            run.levels[1].intervals[0].counts.dropped = 7;
        }
        let notes = find(&Measured::of(&data), &analyse(&data));
        assert!(notes[0].text.starts_with("web-jar @ 100: 21 of 300 requests were given up"), "{}", notes[0].text);
    }
}
