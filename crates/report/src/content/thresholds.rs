//! Limits that the load had to keep.

use plimsoll_analysis::results::ThresholdResult;
use plimsoll_text::number::{in_full, sig3, time, with_unit};

use super::{Column, Table};

/// Significant digits of a value that is very near to its limit.
const DIGITS_MOST: i32 = 12;

/// `✓ kept` or `✗ exceeded`.
pub const fn verdict(threshold: &ThresholdResult) -> &'static str {
    if threshold.is_kept { "✓ kept" } else { "✗ exceeded" }
}

/// The measured value, by as many digits as tell it from the limit; or a message explaining why there is none.
pub fn measured(threshold: &ThresholdResult) -> String {
    let Some(value) = threshold.value else { return threshold.reason.clone() };
    let unit = &threshold.unit;
    let short = |value| if unit == "ms" { time(value) } else { with_unit(sig3(value), unit) };
    match threshold.limit {
        Some(limit) if value != limit && short(value) == short(limit) => {
            let mut texts = (3..=DIGITS_MOST).map(|digits| in_full(value, digits));
            let told_apart = texts.find(|text| *text != in_full(limit, DIGITS_MOST));
            with_unit(told_apart.unwrap_or_else(|| short(value)), unit)
        }
        _ => short(value),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_told_from_a_limit_that_it_is_near_to() {
        let of = |value: f64, limit: f64, unit: &str| {
            let (threshold, variant, unit) = (String::new(), String::new(), unit.to_owned());
            measured(&ThresholdResult {
                threshold,
                variant,
                value: Some(value),
                limit: Some(limit),
                unit,
                is_kept: value < limit,
                reason: String::new(),
            })
        };
        assert_eq!(of(140.04, 100.0, "ms"), "140 ms");
        assert_eq!(of(100.04, 100.0, "ms"), "100.04 ms");
        assert_eq!(of(99.98, 100.0, "ms"), "99.98 ms");
        assert_eq!(of(1_500.4, 1_500.0, "ms"), "1,500.4 ms");
        assert_eq!(of(100.0, 100.0, "ms"), "100 ms");
        assert_eq!(of(1.0004, 1.0, "%"), "1.0004 %");
        assert_eq!(of(12_345.0, 12_344.0, ""), "12,345");
    }
}
