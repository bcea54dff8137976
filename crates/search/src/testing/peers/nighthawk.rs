//! The adaptive load of Nighthawk: the rate doubles until a trial fails, then it is bisected until it changes by less
//! than 1 %, and offered once more. (`exponential_search_step_controller_impl.cc`)
//!
//! It has no objective for a percentile, which it is given here, and tells a rate only, which is taken as the middle of
//! the interval. The last stage is reported there, and changes nothing.

use super::{AT_MOST, Interval, LOWEST, load::Load};

const SECONDS: f64 = 10.0;
const TESTING_SECONDS: f64 = 30.0;
const FACTOR: f64 = 2.0;
const CONVERGED: f64 = 0.01;

pub(super) fn find(load: &mut Load<'_>, resolution: f64) -> Interval {
    let mut top = LOWEST * load.capacity();
    let mut bottom = 0.0;
    while load.trial(top, SECONDS).is_kept {
        bottom = top;
        top *= FACTOR;
    }
    if bottom == 0.0 {
        return Interval { lower: 0.0, upper: top };
    }
    let (mut before, mut rate) = (top, (bottom + top) / 2.0);
    while (rate / before - 1.0).abs() >= CONVERGED && load.seconds() < AT_MOST {
        if load.trial(rate, SECONDS).is_kept {
            bottom = rate
        } else {
            top = rate
        }
        before = rate;
        rate = (bottom + top) / 2.0;
    }
    load.trial(rate, TESTING_SECONDS);
    Interval::around(rate, resolution)
}
