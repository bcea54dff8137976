//! A record that comes in piece by piece.

use sha2::{Digest, Sha256};

use crate::Ended;

/// Times that a record may come with another digest than was announced.
const ATTEMPTS: u32 = 5;

/// State of a record after a piece of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// The piece is the next one: it is to be written at this place, and the rest is wanted.
    Piece(u64),
    /// It was not the next one: the record is wanted from `held` on.
    Other,
    /// The last piece, to be written at this place: the record is whole.
    Last(u64),
    /// Its digest is not the one that was announced: it is wanted again, from the start.
    Broken,
    /// Broken too often, or longer than was announced.
    Hopeless(&'static str),
}

/// One record.
#[derive(Clone, Debug)]
pub struct Upload {
    ended: Ended,
    held: u64,
    digest: Sha256,
    broken: u32,
}

impl Upload {
    pub fn new(ended: Ended) -> Self {
        Self { ended, held: 0, digest: Sha256::new(), broken: 0 }
    }

    /// Whether it is the record that `ended` announces.
    pub fn is_of(&self, ended: &Ended) -> bool {
        self.ended == *ended
    }

    /// Bytes that are there.
    pub fn held(&self) -> u64 {
        self.held
    }

    pub fn take(&mut self, offset: u64, piece: &[u8]) -> Taken {
        if offset != self.held || piece.is_empty() {
            return Taken::Other;
        }
        let held = self.held + piece.len() as u64;
        if held > self.ended.bytes {
            return Taken::Hopeless("the record is longer than was announced");
        }
        self.digest.update(piece);
        self.held = held;
        if held < self.ended.bytes {
            return Taken::Piece(offset);
        }
        if hexadecimal(&self.digest.finalize_reset()) == self.ended.sha256 {
            return Taken::Last(offset);
        }
        self.held = 0;
        self.broken += 1;
        match self.broken {
            ATTEMPTS.. => Taken::Hopeless("the record came five times with another SHA-256 than was announced"),
            _ => Taken::Broken,
        }
    }
}

/// A digest as it is announced.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use plimsoll_record::ExecutionStatus;

    use super::*;

    fn of(record: &[u8]) -> Upload {
        let sha256 = hexadecimal(&Sha256::digest(record));
        Upload::new(Ended { status: ExecutionStatus::Done, bytes: record.len() as u64, sha256 })
    }

    #[test]
    fn pieces_that_are_repeated_or_out_of_turn_change_nothing() {
        let mut upload = of(b"abcdef");
        assert_eq!(upload.take(0, b"ab"), Taken::Piece(0));
        assert_eq!(upload.take(0, b"ab"), Taken::Other);
        assert_eq!(upload.take(4, b"ef"), Taken::Other);
        assert_eq!(upload.held(), 2);
        assert_eq!(upload.take(2, b""), Taken::Other);
        assert_eq!(upload.take(2, b"cdef"), Taken::Last(2));
    }

    #[test]
    fn a_broken_record_is_wanted_again_and_not_for_ever() {
        let mut upload = of(b"abcdef");
        for _ in 1..ATTEMPTS {
            assert_eq!(upload.take(0, b"abc"), Taken::Piece(0));
            assert_eq!(upload.take(3, b"dex"), Taken::Broken);
            assert_eq!(upload.held(), 0);
        }
        assert_eq!(upload.clone().take(0, b"abcdef"), Taken::Last(0), "another attempt may be whole");
        assert!(matches!(upload.take(0, b"abcdex"), Taken::Hopeless(_)));
        assert!(matches!(of(b"abc").take(0, b"abcd"), Taken::Hopeless(_)));
    }
}
