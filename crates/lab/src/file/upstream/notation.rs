//! Behaviour of an upstream, as users write it in files and in flags.

use std::{collections::BTreeMap, path::Path};

use plimsoll_drive::files;
use plimsoll_record::{Distribution, Freeze, Nanos, StatusShare, read_histogram_log};
use plimsoll_text::quoted;

use super::super::quantity::{DURATION, Dimension, SIZE};

/// Reads a latency: `200ms`, `uniform 100ms..300ms`, `exponential 100ms`, `lognormal 20ms p99 200ms` (its median and
/// its 99th percentile, as dashboards have them), or `histogram times.hlog`, which is looked for from `folder`.
///
/// # Errors
/// Expected and found values.
pub fn parse_latency(text: &str, folder: &Path) -> Result<Distribution<Nanos>, String> {
    let distribution = match text.trim().split_once(' ') {
        Some(("histogram", rest)) => histogram(rest.trim(), folder)?,
        _ => parse(text, &DURATION, |ns| Nanos(ns.round() as u64))
            .map_err(|why| format!("{why}; or a distribution: {LATENCIES}"))?,
    };
    distribution.check().map_err(|why| format!("`{text}`: {why}"))?;
    Ok(distribution)
}

const LATENCIES: &str = "`uniform 100ms..300ms`, `exponential 100ms`, `lognormal 20ms p99 200ms` (median and 99th \
                         percentile), `histogram FILE` (a log of HdrHistogram)";

/// Reads the length of an answer: `1 KiB`, `uniform 1 KiB..10 KiB`, `exponential 2 kB`, `lognormal 2 kB p99 50 kB`.
///
/// # Errors
/// Expected and found values.
pub fn parse_answer_size(text: &str) -> Result<Distribution<u64>, String> {
    let sizes = "`uniform 1kB..10kB`, `exponential 2kB`, `lognormal 2kB p99 50kB` (median and 99th percentile)";
    let distribution =
        parse(text, &SIZE, |bytes| bytes.round() as u64).map_err(|why| format!("{why}; or a distribution: {sizes}"))?;
    distribution.check().map_err(|why| format!("`{text}`: {why}"))?;
    Ok(distribution)
}

/// Reads when everything stands still: `1s every 10s`.
///
/// # Errors
/// Expected and found values.
pub fn parse_freeze(text: &str) -> Result<Freeze, String> {
    let expected = || format!("expected a length and how often, e.g. `1s every 10s`, found `{text}`");
    let (length, every) = text.split_once(" every ").ok_or_else(expected)?;
    let time = |text: &str| DURATION.parse(text).map(|ns| Nanos(ns.round() as u64));
    let freeze = Freeze { length: time(length)?, every: time(every)? };
    freeze.check()?;
    Ok(freeze)
}

/// Reads a mix of statuses, each with its weight: `200:99,503:1`, or one status alone.
///
/// # Errors
/// Expected and found values.
pub fn parse_statuses(text: &str) -> Result<Vec<StatusShare>, String> {
    let share = |part: &str| {
        let expected = || format!("expected statuses with their weights, e.g. `200:99,503:1`, found `{text}`");
        let (status, weight) = part.split_once(':').unwrap_or((part, "1"));
        let status = status.trim().parse().map_err(|_| expected())?;
        let share = StatusShare { status, weight: weight.trim().parse().map_err(|_| expected())? };
        share.check().map(|()| share)
    };
    text.split(',').map(share).collect()
}

fn parse<T>(text: &str, dimension: &Dimension, unit: impl Fn(f64) -> T) -> Result<Distribution<T>, String> {
    let value = |text: &str| dimension.parse(text).map(&unit);
    let (shape, rest) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    let wrong = |example: &str| format!("expected e.g. `{shape} {example}`, found `{text}`");
    match shape {
        "uniform" => {
            let (min, max) = rest.split_once("..").ok_or_else(|| wrong("MIN..MAX"))?;
            Ok(Distribution::Uniform { min: value(min)?, max: value(max)? })
        }
        "exponential" => Ok(Distribution::Exponential { mean: value(rest)? }),
        "lognormal" => {
            let (median, p99) = rest.split_once("p99").ok_or_else(|| wrong("MEDIAN p99 P99"))?;
            Ok(Distribution::LogNormal { median: value(median)?, p99: value(p99)? })
        }
        _ => Ok(Distribution::Constant(value(text)?)),
    }
}

