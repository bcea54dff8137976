//! The throughput that settings allow at most: each request holds a worker for the service time at least.

use plimsoll_record::{Load, Nanos, VariantPlan};

use crate::{
    measured::{Level, LevelRound},
    results::{Ceiling, Figure},
};

/// None unless the settings fix a service time, and settings or load fix how many requests can be served at once.
pub(crate) fn of(variant: &VariantPlan, level: &Level, rounds: &[LevelRound], throughput: &Figure) -> Option<Ceiling> {
    let service = variant.service_time.filter(|&it| it > Nanos::ZERO)?;
    let (at_once, who) = at_once(variant, level)?;
    let (per_s, because) = match waves(level, rounds, at_once) {
        Some((requests, waves)) => (
            requests / (waves * service.as_secs_f64()),
            format!("{requests} requests in {waves} waves of {at_once} {who} × {service}"),
        ),
        None => (at_once / service.as_secs_f64(), format!("{at_once} {who} ÷ {service}")),
    };
    Some(Ceiling { per_s, because, reached_percent: throughput.median / per_s * 100.0 })
}

/// Whether workers, not the load, are what the ceiling follows from.
pub(crate) fn is_by_workers(variant: &VariantPlan, level: &Level) -> bool {
    variant.workers.is_some_and(|workers| f64::from(workers) < level.max_in_flight())
}

fn at_once(variant: &VariantPlan, level: &Level) -> Option<(f64, &'static str)> {
    match variant.workers {
        Some(workers) if is_by_workers(variant, level) => Some((f64::from(workers), "workers")),
        _ if level.plan.load.is_closed() => Some((level.max_in_flight(), "users")),
        // The limit on requests in flight of an open load is there to protect the generator: it is no property of the
        // service.
        _ => variant.workers.map(|workers| (f64::from(workers), "workers")),
    }
}

/// A fixed number of requests needs a whole number of waves, and the last is not full: 300 at once on 200 workers take
/// two service times, so 150 a second is all there can be. It holds where every request took its turn.
fn waves(level: &Level, rounds: &[LevelRound], at_once: f64) -> Option<(f64, f64)> {
    let requests = match &level.plan.load {
        Load::SharedIterations { iterations, max_duration: None, .. } => *iterations as f64,
        Load::PerVuIterations { vus, iterations, max_duration: None, .. } => f64::from(*vus) * *iterations as f64,
        _ => return None,
    };
    let all_took_their_turn = rounds.iter().all(|it| it.merged.counts.succeeded as f64 == requests);
    let waves = (requests / at_once).ceil();
    (all_took_their_turn && waves * at_once > requests).then_some((requests, waves))
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{LevelPlan, ThinkTime};

    use super::*;
    use crate::{
        measured::levels,
        testing::{Request, burst, level, level_plan, run, variant},
    };

    fn ceiling(workers: Option<u32>, plan: &LevelPlan, requests: u64) -> Option<Ceiling> {
        let variant = VariantPlan { workers, service_time: Some(Nanos::from_secs(1)), ..variant("a") };
        let requests: Vec<Request> = (0..requests).map(|_| Request::ok(Nanos::ZERO, Nanos::from_secs(2))).collect();
        let run = run(0, 0, Nanos::ZERO, vec![level(plan, Nanos::ZERO, &requests)]);
        let level = &levels::split(plan)[0];
        let rounds = [LevelRound::of(level, &run).unwrap()];
        of(&variant, level, &rounds, &Figure::of(vec![rounds[0].throughput_per_s()]))
    }

    #[test]
    fn a_burst_is_served_in_waves() {
        let found = ceiling(Some(200), &burst(300), 300).unwrap();
        assert_eq!((found.per_s, found.reached_percent), (150.0, 100.0));
        assert_eq!(found.because, "300 requests in 2 waves of 200 workers × 1.00 s");
        let full_waves = ceiling(Some(200), &burst(400), 400).unwrap();
        assert_eq!((full_waves.per_s, full_waves.because.as_str()), (200.0, "200 workers ÷ 1.00 s"));
    }

    #[test]
    fn failures_give_their_turn_to_others() {
        let found = ceiling(Some(200), &burst(300), 299).unwrap();
        assert_eq!((found.per_s, found.because.as_str()), (200.0, "200 workers ÷ 1.00 s"));
    }

    #[test]
    fn fewer_users_than_workers_are_the_ceiling_themselves() {
        assert_eq!(ceiling(Some(200), &burst(100), 100).unwrap().because, "100 users ÷ 1.00 s");
        assert_eq!(ceiling(None, &burst(100), 100).unwrap().per_s, 100.0);
    }

    #[test]
    fn an_open_load_has_the_workers_ceiling_or_none() {
        let load = Load::ConstantArrivalRate {
            rate: 50.0,
            duration: Nanos::from_secs(1),
            arrivals: plimsoll_record::Arrivals::Even,
            max_in_flight: 100,
            drop_late: false,
        };
        let plan = level_plan("50/s", load);
        assert_eq!(ceiling(Some(200), &plan, 50).unwrap().per_s, 200.0);
        assert_eq!(ceiling(None, &plan, 50), None);
        let load = Load::ConstantVus { vus: 300, duration: Nanos::from_secs(2), think: ThinkTime::None };
        assert_eq!(ceiling(Some(200), &level_plan("300", load), 400).unwrap().per_s, 200.0);
    }
}
