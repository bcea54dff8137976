//! Flow control (RFC 9113, section 5.2): what each side may send before it hears from the other.

use super::error::ConnectionError;

/// Size of a window before anybody says otherwise, in bytes.
pub(super) const WINDOW_DEFAULT: u32 = 65_535;
/// Bytes that the target may send on a stream, and on all of them: so many that it never waits for us, as with h2load.
pub(super) const RECEIVE_WINDOW: u32 = (1 << 30) - 1;
/// The most that a window can hold.
const WINDOW_MAX: i64 = (1 << 31) - 1;

/// Bytes that we may send. A change of the target's settings can make it negative.
#[derive(Clone, Copy, Debug)]
pub(super) struct SendWindow(i64);

impl SendWindow {
    pub fn new(bytes: u32) -> Self {
        Self(i64::from(bytes))
    }

    pub fn available(self) -> usize {
        self.0.max(0) as usize
    }

    pub fn take(&mut self, bytes: usize) {
        self.0 -= bytes as i64;
    }

    /// Changes it; whether it is still within what a window can hold.
    #[must_use]
    pub fn change(&mut self, by: i64) -> bool {
        self.0 += by;
        self.0 <= WINDOW_MAX
    }
}

/// Bytes that the target may still send, counted by those it has sent since it was told last.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ReceiveWindow {
    used: u32,
}

impl ReceiveWindow {
    /// Counts bytes that the target has sent. Returns the increment to tell it, once half of the window is used.
    pub fn take(&mut self, bytes: usize) -> Result<Option<u32>, ConnectionError> {
        self.used += bytes as u32;
        if self.used > RECEIVE_WINDOW {
            return Err(ConnectionError::flow_control("more data than the window allows"));
        }
        let is_due = self.used > RECEIVE_WINDOW / 2;
        Ok(is_due.then(|| std::mem::take(&mut self.used)))
    }
}
