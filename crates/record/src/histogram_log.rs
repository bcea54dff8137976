//! Histograms over time as HdrHistogram's own tools read them: the interval log, format 1.3.

use hdrhistogram::serialization::{
    V2DeflateSerializer,
    interval_log::{IntervalLogWriterBuilder, Tag},
};

use crate::{Histogram, Nanos};

/// Values are nanoseconds; the maximum beside each is there for people, in milliseconds as other tools write it.
const NANOS_PER_MS: f64 = 1e6;

/// One line of the log.
#[derive(Clone, Debug)]
pub struct LogEntry<'a> {
    /// Tells apart what one interval has several histograms of. Commas and white space become `-`.
    pub tag: String,
    /// Counted from the log's start.
    pub start: Nanos,
    /// Of the interval.
    pub duration: Nanos,
    /// In nanoseconds.
    pub times: &'a Histogram,
}

/// The text of a log that starts at `started_s`, in seconds since the epoch. `comments` come first.
pub fn histogram_log<'a>(started_s: f64, comments: &[&str], entries: impl IntoIterator<Item = LogEntry<'a>>) -> String {
    let mut head = IntervalLogWriterBuilder::new();
    for comment in comments {
        head.add_comment(comment);
    }
    // With both, every reader takes the instants below as counted from this one.
    let (start, base) = ("StartTime", "BaseTime");
    for line in [start, base].map(|name| format!("[{name}: {started_s:.3} (seconds since epoch)]")) {
        head.add_comment(&line);
    }
    head.add_comment("[Histogram log format version 1.3]").with_max_value_divisor(NANOS_PER_MS);
    let (mut text, mut serializer) = (Vec::new(), V2DeflateSerializer::new());
    let mut log = head.begin_log_with(&mut text, &mut serializer).expect(MEMORY);
    for entry in entries {
        let tag = entry.tag.replace([',', ' ', '\t', '\r', '\n'], "-");
        let tag = Tag::new(&tag).expect("what a tag must not have was replaced");
        let (start, duration) = (entry.start.into(), entry.duration.into());
        log.write_histogram(&entry.times.hdr(), start, duration, Some(tag)).expect(MEMORY);
    }
    String::from_utf8(text).expect("a log is text")
}

const MEMORY: &str = "writing to memory does not fail";

#[cfg(test)]
mod tests {
    use hdrhistogram::{
        Histogram as Hdr,
        serialization::{
            Deserializer,
            interval_log::{IntervalLogIterator, LogEntry as Read},
        },
    };

    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let mut times = Histogram::new();
        (1..=1_000).for_each(|ms| times.record(Nanos::from_millis(ms)));
        let entry = |tag: &str, at_s| LogEntry {
            tag: tag.to_owned(),
            start: Nanos::from_secs(at_s),
            duration: Nanos::from_secs(1),
            times: &times,
        };
        let text = histogram_log(1_700_000_000.5, &["made by a test"], [entry("response", 0), entry("a, b", 1)]);
        assert!(text.starts_with("#made by a test\n#[StartTime: 1700000000.500 (seconds since epoch)]\n"), "{text}");
        let read: Vec<_> = IntervalLogIterator::new(text.as_bytes()).map(Result::unwrap).collect();
        let histograms: Vec<_> =
            read.iter().filter_map(|it| if let Read::Interval(it) = it { Some(it) } else { None }).collect();
        assert_eq!(histograms.len(), 2);
        assert_eq!(histograms[1].tag().unwrap().as_str(), "a--b");
        assert_eq!(histograms[1].start_timestamp().as_secs(), 1);
        assert!((histograms[0].max() - 1_000.0).abs() < 1.0, "milliseconds for people: {}", histograms[0].max());
        let bytes = base64(histograms[0].encoded_histogram());
        let back: Hdr<u64> = Deserializer::new().deserialize(&mut bytes.as_slice()).unwrap();
        assert_eq!((back.len(), back.value_at_quantile(0.5)), (1_000, times.quantile(0.5).0));
    }

    fn base64(text: &str) -> Vec<u8> {
        let digit = |byte| match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            _ => 63,
        };
        let bits: Vec<u8> = text
            .bytes()
            .filter(|&byte| byte != b'=')
            .flat_map(|byte| (0..6).rev().map(move |bit| digit(byte) >> bit & 1))
            .collect();
        bits.chunks_exact(8).map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | bit)).collect()
    }
}
