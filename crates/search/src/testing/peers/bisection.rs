//! Bisection: the percentile of each trial decides.

use super::{AT_MOST, HIGHEST, Interval, LOWEST, load::Load};

pub(super) fn find(load: &mut Load<'_>, resolution: f64, seconds: f64) -> Interval {
    let mut found = Interval { lower: LOWEST * load.capacity(), upper: HIGHEST * load.capacity() };
    while found.width() > resolution && load.seconds() < AT_MOST {
        let middle = (found.lower * found.upper).sqrt();
        if load.trial(middle, seconds).is_kept { found.lower = middle } else { found.upper = middle }
    }
    found
}
