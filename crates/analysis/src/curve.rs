//! Percentile curves: points evenly spaced on a logarithmic scale of 1 − quantile.

use plimsoll_record::Histogram;

use crate::results::CurvePoint;

const POINTS: u32 = 80;

/// Points from the least value to the greatest; none without values. A logarithmic scale has no place for the quantile
/// 1: the greatest of n values stands at 1 − 1/2n, the middle of its step of the empirical distribution (Hazen 1914).
pub(crate) fn curve(histogram: &Histogram) -> Vec<CurvePoint> {
    if histogram.is_empty() {
        return Vec::new();
    }
    let resolution = 0.5 / histogram.count() as f64;
    let point = |index: u32| {
        let quantile = 1.0 - resolution.powf(f64::from(index) / f64::from(POINTS - 1));
        CurvePoint { quantile, ms: histogram.quantile(quantile).as_millis_f64() }
    };
    (0..POINTS).map(point).collect()
}

#[cfg(test)]
mod tests {
    use plimsoll_record::Nanos;

    use super::*;

    #[test]
    fn it_starts_at_the_least_ends_at_the_greatest_and_never_falls() {
        let mut histogram = Histogram::new();
        (1..=1_000).for_each(|ms| histogram.record(Nanos::from_millis(ms)));
        let curve = curve(&histogram);
        assert_eq!(curve.len(), 80);
        assert_eq!((curve[0].quantile, curve[0].ms.round()), (0.0, 1.0));
        assert_eq!((curve[79].quantile, curve[79].ms.round()), (0.9995, 1_000.0));
        assert!(curve.is_sorted_by(|a, b| a.quantile < b.quantile && a.ms <= b.ms));
        let at_90 = curve.iter().find(|point| point.quantile >= 0.9).unwrap();
        assert!((at_90.ms / 1_000.0 - at_90.quantile).abs() < 0.002, "{at_90:?}");
    }

    #[test]
    fn no_value_no_point() {
        assert!(curve(&Histogram::new()).is_empty());
    }
}
