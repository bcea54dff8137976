//! A test of whether the trials of a search have one line, or two of which the later one is lower.

use std::array;

use crate::grid::{Grid, Places, most};

/// Trials before a change, at least: the first one alone tells no line, since it is made at rest.
const LEAST_BEFORE: usize = 2;

/// Twice the log-likelihood ratio of two lines, the later one lower, to one line, at the split of the trials where it
/// is greatest; and the number of trials before that split. Both are 0 where no split speaks for two lines. `trials`
/// are in the order of time; all that is assumed beside the line is the same before and after.
pub(crate) fn turned_slower(trials: &[&Grid]) -> (f64, usize) {
    let mut all = Grid::flat();
    trials.iter().for_each(|trial| all.add(trial));
    let (_, _, one) = all.likeliest();
    let mut before = Grid::flat();
    let mut best = (0.0, 0);
    for (split, trial) in trials.iter().enumerate() {
        if split >= LEAST_BEFORE {
            for (before, all) in before.by_other().iter().zip(all.by_other()) {
                let after = array::from_fn(|line| all[line] - before[line]);
                let gain = 2.0 * (most(before) + most(&after) - one);
                if gain > best.0 && likeliest(&after) < likeliest(before) {
                    best = (gain, split);
                }
            }
        }
        before.add(trial);
    }
    best
}

/// The index of the likeliest line; of equally likely ones the lowest.
fn likeliest(places: &Places) -> usize {
    let greatest = most(places);
    places.iter().position(|&place| place == greatest).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A trial that is likely by one line, whatever else is assumed.
    fn trial(likely: usize) -> Grid {
        let mut grid = Grid::flat();
        for places in grid.by_other_mut() {
            *places = array::from_fn(|line| -(line as f64 - likely as f64).powi(2));
        }
        grid
    }

    fn found(lines: &[usize]) -> (f64, usize) {
        let trials: Vec<Grid> = lines.iter().map(|&line| trial(line)).collect();
        turned_slower(&trials.iter().collect::<Vec<_>>())
    }

    #[test]
    fn a_later_line_that_is_lower_is_found_with_its_beginning() {
        // One line, at 6, is 2 off in each of eight trials: a logarithm of -8 · 2². Two lines are never off.
        assert_eq!(found(&[8, 8, 8, 8, 4, 4, 4, 4]), (2.0 * 8.0 * 4.0, 4));
    }

    #[test]
    fn one_line_and_a_later_one_that_is_higher_are_none() {
        assert_eq!(found(&[5; 6]), (0.0, 0));
        assert_eq!(found(&[4, 4, 4, 8, 8, 8]), (0.0, 0));
        assert_eq!(found(&[]), (0.0, 0));
    }
}
