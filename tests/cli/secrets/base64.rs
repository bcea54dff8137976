//! RFC 4648, independent of the program's own.

const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub fn encode(bytes: &[u8]) -> String {
    let group = |chunk: &[u8]| {
        let bits = (0..3).fold(0_u32, |bits, at| bits << 8 | u32::from(chunk.get(at).copied().unwrap_or_default()));
        let digit = |at: usize| char::from(ALPHABET[(bits >> (18 - 6 * at) & 63) as usize]);
        (0..4).map(|at| if at <= chunk.len() { digit(at) } else { '=' }).collect::<String>()
    };
    bytes.chunks(3).map(group).collect()
}

pub fn decode(text: &str) -> Vec<u8> {
    let digits = text.bytes().filter_map(|byte| ALPHABET.iter().position(|&digit| digit == byte));
    let digits: Vec<u32> = digits.map(|digit| digit as u32).collect();
    let group = |chunk: &[u32]| {
        let bits = (0..4).fold(0, |bits, at| bits << 6 | chunk.get(at).copied().unwrap_or_default());
        bits.to_be_bytes()[1..chunk.len()].to_vec()
    };
    digits.chunks(4).flat_map(group).collect()
}

#[test]
fn both_ways() {
    for text in ["", "a", "ab", "abc", "ann:p@ss"] {
        assert_eq!(decode(&encode(text.as_bytes())), text.as_bytes());
    }
    assert_eq!(encode(b"ann:pw"), "YW5uOnB3");
}
