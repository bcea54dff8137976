//! `/tmp/hsperfdata_USER/PID`: the counters that a HotSpot JVM keeps in a file mapped into its memory, from which jstat
//! reads them (`src/hotspot/share/runtime/perfMemory.hpp` in the JDK's sources).

use std::collections::BTreeMap;

use plimsoll_record::metric::{Metric, jvm};

const MAGIC: [u8; 4] = [0xca, 0xfe, 0xc0, 0xc0];
/// Type of an entry that is a number.
const LONG: u8 = b'J';
/// Type of an entry that is a text.
const BYTE: u8 = b'B';
/// More entries than any JVM has: a file that says so is not one.
const MOST_ENTRIES: usize = 10_000;

/// Every counter that is a number, by name; none if the file is of another kind, or not written to its end.
pub fn counters(bytes: &[u8]) -> Option<BTreeMap<&str, i64>> {
    let file = File::of(bytes)?;
    let mut at = file.number(24)?;
    let count = file.number(28)?.min(MOST_ENTRIES);
    let mut counters = BTreeMap::new();
    for _ in 0..count {
        let length = file.number(at)?;
        if let Some((name, value)) = file.entry(at) {
            counters.insert(name, value);
        }
        at = at.checked_add(length).filter(|_| length > 0)?;
    }
    Some(counters)
}

/// The value of an entry that is a text; none if there is no such entry.
pub fn text<'a>(bytes: &'a [u8], wanted: &str) -> Option<&'a str> {
    let file = File::of(bytes)?;
    let mut at = file.number(24)?;
    for _ in 0..file.number(28)?.min(MOST_ENTRIES) {
        let length = file.number(at)?;
        if file.name(at) == Some(wanted) {
            let value = at.checked_add(file.number(at.checked_add(16)?)?)?;
            return file.until_zero(value).filter(|_| bytes.get(at + 12) == Some(&BYTE));
        }
        at = at.checked_add(length).filter(|_| length > 0)?;
    }
    None
}

/// The prologue: magic, byte order (1: little), major and minor version, accessible, …; entries from byte 24's offset
/// on, as many as byte 28 says.
struct File<'a> {
    bytes: &'a [u8],
    is_little: bool,
}

impl<'a> File<'a> {
    fn of(bytes: &'a [u8]) -> Option<Self> {
        let [m0, m1, m2, m3, order, major, _, is_accessible, ..] = *bytes else { return None };
        let is_known = [m0, m1, m2, m3] == MAGIC && major == 2 && is_accessible == 1;
        is_known.then_some(Self { bytes, is_little: order == 1 })
    }

    fn chunk<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        self.bytes.get(at..)?.first_chunk().copied()
    }

    /// Four bytes, not below zero.
    fn number(&self, at: usize) -> Option<usize> {
        let bytes = self.chunk(at)?;
        let number = if self.is_little { i32::from_le_bytes(bytes) } else { i32::from_be_bytes(bytes) };
        usize::try_from(number).ok()
    }

    fn until_zero(&self, at: usize) -> Option<&'a str> {
        std::str::from_utf8(self.bytes.get(at..)?.split(|&byte| byte == 0).next()?).ok()
    }

    fn name(&self, at: usize) -> Option<&'a str> {
        self.until_zero(at.checked_add(self.number(at.checked_add(4)?)?)?)
    }

    /// An entry: its length, offset of its name, length of a vector (0: a single value), type, flags, units,
    /// variability, offset of its value.
    fn entry(&self, at: usize) -> Option<(&'a str, i64)> {
        let (name, vector) = (self.name(at)?, self.number(at + 8)?);
        let kind = *self.bytes.get(at + 12)?;
        let value = at.checked_add(self.number(at + 16)?)?;
        let bytes = self.chunk(value)?;
        let value = if self.is_little { i64::from_le_bytes(bytes) } else { i64::from_be_bytes(bytes) };
        (kind == LONG && vector == 0).then_some((name, value))
    }
}

/// The metrics of a file of counters; none if it is no such file.
pub fn metrics_of(bytes: &[u8]) -> Option<Vec<(Metric, f64)>> {
    let mut metrics = metrics(&counters(bytes)?);
    // Shenandoah's times are those of its whole cycles, in which the JVM goes on.
    if text(bytes, "sun.gc.collector.0.name").is_some_and(|name| name.starts_with("Shenandoah")) {
        metrics.retain(|(metric, _)| metric.name != jvm::GC_MS.name);
    }
    Some(metrics)
}

