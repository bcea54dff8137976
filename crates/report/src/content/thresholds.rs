//! Limits that the load had to keep.

use plimsoll_analysis::results::ThresholdResult;
use plimsoll_text::number::{sig3, time, with_unit};

use super::{Column, Table};

/// `✓ kept` or `✗ exceeded`.
pub const fn verdict(threshold: &ThresholdResult) -> &'static str {
    if threshold.is_kept { "✓ kept" } else { "✗ exceeded" }
}

/// The measured value, or a message explaining why there is none.
pub fn measured(threshold: &ThresholdResult) -> String {
    match threshold.value {
        Some(value) if threshold.unit == "ms" => time(value),
        Some(value) => with_unit(sig3(value), &threshold.unit),
        None => threshold.reason.clone(),
    }
}

/// `2 of 3 thresholds kept`; none without thresholds.
pub fn tally(thresholds: &[ThresholdResult]) -> Option<String> {
    let kept = thresholds.iter().filter(|threshold| threshold.is_kept).count();
    match thresholds.len() {
        0 => None,
        1 => Some(if kept == 1 { "Threshold kept" } else { "Threshold exceeded" }.to_owned()),
        all if all == kept => Some(format!("All {all} thresholds kept")),
        all => Some(format!("{kept} of {all} thresholds kept")),
    }
}

/// One row each, with the variant where there are several; none without thresholds.
pub fn table(thresholds: &[ThresholdResult]) -> Option<Table> {
    let first = thresholds.first()?;
    let is_one_variant = thresholds.iter().all(|threshold| threshold.variant == first.variant);
    let mut columns = vec![Column::words(""), Column::words("threshold"), Column::numbers("measured")];
    if !is_one_variant {
        columns.insert(1, Column::words("variant"));
    }
    let row = |threshold: &ThresholdResult| {
        let mut row = vec![verdict(threshold).to_owned(), threshold.threshold.clone(), measured(threshold)];
        if !is_one_variant {
            row.insert(1, threshold.variant.clone());
        }
        row
    };
    Some(Table { title: String::new(), columns, rows: thresholds.iter().map(row).collect() })
}
