//! The streams of a connection.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
    sync::Arc,
};

use super::flow::{ReceiveWindow, SendWindow};

/// Streams by their number.
pub(super) type Streams = HashMap<u32, Stream, BuildHasherDefault<StreamHasher>>;

/// A request and its response.
#[derive(Debug)]
pub(super) struct Stream {
    /// The caller's name for it.
    pub token: u32,
    /// The request is a HEAD, whose response has no body.
    pub is_to_head: bool,
    /// Interim responses (1xx) so far.
    pub interim: u8,
    /// The final head has come.
    pub has_head: bool,
    /// Bytes of the body that are still to come, if the head announced them.
    pub length_left: Option<u64>,
    pub received: ReceiveWindow,
    pub send_window: SendWindow,
    pub unsent: Option<Unsent>,
}

/// The part of a request's body that no window had room for yet.
#[derive(Debug)]
pub(super) struct Unsent {
    pub body: Arc<[u8]>,
    pub from: usize,
}

/// Spreads stream numbers, which are odd and follow each other. They are ours: no target can choose them badly.
#[derive(Default)]
pub(super) struct StreamHasher(u64);

impl Hasher for StreamHasher {
    fn write(&mut self, _: &[u8]) {
        unreachable!("stream numbers are hashed as numbers")
    }

    fn write_u32(&mut self, stream: u32) {
        self.0 = u64::from(stream).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
