//! The interval of the percentile at a rate, from the requests of its trials.

use plimsoll_record::Histogram;

/// Standard deviations within which 95 % of a normal distribution lie.
const SURE: f64 = 1.96;

/// Both bounds of the percentile at `quantile`, together 95 % sure, in milliseconds; none on a side on which the
/// requests tell nothing.
///
/// A share p of the N requests is beyond the percentile. Late requests come in bursts, so that the number seen beyond
/// it has a variance of `dispersion` times its mean, N·p, and the share seen lies within p ± 1.96·√(dispersion·p/N).
/// The bounds are the times beyond which such shares were seen. If chance could have hidden all bursts, there is no
/// upper bound.
pub(super) fn bounds_ms(times: &Histogram, quantile: f64, dispersion: f64) -> [Option<f64>; 2] {
    if times.is_empty() {
        return [None; 2];
    }
    let share = 1.0 - quantile;
    let away = SURE * (dispersion.max(1.0) * share / times.count() as f64).sqrt();
    let at = |beyond: f64| times.quantile(1.0 - beyond).as_millis_f64();
    let (low, high) = (share + away, share - away);
    [(low < 1.0).then(|| at(low)), (high > 0.0).then(|| at(high))]
}

#[cfg(test)]
mod tests {
    use plimsoll_record::Nanos;
    use plimsoll_search::testing::{Arrivals, Server, System, systems};
    use rand::{SeedableRng, rngs::SmallRng};

    use super::*;

    /// Trials of each rate; a share of 95 % of so many is known to ± 2.5 points.
    const TRIALS: u64 = 300;

    /// The share of responses of an M/M/8 queue of 10 ms that take longer than `t` seconds, at `rate`: Erlang's C for
    /// the share that waits, and a wait that is exponential with the rate that is free (Kleinrock 1975, 3.5).
    fn share_beyond(rate: f64, t: f64) -> f64 {
        let (workers, served) = (8.0, 100.0);
        let offered = rate / served;
        let mut blocked = 1.0;
        (1..=8).for_each(|n| blocked = offered * blocked / (f64::from(n) + offered * blocked));
        let waits = blocked / (1.0 - offered / workers * (1.0 - blocked));
        let free = workers * served - rate;
        let of_both = (free * (-served * t).exp() - served * (-free * t).exp()) / (free - served);
        (1.0 - waits) * (-served * t).exp() + waits * of_both
    }

    fn p99_ms(rate: f64) -> f64 {
        let (mut low, mut high) = (0.0, 10.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if share_beyond(rate, middle) > 0.01 { low = middle } else { high = middle }
        }
        low * 1e3
    }

    /// Response times of a trial from an empty start.
    fn trial(system: &System, rate: f64, seconds: f64, seed: u64) -> Histogram {
        let (mut server, mut rng) = (Server::new(system.service.clone(), seed), SmallRng::seed_from_u64(!seed));
        let (mut times, mut at, mut index) = (Histogram::new(), 0.0, 0);
        while at < seconds {
            times.record(Nanos::from_secs_f64(server.request(at).at - at));
            index += 1;
            at += Arrivals::Poisson.gap(rate, index, &mut rng);
        }
        times
    }

    fn mm8() -> System {
        systems().into_iter().find(|it| it.name == "M/M/8").expect("it is there")
    }

    #[test]
    fn the_percentile_of_the_service_lies_within_its_interval() {
        let system = mm8();
        assert!((p99_ms(749.0) - 100.0).abs() < 1.0, "the line is known");
        // Short of the line, and at it; docs/line.md has the figures.
        for (rate, seconds) in [(500.0, 20.0), (650.0, 60.0), (749.0, 30.0)] {
            let truth = p99_ms(rate);
            let (mut holds, mut is_closed) = (0, 0);
            for seed in 0..TRIALS {
                let times = trial(&system, rate, seconds, seed);
                let [low, high] = bounds_ms(&times, 0.99, system.expected_dispersion(rate));
                holds += u64::from(low.is_none_or(|low| low <= truth) && high.is_none_or(|high| truth <= high));
                is_closed += u64::from(low.is_some() && high.is_some());
            }
            let covered = holds as f64 / TRIALS as f64;
            println!("{rate}/s for {seconds} s: {covered:.3} hold {truth:.1} ms, {is_closed} from both sides");
            assert!(covered >= 0.93, "{rate}/s for {seconds} s: {covered}");
        }
    }

    #[test]
    fn few_bursts_leave_the_upper_side_open_and_no_requests_both() {
        let mut times = Histogram::new();
        (1..=1_000).for_each(|ms| times.record(Nanos::from_millis(ms)));
        let [low, high] = bounds_ms(&times, 0.9, 1.0);
        // 1.96 · √(0.1 / 1,000) = 2.0 %.
        assert!((low.unwrap() - 880.0).abs() < 2.0 && (high.unwrap() - 920.0).abs() < 2.0, "{low:?} {high:?}");
        let [low, high] = bounds_ms(&times, 0.9, 100.0);
        assert!(high.is_none() && (low.unwrap() - 704.0).abs() < 3.0, "{low:?} {high:?}");
        assert_eq!(bounds_ms(&Histogram::new(), 0.9, 1.0), [None; 2]);
        assert_eq!(bounds_ms(&times, 0.5, 1e6), [None; 2], "nothing is known");
    }
}
