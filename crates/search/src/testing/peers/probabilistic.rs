//! Probabilistic bisection (Horstein 1963): each answer is taken to be right with the same probability, and the next
//! trial is made at the median of what is known.

use super::{AT_MOST, HIGHEST, Interval, LOWEST, load::Load};

const SECONDS: f64 = 5.0;
const RIGHT: f64 = 0.7;
/// Places of the line that are told apart, each 0.6 % wide.
const CELLS: usize = 400;
/// The part of the probability beyond each end.
const BEYOND: f64 = 0.025;

pub(super) fn find(load: &mut Load<'_>, resolution: f64) -> Interval {
    let (lowest, span) = (LOWEST * load.capacity(), HIGHEST / LOWEST);
    let rate_at = |cell: usize| lowest * span.powf(cell as f64 / CELLS as f64);
    let mut cells = vec![1.0 / CELLS as f64; CELLS];
    loop {
        let found =
            Interval { lower: rate_at(quantile(&cells, BEYOND)), upper: rate_at(quantile(&cells, 1.0 - BEYOND) + 1) };
        if found.width() <= resolution || load.seconds() >= AT_MOST {
            return found;
        }
        let middle = middle(&cells);
        let is_kept = load.trial(rate_at(middle), SECONDS).is_kept;
        for (index, cell) in cells.iter_mut().enumerate() {
            *cell *= if (index >= middle) == is_kept { RIGHT } else { 1.0 - RIGHT };
        }
        let sum: f64 = cells.iter().sum();
        cells.iter_mut().for_each(|cell| *cell /= sum);
    }
}

/// The first cell above the edge that parts the probability most evenly.
fn middle(cells: &[f64]) -> usize {
    let cell = quantile(cells, 0.5);
    let below: f64 = cells[..cell].iter().sum();
    if 0.5 - below <= below + cells[cell] - 0.5 { cell } else { cell + 1 }
}

/// The cell in which `probability` is reached.
fn quantile(cells: &[f64], probability: f64) -> usize {
    let mut sum = 0.0;
    let reaches = |cell: &f64| {
        sum += cell;
        sum >= probability
    };
    cells.iter().position(reaches).unwrap_or(cells.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_the_nearer_edge_of_the_cell_with_the_median() {
        assert_eq!(middle(&[0.4, 0.3, 0.3]), 1);
        assert_eq!(middle(&[0.1, 0.5, 0.4]), 2);
    }

    #[test]
    fn quantiles_are_the_cells_in_which_their_probability_is_reached() {
        let cells = [0.1, 0.2, 0.4, 0.3];
        assert_eq!([0.05, 0.25, 0.5, 0.99, 1.1].map(|probability| quantile(&cells, probability)), [0, 1, 2, 3, 3]);
    }
}
