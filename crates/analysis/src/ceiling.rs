//! The most throughput that settings allow: each request holds a worker for at least the service time, and a connection
//! to the upstream for as long as the call takes.

use plimsoll_record::{Nanos, VariantPlan};
use plimsoll_text::{counted, plural};

use crate::{
    measured::{Level, LevelRound},
    results::{Bound, Ceiling, Figure, HigherCeiling, LevelResults},
    text::number,
};

/// A resource that limits how many requests are served at once, and the time that each takes at least.
struct Resource {
    at_once: f64,
    bound: Bound,
    each: Nanos,
}

/// The lowest ceiling. None unless the settings fix how long a request takes, and settings or load fix how many can be
/// served at once.
pub(crate) fn of(variant: &VariantPlan, level: &Level, rounds: &[LevelRound], throughput: &Figure) -> Option<Ceiling> {
    let mut ceilings: Vec<(Bound, HigherCeiling)> =
        limits(variant, level).iter().map(|limit| (limit.bound, ceiling(limit, level, rounds))).collect();
    ceilings.sort_by(|a, b| a.1.per_s.total_cmp(&b.1.per_s));
    let mut ceilings = ceilings.into_iter();
    let (bound, HigherCeiling { per_s, because }) = ceilings.next()?;
    let reached_percent = throughput.median / per_s * 100.0;
    Some(Ceiling { per_s, because, bound, reached_percent, others: ceilings.map(|(_, other)| other).collect() })
}

/// The lowest ceiling that settings make for loads that do not wait for responses; `reached`: the requests per second
/// that were carried.
pub(crate) fn by_settings(variant: &VariantPlan, reached: f64) -> Option<Ceiling> {
    let ceilings = of_service(variant).into_iter().map(|limit| (limit.bound, limit.steady()));
    let (bound, lowest) = ceilings.min_by(|a, b| a.1.per_s.total_cmp(&b.1.per_s))?;
    let reached_percent = reached / lowest.per_s * 100.0;
    Some(Ceiling { per_s: lowest.per_s, because: lowest.because, bound, reached_percent, others: Vec::new() })
}

/// True if the ceiling follows from settings of the service, not from the load.
pub(crate) fn is_by_settings(results: &LevelResults) -> bool {
    results.ceiling.as_ref().is_some_and(|ceiling| ceiling.bound != Bound::Users)
}

/// Limits of the service, as far as the load can reach them; else the users of a closed load. An open load's limit on
/// requests in flight protects the generator: it says nothing about the service.
fn limits(variant: &VariantPlan, level: &Level) -> Vec<Resource> {
    let is_closed = level.plan.load.is_closed();
    let reachable = |limit: &Resource| !is_closed || limit.at_once < level.max_in_flight();
    let of_service: Vec<Resource> = of_service(variant).into_iter().filter(reachable).collect();
    // Users who pause offer less: the finding `offered-load` takes their pauses into account.
    let is_pausing = level.plan.load.think_time().is_some_and(|think| think.mean() > Nanos::ZERO);
    if of_service.is_empty() && is_closed && !is_pausing {
        let users = Resource::of(Some(level.max_in_flight()), Bound::Users, variant.least_time());
        return users.into_iter().collect();
    }
    of_service
}

/// Limits of the service.
fn of_service(variant: &VariantPlan) -> Vec<Resource> {
    let limits = [
        Resource::of(variant.workers.map(f64::from), Bound::Workers, variant.least_time()),
        Resource::of(variant.connections_per_route.map(f64::from), Bound::Connections, variant.call_time),
    ];
    limits.into_iter().flatten().collect()
}

impl Resource {
    fn of(at_once: Option<f64>, bound: Bound, each: Option<Nanos>) -> Option<Self> {
        Some(Self { at_once: at_once?, bound, each: each.filter(|&it| it > Nanos::ZERO)? })
    }

    /// The resource in words, e.g. `200 workers`.
    fn servers(&self) -> String {
        let count = self.at_once as u64;
        match self.bound {
            Bound::Workers => counted(count, "worker"),
            Bound::Connections => plural(count, "connection per route", "connections per route"),
            Bound::Users => counted(count, "user"),
        }
    }

