//! A part after its load: its record goes to the collector, piece by piece, again where one was lost.

use plimsoll_record::Nanos;

use crate::{Answer, CHUNK_BYTES, Ended, patience::Patience};

/// Next step of an upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The end is to be told.
    Tell(Ended),
    /// These bytes of the record are to be sent.
    Piece {
        /// Bytes before it.
        offset: u64,
        /// Its length.
        length: usize,
    },
    /// Nothing until then.
    Pause(Nanos),
    /// The collector has all of it.
    Done,
    /// It has not, for this reason: the record stays here.
    Kept(String),
}

/// A part that hands over its record.
#[derive(Debug)]
pub struct Uploading {
    ended: Ended,
    /// Bytes that the collector has, once it has said so.
    held: Option<u64>,
    patience: Patience,
    outcome: Option<Outcome>,
}

impl Uploading {
    /// Begins at `now`; it gives up after `patience` without an answer.
    pub fn new(ended: Ended, patience: Nanos, now: Nanos) -> Self {
        Self { ended, held: None, patience: Patience::new(patience, now), outcome: None }
    }

    /// The step that is due at `now`.
    pub fn turn(&self, now: Nanos) -> Outcome {
        if let Some(outcome) = &self.outcome {
            return outcome.clone();
        }
        if let Some(why) = self.patience.is_at_its_end(now) {
            return Outcome::Kept(format!("the collector does not answer: {why}"));
        }
        let bytes = self.ended.bytes;
        match self.held {
            _ if self.patience.again_at() > now => Outcome::Pause(self.patience.again_at()),
            // All of it: the end is told again, since the answer to the last piece was lost.
            Some(offset) if offset < bytes => {
                Outcome::Piece { offset, length: (bytes - offset).min(CHUNK_BYTES as u64) as usize }
            }
            _ => Outcome::Tell(self.ended.clone()),
        }
    }

    /// Takes an answer.
    pub fn answered(&mut self, now: Nanos, answer: Answer) {
        self.patience.restore(now);
        match answer {
            Answer::Send { offset } => self.held = Some(offset.min(self.ended.bytes)),
            Answer::Done => self.outcome = Some(Outcome::Done),
            Answer::Refused { reason } | Answer::Abort { reason, .. } => self.outcome = Some(Outcome::Kept(reason)),
            _ => self.outcome = Some(Outcome::Kept("the collector gave an answer to another question".to_owned())),
        }
    }

    /// A message found no answer: the collector is asked how much it has.
    pub fn failed(&mut self, now: Nanos, why: String) {
        self.held = None;
        self.patience.fail(now, why);
    }
}