/// The metrics of these counters; one whose counter is not there is absent. Times are in ticks of the JVM's clock.
pub fn metrics(counters: &BTreeMap<&str, i64>) -> Vec<(Metric, f64)> {
    let count = |name: &str| counters.get(name).map(|&value| value as f64);
    let ticks_per_ms = count("sun.os.hrt.frequency").filter(|&hz| hz > 0.0).map(|hz| hz / 1e3);
    let ms = |name: &str| Some(count(name)? / ticks_per_ms?);
    let collectors = |of: &str| {
        let is_of = |name: &str| name.strip_prefix("sun.gc.collector.").is_some_and(|rest| rest.ends_with(of));
        let values = counters.iter().filter(|(name, _)| is_of(name)).map(|(_, &value)| value as f64);
        values.reduce(|sum, value| sum + value)
    };
    let all = [
        (jvm::CLASSES_LOADED, loaded(count("java.cls.loadedClasses"), count("java.cls.sharedLoadedClasses"))),
        (jvm::CLASSES_SHARED, count("java.cls.sharedLoadedClasses")),
        (jvm::CLASS_LOAD_MS, ms("sun.cls.time")),
        (jvm::CLASS_INIT_MS, ms("sun.cls.classInitTime")),
        (jvm::CLASS_VERIFY_MS, ms("sun.cls.classVerifyTime")),
        (jvm::COMPILE_MS, ms("java.ci.totalTime")),
        (jvm::GC_MS, collectors(".time").zip(ticks_per_ms).map(|(ticks, per_ms)| ticks / per_ms)),
        (jvm::GCS, collectors(".invocations")),
        (jvm::SAFEPOINT_MS, ms("sun.rt.safepointTime")),
        (jvm::THREADS_STARTED, count("java.threads.started")),
    ];
    all.into_iter().filter_map(|(metric, value)| Some((metric, value?))).collect()
}

/// The JVM counts classes of the archive apart.
fn loaded(own: Option<f64>, shared: Option<f64>) -> Option<f64> {
    Some(own? + shared.unwrap_or(0.0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// File of a sleeping Temurin 25.0.3: the first 32 kB, which is all.
    const JAVA: &[u8] = include_bytes!("captured/java-25.hsperfdata");

    #[test]
    fn a_captured_file_says_what_jcmd_said() {
        let counters = counters(JAVA).expect("a file of a JVM");
        assert_eq!(counters["java.cls.loadedClasses"], 1_469);
        assert_eq!(counters["sun.os.hrt.frequency"], 1_000_000_000);
        assert!(!counters.contains_key("sun.rt.javaCommand"), "a text");
        assert_eq!(text(JAVA, "java.property.java.vm.name"), Some("OpenJDK 64-Bit Server VM"));
        assert_eq!(text(JAVA, "java.cls.loadedClasses"), None, "a number");
        assert_eq!(text(JAVA, "no.such.counter"), None);
        let metrics = metrics(&counters);
        let value = |metric: Metric| metrics.iter().find(|it| it.0 == metric).map(|it| it.1);
        assert_eq!(value(jvm::CLASSES_LOADED), Some(1_469.0 + 1_050.0));
        assert_eq!(value(jvm::CLASSES_SHARED), Some(1_050.0));
        assert_eq!(value(jvm::GCS), Some(1.0));
        assert_eq!(value(jvm::GC_MS).map(|ms| ms.round()), Some(47.0));
        assert_eq!(value(jvm::CLASS_LOAD_MS).map(|ms| ms.round()), Some(905.0));
        assert_eq!(metrics.len(), jvm::ALL.len(), "JDK 25 has them all by default");
    }

    #[test]
    fn another_file_is_none_and_an_absent_counter_is_absent() {
        assert_eq!(counters(b""), None);
        assert_eq!(counters(&[0; 32_768]), None);
        let mut not_yet = JAVA.to_vec();
        not_yet[7] = 0;
        assert_eq!(counters(&not_yet), None, "not accessible yet");
        assert_eq!(counters(&JAVA[..5_000]), None, "cut off");
        assert_eq!(metrics(&BTreeMap::from([("sun.cls.time", 5)])), [], "a time without the clock's frequency");
    }

    proptest! {
        #[test]
        fn no_file_makes_it_panic(
            places in prop::collection::vec((0..JAVA.len(), any::<u8>()), 0..200), cut in 0..JAVA.len(),
        ) {
            let mut bytes = JAVA.to_vec();
            places.into_iter().filter(|it| it.0 > 7).for_each(|(at, value)| bytes[at] = value);
            let _ = counters(&bytes).map(|it| metrics(&it).len());
            let _ = text(&bytes, "java.property.java.vm.name");
            let _ = (counters(&bytes[..cut]), text(&bytes[..cut], "java.property.java.vm.name"));
        }
    }
}
