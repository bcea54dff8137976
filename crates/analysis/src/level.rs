//! One variant at one level: figures over rounds, and what all rounds give together.

use plimsoll_record::{Histogram, Nanos, VariantPlan};

use crate::{
    ceiling,
    curve::curve,
    first_requests, foreign, generator, littles_law,
    measured::{Level, LevelRound, merge_all},
    requests,
    results::{Figure, LevelResults, MedianP99, Times, Totals},
    target, upstream, watched,
};

/// Figures of a variant at a level; none if no round measured anything.
pub(crate) fn results(variant: &VariantPlan, level: &Level, rounds: &[LevelRound]) -> Option<LevelResults> {
    let all = merge_all(rounds.iter().map(|round| &round.merged))?;
    let figure = |value: fn(&LevelRound) -> f64| Figure::of(rounds.iter().map(value).collect());
    let throughput_per_s = figure(LevelRound::throughput_per_s);
    Some(LevelResults {
        label: level.label.clone(),
        offered_per_s: Figure::of(rounds.iter().map(|round| offered_per_s(level, round)).collect()),
        duration_s: figure(|it| it.duration.as_secs_f64()),
        window_s: figure(|it| it.window.as_secs_f64()),
        tail_s: figure(|it| it.tail.as_secs_f64()),
        response: times(rounds, |it| &it.merged.ok.response),
        service: times(rounds, |it| &it.merged.ok.service),
        success_percent: (all.ended() > 0)
            .then(|| Figure::of(rounds.iter().filter_map(LevelRound::success_percent).collect())),
        received_kb_per_s: figure(|it| it.received_bytes_per_s() / 1e3),
        sent_kb_per_s: figure(|it| it.sent_bytes_per_s() / 1e3),
        send_lag_p50_ms: figure(|it| it.merged.send_lag.quantile(0.5).as_millis_f64()),
        send_lag_p99_ms: figure(|it| it.merged.send_lag.quantile(0.99).as_millis_f64()),
        generator_cpu_us_per_request: figure(LevelRound::generator_cpu_us_per_request),
        connection_wait_ms: median_p99(&all.connection_wait),
        dns_ms: median_p99(&all.dns),
        generator: generator::results(level, rounds)?,
        connect_ms: median_p99(&all.connect),
        tls_ms: median_p99(&all.tls),
        first_byte_ms: median_p99(&all.first_byte),
        body_ms: median_p99(&all.body),
        iteration_ms: median_p99(&all.iteration),
        requests: requests::results(level, rounds),
        totals: Totals::of(&all),
        response_curve: curve(&all.ok.response),
        service_curve: curve(&all.ok.service),
        first_requests: first_requests::results(rounds),
        sockets: watched::sockets(rounds),
        upstream: upstream::results(rounds),
        jvm: watched::jvm(rounds.iter().map(|round| &round.watched)),
        cpu_percent: watched::cpu_percent(rounds),
        foreign_cpu_percent: foreign::cpu_percent(rounds),
        target: target::results(rounds),
        littles_law: littles_law::of_level(level, rounds),
        ceiling: ceiling::of(variant, level, rounds, &throughput_per_s),
        limited_by: None,
        cut_short: rounds.iter().find_map(|round| round.cut_short),
        throughput_per_s,
    })
}

/// A rate is offered for as long as the load says, however long its last responses take.
fn offered_per_s(level: &Level, round: &LevelRound) -> f64 {
    let length = match level.stage_window() {
        Some((start, end)) => round.window.min(end - start),
        None => round.window,
    };
    if length == Nanos::ZERO { 0.0 } else { round.merged.counts.offered as f64 / length.as_secs_f64() }
}

fn times(rounds: &[LevelRound], of: fn(&LevelRound) -> &Histogram) -> Times<Figure> {
    let times = rounds.iter().map(of);
    let figure = |is_known: &dyn Fn(u64) -> bool, statistic: fn(&Histogram) -> f64| {
        Figure::of_some(times.clone().filter(|it| is_known(it.count())).map(statistic).collect())
    };
    Times::of(
        |statistic| figure(&|responses| responses > 0, statistic).unwrap_or_else(|| Figure::of(Vec::new())),
        |tail, statistic| {
            let known = figure(&|responses| tail.is_known_of(responses), statistic);
            known.ok_or_else(|| tail.why_unknown(times.clone().map(Histogram::count)))
        },
    )
}

fn median_p99(histogram: &Histogram) -> Option<MedianP99> {
    let ms = |quantile| histogram.quantile(quantile).as_millis_f64();
    (!histogram.is_empty()).then(|| MedianP99 { median: ms(0.5), p99: ms(0.99) })
}

