//! How others look for a load line, on the same simulated servers: to compare with [`crate::Search`].
//!
//! All are told the capacity roughly, need not wait for a warm-up, and stop after ten minutes.

mod bisection;
mod load;
mod mlrsearch;
mod nighthawk;
mod probabilistic;
mod ramp;

use self::load::Load;
use super::systems::System;

/// Seconds of load, drains among them, that a search takes at most.
const AT_MOST: f64 = 600.0;
/// Rates that come into question, as parts of the capacity.
const LOWEST: f64 = 0.1;
const HIGHEST: f64 = 1.2;

/// Where a line is said to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// 0 if no rate was found to be carried.
    pub lower: f64,
    /// Infinite if none was found not to be.
    pub upper: f64,
}

impl Interval {
    /// Whether `line` lies within.
    pub fn holds(&self, line: f64) -> bool {
        self.lower <= line && line <= self.upper
    }

    /// The upper end divided by the lower one, less 1.
    pub fn width(&self) -> f64 {
        self.upper / self.lower - 1.0
    }

    /// Around the geometric middle `rate`.
    fn around(rate: f64, width: f64) -> Self {
        let half = (1.0 + width).sqrt();
        Self { lower: rate / half, upper: rate * half }
    }
}

/// A strategy.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// For tables.
    pub name: &'static str,
    find: fn(&mut Load<'_>, f64) -> Interval,
}

impl Peer {
    /// Searches the line of `system` to `resolution`: where it is, and after how many seconds.
    pub fn search(&self, system: &System, resolution: f64, seed: u64) -> (Interval, f64) {
        let mut load = Load::new(system, seed);
        let interval = (self.find)(&mut load, resolution);
        (interval, load.seconds())
    }
}

/// All of them.
pub fn peers() -> Vec<Peer> {
    vec![
        Peer { name: "bisection, 10 s", find: |load, resolution| bisection::find(load, resolution, 10.0) },
        Peer { name: "bisection, 30 s", find: |load, resolution| bisection::find(load, resolution, 30.0) },
        Peer { name: "ramp, 10 s", find: ramp::find },
        Peer { name: "MLRsearch, 1 to 20 s", find: mlrsearch::find },
        Peer { name: "Nighthawk, 10 s", find: nighthawk::find },
        Peer { name: "probabilistic, 5 s", find: probabilistic::find },
    ]
}
