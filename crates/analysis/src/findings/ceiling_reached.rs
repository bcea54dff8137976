//! Workers, or connections to the upstream, limit throughput.

use super::Cell;
use crate::{
    ceiling,
    results::{Bound, Ceiling, Finding, Kind, Measure, Weight},
    text::number,
};

pub(super) const KINDS: &[&Kind] = &[&REACHED];

static REACHED: Kind = Kind {
    id: "ceiling-reached",
    title: "ceiling reached",
    weight: Weight::Info,
    means: "Throughput is 90 % or more of what the settings allow: workers ÷ service time, or connections per route \
            ÷ call time.",
    remedy: "Change the setting that the ceiling follows from.",
    evidence: &[
        Measure { name: "reached", unit: "%", about: "of the ceiling reached" },
        Measure { name: "ceiling", unit: "/s", about: "that settings allow" },
        Measure { name: "bound", unit: "", about: "what there are too few of: workers or connections" },
    ],
};

const LEAST_PERCENT: f64 = 90.0;

pub(super) fn at(cell: &Cell) -> Option<Finding> {
    let ceiling = reached(cell).filter(|_| cell.explanation.is_none())?;
    let (bound, remedy) = match ceiling.bound {
        Bound::Workers | Bound::Users => ("workers", "More worker threads or virtual threads move this limit."),
        Bound::Connections => ("connections", "More connections per route in the client's pool move this limit."),
    };
    let found = REACHED.at(cell.place(), sentence(ceiling)).advising(remedy).with("reached", ceiling.reached_percent);
    Some(found.with("ceiling", ceiling.per_s).with("bound", bound))
}

/// The ceiling that settings make, if the level came near to it.
pub(super) fn reached<'a>(cell: &Cell<'a>) -> Option<&'a Ceiling> {
    let is_by_settings = ceiling::is_by_settings(cell.results);
    cell.results.ceiling.as_ref().filter(|it| is_by_settings && it.reached_percent >= LEAST_PERCENT)
}

/// The sentence on how near the level came.
pub(super) fn sentence(ceiling: &Ceiling) -> String {
    format!(
        "Throughput is {} % of the {}/s that settings allow ({}).",
        number(ceiling.reached_percent),
        number(ceiling.per_s),
        ceiling.because
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{analyse, findings::found_at_levels, testing::greetings};

    #[test]
    fn platform_threads_reach_it_and_virtual_ones_have_none() {
        let data = greetings();
        let found = found_at_levels(&data, &analyse(&data), at);
        assert!(
            !found.is_empty() && found.iter().all(|it| it.place.variant.as_deref() == Some("web-jar")),
            "{found:#?}"
        );
        assert!(
            found[0].says.contains("of the 193/s that settings allow (2,700 requests in 14 waves of 200 workers"),
            "{}",
            found[0].says
        );
    }
}
