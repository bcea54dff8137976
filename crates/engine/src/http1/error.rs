//! What goes wrong with a response.

/// What is wrong with a response, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProtocolError(pub &'static str);
