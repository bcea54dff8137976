//! Fields of a response that matter to a client that keeps none.

use plimsoll_text::is_of_token;

use super::{
    error::Malformed,
    hpack::{Field, Fields, Text},
    static_table::{CONTENT_LENGTH, STATUS},
};

/// A block of fields, read once: all of its structure is checked, but only these values are decoded.
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

/// Bytes of a head's fields, decoded, with 32 for each as HTTP/2 counts them (RFC 9113, section 6.5.2): a short block
/// can stand for much more.
const LIST_BYTES_MAX: usize = crate::http1::HEAD_BYTES_MAX;
const FIELD_EXTRA_BYTES: usize = 32;
/// Fields that speak of a connection of HTTP/1.1 (RFC 9113, section 8.2.2), and the index of the one that the static
/// table has.
const OF_HTTP_1: [&str; 5] = ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"];
const TRANSFER_ENCODING: usize = 57;

/// The fields read so far.
#[derive(Default)]
struct Reader {
    head: Head,
    list_bytes: usize,
    /// Whether a field came that is no pseudo-header field.
    has_fields: bool,
}

impl Head {
    pub fn read(fields: Fields<'_>) -> Result<Self, HeadError> {
        let mut reader = Reader::default();
        for field in fields {
            let field = field.map_err(HeadError::Compression)?;
            reader.check(&field)?;
            reader.head.take(&field)?;
        }
        Ok(reader.head)
    }