    /// The ceiling if the whole resource is in use all the time.
    fn steady(&self) -> HigherCeiling {
        let because = format!("{} ÷ {}", self.servers(), self.each);
        HigherCeiling { per_s: self.at_once / self.each.as_secs_f64(), because }
    }
}

fn ceiling(limit: &Resource, level: &Level, rounds: &[LevelRound]) -> HigherCeiling {
    let (each, servers) = (limit.each, limit.servers());
    match waves(level, rounds, limit.at_once) {
        Some((requests, waves)) => HigherCeiling {
            per_s: requests / (waves * each.as_secs_f64()),
            because: format!("{} requests in {waves} waves of {servers} × {each}", number(requests)),
        },
        None => limit.steady(),
    }
}

/// The requests and the waves in which they are served, where their number is fixed and the last wave is not full: 300
/// at once on 200 workers of 1 s take 2 s, so 150/s is the most. None unless every request succeeded.
fn waves(level: &Level, rounds: &[LevelRound], at_once: f64) -> Option<(f64, f64)> {
    let requests = level.plan.load.iterations().filter(|_| level.plan.load.duration().is_none())? as f64;
    let all_took_their_turn = rounds.iter().all(|it| it.merged.counts.succeeded as f64 == requests);
    let waves = (requests / at_once).ceil();
    (all_took_their_turn && waves * at_once > requests).then_some((requests, waves))
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{LevelPlan, Load, ThinkTime};

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
    fn of_several_settings_the_lowest_is_the_ceiling() {
        let variant = VariantPlan {
            workers: Some(200),
            service_time: Some(Nanos::from_millis(100)),
            connections_per_route: Some(5),
            call_time: Some(Nanos::from_millis(10)),
            ..variant("a")
        };
        let found = by_settings(&variant, 250.0).unwrap();
        assert_eq!((found.per_s, found.reached_percent, found.bound), (500.0, 50.0, Bound::Connections));
        assert_eq!(found.because, "5 connections per route ÷ 10.0 ms");
        assert!(by_settings(&VariantPlan::default(), 1.0).is_none());
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
        assert_eq!(ceiling(None, &burst(1), 1).unwrap().because, "1 user ÷ 1.00 s");
    }

    #[test]
    fn users_who_pause_are_no_ceiling() {
        let of_pause = |ms| {
            let think = ThinkTime::Constant { pause: Nanos::from_millis(ms) };
            let load = Load::ConstantVus { vus: 10, duration: Nanos::from_secs(2), think };
            ceiling(None, &level_plan("10", load), 20)
        };
        assert_eq!((of_pause(0).map(|it| it.per_s), of_pause(100)), (Some(10.0), None));
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

    #[test]
    fn of_several_ceilings_the_lowest_is_named_and_the_others_are_listed() {
        let load = Load::ConstantVus { vus: 500, duration: Nanos::from_secs(1), think: ThinkTime::None };
        let plan = level_plan("500", load);
        let run = run(0, 0, Nanos::ZERO, vec![level(&plan, Nanos::ZERO, &[Request::ok(Nanos::ZERO, Nanos(5))])]);
        let level = &levels::split(&plan)[0];
        let rounds = [LevelRound::of(level, &run).unwrap()];
        let ceiling = |workers, connections_per_route| {
            let call_time = Some(Nanos::from_millis(250));
            let variant = VariantPlan { workers, connections_per_route, call_time, ..variant("a") };
            of(&variant, level, &rounds, &Figure::of(vec![100.0])).unwrap()
        };
        let tuned = ceiling(Some(400), Some(100));
        assert_eq!((tuned.per_s, tuned.because.as_str()), (400.0, "100 connections per route ÷ 250 ms"));
        assert_eq!((tuned.bound, tuned.reached_percent), (Bound::Connections, 25.0));
        assert_eq!(tuned.others, [HigherCeiling { per_s: 1_600.0, because: "400 workers ÷ 250 ms".to_owned() }]);
        assert_eq!(ceiling(Some(200), Some(400)).bound, Bound::Workers);
        assert_eq!(ceiling(None, Some(800)).because, "500 users ÷ 250 ms");
    }
}
