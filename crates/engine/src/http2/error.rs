//! Errors of streams and connections.

use std::fmt;

/// Why a stream or a connection was ended (RFC 9113, section 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorCode(pub u32);

impl ErrorCode {
    pub(super) const PROTOCOL: Self = Self(1);
    pub(super) const FLOW_CONTROL: Self = Self(3);
    pub(super) const FRAME_SIZE: Self = Self(6);
    pub(super) const REFUSED_STREAM: Self = Self(7);
    pub(super) const CANCEL: Self = Self(8);
    pub(super) const COMPRESSION: Self = Self(9);
    pub(super) const ENHANCE_YOUR_CALM: Self = Self(11);
}

const NAMES: [&str; 14] = [
    "NO_ERROR",
    "PROTOCOL_ERROR",
    "INTERNAL_ERROR",
    "FLOW_CONTROL_ERROR",
    "SETTINGS_TIMEOUT",
    "STREAM_CLOSED",
    "FRAME_SIZE_ERROR",
    "REFUSED_STREAM",
    "CANCEL",
    "COMPRESSION_ERROR",
    "CONNECT_ERROR",
    "ENHANCE_YOUR_CALM",
    "INADEQUATE_SECURITY",
    "HTTP_1_1_REQUIRED",
];

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match NAMES.get(self.0 as usize) {
            Some(name) => f.write_str(name),
            None => write!(f, "error code {:#x}", self.0),
        }
    }
}

/// A defect of a header block, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed(pub &'static str);

/// An error of the target's that ends the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionError {
    /// The code that the target is told.
    pub code: ErrorCode,
    /// A message explaining what the target did.
    pub what: &'static str,
}

impl ConnectionError {
    pub(super) const fn protocol(what: &'static str) -> Self {
        Self { code: ErrorCode::PROTOCOL, what }
    }

    pub(super) const fn frame_size(what: &'static str) -> Self {
        Self { code: ErrorCode::FRAME_SIZE, what }
    }

    pub(super) const fn flow_control(what: &'static str) -> Self {
        Self { code: ErrorCode::FLOW_CONTROL, what }
    }
}

impl fmt::Display for ConnectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HTTP/2: {} ({})", self.what, self.code)
    }
}
