//! Messages of a part, and the collector's answers: JSON, one of each per HTTP request.

use base64::{Engine, prelude::BASE64_STANDARD};
use plimsoll_record::{ExecutionStatus, Interval, Nanos, Plan};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::order::{Enlist, Order, Over};

/// Version of the messages. It changes with them; parts and collector must have the same.
pub const PROTOCOL: u32 = 3;
/// Bytes of a message at most: a second of a thousand requests with wide distributions has a third of it.
pub const BODY_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Bytes of a record in one message.
pub const CHUNK_BYTES: usize = 512 * 1024;

/// A message with the name of its sender.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Envelope {
    /// Drawn by the part: tells a message that is sent again from one of another part.
    pub session: String,
    /// The message.
    pub message: Message,
}

/// Everything that a part says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Message {
    /// It wants to take part.
    Join(Box<Join>),
    /// It is ready and asks when the load starts.
    Wait,
    /// Measurements so far; none: it is alive.
    Seconds {
        /// Messages of this kind before it, those without seconds aside.
        number: u64,
        /// In order of time.
        seconds: Vec<Second>,
    },
    /// Its load has ended, and its record is ready to be sent.
    End(Ended),
    /// A piece of its record.
    Chunk {
        /// Bytes before it.
        offset: u64,
        /// The piece.
        data: Bytes,
    },
    /// It leaves before the load has begun, or between two loads.
    Leave,
    /// It wants to offer loads, one after the other.
    Enlist(Enlist),
    /// It has nothing to do.
    Idle,
    /// It is ready for the load of this number, and asks when that starts.
    Prepared {
        /// [`Order::number`].
        load: u64,
    },
    /// Measurements of the load of this number, as [`Message::Seconds`] has them.
    Told {
        /// [`Order::number`].
        load: u64,
        /// As in [`Message::Seconds`].
        number: u64,
        /// In order of time.
        seconds: Vec<Second>,
    },
    /// The load of this number is over, and everything was told.
    Over {
        /// [`Order::number`].
        load: u64,
        /// How it went.
        over: Box<Over>,
    },
}

/// The load that a part would offer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Join {
    /// [`PROTOCOL`].
    pub protocol: u32,
    /// Version of Plimsoll.
    pub version: String,
    /// The whole load, without a segment. Its seed does not count.
    pub plan: Plan,
    /// Digest of everything that is sent and that the plan does not show: methods, headers, bodies, time-outs.
    pub digest: String,
    /// The seed that was asked for; none: any will do.
    pub seed: Option<u64>,
    /// The number that it wants, from 1; none: any will do.
    pub part: Option<u32>,
    /// Its machine: [`Environment::machine`](plimsoll_record::Environment::machine).
    pub machine: Option<String>,
    /// Its host's name, for people.
    pub host: Option<String>,
}

/// Measurements of one second of one scenario, all of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Second {
    /// Index of the level.
    pub scenario: usize,
    /// From 0, counted from the start of the scenario.
    pub second: u64,
    /// One for each stage and request.
    pub intervals: Vec<Interval>,
}

/// The end of a part's load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// How it ended.
    pub status: ExecutionStatus,
    /// Length of its record.
    pub bytes: u64,
    /// SHA-256 of its record, in hexadecimal digits.
    pub sha256: String,
}

/// Everything that the collector says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// The part takes part.
    Joined {
        /// Its number, from 1.
        part: u32,
        /// Parts of the load.
        parts: u32,
        /// The seed of all parts.
        seed: u64,
    },
    /// Not all are there yet.
    Waiting {
        /// Parts that are.
        joined: u32,
        /// Parts that are to come in all.
        parts: u32,
        /// When to ask again.
        #[serde(rename = "ask_again_ns")]
        ask_again: Nanos,
    },
    /// The load starts so long after this answer was given.
    Starts {
        /// A duration in nanoseconds, so that clocks need not agree; negative once it has started.
        within_ns: i64,
    },
    /// All is well.
    GoOn {
        /// The number of the next [`Message::Seconds`].
        next: u64,
    },
    /// The load is to be ended, for this reason.
    Abort {
        /// In words.
        reason: String,
        /// As in [`Answer::GoOn`].
        next: u64,
    },
    /// The record is wanted from here on.
    Send {
        /// Bytes that are there.
        offset: u64,
    },
    /// The record is there, whole.
    Done,
    /// A load to be prepared.
    Load(Box<Order>),
    /// Nothing more is to be offered from so long after the start of the load on; what was offered is awaited.
    Finish {
        /// Since the start.
        #[serde(rename = "after_ns")]
        after: Nanos,
        /// As in [`Answer::GoOn`].
        next: u64,
    },
    /// There will be no more loads; where there should have been, for this reason.
    Dismissed {
        /// In words.
        reason: Option<String>,
    },
    /// The message cannot be obeyed, and will not be later either.
    Refused {
        /// In words, with what to do.
        reason: String,
    },
}

/// An answer with the collector's time of day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// Since 1970, when the answer was given.
    #[serde(rename = "clock_ns")]
    pub clock: Nanos,
    /// The answer.
    pub answer: Answer,
}

/// Bytes, in Base64.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&BASE64_STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        BASE64_STANDARD.decode(text).map(Self).map_err(|error| de::Error::custom(format!("not Base64: {error}")))
    }
}

impl Envelope {
    /// Reads a message.
    ///
    /// # Errors
    ///
    /// A message in words: where it is none.
    pub fn read(body: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(body)
            .map_err(|error| format!("expected a message of `plimsoll load --join`, found something else: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{ErrorCount, ErrorKind};

    use super::*;

    #[test]
    fn messages_survive_their_encoding() {
        let mut interval = Interval { start: Nanos(5), ..Interval::default() };
        interval.ok.response.record(Nanos::from_millis(7));
        interval.counts.succeeded = 1;
        interval.statuses.insert(200, 1);
        interval.errors.insert(ErrorKind::Refused, ErrorCount { count: 2, example: "x".to_owned() });
        let second = Second { scenario: 1, second: 3, intervals: vec![interval] };
        let messages = [
            Message::Join(Box::default()),
            Message::Wait,
            Message::Seconds { number: 4, seconds: vec![second] },
            Message::End(Ended { status: ExecutionStatus::Done, bytes: 3, sha256: "ab".to_owned() }),
            Message::Chunk { offset: 7, data: Bytes(vec![0, 255, 3]) },
            Message::Enlist(Enlist { part: Some(3), ..Enlist::default() }),
            Message::Prepared { load: 9 },
            Message::Over { load: 9, over: Box::new(Over { took: vec![Nanos(5)], ..Over::default() }) },
        ];
        for message in messages {
            let envelope = Envelope { session: "s".to_owned(), message };
            let text = serde_json::to_vec(&envelope).unwrap();
            assert_eq!(Envelope::read(&text).unwrap(), envelope);
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for wrong in ["", "{}", "null", r#"{"session":"a","message":"dance"}"#, "[[[[[[", "\u{0}"] {
            assert!(Envelope::read(wrong.as_bytes()).unwrap_err().contains("expected a message"), "{wrong}");
        }
        let cut = r#"{"session":"a","message":{"chunk":{"offset":0,"data":"!"}}}"#;
        assert!(Envelope::read(cut.as_bytes()).unwrap_err().contains("not Base64"));
    }
}
