//! HdrHistogram's V2 encoding, plain or deflated, read as what others may have written: its own reader makes room for
//! whatever length is announced, and takes the negative of the one number that has none.

use std::{borrow::Cow, io::Read};

use flate2::read::ZlibDecoder;
use hdrhistogram::{Histogram as Hdr, serialization::Deserializer};

const DEFLATED_COOKIE: [u8; 4] = [0x1c, 0x84, 0x93, 0x14];
/// Before the counts: cookie, their length, and what the histogram is like.
const HEAD_BYTES: usize = 40;
const LENGTH: std::ops::Range<usize> = 4..8;
/// More than a histogram of five digits with each count there is has.
const BYTES_MAX: u64 = 16 << 20;
/// The longest number that the encoding has, and the only one that is no count: -2^63 zeros.
const NO_COUNT: [u8; 9] = [0xff; 9];

/// Values of one histogram at most, so that sums of thousands of them can be counted: nine years of a million a second.
const COUNT_MAX: u64 = 1 << 48;

/// The histogram of these bytes.
///
/// # Errors
///
/// The fault of the encoding, in words.
pub(crate) fn decode(bytes: &[u8]) -> Result<Hdr<u64>, String> {
    let bytes = inflated(bytes)?;
    let announced = bytes.get(LENGTH).map_or(0, |length| u32::from_be_bytes(length.try_into().expect("four bytes")));
    if announced as usize > bytes.len() {
        return Err(format!("cut short: {announced} bytes of counts announced, {} bytes in all", bytes.len()));
    }
    if bytes.get(HEAD_BYTES..).is_some_and(|counts| counts.windows(NO_COUNT.len()).any(|it| it == NO_COUNT)) {
        return Err("a run of zeros longer than any histogram".to_owned());
    }
    let hdr: Hdr<u64> =
        Deserializer::new().deserialize(&mut &*bytes).map_err(|error| format!("not a V2 histogram: {error}"))?;
    if hdr.len() <= COUNT_MAX {
        Ok(hdr)
    } else {
        Err(format!("expected {COUNT_MAX} values at most, found {}", hdr.len()))
    }
}

fn inflated(bytes: &[u8]) -> Result<Cow<'_, [u8]>, String> {
    if !bytes.starts_with(&DEFLATED_COOKIE) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut inflated = Vec::new();
    let mut reader = ZlibDecoder::new(bytes.get(LENGTH.end..).unwrap_or_default()).take(BYTES_MAX + 1);
    reader.read_to_end(&mut inflated).map_err(|error| format!("not a deflated V2 histogram: {error}"))?;
    if inflated.len() as u64 > BYTES_MAX {
        return Err(format!("a histogram of more than {} MiB", BYTES_MAX >> 20));
    }
    if inflated.starts_with(&DEFLATED_COOKIE) {
        return Err("a histogram that was deflated twice".to_owned());
    }
    Ok(Cow::Owned(inflated))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::ZlibEncoder};
    use hdrhistogram::serialization::{Serializer, V2DeflateSerializer, V2Serializer};

    use super::*;

    fn histogram() -> Hdr<u64> {
        let mut histogram = Hdr::new(3).unwrap();
        histogram.record_n(1_000, 7).unwrap();
        histogram
    }

    fn plain() -> Vec<u8> {
        let mut bytes = Vec::new();
        V2Serializer::new().serialize(&histogram(), &mut bytes).unwrap();
        bytes
    }

    fn deflated(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        let deflated = encoder.finish().unwrap();
        [&DEFLATED_COOKIE[..], &(deflated.len() as u32).to_be_bytes(), &deflated].concat()
    }

    #[test]
    fn both_forms_are_read() {
        let mut bytes = Vec::new();
        V2DeflateSerializer::new().serialize(&histogram(), &mut bytes).unwrap();
        assert_eq!(decode(&bytes), Ok(histogram()));
        assert_eq!(decode(&plain()), Ok(histogram()));
    }

    /// Found by a fuzzer: a panic where overflows are checked.
    #[test]
    fn a_run_of_zeros_without_end_is_refused() {
        let mut bytes = plain();
        bytes.extend(NO_COUNT);
        let length = (bytes.len() - HEAD_BYTES) as u32;
        bytes[LENGTH].copy_from_slice(&length.to_be_bytes());
        assert_eq!(decode(&bytes), Err("a run of zeros longer than any histogram".to_owned()));
    }

    /// Found by a fuzzer: sums of counts overflowed.
    #[test]
    fn more_values_than_can_be_summed_up_are_refused() {
        let mut many = histogram();
        many.record_n(5_000, u64::MAX >> 1).unwrap();
        many.record_n(9_000, u64::MAX >> 1).unwrap();
        let mut bytes = Vec::new();
        V2Serializer::new().serialize(&many, &mut bytes).unwrap();
        let refused = decode(&bytes).unwrap_err();
        assert!(refused.starts_with("expected 281474976710656 values at most, found "), "{refused}");
    }

    /// The length is in the deflated bytes, where nobody saw it: 4 GiB were made room for.
    #[test]
    fn lengths_that_are_not_there_are_refused_in_both_forms() {
        let mut bytes = plain();
        bytes[LENGTH].copy_from_slice(&u32::MAX.to_be_bytes());
        for bytes in [bytes.clone(), deflated(&bytes)] {
            let refused = decode(&bytes).unwrap_err();
            assert!(refused.starts_with("cut short: 4294967295 bytes"), "{refused}");
        }
    }

    #[test]
    fn what_inflates_without_end_is_refused() {
        let bomb = deflated(&vec![0; (BYTES_MAX + 1) as usize]);
        assert_eq!(decode(&bomb), Err("a histogram of more than 16 MiB".to_owned()));
        assert_eq!(decode(&deflated(&deflated(&plain()))), Err("a histogram that was deflated twice".to_owned()));
    }
}
