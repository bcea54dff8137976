//! The clock of a load.

use std::time::{Duration, Instant};

use plimsoll_record::Nanos;

use super::WAIT_MAX;
use crate::stop::Stop;

/// Instants of the load.
#[derive(Clone, Copy)]
pub(super) struct Clock {
    pub origin: Instant,
}

impl Clock {
    /// Waits for the start of the load.
    pub fn await_origin(self, stop: &Stop) {
        while !stop.is_asked() {
            let left = self.origin.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            std::thread::sleep(left.min(Duration::from_nanos(WAIT_MAX.0)));
        }
    }

    #[inline]
    pub fn now(&self) -> Nanos {
        Nanos(self.origin.elapsed().as_nanos() as u64)
    }
}
