//! The head that was read last, for readers of many responses.

use super::head::Head;

/// The head that a worker read last, and what it means. In a load nearly all heads are the same byte for byte (`Date`
/// changes once a second), and comparing takes a tenth of the time of reading.
#[derive(Debug, Default)]
pub(crate) struct LastHead {
    /// Empty: there was none.
    bytes: Vec<u8>,
    to_head: bool,
    head: Head,
}

impl LastHead {
    /// Length and content of the head that `bytes` begin with, if it is this one and answers the same kind of request.
    #[inline]
    pub(super) fn recall(&self, bytes: &[u8], to_head: bool) -> Option<(usize, Head)> {
        let is_same = !self.bytes.is_empty() && self.to_head == to_head && bytes.starts_with(&self.bytes);
        is_same.then_some((self.bytes.len(), self.head))
    }

    pub(super) fn remember(&mut self, bytes: &[u8], to_head: bool, head: Head) {
        self.bytes.clear();
        self.bytes.extend_from_slice(bytes);
        self.to_head = to_head;
        self.head = head;
    }
}
