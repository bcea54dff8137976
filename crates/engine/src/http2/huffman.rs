//! HPACK's Huffman code (RFC 7541, section 5.2), decoded byte by byte: whoever compares stops at the first difference.

use super::error::Malformed;

/// Bits of each symbol's code, by symbol; the last is the end of the string, which no string contains (RFC 7541,
/// appendix B). The code is canonical: the lengths give the codes.
#[rustfmt::skip]
const LENGTHS: [u8; 257] = [
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28,
    28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15,
    6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15,
    5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20,
    22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22,
    21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22,
    22, 23, 26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26,
    26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27,
    27, 28, 27, 27, 27, 27, 27, 26, 30,
];
const END: u16 = 256;
const LENGTH_MAX: usize = 30;

/// Symbols in the order of their codes.
const SORTED: [u16; 257] = sorted();
/// Codes by length: the first code of that length, the number of codes that are shorter, and where longer codes begin,
/// with 32 bits from the left.
const BY_LENGTH: [Codes; LENGTH_MAX + 1] = codes_by_length();
/// Codes by their first 8 bits: the symbol and the length of its code; length 0 where it is longer than 8 bits.
const SHORT: [(u8, u8); 256] = short_codes();

#[derive(Clone, Copy)]
struct Codes {
    first: u32,
    shorter: u32,
    longer_from: u64,
}

const fn sorted() -> [u16; 257] {
    let mut sorted = [0; 257];
    let (mut count, mut length) = (0, 1);
    while length <= LENGTH_MAX {
        let mut symbol = 0;
        while symbol < LENGTHS.len() {
            if LENGTHS[symbol] as usize == length {
                sorted[count] = symbol as u16;
                count += 1;
            }
            symbol += 1;
        }
        length += 1;
    }
    sorted
}

const fn codes_by_length() -> [Codes; LENGTH_MAX + 1] {
    let mut codes = [Codes { first: 0, shorter: 0, longer_from: 0 }; LENGTH_MAX + 1];
    let (mut next, mut count, mut length) = (0_u32, 0, 1);
    while length <= LENGTH_MAX {
        next <<= 1;
        codes[length].first = next;
        codes[length].shorter = count;
        while (count as usize) < SORTED.len() && LENGTHS[SORTED[count as usize] as usize] as usize == length {
            next += 1;
            count += 1;
        }
        codes[length].longer_from = (next as u64) << (32 - length);
        length += 1;
    }
    codes
}

const fn short_codes() -> [(u8, u8); 256] {
    let mut short = [(0, 0); 256];
    let mut first_bits = 0;
    while first_bits < short.len() {
        let (symbol, length) = by_length((first_bits as u32) << 24, 1);
        if length <= 8 {
            short[first_bits] = (symbol as u8, length as u8);
        }
        first_bits += 1;
    }
    short
}

/// The symbol that `bits` begin with, from the left, and the length of its code, which is at least `length`.
const fn by_length(bits: u32, mut length: usize) -> (u16, u32) {
    while length < LENGTH_MAX && bits as u64 >= BY_LENGTH[length].longer_from {
        length += 1;
    }
    let codes = BY_LENGTH[length];
    let index = codes.shorter + (bits >> (32 - length)) - codes.first;
    (SORTED[index as usize], length as u32)
}

/// The bytes of an encoded string.
#[derive(Clone, Debug)]
pub(super) struct Decoder<'a> {
    rest: &'a [u8],
    /// Bits that were taken of the string and not decoded yet, from the left.
    bits: u64,
    count: u32,
}

impl<'a> Decoder<'a> {
    pub fn new(encoded: &'a [u8]) -> Self {
        Self { rest: encoded, bits: 0, count: 0 }
    }

    fn refill(&mut self) {
        while self.count <= 56 {
            let Some((&byte, rest)) = self.rest.split_first() else { return };
            self.bits |= u64::from(byte) << (56 - self.count);
            self.count += 8;
            self.rest = rest;
        }
    }
}

impl Iterator for Decoder<'_> {
    type Item = Result<u8, Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.count < 32 {
            self.refill();
        }
        let (symbol, length) = match SHORT[(self.bits >> 56) as usize] {
            (_, 0) => by_length((self.bits >> 32) as u32, 9),
            (symbol, length) => (u16::from(symbol), u32::from(length)),
        };
        if length > self.count {
            // The rest must be padding: less than a byte, all ones.
            let is_padding = self.count < 8 && self.bits.count_ones() == self.count;
            (self.bits, self.count) = (0, 0);
            return (!is_padding).then_some(Err(Malformed("Huffman code that ends within a symbol")));
        }
        self.bits <<= length;
        self.count -= length;
        if symbol == END {
            return Some(Err(Malformed("Huffman code that contains the end of the string")));
        }
        Some(Ok(symbol as u8))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// An encoder that knows only the lengths.
    fn encode(text: &[u8]) -> Vec<u8> {
        let mut bits = String::new();
        for &byte in text {
            let length = LENGTHS[byte as usize] as usize;
            let index = SORTED.iter().position(|&symbol| symbol == u16::from(byte)).unwrap() as u32;
            let code = BY_LENGTH[length].first + index - BY_LENGTH[length].shorter;
            bits += &format!("{code:0length$b}");
        }
        while !bits.len().is_multiple_of(8) {
            bits.push('1');
        }
        bits.as_bytes().chunks(8).map(|byte| u8::from_str_radix(str::from_utf8(byte).unwrap(), 2).unwrap()).collect()
    }

    fn decode(encoded: &[u8]) -> Result<Vec<u8>, Malformed> {
        Decoder::new(encoded).collect()
    }

    #[test]
    fn the_codes_are_those_of_the_rfc() {
        let code = |symbol: u16| {
            let length = LENGTHS[symbol as usize] as usize;
            let index = SORTED.iter().position(|&sorted| sorted == symbol).unwrap() as u32;
            BY_LENGTH[length].first + index - BY_LENGTH[length].shorter
        };
        let expected = [(0, 0x1ff8), (48, 0), (97, 3), (122, 0x7b), (249, 0xffffffe), (255, 0x3ffffee)];
        for (symbol, wanted) in expected.into_iter().chain([(256, 0x3fffffff)]) {
            assert_eq!(code(symbol), wanted, "symbol {symbol}");
        }
        let www = [0xf1, 0xe3, 0xc2, 0xe5, 0xf2, 0x3a, 0x6b, 0xa0, 0xab, 0x90, 0xf4, 0xff];
        assert_eq!(decode(&www).unwrap(), b"www.example.com");
    }

    #[test]
    fn padding_is_less_than_a_byte_of_ones() {
        assert_eq!(decode(&[0x07]).unwrap(), b"0", "five bits, three of padding");
        assert!(decode(&[0x00]).is_err(), "padding of zeros");
        assert!(decode(&[0x07, 0xff]).is_err(), "padding of a whole byte");
        assert!(decode(&[0xff, 0xff, 0xff, 0xff]).is_err(), "the end of the string within it");
        assert_eq!(decode(&[]).unwrap(), b"");
    }

    proptest! {
        #[test]
        fn what_was_encoded_decodes(text: Vec<u8>) {
            prop_assert_eq!(decode(&encode(&text)).unwrap(), text);
        }

        #[test]
        fn anything_ends(encoded: Vec<u8>) {
            prop_assert!(Decoder::new(&encoded).take_while(Result::is_ok).count() <= encoded.len() * 8 / 5);
        }
    }
}