#[cfg(test)]
mod tests {
    use plimsoll_record::RunData;
    use proptest::prelude::*;

    use super::*;
    use crate::{
        measured::levels,
        testing::{self, Request, burst, run, variant},
    };

    fn of_rounds(rounds_ms: &[Vec<u64>]) -> LevelResults {
        let plan = burst(5);
        let level = &levels::split(&plan)[0];
        let data = |(round, done_ms): (u32, &Vec<u64>)| -> RunData {
            let requests: Vec<Request> =
                done_ms.iter().map(|&ms| Request::ok(Nanos::ZERO, Nanos::from_millis(ms))).collect();
            run(0, round, Nanos::ZERO, vec![testing::level(&plan, Nanos::ZERO, &requests)])
        };
        let rounds: Vec<LevelRound> =
            (0..).zip(rounds_ms).filter_map(|round| LevelRound::of(level, &data(round))).collect();
        results(&variant("a"), level, &rounds).unwrap()
    }

    fn is_close(found: f64, expected: f64) -> bool {
        (found - expected).abs() <= expected * 0.001
    }

    #[test]
    fn figures_are_medians_of_rounds_and_totals_are_sums() {
        let level = of_rounds(&[vec![500, 1_000], vec![1_000, 4_000], vec![1_000, 2_000]]);
        assert_eq!(level.throughput_per_s.rounds, [2.0, 0.5, 1.0]);
        assert_eq!((level.throughput_per_s.median, level.throughput_per_s.min), (1.0, 0.5));
        assert!(is_close(level.response.mean_ms.median, 1_500.0), "{:?}", level.response.mean_ms);
        assert!(is_close(level.response.max_ms.max, 4_000.0));
        assert_eq!((level.totals.counts.succeeded, level.totals.statuses[&200]), (6, 6));
    }

    #[test]
    fn where_no_request_succeeded_times_have_no_rounds() {
        let plan = burst(1);
        let level = &levels::split(&plan)[0];
        let refused = Request::failed(Nanos::ZERO, Nanos(5), plimsoll_record::ErrorKind::Refused);
        let failed = testing::level(&plan, Nanos::ZERO, &[refused]);
        let mut under_way = failed.clone();
        under_way.intervals.iter_mut().for_each(|interval| interval.counts.failed = 0);
        let of = |level_data| LevelRound::of(level, &run(0, 0, Nanos::ZERO, vec![level_data])).unwrap();
        let rounds = [failed, under_way].map(of);
        let results = |rounds: &[LevelRound]| results(&variant("a"), level, rounds).unwrap();
        let found = results(&rounds[..1]);
        assert_eq!(found.response.p99_ms, None);
        assert_eq!(found.response.unknown["p99"], "no request succeeded");
        assert!(found.response.max_ms.rounds.is_empty() && found.response_curve.is_empty());
        let succeeded = found.success_percent.as_ref().map(|percent| percent.median);
        assert_eq!((succeeded, found.throughput_per_s.median), (Some(0.0), 0.0));
        let errors = |rounds| results(rounds).errors_percent().map(|percent| percent.rounds);
        assert_eq!(errors(&rounds), Some(vec![100.0]), "a round in which nothing ended tells none");
        assert_eq!(errors(&rounds[1..]), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 4, ..ProptestConfig::default() })]

        /// Percentiles after merging any intervals are those of the sorted values.
        #[test]
        fn percentiles_are_those_of_the_sorted_values(mut done_ms in prop::collection::vec(1..30_000_u64, 1..400)) {
            let level = of_rounds(&[done_ms.clone()]);
            done_ms.sort_unstable();
            let rank = |share: f64| ((share * done_ms.len() as f64).ceil() as usize).clamp(1, done_ms.len());
            let at = |share: f64| done_ms[rank(share) - 1] as f64;
            let response = &level.response;
            let tails = [(&response.p90_ms, 0.9), (&response.p95_ms, 0.95), (&response.p99_ms, 0.99)];
            for (found, share) in &tails {
                prop_assert_eq!(found.is_some(), done_ms.len() - rank(*share) >= 10, "{} of {}", share, done_ms.len());
            }
            let known = tails.iter().filter_map(|(found, share)| Some((found.as_ref()?, *share)));
            for (found, share) in known.chain([(&response.median_ms, 0.5), (&response.max_ms, 1.0)]) {
                prop_assert!(is_close(found.median, at(share)), "{share}: {} for {}", found.median, at(share));
            }
            let mean = done_ms.iter().sum::<u64>() as f64 / done_ms.len() as f64;
            prop_assert!(is_close(level.response.mean_ms.median, mean));
        }
    }
}
