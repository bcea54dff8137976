//! A grid of assumptions about a service: where its line is, and all else on which counts depend.

use crate::elementary::exp;

/// Number of places of the line: a multiple of eight, since eight numbers are compared at a time.
pub(crate) const LINES: usize = 72;
/// Slopes, as multiples of what theory expects, and how likely each is: log-normal, σ = 0.6.
pub(crate) const SLOPES: [(f64, f64); 7] =
    [(0.34, 0.05), (0.49, 0.12), (0.70, 0.20), (1.0, 0.26), (1.43, 0.20), (2.05, 0.12), (2.94, 0.05)];
/// Bases: the part of the allowed share that is slow by itself, at any rate, and how likely each is.
pub(crate) const BASES: [(f64, f64); 6] =
    [(0.0, 0.4), (0.02, 0.12), (0.06, 0.12), (0.13, 0.12), (0.24, 0.12), (0.4, 0.12)];
/// Dispersions of bursts, as multiples of what is expected, and how likely each is. Bursts are many and small where
/// most requests take long by themselves, and the queue only adds to it.
pub(crate) const SPREADS: [(f64, f64); 2] = [(1.0, 0.75), (0.2, 0.25)];

const OTHERS: usize = SPREADS.len() * SLOPES.len() * BASES.len();
const LANES: usize = 8;

/// A number for each place of the line.
pub(crate) type Places = [f64; LINES];

/// All that is assumed beside the place of the line, as indices of the tables above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Other {
    pub spread: usize,
    pub slope: usize,
    pub base: usize,
}

impl Other {
    /// All of them, in the order of a grid.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..OTHERS).map(Self::numbered)
    }

    fn numbered(number: usize) -> Self {
        let per_spread = SLOPES.len() * BASES.len();
        Self { spread: number / per_spread, slope: number % per_spread / BASES.len(), base: number % BASES.len() }
    }

    /// How likely it is before anything is known.
    fn weight(self) -> f64 {
        SPREADS[self.spread].1 * SLOPES[self.slope].1 * BASES[self.base].1
    }
}

/// The logarithm of a likelihood for each assumption.
#[derive(Clone, Debug)]
pub(crate) struct Grid(Vec<Places>);

impl Grid {
    /// A grid before anything is known: all assumptions are equally likely.
    pub fn flat() -> Self {
        Self(vec![[0.0; LINES]; OTHERS])
    }

    /// The places of the line, for each other assumption.
    pub fn by_other(&self) -> &[Places] {
        &self.0
    }

    /// The same, to write them.
    pub fn by_other_mut(&mut self) -> &mut [Places] {
        &mut self.0
    }

    /// Adds the logarithms of another grid, whose counts are independent of this one's.
    pub fn add(&mut self, other: &Self) {
        for (places, others) in self.0.iter_mut().zip(&other.0) {
            places.iter_mut().zip(others).for_each(|(sum, part)| *sum += part);
        }
    }

    /// The likeliest assumption, and the logarithm of its likelihood; of equally likely ones that with the lowest line.
    pub fn likeliest(&self) -> (usize, Other, f64) {
        let mut tops = [f64::NEG_INFINITY; LINES];
        for places in &self.0 {
            tops.iter_mut().zip(places).for_each(|(top, place)| *top = if *place > *top { *place } else { *top });
        }
        let greatest = most(&tops);
        let line = tops.iter().position(|&top| top == greatest).unwrap_or_default();
        let other = self.0.iter().position(|places| places[line] == greatest).unwrap_or_default();
        (line, Other::numbered(other), greatest)
    }

    /// The probability of each place of the line, summed over all other assumptions. `greatest`: the logarithm of the
    /// greatest likelihood.
    pub fn of_lines(&self, greatest: f64) -> Places {
        let mut lines = [0.0; LINES];
        for (places, other) in self.0.iter().zip(Other::all()) {
            let weight = other.weight();
            for (line, place) in lines.iter_mut().zip(places) {
                *line += weight * exp(place - greatest);
            }
        }
        let total: f64 = lines.iter().sum();
        lines.map(|line| line / total)
    }
}

/// The greatest number.
pub(crate) fn most(places: &Places) -> f64 {
    let mut lanes = [f64::NEG_INFINITY; LANES];
    for part in places.as_chunks::<LANES>().0 {
        lanes.iter_mut().zip(part).for_each(|(lane, place)| *lane = if *place > *lane { *place } else { *lane });
    }
    lanes.into_iter().fold(f64::NEG_INFINITY, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_all_that_is_assumed_are_one() {
        let sum: f64 = Other::all().map(Other::weight).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{sum}");
        assert_eq!(Other::all().count(), OTHERS);
        assert_eq!(Other::numbered(OTHERS - 1), Other { spread: 1, slope: 6, base: 5 });
    }

    #[test]
    fn the_likeliest_is_found_and_of_equals_the_lowest_line() {
        let mut grid = Grid::flat();
        assert_eq!(grid.likeliest(), (0, Other::numbered(0), 0.0));
        (grid.0[50][7], grid.0[3][71], grid.0[20][7]) = (2.5, 2.5, 2.5);
        assert_eq!(grid.likeliest(), (7, Other::numbered(20), 2.5));
    }

    #[test]
    fn lines_are_as_likely_as_all_their_assumptions_together() {
        let mut grid = Grid::flat();
        for places in &mut grid.0 {
            places[30] = 3f64.ln();
        }
        let lines = grid.of_lines(grid.likeliest().2);
        assert!((lines[30] - 3.0 / 74.0).abs() < 1e-12 && (lines[31] - 1.0 / 74.0).abs() < 1e-12, "{lines:?}");
    }

    #[test]
    fn the_greatest_is_found_wherever_it_is() {
        for place in 0..LINES {
            let mut places = [-1.0; LINES];
            places[place] = 4.0;
            assert_eq!(most(&places), 4.0);
        }
    }
}
