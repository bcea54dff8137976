//! The first limit of a level that was explained. It replaces guesses from settings.

use super::{Cell, ceiling_reached};
use crate::results::{Finding, Kind, Measure, Weight};

pub(super) const KINDS: &[&Kind] = &[&FOUND];

static FOUND: Kind = Kind {
    id: "gives-way-first",
    title: "gives way first",
    weight: Weight::Info,
    means: "The level was explained: this limits it, by what the target’s threads and connections did under its load. \
            `ceiling-reached` and `offered-load`, which are drawn from settings, are not reported there: where they \
            say the same, this says it for both.",
    remedy: "Change what gives way first; `plimsoll run FILE --prove` says whether that moves the limit.",
    evidence: &[
        Measure { name: "limit", unit: "", about: "kind of limit" },
        Measure { name: "reached", unit: "%", about: "of the ceiling reached" },
        Measure { name: "ceiling", unit: "/s", about: "that settings allow" },
    ],
};

pub(super) fn at(cell: &Cell) -> Option<Finding> {
    let found = cell.explanation.filter(|it| it.level.is_some())?;
    let evidence = found.evidence.first().map_or_else(String::new, |it| format!(" {}.", capital(it)));
    let ceiling = ceiling_reached::reached(cell).filter(|ceiling| found.agrees_with(ceiling));
    let of_settings = ceiling.map_or_else(String::new, |it| format!(" {}", ceiling_reached::sentence(it)));
    let says = format!("Gives way first: {}.{evidence}{of_settings}", found.says);
    let finding = FOUND.at(cell.place(), says).advising(found.change.clone()).with("limit", found.limit);
    Some(match ceiling {
        Some(it) => finding.with("reached", it.reached_percent).with("ceiling", it.per_s),
        None => finding,
    })
}

fn capital(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Nanos, VariantPlan};

    use crate::{
        analyse,
        results::{Finding, Value},
        testing::recorded,
    };

    /// Findings about a variant of these settings, at a level at which a lock gave way, and one at which 20 threads
    /// did.
    fn found(settings: VariantPlan, is_seen: bool) -> Vec<Finding> {
        let mut data = recorded::explained();
        let variant = &mut data.execution.plan.variants[0];
        *variant = VariantPlan { name: variant.name.clone(), ..settings };
        if !is_seen {
            data.runs[0].censuses.clear();
        }
        let ids = ["gives-way-first", "ceiling-reached", "offered-load"];
        analyse(&data).findings.into_iter().filter(|it| ids.contains(&it.kind.id)).collect()
    }

    fn told(findings: &[Finding]) -> Vec<(String, &str)> {
        findings.iter().map(|it| (it.place.to_string(), it.kind.id)).collect()
    }

    fn both(id: &str) -> [(String, &str); 2] {
        ["a @ 16", "a @ 256"].map(|place| (place.to_owned(), id))
    }

    const fn ms(ms: u64) -> Option<Nanos> {
        Some(Nanos::from_millis(ms))
    }

    #[test]
    fn a_ceiling_and_an_explanation_that_agree_are_one_finding() {
        let threads = || VariantPlan { workers: Some(20), service_time: ms(50), ..VariantPlan::default() };
        assert_eq!(told(&found(threads(), false)), [("a @ 256".to_owned(), "ceiling-reached")], "a guess");
        let findings = found(threads(), true);
        assert_eq!(told(&findings), both("gives-way-first"), "{findings:#?}");
        let [lock, threads] = &findings[..] else { panic!("{findings:#?}") };
        assert!(lock.says.starts_with("Gives way first: a lock (java.lang.Object) in Planted.work. 15 requests of"));
        assert_eq!(lock.evidence.iter().map(|it| &it.value).collect::<Vec<_>>(), [&Value::Text("lock".to_owned())]);
        assert!(threads.says.ends_with("of the 400/s that settings allow (20 workers ÷ 50.0 ms)."), "{}", threads.says);
        let names: Vec<&str> = threads.evidence.iter().map(|it| it.measure.name).collect();
        assert_eq!(names, ["limit", "reached", "ceiling"]);
        assert!(threads.remedy.starts_with("Raise "), "{}", threads.remedy);
    }

    /// As many connections would allow the same; it is the threads that were seen to be full.
    #[test]
    fn a_ceiling_that_contradicts_an_explanation_is_not_reported() {
        let pool = || VariantPlan { connections_per_route: Some(20), call_time: ms(50), ..VariantPlan::default() };
        assert_eq!(told(&found(pool(), false)), [("a @ 256".to_owned(), "ceiling-reached")], "a guess");
        let findings = found(pool(), true);
        assert_eq!(told(&findings), both("gives-way-first"));
        assert!(findings.iter().all(|it| !it.says.contains("connections per route")), "{findings:#?}");
    }

    /// 16 users who wait 0.8 s each for a lock ask for no more than they get.
    #[test]
    fn a_load_that_seems_to_set_the_throughput_does_not_where_something_gives_way() {
        let slow = || VariantPlan { service_time: ms(800), ..VariantPlan::default() };
        assert_eq!(told(&found(slow(), false)), both("offered-load"), "a guess");
        assert_eq!(told(&found(slow(), true)), both("gives-way-first"));
    }
}
