//! The generator, not the service, was the limit.

use super::{Cell, cells, the_same_of, warning};
use crate::{
    measured::Measured,
    results::{Note, Results},
};

/// One note for each reason and remedy, about the first level that has it.
pub(super) fn find(measured: &Measured, results: &Results) -> Vec<Note> {
    let mut found: Vec<(Cell, usize, Vec<String>)> = Vec::new();
    for cell in cells(measured, results) {
        for (number, limit) in cell.results.generator.limits.iter().enumerate() {
            let known =
                found.iter_mut().find(|(first, at, _)| first.results.generator.limits[*at].remedy == limit.remedy);
            match known {
                Some((.., others)) => others.push(cell.name()),
                None => found.push((cell.clone(), number, Vec::new())),
            }
        }
    }
    let note = |(cell, number, others): (Cell, usize, Vec<String>)| {
        let limit = &cell.results.generator.limits[number];
        warning(format!(
            "{}: limited by the generator: {}. To measure the service, {}.{}",
            cell.name(),
            limit.reason,
            limit.remedy,
            the_same_of(&others)
        ))
    };
    found.into_iter().map(note).collect()
}

#[cfg(test)]
mod tests {
    use plimsoll_record::Nanos;

    use crate::{
        analyse,
        testing::{Request, burst, execution, level, plan, run, variant},
    };

    #[test]
    fn levels_with_the_same_limit_share_a_note() {
        let levels = [burst(1), burst(2)];
        let data = levels.clone().map(|plan| {
            let mut data = level(&plan, Nanos::ZERO, &[Request::ok(Nanos::ZERO, Nanos::from_secs(1))]);
            data.intervals[0].generator.busiest_worker_percent = 99.0;
            data
        });
        let runs = vec![run(0, 0, Nanos::ZERO, data.to_vec())];
        let notes = analyse(&execution(plan(vec![variant("a")], levels.to_vec(), 1), runs)).notes;
        let text = &notes.iter().find(|note| note.text.contains("limited by the generator")).unwrap().text;
        assert!(
            text.starts_with("a @ 1: limited by the generator: a generator thread had no CPU left in 100 %"),
            "{text}"
        );
        assert!(text.ends_with("(--segment). The same of a @ 2."), "{text}");
    }
}
