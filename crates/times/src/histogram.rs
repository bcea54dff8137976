//! Times counted in an HDR histogram: bounded memory, three significant digits, exact merging.

use std::borrow::Cow;

use base64::{Engine, prelude::BASE64_STANDARD};
use hdrhistogram::{
    Histogram as Hdr,
    serialization::{Serializer as _, V2Serializer},
};
use serde::{Deserialize, Serialize, Serializer, de};

use crate::{Nanos, encoding};

/// Times in nanoseconds, kept to three significant digits (a relative error of at most 0.05 %).
///
/// Histograms of the same kind merge exactly: nothing is averaged, and percentiles of a merge are the
/// percentiles of all values together.
///
/// One that is recorded into takes 16 kB to 270 kB. One without values takes nothing, and one read from the record
/// keeps its encoding of a few hundred bytes, so that thousands of intervals fit in memory.
#[derive(Clone, Default)]
pub struct Histogram(Form);

#[derive(Clone, Default)]
enum Form {
    #[default]
    Empty,
    Counting(Hdr<u64>),
    /// Known to decode, and to this count.
    Encoded {
        bytes: Box<[u8]>,
        count: u64,
    },
}

impl Histogram {
    /// Values above this are recorded as this: one hour, longer than any time-out.
    pub const HIGHEST: Nanos = Nanos::from_secs(3_600);
    const SIGNIFICANT_DIGITS: u8 = 3;

    /// Without values; it grows with the largest value recorded.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts one value.
    pub fn record(&mut self, value: Nanos) {
        let clamped = value.0.min(Self::HIGHEST.0);
        self.counting().record(clamped).expect("an auto-resizing histogram takes every value up to one hour");
    }

    /// Adds all values of `other`.
    pub fn merge(&mut self, other: &Self) {
        if !other.is_empty() {
            self.counting().add(&*other.hdr()).expect("both histograms auto-resize");
        }
    }

    /// Forgets all values and keeps the memory.
    pub fn clear(&mut self) {
        match &mut self.0 {
            Form::Counting(hdr) => hdr.reset(),
            form => *form = Form::Empty,
        }
    }

    /// How many values.
    pub fn count(&self) -> u64 {
        match &self.0 {
            Form::Empty => 0,
            Form::Counting(hdr) => hdr.len(),
            Form::Encoded { count, .. } => *count,
        }
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// The value at `quantile` (0 to 1): the smallest recorded one that at least that share of all
    /// values does not exceed. Zero when empty.
    pub fn quantile(&self, quantile: f64) -> Nanos {
        let hdr = self.hdr();
        Nanos(hdr.value_at_quantile(quantile).min(hdr.max()))
    }

    /// The arithmetic mean in nanoseconds; zero when empty.
    pub fn mean_ns(&self) -> f64 {
        self.hdr().mean()
    }

    /// The smallest value, to three digits; zero when empty.
    pub fn min(&self) -> Nanos {
        Nanos(self.hdr().min())
    }

    /// The largest value, to three digits; zero when empty.
    pub fn max(&self) -> Nanos {
        Nanos(self.hdr().max())
    }

    /// Every distinct recorded value with its count, ascending.
    pub fn buckets(&self) -> impl Iterator<Item = (Nanos, u64)> + use<> {
        let hdr = self.hdr();
        let buckets = hdr.iter_recorded().map(|it| (Nanos(it.value_iterated_to()), it.count_at_value()));
        buckets.collect::<Vec<_>>().into_iter()
    }

    /// The standard HdrHistogram V2 encoding.
    pub fn to_bytes(&self) -> Vec<u8> {
        if let Form::Encoded { bytes, .. } = &self.0 {
            return bytes.to_vec();
        }
        let mut bytes = Vec::new();
        V2Serializer::new().serialize(&*self.hdr(), &mut bytes).expect("writing to memory does not fail");
        bytes
    }

    /// Reads the standard HdrHistogram V2 encoding of three significant digits.
    ///
    /// # Errors
    ///
    /// The fault of the encoding, in words.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let hdr = decode(bytes)?;
        if hdr.sigfig() != Self::SIGNIFICANT_DIGITS {
            return Err(format!("a histogram of {} significant digits, expected 3", hdr.sigfig()));
        }
        Ok(Self(Form::Encoded { bytes: bytes.into(), count: hdr.len() }))
    }

    /// Keeps its encoding in place of its counts.
    pub fn compact(&mut self) {
        if let Form::Counting(hdr) = &self.0 {
            let (bytes, count) = (self.to_bytes().into_boxed_slice(), hdr.len());
            self.0 = if count == 0 { Form::Empty } else { Form::Encoded { bytes, count } };
        }
    }

