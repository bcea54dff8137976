//! Times counted in an HDR histogram: bounded memory, three significant digits, exact merging.

use hdrhistogram::{
    Histogram as Hdr,
    serialization::{Deserializer, Serializer, V2Serializer},
};

use crate::units::Nanos;

/// Times in nanoseconds, kept to three significant digits (a relative error of at most 0.05 %).
///
/// Histograms of the same kind merge exactly: nothing is averaged, and percentiles of a merge are the
/// percentiles of all values together.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram(Hdr<u64>);

impl Histogram {
    /// Values above this are recorded as this: one hour, longer than any time-out.
    pub const HIGHEST: Nanos = Nanos::from_secs(3_600);
    const SIGNIFICANT_DIGITS: u8 = 3;

    /// Without values; it grows with the largest value recorded, to 270 kB at most.
    pub fn new() -> Self {
        Self(Hdr::new(Self::SIGNIFICANT_DIGITS).expect("three digits is within what the crate allows"))
    }

    /// Counts one value.
    #[inline]
    pub fn record(&mut self, value: Nanos) {
        let clamped = value.0.min(Self::HIGHEST.0);
        self.0.record(clamped).expect("an auto-resizing histogram takes every value up to one hour");
    }

    /// Adds all values of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.0.add(&other.0).expect("both histograms auto-resize");
    }

    /// Forgets all values and keeps the memory.
    pub fn clear(&mut self) {
        self.0.reset();
    }

    /// How many values.
    pub fn count(&self) -> u64 {
        self.0.len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value at `quantile` (0 to 1): the smallest recorded one that at least that share of all
    /// values does not exceed. Zero when empty.
    pub fn quantile(&self, quantile: f64) -> Nanos {
        if self.is_empty() { Nanos::ZERO } else { Nanos(self.0.value_at_quantile(quantile).min(self.0.max())) }
    }

    /// The arithmetic mean in nanoseconds; zero when empty.
    pub fn mean_ns(&self) -> f64 {
        if self.is_empty() { 0.0 } else { self.0.mean() }
    }

    /// The smallest value, to three digits; zero when empty.
    pub fn min(&self) -> Nanos {
        if self.is_empty() { Nanos::ZERO } else { Nanos(self.0.min()) }
    }

    /// The largest value, to three digits; zero when empty.
    pub fn max(&self) -> Nanos {
        Nanos(self.0.max())
    }

    /// Every distinct recorded value with its count, ascending.
    pub fn buckets(&self) -> impl Iterator<Item = (Nanos, u64)> + '_ {
        self.0.iter_recorded().map(|it| (Nanos(it.value_iterated_to()), it.count_at_value()))
    }

    /// The standard HdrHistogram V2 encoding.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        V2Serializer::new().serialize(&self.0, &mut bytes).expect("writing to memory does not fail");
        bytes
    }

    /// Reads the standard HdrHistogram V2 encoding; an error says what is wrong with it.
    pub fn from_bytes(mut bytes: &[u8]) -> Result<Self, String> {
        let mut hdr: Hdr<u64> =
            Deserializer::new().deserialize(&mut bytes).map_err(|error| format!("not a V2 histogram: {error:?}"))?;
        hdr.auto(true);
        Ok(Self(hdr))
    }
}

impl Default for Histogram {
    fn default() -> Self {
        Self::new()
    }
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
        assert_eq!(read.max(), merged.max());
        read.record(Histogram::HIGHEST);
        assert!(Histogram::from_bytes(b"garbage").is_err());
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
