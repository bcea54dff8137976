//! The critical rate of SPECjbb2015: the geometric mean of the lines at five limits of the 99th percentile (SPECjbb2015
//! User Guide, section 3.5, critical-jOPS).

use plimsoll_record::{LinePlan, ObjectivePlan};

use crate::results::{CriticalResults, LineResults, Outcome};

const LIMITS_MS: [u32; 5] = [10, 25, 50, 75, 100];

/// A line for each limit.
pub fn objectives() -> Vec<ObjectivePlan> {
    let line = |ms: u32| ObjectivePlan { name: format!("{ms}ms"), thresholds: vec![format!("p(99)<{ms}ms")] };
    LIMITS_MS.map(line).to_vec()
}

/// A figure for each variant, in their order; empty unless the critical lines were searched for.
pub(crate) fn results(plan: Option<&LinePlan>, lines: &[LineResults]) -> Vec<CriticalResults> {
    if plan.is_none_or(|plan| plan.objectives != objectives()) {
        return Vec::new();
    }
    lines.chunk_by(|a, b| a.variant == b.variant).map(of_variant).collect()
}

/// The means of all lower and of all upper ends. Each end errs in 2.5 % of searches; their means err less often.
fn of_variant(lines: &[LineResults]) -> CriticalResults {
    let mean = |of: fn(&LineResults) -> Option<f64>| {
        let logarithms: Option<Vec<f64>> = lines.iter().map(|line| of(line).map(f64::ln)).collect();
        logarithms.map(|all| (all.iter().sum::<f64>() / all.len() as f64).exp())
    };
    let is_nowhere = |line: &&LineResults| line.searches.iter().any(|it| it.outcome == Outcome::NeverHolds);
    CriticalResults {
        variant: lines[0].variant.clone(),
        low_per_s: mean(|line| line.line.low_per_s),
        high_per_s: mean(|line| line.line.high_per_s),
        nowhere: lines.iter().filter(is_nowhere).map(|line| line.objectives.concat()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        analyse,
        testing::{Line, critical, lines},
    };

    /// 10² · 10³ · 10³ · 10⁴ · 10⁴ have the mean 10^(16/5).
    #[test]
    fn the_mean_of_ends_is_geometric() {
        let found = &analyse(&critical([1e2, 1e3, 1e3, 1e4, 1e4])).critical[0];
        let expected = 10f64.powf(16.0 / 5.0);
        assert!((found.low_per_s.unwrap() / expected - 1.0).abs() < 1e-9, "{found:?}");
        assert!((found.high_per_s.unwrap() / (2.0 * expected) - 1.0).abs() < 1e-9, "{found:?}");
        assert!(found.nowhere.is_empty());
    }

    #[test]
    fn an_objective_that_holds_nowhere_leaves_none() {
        let found = &analyse(&critical([0.0, 1e3, 1e3, 1e4, 1e4])).critical[0];
        assert_eq!((found.low_per_s, found.nowhere.as_slice()), (None, &["p(99)<10ms".to_owned()][..]));
    }

    #[test]
    fn other_lines_have_none() {
        assert!(analyse(&lines(&[("web", &[Line::at(100.0)])], &[])).critical.is_empty());
    }
}
