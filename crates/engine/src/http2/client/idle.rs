//! Bounds on what a server can send that nobody waits for.

use super::super::error::{ConnectionError, ErrorCode};

/// Frames that bring nothing, at most, before anything comes on a stream. A server that pings does so every few
/// seconds; one that keeps us busy without end is left.
const FRAMES_MAX: u32 = 1_000;
/// Bytes of bodies on streams that have ended, at most, before anything comes on another. A server stops when it hears
/// that nobody wants the rest; what is under way by then is less.
const STRAY_BYTES_MAX: usize = 64 << 20;

/// Frames since something came that somebody waits for.
#[derive(Debug, Default)]
pub(super) struct Idle {
    frames: u32,
    stray_bytes: usize,
}

impl Idle {
    /// A frame has brought nothing that anybody waits for.
    pub fn take_nothing(&mut self) -> Result<(), ConnectionError> {
        self.frames += 1;
        if self.frames > FRAMES_MAX {
            Err(flood("a flood of frames that bring nothing, and no response"))
        } else {
            Ok(())
        }
    }

    /// A piece of a body has come that nobody wants any more.
    pub fn take_stray(&mut self, bytes: usize) -> Result<(), ConnectionError> {
        self.stray_bytes += bytes;
        if self.stray_bytes > STRAY_BYTES_MAX {
            return Err(flood("more than 64 MiB of bodies on streams that had ended, and no response"));
        }
        Ok(())
    }
}

fn flood(what: &'static str) -> ConnectionError {
    ConnectionError { code: ErrorCode::ENHANCE_YOUR_CALM, what }
}
