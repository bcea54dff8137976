//! The steps of an explanation, and how long each takes.

use plimsoll_record::{Nanos, Window};

/// The window without load.
pub(super) const REST: Nanos = Nanos::from_millis(1_200);
/// Seconds of figures under each load, and beside dumps.
const LIGHT_S: usize = 3;
const LIGHT_CENSUS_S: usize = 2;
const FULL_S: usize = 5;
const FULL_CENSUS_S: usize = 7;
/// Time that each step under full load takes beyond its seconds, on average: connections are opened, and requests in
/// flight at its end are awaited.
const AROUND: Nanos = Nanos::from_millis(1_500);
/// Seconds for which requests in flight at the end of a step are awaited. Longer after the probe, since the target must
/// be idle when it is looked at without load.
const AWAITED_S: usize = 3;
const AWAITED_OF_PROBE_S: usize = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Probe,
    Rest,
    Measure(Offered),
    Census(Offered),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Offered {
    Light,
    /// Index of the full load.
    Full(usize),
}

impl Offered {
    pub const fn window(self) -> Window {
        match self {
            Self::Light => Window::Light,
            Self::Full(_) => Window::Full,
        }
    }
}

impl Step {
    /// Length in seconds; 0 for the probe, whose length is not known.
    pub const fn seconds(self) -> usize {
        match self {
            Self::Probe => 0,
            Self::Rest => 1,
            Self::Measure(Offered::Light) => LIGHT_S,
            Self::Measure(Offered::Full(_)) => FULL_S,
            Self::Census(Offered::Light) => LIGHT_CENSUS_S,
            Self::Census(Offered::Full(_)) => FULL_CENSUS_S,
        }
    }

    /// Seconds for which requests in flight at its end are awaited.
    pub const fn awaited(self) -> usize {
        if matches!(self, Self::Probe) { AWAITED_OF_PROBE_S } else { AWAITED_S }
    }
}

/// How long an explanation of so many loads takes, once the service is warm.
pub fn length(loads: usize) -> Nanos {
    let seconds = LIGHT_S + LIGHT_CENSUS_S + loads * (FULL_S + FULL_CENSUS_S);
    REST + Nanos::from_secs(seconds as u64) + Nanos(AROUND.0 * 2 * loads as u64)
}