    /// To read from, in whatever form.
    pub(crate) fn hdr(&self) -> Cow<'_, Hdr<u64>> {
        match &self.0 {
            Form::Empty => Cow::Owned(empty()),
            Form::Counting(hdr) => Cow::Borrowed(hdr),
            Form::Encoded { bytes, .. } => Cow::Owned(decode(bytes).expect("it was decoded when it was read")),
        }
    }

    /// To record into.
    fn counting(&mut self) -> &mut Hdr<u64> {
        if !matches!(self.0, Form::Counting(_)) {
            self.0 = Form::Counting(self.hdr().into_owned());
        }
        match &mut self.0 {
            Form::Counting(hdr) => hdr,
            Form::Empty | Form::Encoded { .. } => unreachable!("made to count just now"),
        }
    }
}

/// In JSON: its encoding, in Base64; nothing without values.
impl Serialize for Histogram {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes = if self.is_empty() { Vec::new() } else { self.to_bytes() };
        serializer.serialize_str(&BASE64_STANDARD.encode(bytes))
    }
}

impl<'de> Deserialize<'de> for Histogram {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        let bytes = BASE64_STANDARD.decode(text.as_bytes()).map_err(de::Error::custom)?;
        if bytes.is_empty() { Ok(Self::new()) } else { Self::from_bytes(&bytes).map_err(de::Error::custom) }
    }
}

impl std::fmt::Debug for Histogram {
    /// In short: a few thousand counts help nobody.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Histogram({} values from {} to {})", self.count(), self.min(), self.max())
    }
}

impl PartialEq for Histogram {
    /// The same values, in whatever form.
    fn eq(&self, other: &Self) -> bool {
        self.count() == other.count() && self.buckets().eq(other.buckets())
    }
}

fn empty() -> Hdr<u64> {
    Hdr::new(Histogram::SIGNIFICANT_DIGITS).expect("three digits is within what the crate allows")
}

fn decode(bytes: &[u8]) -> Result<Hdr<u64>, String> {
    let mut hdr = encoding::decode(bytes)?;
    hdr.auto(true);
    Ok(hdr)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values_ms: &[u64]) -> Histogram {
        let mut histogram = Histogram::new();
        values_ms.iter().for_each(|&ms| histogram.record(Nanos::from_millis(ms)));
        histogram
    }

    fn is_close(found: Nanos, expected: Nanos) -> bool {
        found.0.abs_diff(expected.0) as f64 <= expected.0 as f64 * 0.001
    }

    #[test]
    fn quantiles_are_those_of_the_values() {
        let histogram = of(&(1..=1_000).collect::<Vec<_>>());
        for (quantile, ms) in [(0.5, 500), (0.9, 900), (0.99, 990), (1.0, 1_000)] {
            assert!(is_close(histogram.quantile(quantile), Nanos::from_millis(ms)), "at {quantile}");
        }
        assert!(is_close(Nanos(histogram.mean_ns() as u64), Nanos::from_micros(500_500)));
    }

    #[test]
    fn a_merge_is_all_values_together_and_survives_its_encoding() {
        let mut merged = of(&[1, 2, 3]);
        merged.merge(&of(&[40, 50_000]));
        assert_eq!(merged, of(&[1, 2, 3, 40, 50_000]));
        let mut read = Histogram::from_bytes(&merged.to_bytes()).unwrap();
        assert_eq!(read.count(), 5);
        assert_eq!(read, merged);
        assert_eq!(read.to_bytes(), merged.to_bytes());
        assert_eq!((read.max(), read.min(), read.mean_ns()), (merged.max(), merged.min(), merged.mean_ns()));
        let mut sum = Histogram::new();
        sum.merge(&read);
        assert_eq!(sum, merged);
        read.record(Histogram::HIGHEST);
        assert_eq!(read.count(), 6);
        assert_ne!(read, merged);
        assert!(Histogram::from_bytes(b"garbage").is_err());
    }

    #[test]
    fn compact_or_in_json_it_is_the_same() {
        let mut compact = of(&[1, 2, 3, 40]);
        compact.compact();
        assert!(matches!(compact.0, Form::Encoded { .. }) && compact == of(&[1, 2, 3, 40]));
        compact.merge(&of(&[5]));
        assert_eq!(compact.count(), 5);
        for histogram in [compact, Histogram::new()] {
            let text = serde_json::to_string(&histogram).unwrap();
            assert_eq!(serde_json::from_str::<Histogram>(&text).unwrap(), histogram);
        }
        for wrong in ["\"?\"", "\"AAAA\"", "7"] {
            assert!(serde_json::from_str::<Histogram>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn values_beyond_the_range_are_clamped_not_lost() {
        let mut histogram = Histogram::new();
        histogram.record(Nanos::MAX);
        histogram.record(Nanos::ZERO);
        assert_eq!(histogram.count(), 2);
        assert!(is_close(histogram.max(), Histogram::HIGHEST));
    }

    #[test]
    fn an_empty_one_answers_zero() {
        let empty = Histogram::new();
        assert_eq!(
            (empty.quantile(0.99), empty.max(), empty.min(), empty.mean_ns()),
            (Nanos(0), Nanos(0), Nanos(0), 0.0)
        );
    }
}
