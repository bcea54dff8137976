//! Piecewise linear rates, their integral, and the inverse of it: where arrivals fall.

use plimsoll_record::{Arrivals, Leg, Nanos, seed_for};
use rand::{Rng, RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{Segment, Step};

/// The integral over the whole leg.
fn area_under(leg: Leg) -> f64 {
    (leg.from + leg.to) / 2.0 * leg.duration.as_secs_f64()
}

/// How many seconds into the leg its integral reaches `area`: the root of `from·t + slope·t²/2 = area`, in the form
/// that does not cancel when the slope is small.
fn seconds_to(leg: Leg, area: f64) -> f64 {
    let slope = (leg.to - leg.from) / leg.duration.as_secs_f64();
    let root = (leg.from * leg.from + 2.0 * slope * area).max(0.0).sqrt();
    if area <= 0.0 { 0.0 } else { 2.0 * area / (leg.from + root) }
}

/// The arrivals of a segment. Evenly spaced, number k falls where the integral of the rate reaches k; as a Poisson
/// process, where it reaches the sum of k + 1 exponential variates of mean 1 (the time-rescaling theorem), drawn alike
/// for every segment.
pub(super) fn arrivals(
    legs: Vec<Leg>,
    spacing: Arrivals,
    segment: Segment,
    seed: u64,
) -> impl Iterator<Item = (Nanos, Step)> + Send {
    let areas: Box<dyn Iterator<Item = f64> + Send> = match spacing {
        Arrivals::Even => Box::new((0_u64..).map(|k| k as f64)),
        Arrivals::Poisson => {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed_for("arrivals", seed));
            let mut sum = 0.0;
            Box::new(std::iter::repeat_with(move || {
                sum += exponential(&mut rng);
                sum
            }))
        }
    };
    let mine = areas.skip(segment.index as usize).step_by(segment.count as usize);
    let mut inverse = Inverse { legs, leg: 0, area_before: 0.0 };
    mine.map_while(move |area| inverse.instant(area)).map(|at| (at, Step::Arrival))
}

/// An exponential variate of mean 1.
pub(crate) fn exponential(rng: &mut impl Rng) -> f64 {
    -(1.0 - rng.random::<f64>()).ln()
}

/// Walks through the legs with ascending areas.
struct Inverse {
    legs: Vec<Leg>,
    leg: usize,
    area_before: f64,
}

impl Inverse {
    /// When the integral reaches `area`; none if it never does before the end.
    fn instant(&mut self, area: f64) -> Option<Nanos> {
        loop {
            let leg = *self.legs.get(self.leg)?;
            let within = area - self.area_before;
            if within < area_under(leg) {
                return Some(leg.begin + Nanos::from_secs_f64(seconds_to(leg, within)));
            }
            self.area_before += area_under(leg);
            self.leg += 1;
        }
    }
}
