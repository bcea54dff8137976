//! Percentile curves of users who all come at once.

use plimsoll_analysis::results::CurvePoint;

/// Of the `users`, as many as there are workers are answered per second; each takes up to ten times `own_ms` more than
/// the last.
pub fn of(workers: Option<u32>, users: u32, own_ms: f64, share: f64) -> Vec<CurvePoint> {
    let nines = [0.95, 0.99, 0.995, 0.999, 0.9995, 0.9999, 1.0];
    let quantiles = (0..=45).map(|n| f64::from(n) * 0.02).chain(nines);
    let time_ms = |quantile: f64| {
        let wave =
            workers.map_or(0.0, |workers| (quantile * f64::from(users) / f64::from(workers) - 1e-9).max(0.0).floor());
        let crowd = f64::from(users) / 2_700.0;
        let tail = -(1.000_05 - quantile).log10();
        let ms = ((1.0 + wave) * 1_000.0 + own_ms * (0.2 + crowd) * (1.0 + tail * 1.5)) * share;
        (ms * 1e3).round() / 1e3 // so that every platform's logarithm gives the same
    };
    quantiles.map(|quantile| CurvePoint { quantile, ms: time_ms(quantile) }).collect()
}

/// The time at `quantile`.
pub fn at(curve: &[CurvePoint], quantile: f64) -> f64 {
    curve.iter().find(|point| point.quantile >= quantile - 1e-9).map_or(0.0, |point| point.ms)
}
