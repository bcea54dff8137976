//! HPACK: a block is read as a slow reader written after the RFC reads it, and what was encoded decodes.

use plimsoll_engine::http2::{Fields, Text, encode_field};

use super::huffman;

/// Bytes after the prefix that an integer may have here: more than that is more than any head has.
const INTEGER_BYTES_MAX: usize = 4;
const STATIC_ENTRIES: u64 = 61;

/// Reads `data` as a header block; its fields' number, or none if it is malformed.
///
/// # Panics
///
/// If an invariant is broken.
pub fn block(data: &[u8]) -> Option<usize> {
    let found: Result<Vec<_>, _> =
        Fields::new(data).map(|field| field.and_then(|field| Ok((bytes(field.name)?, bytes(field.value)?)))).collect();
    let expected = reference(data);
    match (&found, &expected) {
        (Ok(found), Some(expected)) => {
            assert_eq!(found.len(), expected.len());
            found.iter().zip(expected).for_each(|(found, expected)| expected.assert_is(found));
        }
        (Err(_), None) => {}
        _ => panic!("read as {found:?}, and by the reference as {expected:?}"),
    }
    let fields = found.ok()?;
    assert_encoded_fields_decode(&fields);
    Some(fields.len())
}

/// Takes the bytes of a text in each way there is, which must agree.
fn bytes(text: Text<'_>) -> Result<Vec<u8>, plimsoll_engine::http2::Malformed> {
    let bytes = text.to_bytes()?;
    assert!(text.bytes().eq(bytes.iter().map(|&byte| Ok(byte))));
    if let Ok(known) = str::from_utf8(&bytes) {
        assert!(text.is(known) && !text.is(&format!("{known}x")));
    }
    Ok(bytes)
}

/// Encodes fields by Plimsoll's encoder, and with the Huffman code of the RFC.
fn assert_encoded_fields_decode(fields: &[(Vec<u8>, Vec<u8>)]) {
    let (mut encoded, mut packed) = (Vec::new(), Vec::new());
    let mut expected = Vec::new();
    for (name, value) in fields {
        let Ok(text) = str::from_utf8(name) else { continue };
        encode_field(text, value, &mut encoded);
        packed.push(0);
        push_packed(&mut packed, name);
        push_packed(&mut packed, value);
        expected.push((name, value));
    }
    for block in [encoded, packed] {
        let fields: Vec<_> = Fields::new(&block).map(|field| field.expect("a block that was encoded")).collect();
        assert_eq!(fields.len(), expected.len());
        for (field, (name, value)) in fields.iter().zip(&expected) {
            assert_eq!((&field.name.to_bytes().unwrap(), &field.value.to_bytes().unwrap()), (*name, *value));
        }
    }
}

fn push_packed(block: &mut Vec<u8>, text: &[u8]) {
    let encoded = huffman::encode(text);
    push_length(block, encoded.len());
    block.extend_from_slice(&encoded);
}

/// A length whose first byte also says that the text is in the Huffman code.
fn push_length(block: &mut Vec<u8>, length: usize) {
    if length < 0x7f {
        return block.push(0x80 | length as u8);
    }
    block.push(0xff);
    let mut rest = length - 0x7f;
    while rest >= 0x80 {
        block.push(0x80 | (rest % 0x80) as u8);
        rest /= 0x80;
    }
    block.push(rest as u8);
}

/// A field as the reference reads it; parts from the static table are known by their index only.
#[derive(Debug)]
struct Expected {
    name: Part,
    value: Part,
}

#[derive(Debug)]
enum Part {
    Indexed,
    /// As it stands there.
    Plain(Vec<u8>),
    /// In the Huffman code.
    Packed(Vec<u8>),
}

impl Expected {
    fn assert_is(&self, (name, value): &(Vec<u8>, Vec<u8>)) {
        for (part, found) in [(&self.name, name), (&self.value, value)] {
            match part {
                Part::Indexed => {}
                Part::Plain(bytes) => assert_eq!(found, bytes),
                Part::Packed(bytes) => assert_eq!(&huffman::encode(found), bytes),
            }
        }
    }
}

/// Reads a block field by field as RFC 7541, section 6, says, with a dynamic table of size 0; none if it is malformed.
fn reference(mut rest: &[u8]) -> Option<Vec<Expected>> {
    let mut fields = Vec::new();
    while let Some(&first) = rest.first() {
        let name_bits = match first {
            0x80.. => {
                static_index(integer(&mut rest, 7)?)?;
                fields.push(Expected { name: Part::Indexed, value: Part::Indexed });
                continue;
            }
            0x40.. => 6,
            0x20.. => {
                let is_update = integer(&mut rest, 5)? == 0 && fields.is_empty();
                if is_update {
                    continue;
                }
                return None;
            }
            _ => 4,
        };
        let name = match integer(&mut rest, name_bits)? {
            0 => text(&mut rest)?,
            index => static_index(index).map(|()| Part::Indexed)?,
        };
        fields.push(Expected { name, value: text(&mut rest)? });
    }
    Some(fields)
}

fn static_index(index: u64) -> Option<()> {
    (1..=STATIC_ENTRIES).contains(&index).then_some(())
}

fn integer(rest: &mut &[u8], prefix_bits: u32) -> Option<u64> {
    let (&first, mut after) = rest.split_first()?;
    let largest = (1 << prefix_bits) - 1;
    let mut value = u64::from(first) & largest;
    if value == largest {
        let length = 1 + after.iter().position(|byte| byte & 0x80 == 0)?;
        let (digits, others) = after.split_at_checked(length).filter(|_| length <= INTEGER_BYTES_MAX)?;
        value += digits.iter().rev().fold(0, |sum, byte| sum * 128 + u64::from(byte & 0x7f));
        after = others;
    }
    *rest = after;
    Some(value)
}

fn text(rest: &mut &[u8]) -> Option<Part> {
    let is_packed = rest.first()? & 0x80 != 0;
    let length = integer(rest, 7)?;
    let (bytes, after) = rest.split_at_checked(length as usize)?;
    *rest = after;
    if !is_packed {
        return Some(Part::Plain(bytes.to_vec()));
    }
    huffman::decode(bytes).map(|_| Part::Packed(bytes.to_vec()))
}
