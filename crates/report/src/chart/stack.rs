//! Stacked lines, for areas whose upper edge is the sum of the lines.

/// A line of a stack.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Upper edge.
    pub points: Vec<(f64, f64)>,
    /// Lower edge at the same places.
    pub below: Vec<f64>,
}

/// Stacks `lines`, the first at the bottom. The points of each ascend in x, and their value holds until the next one.
/// More than `most` places are thinned evenly, keeping those at which the sum is highest.
pub fn stacked(lines: &[&[(f64, f64)]], most: usize) -> Vec<Layer> {
    let places = places(lines, most);
    let mut below = vec![0.0; places.len()];
    let layer = |line: &&[(f64, f64)]| {
        let upper = places.iter().zip(&below).map(|(&x, below)| (x, below + value_at(line, x))).collect::<Vec<_>>();
        let layer = Layer { below: below.clone(), points: upper };
        below = layer.points.iter().map(|point| point.1).collect();
        layer
    };
    lines.iter().map(layer).collect()
}

/// The value of a line at `x`; zero before the first point.
fn value_at(line: &[(f64, f64)], x: f64) -> f64 {
    let next = line.partition_point(|point| point.0 <= x);
    next.checked_sub(1).map_or(0.0, |last| line[last].1)
}

fn places(lines: &[&[(f64, f64)]], most: usize) -> Vec<f64> {
    let mut all: Vec<f64> = lines.iter().flat_map(|line| line.iter()).map(|point| point.0).collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    let (Some(&first), Some(&last)) = (all.first(), all.last()) else { return all };
    if all.len() <= most {
        return all;
    }
    let sum = |x: f64| lines.iter().map(|line| value_at(line, x)).sum::<f64>();
    let slot = |x: f64| ((x - first) / (last - first) * most as f64) as usize;
    let highest = |slot: &[f64]| slot.iter().copied().max_by(|a, b| sum(*a).total_cmp(&sum(*b)));
    all.chunk_by(|a, b| slot(*a) == slot(*b)).filter_map(highest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_stands_on_the_ones_before_it_and_holds_its_value() {
        let (lower, upper) = ([(0.0, 2.0), (3.0, 4.0)], [(1.0, 10.0), (2.0, 0.0)]);
        let layers = stacked(&[&lower, &upper], 100);
        assert_eq!(layers[0].points, [(0.0, 2.0), (1.0, 2.0), (2.0, 2.0), (3.0, 4.0)]);
        assert_eq!(layers[0].below, [0.0; 4]);
        assert_eq!(layers[1].points, [(0.0, 2.0), (1.0, 12.0), (2.0, 2.0), (3.0, 4.0)]);
        assert_eq!(layers[1].below, [2.0, 2.0, 2.0, 4.0]);
        assert!(stacked(&[], 100).is_empty());
    }

    #[test]
    fn of_many_places_the_peaks_are_kept() {
        let line: Vec<_> = (0..10_000).map(|n| (f64::from(n), if n == 4_321 { 99.0 } else { 1.0 })).collect();
        let layers = stacked(&[&line], 150);
        assert!((100..=152).contains(&layers[0].points.len()), "{}", layers[0].points.len());
        assert!(layers[0].points.contains(&(4_321.0, 99.0)));
    }
}
