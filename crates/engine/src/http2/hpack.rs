//! Header blocks (RFC 7541) without a dynamic table: the client announces one of size 0, so a block stands for itself,
//! can be read where it lies, and only what somebody asks for is decoded.

use super::{error::Malformed, huffman, static_table};

/// The fields of a header block, in its order.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a> {
    rest: &'a [u8],
    has_begun: bool,
}

/// A header field.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    /// Index of its name in the static table; 0 if it is not from there.
    pub(super) name_index: usize,
    /// In lower case.
    pub name: Text<'a>,
    /// Its value.
    pub value: Text<'a>,
}

/// A string of a header block as it came.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    bytes: &'a [u8],
    is_huffman: bool,
}

impl<'a> Fields<'a> {
    /// The fields of a whole block.
    pub fn new(block: &'a [u8]) -> Self {
        Self { rest: block, has_begun: false }
    }

    /// The value of the first field of that name, which is in lower case.
    pub fn get(self, name: &str) -> Option<Text<'a>> {
        self.flatten().find(|field| field.name.is(name)).map(|field| field.value)
    }

    fn take_field(&mut self, first: u8) -> Result<Field<'a>, Malformed> {
        if first & 0x80 != 0 {
            let index = self.take_integer(7)?;
            let (name, value) = entry(index)?;
            return Ok(Field { name_index: index, name: Text::plain(name), value: Text::plain(value) });
        }
        // Fields with or without indexing are alike: there is no table to add them to.
        let name_index = self.take_integer(if first & 0x40 != 0 { 6 } else { 4 })?;
        let name = if name_index == 0 { self.take_text()? } else { Text::plain(entry(name_index)?.0) };
        Ok(Field { name_index, name, value: self.take_text()? })
    }

    fn take_text(&mut self) -> Result<Text<'a>, Malformed> {
        let is_huffman = self.rest.first().is_some_and(|first| first & 0x80 != 0);
        let length = self.take_integer(7)?;
        let (bytes, rest) = self.rest.split_at_checked(length).ok_or(CUT)?;
        self.rest = rest;
        Ok(Text { bytes, is_huffman })
    }

    /// An integer whose first byte has this many bits of it (RFC 7541, section 5.1).
    fn take_integer(&mut self, prefix_bits: u32) -> Result<usize, Malformed> {
        let mask = (1_usize << prefix_bits) - 1;
        let (&first, mut rest) = self.rest.split_first().ok_or(CUT)?;
        let mut value = usize::from(first) & mask;
        if value == mask {
            let mut shift = 0;
            loop {
                let (&byte, after) = rest.split_first().ok_or(CUT)?;
                rest = after;
                value += usize::from(byte & 0x7f) << shift;
                shift += 7;
                if byte & 0x80 == 0 {
                    break;
                }
                if shift > 21 {
                    return Err(Malformed("integer that is far too long"));
                }
            }
        }
        self.rest = rest;
        Ok(value)
    }
}

const CUT: Malformed = Malformed("header block that ends within a field");

fn entry(index: usize) -> Result<(&'static str, &'static str), Malformed> {
    let found = index.checked_sub(1).and_then(|position| static_table::ENTRIES.get(position));
    found.copied().ok_or(Malformed("index into the dynamic table, which was announced to be empty"))
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<Field<'a>, Malformed>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let &first = self.rest.first()?;
            let field = if first & 0xe0 != 0x20 {
                self.has_begun = true;
                self.take_field(first)
            } else if self.has_begun {
                Err(Malformed("table size update after a field"))
            } else {
                match self.take_integer(5) {
                    Ok(0) => continue,
                    Ok(_) => Err(Malformed("dynamic table larger than the announced size of 0")),
                    Err(error) => Err(error),
                }
            };
            if field.is_err() {
                self.rest = &[];
            }
            return Some(field);
        }
    }
}

impl<'a> Text<'a> {
    fn plain(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), is_huffman: false }
    }

    /// Its bytes, if they came as they are.
    pub(super) fn as_plain(self) -> Option<&'a [u8]> {
        (!self.is_huffman).then_some(self.bytes)
    }

    /// Its bytes, each decoded when it is asked for.
    pub fn bytes(self) -> impl Iterator<Item = Result<u8, Malformed>> + 'a {
        let (encoded, plain) = if self.is_huffman { (self.bytes, &[][..]) } else { (&[][..], self.bytes) };
        huffman::Decoder::new(encoded).chain(plain.iter().map(|&byte| Ok(byte)))
    }

    /// Whether it is `text`.
    pub fn is(self, text: &str) -> bool {
        if self.is_huffman { self.bytes().eq(text.bytes().map(Ok)) } else { self.bytes == text.as_bytes() }
    }

    /// All of it, decoded.
    ///
    /// # Errors
    ///
    /// The defect of its Huffman code, if it is in one.
    pub fn to_bytes(self) -> Result<Vec<u8>, Malformed> {
        self.bytes().collect()
    }

    /// The decimal number that it is, if it is one.
    pub(super) fn to_number(self) -> Option<u64> {
        if self.bytes.is_empty() {
            return None;
        }
        self.bytes().try_fold(0_u64, |number, byte| {
            let digit = byte.ok().filter(u8::is_ascii_digit)? - b'0';
            number.checked_mul(10)?.checked_add(u64::from(digit))
        })
    }
}

/// A change of the dynamic table's size, to no bytes, as a header block may begin with it.
pub const NO_DYNAMIC_TABLE: u8 = 0x20;

/// Appends a field: by index where the static table has it whole, else as a literal that is not indexed, without a
/// Huffman code: the target need not decode it, and the next request's bytes are the same.
pub fn encode_field(name: &str, value: &[u8], block: &mut Vec<u8>) {
    let is_named = |&(known, _): &(&str, &str)| known == name;
    let whole = |&(known, with): &(&str, &str)| known == name && !with.is_empty() && with.as_bytes() == value;
    if let Some(position) = static_table::ENTRIES.iter().position(whole) {
        return encode_integer(position + 1, 7, 0x80, block);
    }
    match static_table::ENTRIES.iter().position(is_named) {
        Some(position) => encode_integer(position + 1, 4, 0, block),
        None => {
            block.push(0);
            encode_text(name.as_bytes(), block);
        }
    }
    encode_text(value, block);
}

fn encode_text(text: &[u8], block: &mut Vec<u8>) {
    encode_integer(text.len(), 7, 0, block);
    block.extend_from_slice(text);
}

fn encode_integer(value: usize, prefix_bits: u32, first: u8, block: &mut Vec<u8>) {
    let mask = (1_usize << prefix_bits) - 1;
    if value < mask {
        return block.push(first | value as u8);
    }
    block.push(first | mask as u8);
    let mut rest = value - mask;
    while rest >= 0x80 {
        block.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    block.push(rest as u8);
}

#[cfg(test)]
mod tests;
