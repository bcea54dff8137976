//! Whether the trials of a search are of one line, or of two, the later one lower.

/// Fewer trials before a change tell no line: the first is made at rest.
const LEAST_BEFORE: usize = 2;

/// Twice the logarithm of how much likelier the trials are by two lines than by one, at the split that says so most,
/// where the later line is the lower one; and the number of trials before it. Zero where nothing says so.
///
/// `trials` are logarithms of the likelihood of each trial in the order of time, by line and, for each line, by all
/// else that is assumed (`others` of it): that is the same before and after.
pub(crate) fn turned_slower(trials: &[&[f64]], others: usize) -> (f64, usize) {
    let sum = |trials: &[&[f64]]| {
        let mut cells = vec![0.0; trials.first().map_or(0, |trial| trial.len())];
        trials.iter().for_each(|trial| cells.iter_mut().zip(*trial).for_each(|(sum, cell)| *sum += cell));
        cells
    };
    let all = sum(trials);
    let one = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut best = (0.0, 0);
    for split in LEAST_BEFORE..trials.len() {
        let before = sum(&trials[..split]);
        let after: Vec<f64> = all.iter().zip(&before).map(|(all, before)| all - before).collect();
        for other in 0..others {
            let (early, late) = (likeliest(&before, other, others), likeliest(&after, other, others));
            let gain = 2.0 * (early.1 + late.1 - one);
            if late.0 < early.0 && gain > best.0 {
                best = (gain, split);
            }
        }
    }
    best
}

/// The number of the likeliest line, all else being `other`, and how likely it is.
fn likeliest(cells: &[f64], other: usize, others: usize) -> (usize, f64) {
    let of_lines = cells.iter().skip(other).step_by(others).copied().enumerate();
    of_lines.fold((0, f64::NEG_INFINITY), |best, next| if next.1 > best.1 { next } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A trial that is likely by one of ten lines, whatever else is assumed.
    fn trial(line: usize) -> Vec<f64> {
        (0..20).map(|cell| -(cell as f64 / 2.0).floor().mul_add(1.0, -(line as f64)).powi(2)).collect()
    }

    fn found(lines: &[usize]) -> (f64, usize) {
        let trials: Vec<Vec<f64>> = lines.iter().map(|&line| trial(line)).collect();
        turned_slower(&trials.iter().map(Vec::as_slice).collect::<Vec<_>>(), 2)
    }

    #[test]
    fn a_later_line_that_is_lower_is_found_with_its_beginning() {
        // By one line, 6, the squares of 4 · 2 and 4 · 2; by two none.
        assert_eq!(found(&[8, 8, 8, 8, 4, 4, 4, 4]), (2.0 * 8.0 * 4.0, 4));
    }

    #[test]
    fn one_line_and_a_later_one_that_is_higher_are_none() {
        assert_eq!(found(&[5; 6]), (0.0, 0));
        assert_eq!(found(&[4, 4, 4, 8, 8, 8]), (0.0, 0));
        assert_eq!(found(&[]), (0.0, 0));
    }
}
