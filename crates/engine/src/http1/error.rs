//! Errors of a response.

/// A message explaining what is wrong with a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProtocolError(pub &'static str);
