//! Counters of a simulated upstream at one level: their growth.

use plimsoll_record::metric::{Metric, upstream};

use crate::{
    measured::{LevelRound, over_rounds},
    results::UpstreamFigures,
};

/// Figures of the upstream; none if there was none.
pub(crate) fn results(rounds: &[LevelRound]) -> Option<UpstreamFigures> {
    let growth = |metric: Metric| over_rounds(rounds, |round| round.watched.growth(metric.name));
    let peak = |metric: Metric| over_rounds(rounds, |round| round.watched.peak(metric.name));
    Some(UpstreamFigures {
        requests: growth(upstream::REQUESTS)?,
        connections_per_1000: over_rounds(rounds, connections_per_1000),
        requests_per_connection_max: peak(upstream::REQUESTS_PER_CONNECTION_MAX),
        handshakes_per_1000: over_rounds(rounds, handshakes_per_1000).filter(|figure| figure.max > 0.0),
        resumed_percent: over_rounds(rounds, resumed_percent),
        handshakes_failed: growth(upstream::TLS_FAILED),
        resets: growth(upstream::RESETS)?,
        peak_connections: peak(upstream::CONNECTIONS_OPEN)?,
        peak_waiting: peak(upstream::WAITING)?,
        peak_in_service: peak(upstream::IN_SERVICE)?,
    })
}

/// New connections for 1,000 requests.
pub(crate) fn connections_per_1000(round: &LevelRound) -> Option<f64> {
    share(round, upstream::CONNECTIONS_OPENED, upstream::REQUESTS).map(|share| share * 1e3)
}

/// TLS handshakes for 1,000 requests.
pub(crate) fn handshakes_per_1000(round: &LevelRound) -> Option<f64> {
    share(round, upstream::TLS_HANDSHAKES, upstream::REQUESTS).map(|share| share * 1e3)
}

fn resumed_percent(round: &LevelRound) -> Option<f64> {
    share(round, upstream::TLS_RESUMED, upstream::TLS_HANDSHAKES).map(|share| share * 1e2)
}

fn share(round: &LevelRound, part: Metric, whole: Metric) -> Option<f64> {
    let whole = round.watched.growth(whole.name).filter(|whole| *whole > 0.0)?;
    Some(round.watched.growth(part.name)? / whole)
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Nanos, RunData, Sample};

    use super::*;
    use crate::{
        measured::levels,
        testing::{Request, burst, level, run},
    };

    const fn ms(ms: u64) -> Nanos {
        Nanos::from_millis(ms)
    }

    /// One level from 1 to 3 s; each metric has the first value before it and the second one after it.
    fn measured(counters: &[(Metric, f64, f64)]) -> Option<UpstreamFigures> {
        let plan = burst(1);
        let mut data: RunData = run(0, 0, ms(0), vec![level(&plan, ms(1_000), &[Request::ok(ms(0), ms(2_000))])]);
        let sample = |at, metric: Metric, value| Sample { at: ms(at), metric: metric.name.to_owned(), value };
        data.samples = counters
            .iter()
            .flat_map(|&(metric, before, after)| [sample(900, metric, before), sample(3_100, metric, after)])
            .collect();
        results(&[LevelRound::of(&levels::split(&plan)[0], &data).unwrap()])
    }

    const NOTHING: [(Metric, f64, f64); 4] = [
        (upstream::RESETS, 0.0, 0.0),
        (upstream::CONNECTIONS_OPEN, 5.0, 5.0),
        (upstream::WAITING, 0.0, 0.0),
        (upstream::IN_SERVICE, 0.0, 0.0),
    ];

    #[test]
    fn figures_are_of_the_level_alone() {
        let counters = [
            (upstream::REQUESTS, 100.0, 2_100.0),
            (upstream::CONNECTIONS_OPENED, 5.0, 15.0),
            (upstream::TLS_HANDSHAKES, 5.0, 13.0),
            (upstream::TLS_RESUMED, 0.0, 6.0),
            (upstream::TLS_FAILED, 1.0, 3.0),
            (upstream::REQUESTS_PER_CONNECTION_MAX, 310.0, 310.0),
        ];
        let found = measured(&[&counters[..], &NOTHING].concat()).expect("there is one");
        assert_eq!(found.requests.median, 2_000.0);
        assert_eq!(found.connections_per_1000.map(|figure| figure.median), Some(5.0));
        assert_eq!(found.handshakes_per_1000.map(|figure| figure.median), Some(4.0));
        assert_eq!(found.resumed_percent.map(|figure| figure.median), Some(75.0));
        assert_eq!(found.handshakes_failed.map(|figure| figure.median), Some(2.0));
        assert_eq!(found.requests_per_connection_max.map(|figure| figure.median), Some(310.0));
        assert_eq!((found.peak_connections.median, found.resets.median), (5.0, 0.0));
    }

    #[test]
    fn what_cannot_be_said_is_not() {
        assert_eq!(measured(&[]), None);
        let idle = [
            (upstream::REQUESTS, 7.0, 7.0),
            (upstream::CONNECTIONS_OPENED, 1.0, 2.0),
            (upstream::TLS_HANDSHAKES, 0.0, 0.0),
            (upstream::TLS_RESUMED, 0.0, 0.0),
        ];
        let found = measured(&[&idle[..], &NOTHING].concat()).expect("there is one");
        assert_eq!((found.connections_per_1000, found.handshakes_per_1000, found.resumed_percent), (None, None, None));
    }
}
