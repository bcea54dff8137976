//! When a warm-up is over.

/// Seconds in each of the two spans that are compared.
const SPAN: usize = 3;
/// How far their means may be apart, relative to the earlier one.
const TOLERANCE: f64 = 0.05;

/// Whether throughput, per second and oldest first, has become steady: the last three seconds carried as much as the
/// three before them, within 5 %. Means of spans are compared, not single seconds, so that chance alone does not keep a
/// short request from being steady, and a slow climb of 2 % a second still shows.
pub fn is_steady(throughput_per_s: &[f64]) -> bool {
    let Some(start) = throughput_per_s.len().checked_sub(2 * SPAN) else { return false };
    let (before, after) = throughput_per_s[start..].split_at(SPAN);
    let mean = |span: &[f64]| span.iter().sum::<f64>() / SPAN as f64;
    let (before, after) = (mean(before), mean(after));
    before > 0.0 && (after - before).abs() <= TOLERANCE * before
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_short_is_not_steady() {
        assert!(!is_steady(&[]));
        assert!(!is_steady(&[100.0; 5]));
        assert!(is_steady(&[100.0; 6]));
    }

    #[test]
    fn a_climb_is_not_steady_and_its_plateau_is() {
        let climb: Vec<f64> = (0..20).map(|second| 100.0 * 1.02_f64.powi(second)).collect();
        assert!((6..=20).all(|seconds| !is_steady(&climb[..seconds])));
        assert!(is_steady(&[10.0, 500.0, 990.0, 1_000.0, 1_010.0, 1_000.0, 1_005.0, 1_020.0]));
    }

    #[test]
    fn noise_around_a_mean_is_steady() {
        assert!(is_steady(&[90.0, 110.0, 100.0, 108.0, 91.0, 104.0]));
    }

    #[test]
    fn a_fall_and_a_standstill_are_not_steady() {
        assert!(!is_steady(&[100.0, 100.0, 100.0, 90.0, 90.0, 90.0]));
        assert!(!is_steady(&[0.0; 10]));
    }
}
