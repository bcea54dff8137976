//! Fields of a response that matter to a client that keeps none.

use super::{
    error::Malformed,
    hpack::{Field, Fields, Text},
    static_table::{CONTENT_LENGTH, STATUS},
};

/// A block of fields, read once: all of its structure is checked, and decoded is what is said here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    /// None in trailers.
    pub status: Option<u16>,
    pub content_length: Option<u64>,
}

/// A defect of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeadError {
    /// It is not HPACK: no other block of the connection can be trusted.
    Compression(Malformed),
    /// It is no head of HTTP.
    Malformed(&'static str),
}

impl Head {
    pub fn read(fields: Fields<'_>) -> Result<Self, HeadError> {
        let mut head = Self::default();
        for field in fields {
            head.take(&field.map_err(HeadError::Compression)?)?;
        }
        Ok(head)
    }

    #[inline]
    fn take(&mut self, field: &Field<'_>) -> Result<(), HeadError> {
        match field.name_index {
            0 if field.name.is(":status") => self.take_status(field.value),
            0 if field.name.is("content-length") => self.take_length(field.value),
            CONTENT_LENGTH => self.take_length(field.value),
            index if STATUS.contains(&index) => self.take_status(field.value),
            index if index > 0 && index < *STATUS.start() => Err(HeadError::Malformed(FOREIGN_PSEUDO_FIELD)),
            _ => Ok(()),
        }
    }

    fn take_status(&mut self, value: Text<'_>) -> Result<(), HeadError> {
        let status = value.to_number().filter(|status| (100..1000).contains(status));
        match (status, self.status) {
            (Some(status), None) => self.status = Some(status as u16),
            (None, _) => return Err(HeadError::Malformed(":status that is not of three digits")),
            (_, Some(_)) => return Err(HeadError::Malformed("two :status")),
        }
        Ok(())
    }

    fn take_length(&mut self, value: Text<'_>) -> Result<(), HeadError> {
        let length = value.to_number().ok_or(HeadError::Malformed("Content-Length is not a number"))?;
        if self.content_length.is_some_and(|before| before != length) {
            return Err(HeadError::Malformed("two Content-Lengths that differ"));
        }
        self.content_length = Some(length);
        Ok(())
    }
}

const FOREIGN_PSEUDO_FIELD: &str = "pseudo-header field of a request in a response";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_and_length_are_found_however_they_are_written() {
        let read = |block: &[u8]| Head::read(Fields::new(block));
        let found = |status, content_length| Ok(Head { status: Some(status), content_length });
        assert_eq!(read(&[0x88, 0x5c, 2, b'4', b'2']), found(200, Some(42)), "from the static table");
        assert_eq!(read(&[0x08, 3, b'4', b'1', b'8']), found(418, None), "a value that the table does not have");
        assert_eq!(read(b"\x00\x07:status\x03201"), found(201, None), "a name of its own");
        assert_eq!(read(b"\x8d\x00\x0econtent-length\x010"), found(404, Some(0)));
        assert_eq!(read(&[0x48, 0x82, 0x64, 0x02]), found(302, None), "with Huffman's code");
    }

    #[test]
    fn what_is_no_head_is_refused() {
        let refused = |block: &[u8]| matches!(Head::read(Fields::new(block)), Err(HeadError::Malformed(_)));
        assert!(refused(&[0x88, 0x88]), "two of them");
        assert!(refused(&[0x08, 2, b'4', b'1']), "two digits");
        assert!(refused(&[0x88, 0x82]), "a field of requests");
        assert!(refused(b"\x88\x0f\x0d\x01x"), "a length that is no number");
        assert!(refused(b"\x88\x0f\x0d\x011\x0f\x0d\x012"), "two lengths");
        let compression = Head::read(Fields::new(&[0x88, 0xbe]));
        assert!(matches!(compression, Err(HeadError::Compression(_))), "an index beyond the static table");
    }
}
