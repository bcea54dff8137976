//! The target answered for a while, and then no more.

use plimsoll_text::count;

use super::Cell;
use crate::{
    results::{Finding, Kind, Measure, Weight},
    text::number,
};

pub(super) const KINDS: &[&Kind] = &[&SILENCE];

static SILENCE: Kind = Kind {
    id: "no-success-since",
    title: "no success from then on",
    weight: Weight::Warning,
    means: "Requests succeeded at first, and from some instant on none did, though the load went on: the service \
            ended, or answers no more. Rates are of the whole level, so that they count the time without a service.",
    remedy: "Read the service's log from that instant on. For the figures until then, drive a load that ends before \
             it.",
    evidence: &[
        Measure { name: "after", unit: "s", about: "since the start of the level" },
        Measure { name: "throughput", unit: "/s", about: "requests that succeeded per second until then" },
        Measure { name: "failed", unit: "", about: "requests that failed since" },
        Measure { name: "kind", unit: "", about: "most frequent kind of error since" },
    ],
};

/// The silence of the first round that has one.
pub(super) fn at(cell: &Cell) -> Option<Finding> {
    let (round, silence) = cell.rounds.iter().find_map(|round| Some((round.round, round.silence.as_ref()?)))?;
    let after_s = silence.after.as_secs_f64();
    let per_s = silence.succeeded as f64 / after_s.max(1e-9);
    let says = format!(
        "No request succeeded after the first {} s: the {} later ones failed, most often `{}`. Until then {} \
         succeeded, {} per second.",
        number(after_s),
        count(silence.failed),
        silence.kind,
        count(silence.succeeded),
        number(per_s),
    );
    let found = SILENCE.at(cell.place().in_round(Some(round)), says).with("after", after_s).with("throughput", per_s);
    Some(found.with("failed", silence.failed).with("kind", silence.kind.as_str()))
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{ErrorKind, Nanos};

    use super::*;
    use crate::{
        analyse,
        findings::found_at_levels,
        testing::{Request, burst, execution, level, plan, run, variant},
    };

    #[test]
    fn it_says_when_and_what_was_measured_until_then() {
        let ms = Nanos::from_millis;
        let of = |k: u64| match k {
            0..30 => Request::ok(ms(k * 100), ms(k * 100 + 10)),
            _ => Request::failed(ms(k * 100), ms(k * 100 + 5), ErrorKind::Refused),
        };
        let data = run(0, 0, ms(0), vec![level(&burst(1), ms(0), &(0..60).map(of).collect::<Vec<_>>())]);
        let data = execution(plan(vec![variant("a")], vec![burst(1)], 1), vec![data]);
        let found = found_at_levels(&data, &analyse(&data), at);
        let expected = "No request succeeded after the first 3 s: the 30 later ones failed, most often `refused`. Until \
                        then 30 succeeded, 10 per second.";
        assert_eq!(found.iter().map(|it| it.says.as_str()).collect::<Vec<_>>(), [expected]);
    }
}
