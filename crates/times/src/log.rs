//! Histograms over time as HdrHistogram's own tools read them: the interval log, format 1.3.

use std::collections::BTreeMap;

use base64::{Engine, engine::general_purpose::STANDARD};
use hdrhistogram::{
    Histogram as Hdr,
    serialization::{
        V2DeflateSerializer,
        interval_log::{self, IntervalLogIterator, IntervalLogWriterBuilder, Tag},
    },
};

use crate::{Histogram, Nanos, encoding};

/// Values are nanoseconds; the maximum beside each is there for people, in milliseconds as other tools write it.
const NANOS_PER_MS: f64 = 1e6;

/// One line of the log.
#[derive(Clone, Debug)]
pub struct LogEntry<'a> {
    /// Tells apart what one interval has several histograms of. Commas and white space become `-`.
    pub tag: String,
    /// Counted from the log's start.
    pub start: Nanos,
    /// Length of the interval.
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

/// Values with how often each occurred.
pub type ValueCounts = BTreeMap<Nanos, u64>;

/// Histograms of the log `text`, summed by tag; those without one are under the empty tag. Values are taken for
/// nanoseconds.
///
/// # Errors
/// The fault, and the number of the histogram (1-based).
pub fn read_histogram_log(text: &str) -> Result<BTreeMap<String, ValueCounts>, String> {
    let mut by_tag: BTreeMap<String, ValueCounts> = BTreeMap::new();
    // The reader takes a last line without its end for a comment.
    let whole = format!("{text}\n");
    let entries = IntervalLogIterator::new(whole.as_bytes()).filter_map(|entry| match entry {
        Ok(interval_log::LogEntry::Interval(interval)) => Some(interval),
        _ => None,
    });
    for (number, entry) in (1..).zip(entries) {
        let hdr = decoded(entry.encoded_histogram()).map_err(|why| format!("histogram {number}: {why}"))?;
        let counts = by_tag.entry(entry.tag().map_or_else(String::new, |tag| tag.as_str().to_owned())).or_default();
        for bucket in hdr.iter_recorded() {
            let count = counts.entry(Nanos(hdr.median_equivalent(bucket.value_iterated_to()))).or_default();
            *count = count.saturating_add(bucket.count_at_value());
        }
    }
    if by_tag.is_empty() {
        return Err("expected an interval log of HdrHistogram (format 1.3), found no histogram".to_owned());
    }
    Ok(by_tag)
}

fn decoded(text: &str) -> Result<Hdr<u64>, String> {
    let bytes = STANDARD.decode(text.trim()).map_err(|error| format!("not base64: {error}"))?;
    encoding::decode(&bytes)
}

#[cfg(test)]
mod tests {
    use hdrhistogram::serialization::interval_log::LogEntry as Read;

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
        assert_eq!(histograms[1].start_timestamp().as_secs(), 1);
        assert!((histograms[0].max() - 1_000.0).abs() < 1.0, "milliseconds for people: {}", histograms[0].max());
        let back = read_histogram_log(&text).unwrap();
        assert_eq!(back.keys().collect::<Vec<_>>(), ["a--b", "response"]);
        let counts = &back["response"];
        assert_eq!(counts.values().sum::<u64>(), 1_000);
        let least = counts.keys().next().unwrap().as_millis_f64();
        assert!((least - 1.0).abs() < 0.001, "{least}");
        let halves = histogram_log(0.0, &[], [entry("x", 0), entry("x", 1)]);
        assert_eq!(read_histogram_log(halves.trim_end()).unwrap()["x"].values().sum::<u64>(), 2_000);
    }

    #[test]
    fn what_is_no_log_is_said_to_be_none() {
        assert!(read_histogram_log("latency,count\n1,2\n").unwrap_err().contains("no histogram"));
        let broken = read_histogram_log("Tag=a,0.0,1.0,2.0,HISTFAAAAB\n").unwrap_err();
        assert!(broken.starts_with("histogram 1: "), "{broken}");
    }
}
