//! Figures that cannot all be true.

use super::Cell;
use crate::{
    results::{Finding, Kind, Measure, Weight},
    text::number,
};

pub(super) const KINDS: &[&Kind] = &[&BROKEN];

static BROKEN: Kind = Kind {
    id: "littles-law",
    title: "figures break Little's law",
    weight: Weight::Contradiction,
    means: "Throughput × mean time asks for more requests in flight than the load allows: one of the figures is wrong.",
    remedy: "Do not trust these figures, and report this as a defect of Plimsoll.",
    evidence: &[
        Measure { name: "in_flight", unit: "", about: "requests in flight that the figures ask for" },
        Measure { name: "allowed", unit: "", about: "requests in flight that the load allows" },
    ],
};

pub(super) fn at(cell: &Cell) -> Option<Finding> {
    let law = &cell.results.littles_law;
    let says = || {
        format!(
            "Throughput × mean time asks for {} requests in flight, but the load allows {} (Little's law).",
            number(law.in_flight),
            number(law.allowed)
        )
    };
    let found = || BROKEN.at(cell.place(), says()).with("in_flight", law.in_flight).with("allowed", law.allowed);
    (!law.consistent).then(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::LittlesLaw;
    use crate::{analyse, findings::found_at_levels, testing::greetings};

    #[test]
    fn figures_of_ours_that_cannot_be_are_a_defect() {
        let data = greetings();
        let mut results = analyse(&data);
        assert!(found_at_levels(&data, &results, at).is_empty());
        let level = results.variants[0].levels[0].as_mut().unwrap();
        level.littles_law = LittlesLaw { in_flight: 1_959.0, allowed: 100.0, consistent: false };
        let found = found_at_levels(&data, &results, at);
        assert_eq!(found.len(), 1);
        assert!(
            found[0].says.contains("asks for 1,959 requests in flight, but the load allows 100"),
            "{}",
            found[0].says
        );
    }
}
