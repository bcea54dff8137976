//! Figures of each request of a level.

use plimsoll_record::{Histogram, Interval, Nanos};

use crate::{
    measured::{Level, LevelRound, merge_all},
    results::{RequestResults, Times, Totals},
};

/// Figures in the plan's order, also of requests that were never sent; empty if all are alike.
pub(crate) fn results(level: &Level, rounds: &[LevelRound]) -> Vec<RequestResults> {
    let duration = rounds.iter().fold(Nanos::ZERO, |sum, round| sum + round.window);
    let of_request = |(request, name): (u32, &String)| {
        let own = || rounds.iter().filter_map(|round| round.requests.get(&request));
        let all = merge_all(own().map(|it| &it.merged)).unwrap_or_default();
        one(name, &all, own().map(|it| it.ended.succeeded).sum(), duration)
    };
    (0..).zip(&level.plan.requests).map(of_request).collect()
}

fn one(name: &str, all: &Interval, succeeded: f64, duration: Nanos) -> RequestResults {
    let duration_s = duration.as_secs_f64();
    RequestResults {
        name: name.to_owned(),
        throughput_per_s: if duration_s > 0.0 { succeeded / duration_s } else { 0.0 },
        response: times(&all.ok.response),
        service: times(&all.ok.service),
        totals: Totals::of(all),
    }
}

fn times(histogram: &Histogram) -> Option<Times<f64>> {
    let responses = histogram.count();
    (responses > 0).then(|| {
        Times::of(
            |statistic| statistic(histogram),
            |tail, statistic| match tail.is_known_of(responses) {
                true => Ok(statistic(histogram)),
                false => Err(tail.why_unknown(std::iter::once(responses))),
            },
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        measured::levels,
        testing::{Request, burst, level, run},
    };

    #[test]
    fn requests_are_told_apart_and_add_up_to_the_level() {
        let mut plan = burst(3);
        plan.requests = vec!["list".to_owned(), "order".to_owned(), "never".to_owned()];
        let ok = |ms| Request::ok(Nanos::ZERO, Nanos::from_millis(ms));
        let round = |number, list_ms: &[u64], order_ms: &[u64]| {
            let of = |times: &[u64]| level(&plan, Nanos::ZERO, &times.iter().map(|&ms| ok(ms)).collect::<Vec<_>>());
            let (mut data, mut others) = (of(list_ms), of(order_ms));
            others.intervals.iter_mut().for_each(|it| it.request = 1);
            data.intervals.append(&mut others.intervals);
            data.took = Some(Nanos::from_secs(1));
            run(0, number, Nanos::ZERO, vec![data])
        };
        let level = &levels::split(&plan)[0];
        let rounds = [round(0, &[100, 200], &[900]), round(1, &[300], &[])];
        let rounds: Vec<_> = rounds.iter().map(|it| LevelRound::of(level, it).unwrap()).collect();
        let found = results(level, &rounds);
        let counts: Vec<_> = found.iter().map(|it| (it.name.as_str(), it.totals.counts.succeeded)).collect();
        assert_eq!(counts, [("list", 3), ("order", 1), ("never", 0)]);
        assert_eq!(found[0].throughput_per_s, 1.5);
        assert!((found[0].response.as_ref().unwrap().max_ms - 300.0).abs() < 1.0);
        assert_eq!(found[2].response, None);
        assert!(results(&levels::split(&burst(3))[0], &rounds).is_empty(), "one name says nothing apart");
    }
}
