//! HTTP/2 (RFC 9113) from the client's side: one connection's streams, frames and windows. No sockets and no clock: it
//! is given the bytes that came, tells what they mean, and holds the bytes that are to be sent.

mod client;
mod error;
mod flow;
mod frame;
mod head;
mod hpack;
mod huffman;
mod request;
mod static_table;
mod streams;
#[cfg(test)]
pub(crate) mod testing;

pub use client::{Client, Event, OUTPUT_BYTES_HIGH, StreamFailure};
pub use error::{ConnectionError, ErrorCode, Malformed};
pub use hpack::{Field, Fields, Text, encode_field};
pub use request::EncodedRequest;
