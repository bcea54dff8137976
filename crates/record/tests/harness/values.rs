//! Values in columns are other than they were written.

use std::collections::BTreeMap;

use plimsoll_record::{
    ArrivalCounts, Census, CheckCount, Environment, ErrorCount, ErrorKind, ExecutionStatus, ExecutionSummary,
    Generator, Histogram, LineRun, Plan, RunStatus, ScoreValue,
};
use serde::{Serialize, de::DeserializeOwned};

/// Whether a value is read: the first byte of `data` says of what kind, and the others are what stands in the column.
/// One that is read is written so that it is read again.
///
/// # Panics
///
/// If an invariant is broken.
pub fn record_values(data: &[u8]) -> bool {
    let (&kind, value) = data.split_first().unwrap_or((&b'h', &[]));
    match kind {
        b'h' => histogram(value),
        b'p' => json::<Plan>(value),
        b'e' => json::<Environment>(value),
        b'u' => json::<ExecutionSummary>(value),
        b'l' => json::<LineRun>(value),
        b'n' => json::<Census>(value),
        b'm' => json::<ScoreValue>(value),
        b'b' => json::<BTreeMap<String, ScoreValue>>(value),
        b's' => json::<BTreeMap<u16, u64>>(value),
        b'f' => json::<BTreeMap<ErrorKind, ErrorCount>>(value),
        b'c' => json::<BTreeMap<String, CheckCount>>(value),
        b'a' => json::<ArrivalCounts>(value),
        b'g' => json::<Generator>(value),
        b'x' => json::<ExecutionStatus>(value),
        _ => json::<RunStatus>(value),
    }
}

/// Numbers with a fraction may differ in their last digit, as serde_json reads them.
fn json<T: Serialize + DeserializeOwned>(text: &[u8]) -> bool {
    let Ok(read) = serde_json::from_slice::<T>(text) else { return false };
    let written = serde_json::to_string(&read).expect("what was read can be written");
    serde_json::from_str::<T>(&written).is_ok() || panic!("written and not read: {written}")
}

fn histogram(bytes: &[u8]) -> bool {
    let Ok(read) = Histogram::from_bytes(bytes) else { return false };
    // As reports do with all that they read.
    let mut sum = Histogram::new();
    sum.merge(&read);
    assert_eq!(sum.is_empty(), read.is_empty());
    if !sum.is_empty() {
        assert!((sum.min()..=sum.max()).contains(&sum.quantile(0.5)), "{sum:?}");
    }
    let again = Histogram::from_bytes(&sum.to_bytes()).expect("what was written can be read");
    assert_eq!(again, sum);
    true
}
