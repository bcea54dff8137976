//! Everything that was seen in an iteration, and no more of it than a page shows: a target that never stops sending
//! takes no memory.

use plimsoll_drive::Seen;
use plimsoll_record::Nanos;

/// Bytes of a message that are kept: more than the page shows of a body, after a long head.
const MESSAGE_MAX: usize = 64 * 1_024;
/// Many more than a flow has unless its target plays for time.
const EVENTS_MAX: usize = 10_000;

/// In the order in which it happened.
#[derive(Default)]
pub struct Log {
    pub events: Vec<Event>,
    /// Events after as many as are kept.
    pub left_out: u64,
}

/// Something that happened, at an instant counted from the start.
pub struct Event {
    pub at: Nanos,
    pub kind: EventKind,
}

pub enum EventKind {
    Opened(String),
    Sent(Message),
    Received(Message),
    Closed,
}

/// Bytes that went one way, before any went the other.
#[derive(Default)]
pub struct Message {
    /// The first of them.
    pub kept: Vec<u8>,
    /// Bytes after those.
    pub more: u64,
}

impl Log {
    /// Adds an event. A response that comes in several pieces is one message, at the instant of the first.
    pub fn add(&mut self, at: Nanos, seen: Seen<'_>) {
        if let (Some(EventKind::Received(message)), Seen::Received(bytes)) =
            (self.events.last_mut().map(|last| &mut last.kind), &seen)
        {
            message.add(bytes);
        } else if self.events.len() < EVENTS_MAX {
            self.events.push(Event { at, kind: owned(seen) });
        } else {
            self.left_out += 1;
        }
    }
}

impl Message {
    fn of(bytes: &[u8]) -> Self {
        let mut message = Self::default();
        message.add(bytes);
        message
    }

    fn add(&mut self, bytes: &[u8]) {
        let kept = &bytes[..bytes.len().min(MESSAGE_MAX - self.kept.len())];
        self.kept.extend_from_slice(kept);
        self.more += (bytes.len() - kept.len()) as u64;
    }

    /// All bytes, kept or not.
    pub fn len(&self) -> u64 {
        self.kept.len() as u64 + self.more
    }
}

fn owned(seen: Seen<'_>) -> EventKind {
    match seen {
        Seen::Opened { address, tls } => {
            let address = address.map_or_else(|| "a Unix socket".to_owned(), |address| address.to_string());
            let tls = tls.map(|tls| {
                let alpn = tls.alpn.map(|it| format!(", ALPN {}", String::from_utf8_lossy(it))).unwrap_or_default();
                let resumed = if tls.is_resumed { ", resumed" } else { "" };
                format!(", {} {}{alpn}{resumed}", tls.version, tls.cipher)
            });
            EventKind::Opened(format!("{address}{}", tls.unwrap_or_default()))
        }
        Seen::Sent(bytes) => EventKind::Sent(Message::of(bytes)),
        Seen::Received(bytes) => EventKind::Received(Message::of(bytes)),
        Seen::Closed => EventKind::Closed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_response_without_an_end_takes_no_memory() {
        let mut log = Log::default();
        log.add(Nanos(1), Seen::Sent(b"GET"));
        (0..100).for_each(|_| log.add(Nanos(2), Seen::Received(&[b'x'; 1_000])));
        let [_, Event { at: Nanos(2), kind: EventKind::Received(message) }] = log.events.as_slice() else {
            panic!("one message each way")
        };
        assert_eq!((message.kept.len(), message.len()), (65_536, 100_000));
        (0..20_000).for_each(|_| log.add(Nanos(3), Seen::Sent(b"PING")));
        assert_eq!((log.events.len(), log.left_out), (10_000, 10_002));
    }
}