/// The values of a log: of one tag if it has several.
fn histogram(text: &str, folder: &Path) -> Result<Distribution<Nanos>, String> {
    let (file, tag) = text.split_once(" tag ").map_or((text, None), |(file, tag)| (file.trim(), Some(tag.trim())));
    let path = folder.join(file);
    let log = files::read_text(&path, files::DOCUMENT_BYTES_MAX)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let by_tag = read_histogram_log(&log).map_err(|why| format!("{}: {why}", path.display()))?;
    let tag = tag.map_or_else(|| only_tag(&by_tag), |tag| Ok(tag.to_owned())).and_then(|tag| match by_tag.get(&tag) {
        Some(_) => Ok(tag),
        None => Err(format!("expected one of the tags {}, found `{tag}`", quoted(by_tag.keys().map(String::as_str)))),
    });
    let tag = tag.map_err(|why| format!("{}: {why}", path.display()))?;
    let counts = by_tag.get(&tag).into_iter().flatten().fold(BTreeMap::new(), |mut counts, (value, count)| {
        *counts.entry(coarse(*value)).or_insert(0) += count;
        counts
    });
    let source = if tag.is_empty() { file.to_owned() } else { format!("{file} ({tag})") };
    Ok(Distribution::Histogram { source, counts: counts.into_iter().collect() })
}

/// The service times of a log by Plimsoll are what a target does; other logs have one tag or none.
fn only_tag<T>(by_tag: &BTreeMap<String, T>) -> Result<String, String> {
    let mut tags = by_tag.keys();
    match (tags.next(), tags.next()) {
        (Some(only), None) => Ok(only.clone()),
        _ if by_tag.contains_key("service") => Ok("service".to_owned()),
        _ => Err(format!(
            "it has several tags: name one of {} after the file, e.g. `FILE tag service`",
            quoted(by_tag.keys().map(String::as_str))
        )),
    }
}