    #[inline]
    fn take(&mut self, field: &Field<'_>) -> Result<(), HeadError> {
        match field.name_index {
            0 if field.name.is(":status") => self.take_status(field.value),
            0 if field.name.is("content-length") => self.take_length(field.value),
            CONTENT_LENGTH => self.take_length(field.value),
            index if STATUS.contains(&index) => self.take_status(field.value),
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

/// Rules of RFC 9113, section 8.2.1, and where fields may stand (section 8.3).
impl Reader {
    fn check(&mut self, field: &Field<'_>) -> Result<(), HeadError> {
        self.list_bytes += self.check_name(field)? + check_value(field.value)? + FIELD_EXTRA_BYTES;
        if self.list_bytes > LIST_BYTES_MAX {
            return Err(HeadError::Malformed("head longer than 64 KiB"));
        }
        Ok(())
    }

    /// The length of the name.
    fn check_name(&mut self, field: &Field<'_>) -> Result<usize, HeadError> {
        let is_pseudo = match field.name_index {
            0 => field.name.bytes().next() == Some(Ok(b':')),
            index => index <= *STATUS.end(),
        };
        let is_known = field.name_index > 0;
        if is_pseudo {
            let is_status = if is_known { STATUS.contains(&field.name_index) } else { field.name.is(":status") };
            if !is_status {
                return Err(HeadError::Malformed(FOREIGN_PSEUDO_FIELD));
            }
            if self.has_fields {
                return Err(HeadError::Malformed("pseudo-header field after another field"));
            }
            return Ok(":status".len());
        }
        self.has_fields = true;
        let is_of_http_1 = match field.name_index {
            0 => OF_HTTP_1.iter().any(|name| field.name.is(name)),
            index => index == TRANSFER_ENCODING,
        };
        if is_of_http_1 {
            return Err(HeadError::Malformed("field of a connection of HTTP/1.1 (such as Connection)"));
        }
        let (mut length, mut is_name) = (0, true);
        each_byte(field.name, |byte| {
            length += 1;
            is_name &= is_known || is_of_name(byte);
        })?;
        match length {
            0 => Err(HeadError::Malformed("field without a name")),
            _ if is_name => Ok(length),
            _ => Err(HeadError::Malformed("field name with a capital letter, or a sign that no name has")),
        }
    }
}

/// A character of a token, and no capital letter.
fn is_of_name(byte: u8) -> bool {
    is_of_token(byte) && !byte.is_ascii_uppercase()
}

/// Shows all bytes of a text, decoded.
#[inline]
fn each_byte(text: Text<'_>, mut see: impl FnMut(u8)) -> Result<(), HeadError> {
    match text.as_plain() {
        Some(bytes) => bytes.iter().for_each(|&byte| see(byte)),
        None => {
            for byte in text.bytes() {
                see(byte.map_err(HeadError::Compression)?);
            }
        }
    }
    Ok(())
}

/// The length of a value.
fn check_value(value: Text<'_>) -> Result<usize, HeadError> {
    let (mut length, mut first, mut last, mut is_line) = (0, None, None, true);
    each_byte(value, |byte| {
        length += 1;
        is_line &= !matches!(byte, 0 | b'\r' | b'\n');
        first = first.or(Some(byte));
        last = Some(byte);
    })?;
    if !is_line {
        return Err(HeadError::Malformed("field value with NUL or a line break"));
    }
    if [first, last].iter().any(|byte| matches!(byte, Some(b' ' | b'\t'))) {
        return Err(HeadError::Malformed("field value with white space around it"));
    }
    Ok(length)
}

const FOREIGN_PSEUDO_FIELD: &str = "pseudo-header field of a request in a response";

/// The head that a connection read last, and what it means. Nearly all of a load's heads are the same byte for byte,
/// and without a dynamic table the same bytes mean the same.
#[derive(Debug, Default)]
pub(super) struct LastHead {
    /// Empty: there was none.
    block: Vec<u8>,
    head: Head,
}

impl LastHead {
    /// A longer block is not kept.
    pub const BYTES_MAX: usize = 4 * 1024;

    /// Reads a block.
    pub fn read(&mut self, block: &[u8]) -> Result<Head, HeadError> {
        if !block.is_empty() && self.block == block {
            return Ok(self.head);
        }
        let head = Head::read(Fields::new(block))?;
        if block.len() <= Self::BYTES_MAX {
            self.block.clear();
            self.block.extend_from_slice(block);
            self.head = head;
        }
        Ok(head)
    }

    pub fn held_bytes(&self) -> usize {
        self.block.len()
    }
}

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
    fn a_list_is_counted_decoded() {
        // One byte each: `accept-encoding: gzip, deflate`, from the static table.
        let block = |fields: usize| [&[0x88][..], &vec![0x90; fields]].concat();
        let one = "accept-encoding".len() + "gzip, deflate".len() + FIELD_EXTRA_BYTES;
        let most = (LIST_BYTES_MAX - ":status200".len() - FIELD_EXTRA_BYTES) / one;
        assert!(Head::read(Fields::new(&block(most))).is_ok());
        let refused = Head::read(Fields::new(&block(most + 1)));
        assert_eq!(refused, Err(HeadError::Malformed("head longer than 64 KiB")));
    }

    #[test]
    fn what_is_no_head_is_refused() {
        let refused = |block: &[u8]| matches!(Head::read(Fields::new(block)), Err(HeadError::Malformed(_)));
        assert!(refused(&[0x88, 0x88]), "two of them");
        assert!(refused(&[0x08, 2, b'4', b'1']), "two digits");
        assert!(refused(&[0x88, 0x82]), "a field of requests");
        assert!(refused(b"\x88\x0f\x0d\x01x"), "a length that is no number");
        assert!(refused(b"\x88\x0f\x0d\x011\x0f\x0d\x012"), "two lengths");
        assert!(refused(b"\x88\x00\x01X\x01y"), "a capital letter");
        assert!(refused(b"\x88\x00\x02a \x01y"), "a space in a name");
        assert!(refused(b"\x88\x00\x00\x01y"), "no name");
        for value in ["a\0b", "a\rb", "a\nb", " a", "a ", "a\t"] {
            let block = [b"\x88\x00\x01x", &[value.len() as u8][..], value.as_bytes()].concat();
            assert!(refused(&block), "{value:?}");
        }
        for name in OF_HTTP_1 {
            let block = [b"\x88\x00", &[name.len() as u8][..], name.as_bytes(), b"\x01y"].concat();
            assert!(refused(&block), "{name}");
        }
        assert!(refused(b"\x88\x0f\x2a\x07chunked"), "the same by its index");
        assert!(refused(b"\x00\x01x\x01y\x88"), "a pseudo-header field after another");
        assert!(refused(b"\x88\x00\x04:new\x01y"), "an unknown one");
        let compression = Head::read(Fields::new(&[0x88, 0xbe]));
        assert!(matches!(compression, Err(HeadError::Compression(_))), "an index beyond the static table");
    }
}
