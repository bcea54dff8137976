//! Where requests are over the load, of a variant that was explained at several levels.

use plimsoll_analysis::{
    Results,
    results::{Explanation, OTHERS, RequestsAt},
};
use plimsoll_record::Window;

use crate::chart::COLOURS;

/// Requests in flight by part, load by load.
#[derive(Debug, PartialEq)]
pub struct ByLoad {
    /// Names of the parts, the one with the most requests first; the last one is of those not located.
    pub parts: Vec<String>,
    /// Loads, ascending, each with as many numbers as there are parts.
    pub points: Vec<(f64, Vec<f64>)>,
    /// Whether loads are users; else requests per second.
    pub is_of_users: bool,
}

/// The requests of a variant by load; none unless explanation `index` is the last of several that the variant has.
pub fn of(results: &Results, index: usize) -> Option<ByLoad> {
    let variant = &results.explanations.get(index)?.variant;
    let of_variant = results.explanations.iter().enumerate();
    let (indices, all): (Vec<usize>, Vec<&Explanation>) =
        of_variant.filter(|(_, it)| it.variant == *variant && it.level.is_some()).unzip();
    if all.len() < 2 || indices.last() != Some(&index) {
        return None;
    }
    let users: Option<Vec<f64>> = all.iter().map(|it| it.users.map(f64::from)).collect();
    let is_of_users = users.is_some();
    let loads = users.or_else(|| all.iter().map(|it| it.rate_per_s).collect())?;
    // The light load is one user.
    let light = all.first().filter(|_| is_of_users).map(|first| (1.0, *first, Window::Light));
    let full = loads.into_iter().zip(&all).map(|(load, it)| (load, *it, Window::Full));
    let mut at: Vec<Point> = light.into_iter().chain(full).filter_map(Point::of).collect();
    at.sort_by(|a, b| a.load.total_cmp(&b.load));
    at.dedup_by(|a, b| a.load.total_cmp(&b.load).is_eq());
    let parts = parts(&at);
    let points = at.iter().map(|point| (point.load, point.by(&parts))).collect();
    Some(ByLoad { parts, points, is_of_users })
}

/// Requests seen under one load.
struct Point<'a> {
    load: f64,
    names: &'a [String],
    requests: &'a RequestsAt,
}

impl<'a> Point<'a> {
    fn of((load, explanation, window): (f64, &'a Explanation, Window)) -> Option<Self> {
        let requests = explanation.requests.loads.iter().find(|at| at.load == window)?;
        Some(Self { load, names: &explanation.requests.parts, requests })
    }

    fn each(&self) -> impl Iterator<Item = (&'a str, f64)> {
        self.names.iter().map(String::as_str).zip(self.requests.requests.iter().copied())
    }

    /// Requests by part; those of no part count as others.
    fn by(&self, parts: &[String]) -> Vec<f64> {
        let mut sums = vec![0.0; parts.len()];
        for (name, count) in self.each() {
            let place = |name: &str| parts.iter().position(|it| it == name);
            if let Some(part) = place(name).or_else(|| place(OTHERS)) {
                sums[part] += count;
            }
        }
        sums
    }
}

/// Names of the parts, no more than there are colours.
fn parts(points: &[Point]) -> Vec<String> {
    let mut sums: Vec<(&str, f64)> = Vec::new();
    let not_located = points.iter().find_map(|point| point.names.last());
    let located = |name: &str| Some(name) != not_located.map(String::as_str) && name != OTHERS;
    for (name, count) in points.iter().flat_map(Point::each) {
        match sums.iter_mut().find(|sum| sum.0 == name) {
            Some(sum) => sum.1 += count,
            None => sums.push((name, count)),
        }
    }
    let has_others = sums.iter().any(|sum| sum.0 == OTHERS);
    sums.retain(|sum| located(sum.0));
    sums.sort_by(|a, b| b.1.total_cmp(&a.1));
    let is_cut = has_others || sums.len() > COLOURS - 1;
    sums.truncate(COLOURS - 1 - usize::from(is_cut));
    let names = sums.into_iter().map(|sum| sum.0.to_owned());
    names.chain(is_cut.then(|| OTHERS.to_owned())).chain(not_located.cloned()).collect()
}

#[cfg(test)]
mod tests {
    use plimsoll_analysis::{analyse, testing::recorded};

    use super::*;

    fn explained() -> Results {
        analyse(&recorded::explained())
    }

    #[test]
    fn loads_of_one_variant_have_the_same_parts() {
        let results = explained();
        assert_eq!(of(&results, 0), None, "after the last of them");
        let found = of(&results, 1).expect("two levels");
        let loads: Vec<f64> = found.points.iter().map(|it| it.0).collect();
        assert_eq!((loads, found.is_of_users), (vec![1.0, 16.0, 256.0], true));
        assert_eq!(found.parts.last().map(String::as_str), Some("not located"));
        for ((_, requests), explained) in found.points[1..].iter().zip(&results.explanations) {
            let all = &explained.requests.loads.last().expect("fully loaded").requests;
            assert!((requests.iter().sum::<f64>() - all.iter().sum::<f64>()).abs() < 1e-6, "{found:?}");
        }
        let lock = found.parts.iter().position(|it| it.contains("lock")).expect("a lock");
        assert!(found.points[1].1[lock] > 10.0 && found.points[2].1[lock] < 1.0, "{found:?}");
    }

    #[test]
    fn a_single_level_is_no_area() {
        let mut results = explained();
        results.explanations.truncate(1);
        assert_eq!(of(&results, 0), None);
    }

    #[test]
    fn more_parts_than_colours_are_others() {
        let mut results = explained();
        for (index, explanation) in results.explanations.iter_mut().enumerate() {
            let requests = &mut explanation.requests;
            requests.parts = (0..7).map(|part| format!("part {index}.{part}")).collect();
            requests.parts.push("not located".to_owned());
            requests.loads.iter_mut().for_each(|at| at.requests = vec![1.0; 8]);
        }
        let found = of(&results, 1).expect("two levels");
        assert_eq!(found.parts.len(), COLOURS);
        assert_eq!(found.parts[COLOURS - 2..], ["others", "not located"]);
        assert!(found.points.iter().all(|(_, requests)| (requests.iter().sum::<f64>() - 8.0).abs() < 1e-6));
    }
}
