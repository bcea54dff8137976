//! Steps that follow each other without a pause, until the percentile of one is beyond the limit: a ramp of k6 with
//! `abortOnFail`.

use super::{AT_MOST, HIGHEST, Interval, load::Load};

const SECONDS: f64 = 10.0;
/// The first step, as a part of the capacity.
const FIRST: f64 = 0.5;

pub(super) fn find(load: &mut Load<'_>, resolution: f64) -> Interval {
    let mut lower = 0.0;
    let mut rate = FIRST * load.capacity();
    while rate <= HIGHEST * load.capacity() && load.seconds() < AT_MOST {
        if !load.offer(rate, SECONDS).is_kept {
            return Interval { lower, upper: rate };
        }
        lower = rate;
        rate *= 1.0 + resolution;
    }
    Interval { lower, upper: f64::INFINITY }
}
