//! Little's law: requests in a system = throughput × time in the system (Little, "A proof for the queuing formula L =
//! λW", 1961).
//!
//! The result must fit into what the load allows, or one of the figures is wrong.

use plimsoll_record::Nanos;

use crate::{
    measured::{Level, LevelRound},
    results::LittlesLaw,
};

/// Relative tolerance: for rounding of printed figures, and the three digits of our histograms.
pub(crate) const TOLERANCE: f64 = 0.02;

/// The law on our figures, for the round that asks for most requests in flight.
///
/// A user of a closed load is held from the intended instant on, so response time counts. An open load limits what is
/// sent and unanswered, so service time counts: what waits to be sent is not in flight.
pub(crate) fn of_level(level: &Level, rounds: &[LevelRound]) -> LittlesLaw {
    let mean_ns = |round: &LevelRound| match level.plan.load.is_closed() {
        true => round.response(|it| it.mean_ns()),
        false => round.service(|it| it.mean_ns()),
    };
    // All requests of a whole level count, each with its whole time, also those that were answered after its end.
    let per_s = |it: &LevelRound| match level.stage {
        Some(_) => it.throughput_per_s(),
        None => it.merged.counts.succeeded as f64 / it.duration.as_secs_f64().max(1e-9),
    };
    let in_flight = |it: &LevelRound| per_s(it) * mean_ns(it).unwrap_or_default() / 1e9;
    let allowed = level.max_in_flight();
    let is_possible = |it: &LevelRound| in_flight(it) <= at_most(allowed, longest_s(level, it), it.duration);
    LittlesLaw {
        in_flight: rounds.iter().map(in_flight).fold(0.0, f64::max),
        allowed,
        consistent: rounds.iter().all(is_possible),
    }
}

/// The longest request that may have been under way when the level began, in seconds; zero unless it is a stage.
fn longest_s(level: &Level, round: &LevelRound) -> f64 {
    round.response(|it| it.max().as_secs_f64()).filter(|_| level.stage.is_some()).unwrap_or(0.0)
}

/// The requests in flight that figures of a window of `held` with `allowed` users may ask for, where a request and the
/// pause before it take `longest_s` at most together.
///
/// A window counts the requests that *end* in it, each with its whole time. Take the requests of one user that end
/// there, at d₁ < … < dₖ, with times s₁ … sₖ and a pause of Z before each. From one end to the next pass exactly
/// Z + s, so the sum over all of them is Σ(Z + sᵢ) = dₖ − d₁ + Z + s₁. Both ends of the window cut: what is under way
/// at the later end is not counted, and cannot add; what was under way at the earlier end is counted whole, though its
/// pause or its service began before. So dₖ − d₁ < T gives Σ(Z + sᵢ) < T + Z + s₁, and over N users
///
/// X·(R + Z) = Σ ÷ T < N·(1 + (Z + s_max) ÷ T).
///
/// The tolerance comes on top: it is for inexact figures, not for what a window cuts.
pub(crate) fn at_most(allowed: f64, longest_s: f64, held: Nanos) -> f64 {
    allowed * (1.0 + TOLERANCE + longest_s / held.as_secs_f64().max(1e-9))
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Arrivals, Load};

    use super::*;
    use crate::{
        measured::levels,
        testing::{self, Request, burst, level_plan, run},
    };

    #[test]
    fn users_who_never_pause_are_all_in_flight() {
        // Ten users, two requests each of 1 s, one after the other: 20 in 2 s, 10/s × 1 s = 10.
        let plan = burst(10);
        let second = Nanos::from_secs;
        let requests: Vec<Request> =
            (0..20).map(|index| Request::ok(second(index / 10), second(index / 10 + 1))).collect();
        let run = run(0, 0, second(1), vec![testing::level(&plan, second(0), &requests)]);
        let level = &levels::split(&plan)[0];
        let law = of_level(level, &[LevelRound::of(level, &run).unwrap()]);
        assert!((law.in_flight - 10.0).abs() < 0.01, "{law:?}");
        assert!(law.consistent && law.allowed == 10.0);
    }

    #[test]
    fn what_an_open_load_holds_back_is_not_in_flight() {
        // Sent 3 s late, answered in 0.5 s: one in flight at a time, though users wait 3.5 s.
        let load = Load::ConstantArrivalRate {
            rate: 2.0,
            duration: Nanos::from_secs(10),
            arrivals: Arrivals::Even,
            max_in_flight: 1,
            drop_late: false,
        };
        let plan = level_plan("2/s", load);
        let ms = Nanos::from_millis;
        let requests: Vec<Request> = (0..20)
            .map(|k| Request { sent: ms(k * 500 + 3_000), ..Request::ok(ms(k * 500), ms(k * 500 + 3_500)) })
            .collect();
        let run = run(0, 0, ms(1), vec![testing::level(&plan, ms(0), &requests)]);
        let level = &levels::split(&plan)[0];
        let law = of_level(level, &[LevelRound::of(level, &run).unwrap()]);
        assert!(law.consistent && law.in_flight < 1.0, "{law:?}");
    }
}
