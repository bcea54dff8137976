//! The first requests of a level, one by one: they show the cost of a start.

use plimsoll_record::TracedRequest;

use crate::{
    measured::{LevelRound, over_rounds},
    results::{Figure, FirstCall, FirstRequests, TimingPart},
    server_timing, stats, watched,
};

/// Number of first calls; all others are the rest.
const FIRST_CALLS: usize = 10;

/// The first requests one by one; none unless requests were traced.
pub(crate) fn results(rounds: &[LevelRound]) -> Option<FirstRequests> {
    let most = rounds.iter().map(|round| round.traced.len()).max().filter(|&most| most > 0)?;
    Some(FirstRequests {
        calls: (0..most).map(|index| call(index, rounds)).collect(),
        rest_ms: over_rounds(rounds, |round| Some(rest(&round.traced, response_s)? * 1e3)),
        server_timing: timings(rounds),
        jvm: watched::jvm(rounds.iter().filter_map(|round| round.first_call.as_ref())),
    })
}

/// Applies `of` to the first request; none if it failed or was not traced.
pub(crate) fn first(traced: &[TracedRequest], of: fn(&TracedRequest) -> f64) -> Option<f64> {
    traced.first().filter(|it| it.error.is_none()).map(of)
}

/// The median of `of` over successful requests after the tenth; none without one.
pub(crate) fn rest(traced: &[TracedRequest], of: fn(&TracedRequest) -> f64) -> Option<f64> {
    let rest: Vec<f64> = traced.iter().skip(FIRST_CALLS).filter(|it| it.error.is_none()).map(of).collect();
    (!rest.is_empty()).then(|| stats::median(&rest))
}

/// Response time in seconds.
pub(crate) fn response_s(request: &TracedRequest) -> f64 {
    (request.done - request.intended).as_secs_f64()
}

fn call(index: usize, rounds: &[LevelRound]) -> FirstCall {
    let failed = rounds.iter().filter(|round| round.traced.get(index).is_some_and(|call| call.error.is_some()));
    FirstCall {
        call: index as u32 + 1,
        response_ms: over_rounds(rounds, |round| {
            let traced = round.traced.get(index).filter(|call| call.error.is_none());
            traced.map(|call| response_s(call) * 1e3)
        }),
        failed_rounds: failed.count() as u32,
    }
}

/// Durations that responses to the first call report (`Server-Timing`), in the order of the first of them.
fn timings(rounds: &[LevelRound]) -> Vec<TimingPart> {
    let said = |round: &LevelRound| {
        let text = round.traced.first().and_then(|call| call.server_timing.as_deref());
        text.map(server_timing::durations_ms).unwrap_or_default()
    };
    let said: Vec<Vec<(String, f64)>> = rounds.iter().map(said).collect();
    let mut names: Vec<&String> = Vec::new();
    for (name, _) in said.iter().flatten() {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let part = |name: &String| {
        let of_round = |parts: &Vec<(String, f64)>| parts.iter().find(|part| part.0 == *name).map(|part| part.1);
        Some(TimingPart { name: name.clone(), ms: Figure::of_some(said.iter().filter_map(of_round).collect())? })
    };
    names.into_iter().filter_map(part).collect()
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{ErrorKind, Nanos, Sample, metric::jvm::CLASSES_LOADED};

    use super::*;
    use crate::{
        measured::levels,
        testing::{Request, burst, level, run, traced},
    };

    /// A round whose first requests took so long; none failed.
    fn round(number: u32, took_ms: &[Option<u64>], server_timing: Option<&str>) -> LevelRound {
        let plan = burst(1);
        let mut data = level(&plan, Nanos::ZERO, &[Request::ok(Nanos::ZERO, Nanos::from_secs(1))]);
        let request = |(number, took_ms): (u64, &Option<u64>)| {
            let mut request = traced(Nanos::from_millis(number), Nanos::from_millis(took_ms.unwrap_or(5)));
            request.error = took_ms.is_none().then_some(ErrorKind::Reset);
            request.server_timing = server_timing.map(str::to_owned);
            request
        };
        data.traced = (0..).zip(took_ms).map(request).collect();
        LevelRound::of(&levels::split(&plan)[0], &run(0, number, Nanos::ZERO, vec![data])).unwrap()
    }

    #[test]
    fn each_call_has_its_figure_over_rounds() {
        let rounds = [
            round(0, &[Some(100), Some(10), None], Some("connect;dur=60, tls;dur=20")),
            round(1, &[Some(120), Some(12), Some(4)], Some("connect;dur=80")),
            round(2, &[Some(110), Some(11), None], None),
        ];
        let found = results(&rounds).unwrap();
        assert_eq!(found.calls.iter().map(|it| it.call).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(found.calls[0].response_ms.as_ref().unwrap().rounds, [100.0, 120.0, 110.0]);
        assert_eq!(
            (found.calls[2].failed_rounds, &found.calls[2].response_ms.as_ref().unwrap().rounds[..]),
            (2, &[4.0][..])
        );
        let parts: Vec<_> = found.server_timing.iter().map(|part| (part.name.as_str(), part.ms.median)).collect();
        assert_eq!(parts, [("connect", 70.0), ("tls", 20.0)]);
        assert_eq!(found.rest_ms, None, "there are not so many");
    }

    #[test]
    fn what_the_jvm_did_meanwhile_is_told_if_a_pause_follows() {
        let plan = burst(1);
        let of_pause = |pause_ms: u64| {
            let mut data = level(&plan, Nanos::ZERO, &[Request::ok(Nanos::ZERO, Nanos::from_secs(1))]);
            let second = Nanos::from_millis(250 + pause_ms);
            data.traced = vec![traced(Nanos::ZERO, Nanos::from_millis(250)), traced(second, Nanos::from_millis(10))];
            let mut run = run(0, 0, Nanos::ZERO, vec![data]);
            let sample =
                |at_ms, value| Sample { at: Nanos::from_millis(at_ms), metric: CLASSES_LOADED.name.to_owned(), value };
            run.samples = vec![sample(0, 5_000.0), sample(200, 6_000.0), sample(300, 6_200.0), sample(400, 9_000.0)];
            let round = LevelRound::of(&levels::split(&plan)[0], &run).unwrap();
            results(&[round]).unwrap().jvm.classes_loaded.map(|it| it.median)
        };
        assert_eq!([of_pause(110), of_pause(20)], [Some(1_200.0), None]);
    }

    #[test]
    fn the_rest_are_those_after_the_tenth() {
        let took: Vec<_> = [500; 10].into_iter().chain([3, 1, 2]).map(Some).collect();
        let rounds = [round(0, &took, None)];
        assert_eq!(results(&rounds).unwrap().rest_ms.unwrap().median, 2.0);
        assert_eq!(first(&rounds[0].traced, response_s), Some(0.5));
        assert_eq!(results(&[round(0, &[], None)]), None);
    }
}
