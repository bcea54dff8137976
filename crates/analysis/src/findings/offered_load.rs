//! The load, not the service, limits throughput.

use plimsoll_record::Nanos;

use super::Cell;
use crate::{
    ceiling,
    results::{Finding, Kind, Measure, Weight},
};

pub(super) const KINDS: &[&Kind] = &[&OFFERED];

static OFFERED: Kind = Kind {
    id: "offered-load",
    title: "limited by the offered load",
    weight: Weight::Info,
    means: "The load set the throughput: the service answered as fast as it was asked, so this level tells no limit \
            and no variants apart.",
    remedy: "Drive a higher level to find the limit.",
    evidence: &[Measure { name: "offered", unit: "/s", about: "offered" }],
};

pub(super) fn at(cell: &Cell) -> Option<Finding> {
    let says = "The load set the throughput: the service answered as fast as it was asked.";
    // An explanation is seen, this only follows from figures: it gives way.
    let is_guessed = cell.explanation.is_none() && is_limited(cell);
    is_guessed.then(|| OFFERED.at(cell.place(), says).with("offered", cell.results.offered_per_s.median))
}

fn is_limited(cell: &Cell) -> bool {
    let load = &cell.level.plan.load;
    if cell.level.stage.is_some() {
        return false;
    }
    match load.think_time() {
        None => load.duration().is_some_and(|duration| keeps_up(cell, duration)),
        Some(think) if load.iterations().is_none() => waits_for_users(cell, think.mean()),
        // A pause after the last iteration delays nobody.
        Some(_) => waits_for_users(cell, Nanos::ZERO),
    }
}

/// An open load: nearly all that was offered succeeded, and no backlog was left to work off at the end.
fn keeps_up(cell: &Cell, duration: Nanos) -> bool {
    let totals = &cell.results.totals;
    totals.counts.succeeded as f64 >= 0.99 * totals.counts.offered as f64
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
    use plimsoll_record::{Arrivals, LevelPlan, Load, ThinkTime, VariantPlan};

    use super::*;
    use crate::{
        analyse,
        findings::found_at_levels,
        testing::{Request, execution, greetings, level, level_plan, plan, run, variant},
    };

    const fn ms(ms: u64) -> Nanos {
        Nanos::from_millis(ms)
    }

    #[test]
    fn a_hundred_users_cannot_ask_two_hundred_workers_for_more() {
        let data = greetings();
        let places: Vec<String> =
            found_at_levels(&data, &analyse(&data), at).iter().map(|it| it.place.to_string()).collect();
        assert!(places.contains(&"web-jar @ 100".to_owned()), "{places:?}");
        assert!(places.contains(&"reactive-jar @ 100".to_owned()), "{places:?}");
        assert!(places.iter().all(|place| !place.ends_with("@ 2700")), "{places:?}");
    }

    fn found(load: Load, requests: &[Request]) -> usize {
        let level_plan: LevelPlan = level_plan("x", load);
        let data = run(0, 0, ms(0), vec![level(&level_plan, ms(0), requests)]);
        let variant = VariantPlan { service_time: Some(ms(100)), ..variant("a") };
        let data = execution(plan(vec![variant], vec![level_plan], 1), vec![data]);
        found_at_levels(&data, &analyse(&data), at).len()
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