/// To 8 bits, within 0.4 %: so that what is kept in the record is a thousand values and not ten thousand.
fn coarse(time: Nanos) -> Nanos {
    let bits = u64::BITS - time.0.leading_zeros();
    let shift = bits.saturating_sub(8);
    Nanos((time.0 >> shift) << shift)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use plimsoll_record::{Histogram, LogEntry, histogram_log};

    use super::*;

    const fn ms(ms: u64) -> Nanos {
        Nanos::from_millis(ms)
    }

    fn latency(text: &str) -> Result<Distribution<Nanos>, String> {
        parse_latency(text, Path::new("/nowhere"))
    }

    #[test]
    fn latencies_read_as_they_are_written() {
        assert_eq!(latency("200ms"), Ok(Distribution::Constant(ms(200))));
        assert_eq!(latency("1m 30s"), Ok(Distribution::Constant(ms(90_000))));
        assert_eq!(latency("uniform 100ms..300ms"), Ok(Distribution::Uniform { min: ms(100), max: ms(300) }));
        assert_eq!(latency("exponential 100 ms"), Ok(Distribution::Exponential { mean: ms(100) }));
        assert_eq!(latency(" lognormal 20ms p99 1s "), Ok(Distribution::LogNormal { median: ms(20), p99: ms(1_000) }));
        assert_eq!(
            parse_answer_size("lognormal 2kB p99 50kB"),
            Ok(Distribution::LogNormal { median: 2_000, p99: 50_000 })
        );
        assert_eq!(parse_freeze("1s every 10s"), Ok(Freeze { length: ms(1_000), every: ms(10_000) }));
        let shares = parse_statuses("200:99, 503:1").unwrap();
        assert_eq!(shares, [(200, 99.0), (503, 1.0)].map(|(status, weight)| StatusShare { status, weight }));
        assert_eq!(parse_statuses("503").unwrap().len(), 1);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let texts = [
            "",
            "fast",
            "200",
            "uniform 100ms",
            "uniform 3s..1s",
            "exponential 0ms",
            "exponential",
            "lognormal 20ms",
            "lognormal 200ms p99 20ms",
            "histogram no-such.hlog",
            "1 KiB",
        ];
        let latencies = texts.map(|text| format!("{text:?}: {}", latency(text).unwrap_err()));
        let sizes = ["1", "histogram x.hlog", "uniform 2 B..1 B"].map(|text| parse_answer_size(text).unwrap_err());
        let freezes = ["1s", "10s every 1s", "x every 1s"].map(|text| parse_freeze(text).unwrap_err());
        let statuses = ["", "ok", "200:x", "999", "200:0"].map(|text| parse_statuses(text).unwrap_err());
        assert_eq!(
            [&latencies[..], &sizes, &freezes, &statuses].concat(),
            [
                "\"\": expected a duration, e.g. `30s`, found ``; or a distribution: `uniform 100ms..300ms`, `exponential 100ms`, `lognormal 20ms p99 200ms` (median and 99th percentile), `histogram FILE` (a log of HdrHistogram)",
                "\"fast\": expected a duration, e.g. `30s`, found `fast`; or a distribution: `uniform 100ms..300ms`, `exponential 100ms`, `lognormal 20ms p99 200ms` (median and 99th percentile), `histogram FILE` (a log of HdrHistogram)",
                "\"200\": expected a duration, e.g. `30s`, found `200`: the unit is missing; units are `ns`, `us`, `µs`, `ms`, `s`, `m`, `min`, `h`, `d`; or a distribution: `uniform 100ms..300ms`, `exponential 100ms`, `lognormal 20ms p99 200ms` (median and 99th percentile), `histogram FILE` (a log of HdrHistogram)",
                "\"uniform 100ms\": expected e.g. `uniform MIN..MAX`, found `uniform 100ms`; or a distribution: `uniform 100ms..300ms`, `exponential 100ms`, `lognormal 20ms p99 200ms` (median and 99th percentile), `histogram FILE` (a log of HdrHistogram)",
                "\"uniform 3s..1s\": `uniform 3s..1s`: expected the lesser value first, found 3.00 s..1.00 s",
                "\"exponential 0ms\": `exponential 0ms`: expected a mean of more than 0, found 0 ns",
                "\"exponential\": expected a duration, e.g. `30s`, found ``; or a distribution: `uniform 100ms..300ms`, `exponential 100ms`, `lognormal 20ms p99 200ms` (median and 99th percentile), `histogram FILE` (a log of HdrHistogram)",
                "\"lognormal 20ms\": expected e.g. `lognormal MEDIAN p99 P99`, found `lognormal 20ms`; or a distribution: `uniform 100ms..300ms`, `exponential 100ms`, `lognormal 20ms p99 200ms` (median and 99th percentile), `histogram FILE` (a log of HdrHistogram)",
                "\"lognormal 200ms p99 20ms\": `lognormal 200ms p99 20ms`: expected a median of more than 0 and a p99 above it, found 200 ms and 20.0 ms",
                "\"histogram no-such.hlog\": cannot read /nowhere/no-such.hlog: No such file or directory (os error 2)",
                "\"1 KiB\": expected a duration, e.g. `30s`, found `1 KiB`: `1 KiB` is a size; units are `ns`, `us`, `µs`, `ms`, `s`, `m`, `min`, `h`, `d`; or a distribution: `uniform 100ms..300ms`, `exponential 100ms`, `lognormal 20ms p99 200ms` (median and 99th percentile), `histogram FILE` (a log of HdrHistogram)",
                "expected a size, e.g. `1 GiB`, found `1`: the unit is missing; units are `B`, `kB`, `KB`, `MB`, `GB`, `TB`, `KiB`, `MiB`, `GiB`, `TiB`; or a distribution: `uniform 1kB..10kB`, `exponential 2kB`, `lognormal 2kB p99 50kB` (median and 99th percentile)",
                "expected a size, e.g. `1 GiB`, found `histogram x.hlog`; or a distribution: `uniform 1kB..10kB`, `exponential 2kB`, `lognormal 2kB p99 50kB` (median and 99th percentile)",
                "`uniform 2 B..1 B`: expected the lesser value first, found 2..1",
                "expected a length and how often, e.g. `1s every 10s`, found `1s`",
                "expected a length of more than 0 and less than from one to the next, found 10.0 s every 1.00 s",
                "expected a duration, e.g. `30s`, found `x`",
                "expected statuses with their weights, e.g. `200:99,503:1`, found ``",
                "expected statuses with their weights, e.g. `200:99,503:1`, found `ok`",
                "expected statuses with their weights, e.g. `200:99,503:1`, found `200:x`",
                "expected a status from 200 to 599, found 999",
                "expected a weight of more than 0 and at most 1,000,000,000 for status 200, found 0",
            ]
        );
    }

    #[test]
    fn a_histogram_comes_from_a_log() {
        let folder = tempfile::tempdir().unwrap();
        let mut times = Histogram::new();
        [10, 10, 20].into_iter().for_each(|time| times.record(ms(time)));
        let entry =
            |tag: &str| LogEntry { tag: tag.to_owned(), start: Nanos::ZERO, duration: ms(1_000), times: &times };
        let write = |name, tags: &[&str]| {
            fs::write(folder.path().join(name), histogram_log(0.0, &[], tags.iter().map(|tag| entry(tag)))).unwrap();
        };
        write("mine.hlog", &["response", "service"]);
        write("several.hlog", &["a", "b"]);
        let read = |text: &str| parse_latency(text, folder.path());
        let Ok(Distribution::Histogram { source, counts }) = read("histogram mine.hlog") else { panic!("a histogram") };
        assert_eq!(source, "mine.hlog (service)");
        assert_eq!(counts.iter().map(|(_, count)| *count).collect::<Vec<_>>(), [2, 1]);
        assert!((counts[0].0.as_millis_f64() / 10.0 - 1.0).abs() < 0.01, "{counts:?}");
        assert!(read("histogram several.hlog").unwrap_err().contains("name one of `a`, `b`"));
        assert!(read("histogram several.hlog tag b").is_ok());
        assert!(read("histogram several.hlog tag c").unwrap_err().contains("found `c`"));
        fs::write(folder.path().join("empty.hlog"), "").unwrap();
        assert!(read("histogram empty.hlog").unwrap_err().contains("found no histogram"));
    }
}
