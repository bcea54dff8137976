//! The load, not the service, is what limits throughput.

use plimsoll_record::{Load, Nanos};

use super::{Cell, cells, info, listed};
use crate::{
    ceiling,
    measured::Measured,
    results::{Note, Results},
};

/// One note per level.
pub(super) fn find(measured: &Measured, results: &Results) -> Vec<Note> {
    let note = |label: &String| {
        let limited = cells(measured, results).filter(|it| it.level.label == *label && is_limited(it));
        let names: Vec<String> = limited.map(|it| it.variant.name.clone()).collect();
        (!names.is_empty()).then(|| {
            info(format!(
                "At {label} the load set the throughput of {}: the service answered as fast as it was asked. A higher \
                 level finds the limit.",
                listed(&names)
            ))
        })
    };
    measured.levels.iter().filter_map(|level| note(&level.label)).collect()
}

fn is_limited(cell: &Cell) -> bool {
    match &cell.level.plan.load {
        Load::ConstantArrivalRate { duration, .. } => keeps_up(cell, *duration),
        Load::RampingVus { .. } | Load::RampingArrivalRate { .. } => false,
        Load::ConstantVus { think, .. } => waits_for_users(cell, think.mean()),
        Load::SharedIterations { .. } | Load::PerVuIterations { .. } => waits_for_users(cell, Nanos::ZERO),
    }
}

/// An open load: nearly all that was offered succeeded, and no backlog was left to work off at the end.
fn keeps_up(cell: &Cell, duration: Nanos) -> bool {
    let totals = &cell.results.totals;
    totals.succeeded as f64 >= 0.99 * totals.offered as f64
        && cell.results.duration_s.median <= 1.1 * duration.as_secs_f64()
}

/// A closed load: as each user waits for the least service time and pauses, so many users cannot ask for more. Without
/// a known service time there is no telling, for throughput = users ÷ (time + pause) holds however slow the service is.
fn waits_for_users(cell: &Cell, pause: Nanos) -> bool {
    let Some(service) = cell.variant.least_time() else { return false };
    let most = cell.level.max_in_flight() / (service + pause).as_secs_f64();
    !ceiling::is_by_settings(cell.results) && cell.results.throughput_per_s.median >= 0.9 * most
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Arrivals, LevelPlan, ThinkTime, VariantPlan};

    use super::*;
    use crate::{
        analyse,
        testing::{Request, execution, greetings, level, level_plan, plan, run, variant},
    };

    const fn ms(ms: u64) -> Nanos {
        Nanos::from_millis(ms)
    }

    #[test]
    fn a_hundred_users_cannot_ask_two_hundred_workers_for_more() {
        let data = greetings();
        let notes = find(&Measured::of(&data), &analyse(&data));
        assert_eq!(
            notes[0].text,
            "At 100 the load set the throughput of web-jar, reactive-jar: the service answered as fast as it was \
             asked. A \
             higher level finds the limit."
        );
        assert!(notes.iter().all(|note| !note.text.starts_with("At 2700")), "{notes:#?}");
    }

    fn found(load: Load, requests: &[Request]) -> usize {
        let level_plan: LevelPlan = level_plan("x", load);
        let data = run(0, 0, ms(0), vec![level(&level_plan, ms(0), requests)]);
        let variant = VariantPlan { service_time: Some(ms(100)), ..variant("a") };
        let data = execution(plan(vec![variant], vec![level_plan], 1), vec![data]);
        find(&Measured::of(&data), &analyse(&data)).len()
    }

    #[test]
    fn pauses_of_users_count() {
        let load = |pause| Load::ConstantVus { vus: 1, duration: ms(10_000), think: ThinkTime::Constant { pause } };
        let requests: Vec<Request> = (0..10).map(|k| Request::ok(ms(k * 1_000), ms(k * 1_000 + 100))).collect();
        assert_eq!(found(load(ms(900)), &requests), 1);
        assert_eq!(found(load(ms(200)), &requests), 0);
    }

    #[test]
    fn a_rate_that_leaves_a_backlog_was_not_kept_up_with() {
        let arrivals = Arrivals::Even;
        let load = Load::ConstantArrivalRate {
            rate: 10.0,
            duration: ms(10_000),
            arrivals,
            max_in_flight: 99,
            drop_late: false,
        };
        let requests = |each_ms: u64| -> Vec<Request> {
            (0..100).map(|k| Request::ok(ms(k * 100), ms(k * each_ms + 100))).collect()
        };
        assert_eq!((found(load.clone(), &requests(100)), found(load, &requests(150))), (1, 0));
    }
}
