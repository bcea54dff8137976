//! Findings: facts that a reader must know beside the figures. One file per subject, and the list that names them.
//!
//! A file declares its kinds of finding (what is found, what it means, what to do) right above the code that looks for
//! them. `docs/findings.md` is made from these declarations.

mod accept_queue;
mod ceiling_reached;
mod clamped;
mod class_loading;
mod delayed_ack;
mod died_explained;
mod dropped;
mod ended_early;
mod errors;
mod foreign;
mod generator;
mod gives_way;
pub(crate) mod limited_by;
mod littles_law;
mod network;
mod noise;
mod offered_load;
mod parts;
mod published;
mod redirects;
mod reference;
mod rounds;
mod send_lag;
mod silence;
mod sockets;
mod steal;
mod tail;
mod target_cpu;
mod throttled;
mod time_wait;
mod warm_up;

use plimsoll_record::{Phase, VariantPlan, Window};

pub use self::reference::document;
use crate::{
    audit, claims,
    measured::{Level, LevelRound, Measured},
    results::{self, ClaimResult, Finding, Kind, LevelResults, Place, Results, Verdict},
};

/// The findings of one file: which there are, and how they are looked for.
struct Finder {
    kinds: &'static [&'static Kind],
    find: Find,
}

#[derive(Clone, Copy)]
enum Find {
    /// A look at each variant at each level that has figures.
    AtLevel(fn(&Cell) -> Option<Finding>),
    /// A single look at the execution.
    Overall(fn(&Measured, &Results) -> Vec<Finding>),
}

/// Finders in the order in which findings of the same weight are reported.
const FINDERS: &[Finder] = &[
    overall(parts::KINDS, parts::find),
    overall(ended_early::KINDS, ended_early::find),
    at_level(ended_early::LEVEL_KINDS, ended_early::at),
    overall(died_explained::KINDS, died_explained::find),
    at_level(errors::KINDS, errors::at),
    at_level(silence::KINDS, silence::at),
    at_level(redirects::KINDS, redirects::at),
    at_level(accept_queue::KINDS, accept_queue::at),
    at_level(accept_queue::ELSEWHERE_KINDS, accept_queue::elsewhere),
    at_level(littles_law::KINDS, littles_law::at),
    overall(published::KINDS, published::find),
    overall(network::KINDS, network::find),
    at_level(dropped::KINDS, dropped::at),
    at_level(generator::CPU_KINDS, generator::cpu),
    at_level(generator::LATE_KINDS, generator::late),
    at_level(generator::PORTS_KINDS, generator::ports),
    at_level(generator::DESCRIPTORS_KINDS, generator::descriptors),
    at_level(send_lag::KINDS, send_lag::at),
    at_level(clamped::KINDS, clamped::at),
    at_level(tail::KINDS, tail::at),
    at_level(delayed_ack::KINDS, delayed_ack::at),
    overall(steal::KINDS, steal::find),
    at_level(foreign::KINDS, foreign::at),
    overall(&[], foreign::beside_searches),
    at_level(throttled::KINDS, throttled::at),
    overall(warm_up::KINDS, warm_up::find),
    at_level(warm_up::LEVEL_KINDS, warm_up::at),
    at_level(noise::KINDS, noise::at),
    overall(sockets::KINDS, sockets::find),
    overall(rounds::KINDS, rounds::find),
    at_level(gives_way::KINDS, gives_way::at),
    at_level(ceiling_reached::KINDS, ceiling_reached::at),
    at_level(offered_load::KINDS, offered_load::at),
];

/// A finder that explains the figures of a claim that does not hold.
struct Explanation {
    finder: Finder,
    /// True if claims on these metrics need it.
    is_needed: fn(&[&str]) -> bool,
}

/// Explanations in the order in which they are reported.
const EXPLANATIONS: &[Explanation] = &[
    // Claims about limits have no metrics, and name the limit themselves.
    Explanation { finder: at_level(gives_way::KINDS, gives_way::at), is_needed: |metrics| !metrics.is_empty() },
    Explanation { finder: at_level(ceiling_reached::KINDS, ceiling_reached::at), is_needed: |_| true },
    Explanation { finder: at_level(errors::KINDS, errors::at), is_needed: |_| true },
    Explanation { finder: at_level(errors::ABSENCE_KINDS, errors::absent_at), is_needed: is_about_errors },
    Explanation { finder: at_level(accept_queue::KINDS, accept_queue::at), is_needed: |_| true },
    Explanation { finder: at_level(time_wait::KINDS, time_wait::at), is_needed: is_about_errors },
    Explanation { finder: at_level(class_loading::KINDS, class_loading::at), is_needed: is_about_the_first },
    Explanation { finder: at_level(target_cpu::KINDS, target_cpu::at), is_needed: |it| !is_about_the_first(it) },
];

fn is_about_errors(metrics: &[&str]) -> bool {
    metrics.contains(&"errors")
}

fn is_about_the_first(metrics: &[&str]) -> bool {
    metrics.contains(&"first")
}

const fn at_level(kinds: &'static [&'static Kind], at: fn(&Cell) -> Option<Finding>) -> Finder {
    Finder { kinds, find: Find::AtLevel(at) }
}

const fn overall(kinds: &'static [&'static Kind], find: fn(&Measured, &Results) -> Vec<Finding>) -> Finder {
    Finder { kinds, find: Find::Overall(find) }
}

/// Every kind of finding that there is, each once: about executions, about claims, about rows of tables.
pub fn kinds() -> Vec<&'static Kind> {
    let explanations = EXPLANATIONS.iter().map(|explanation| &explanation.finder);
    let mut kinds: Vec<&'static Kind> = Vec::new();
    for kind in FINDERS.iter().chain(explanations).flat_map(|finder| finder.kinds).copied().chain(audit::kinds()) {
        // Kinds are equal by id; here each declaration counts, so that two of one id are seen.
        if !kinds.iter().any(|known| std::ptr::eq(*known, kind)) {
            kinds.push(kind);
        }
    }
    kinds
}

/// All that is found, the gravest first.
pub(crate) fn all(measured: &Measured, results: &Results) -> Vec<Finding> {
    let mut findings: Vec<Finding> = FINDERS.iter().flat_map(|finder| finder.find(measured, results)).collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.weight));
    findings
}

impl Finder {
    /// The gravest first.
    fn find(&self, measured: &Measured, results: &Results) -> Vec<Finding> {
        let mut found = match self.find {
            Find::AtLevel(at) => cells(measured, results).filter_map(|cell| at(&cell)).collect(),
            Find::Overall(find) => find(measured, results),
        };
        found.sort_by(|a, b| b.gravity().total_cmp(&a.gravity()));
        found
    }
}

/// The most places of a claim that are explained: claims with patterns may be about many.
const EXPLAINED_PLACES_MOST: usize = 4;

/// Explanations of each claim that does not hold, in the claims' order: findings at the places that it is about.
pub(crate) fn explanations(measured: &Measured, results: &Results) -> Vec<Vec<Finding>> {
    let explained = |claim: &ClaimResult| {
        let metrics = claims::metrics_of(&claim.expression);
        let places = claim.about.iter().filter(|_| claim.verdict != Verdict::Holds).take(EXPLAINED_PLACES_MOST);
        places.flat_map(|place| explanations_at(place, &metrics, measured, results)).collect()
    };
    results.claims.iter().map(explained).collect()
}

fn explanations_at(place: &Place, metrics: &[&str], measured: &Measured, results: &Results) -> Vec<Finding> {
    let Some(cell) = cells(measured, results).find(|cell| cell.place() == *place) else { return Vec::new() };
    let needed = EXPLANATIONS.iter().filter(|explanation| (explanation.is_needed)(metrics));
    let found = needed.filter_map(|explanation| match explanation.finder.find {
        Find::AtLevel(at) => at(&cell),
        Find::Overall(_) => None,
    });
    found.collect()
}

/// One variant at one level, with everything there is about it.
#[derive(Clone)]
struct Cell<'a> {
    variant: &'a VariantPlan,
    level: &'a Level<'a>,
    rounds: &'a [LevelRound],
    results: &'a LevelResults,
    /// The explanation of the limit, if it found something: it replaces guesses from settings.
    explanation: Option<&'a results::Explanation>,
    /// Whether each run begins with a warm-up.
    has_warm_up: bool,
}

impl Cell<'_> {
    fn place(&self) -> Place {
        Place::of_level(&self.variant.name, &self.level.label)
    }

    /// The greatest value of all rounds, and the place with its round; none if no round has a value.
    fn worst(&self, of: impl Fn(&LevelRound) -> Option<f64>) -> Option<(Place, f64)> {
        let values = self.rounds.iter().filter_map(|round| Some((round.round, of(round)?)));
        let (round, value) = values.max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some((self.place().in_round(Some(round)), value))
    }
}

/// Every variant at every level that has figures, by variant.
fn cells<'a>(measured: &'a Measured, all: &'a Results) -> impl Iterator<Item = Cell<'a>> {
    let has_warm_up = measured.plan().levels.iter().any(|level| level.phase == Phase::WarmUp);
    let variants = measured.plan().variants.iter().zip(&measured.variants).zip(&all.variants);
    variants.flat_map(move |((variant, rounds), figures)| {
        let levels = measured.levels.iter().zip(&rounds.levels).zip(&figures.levels);
        levels.filter_map(move |((level, rounds), results)| {
            let explanation = explanation_of(all, &variant.name, &level.label);
            Some(Cell { variant, level, rounds, results: results.as_ref()?, explanation, has_warm_up })
        })
    })
}

fn explanation_of<'a>(results: &'a Results, variant: &str, level: &str) -> Option<&'a results::Explanation> {
    // A target that was loaded only to be explained has its explanation at the full load.
    let is_alone = results.lines.is_empty();
    let is_of = |it: &&results::Explanation| {
        let is_level = it.level.as_deref().map_or(is_alone && level == Window::Full.label(), |label| label == level);
        it.variant == variant && is_level
    };
    results.explanations.iter().find(is_of).filter(|it| it.has_found())
}

/// Findings at the levels of an execution that was made for a test.
#[cfg(test)]
fn found_at_levels(
    data: &plimsoll_record::ExecutionData,
    results: &Results,
    at: fn(&Cell) -> Option<Finding>,
) -> Vec<Finding> {
    at_level(&[], at).find(&Measured::of(data), results)
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{
        Claim, LevelData, Nanos, Sample,
        metric::{CPU_PERCENT, jvm, tcp},
    };

    use crate::{
        analyse,
        results::Weight,
        testing::{self, Request, burst, execution, greetings, plan, traced, variant},
    };

    #[test]
    fn the_gravest_come_first() {
        let findings = analyse(&greetings()).findings;
        assert!(findings.is_sorted_by(|a, b| a.weight >= b.weight), "{findings:#?}");
        assert!(findings.iter().any(|finding| finding.weight == Weight::Warning));
        assert!(findings.iter().any(|finding| finding.weight == Weight::Info));
    }

    /// Ids of what explains a claim on one level from 1 to 3 s, beside which the target was busy.
    fn explained(expression: &str) -> Vec<&'static str> {
        let ms = Nanos::from_millis;
        let mut data: LevelData = testing::level(&burst(1), ms(1_000), &[Request::ok(ms(0), ms(2_000))]);
        data.traced = (0..2).map(|call| traced(ms(call * 1_000), ms(100))).collect();
        let mut run = testing::run(0, 0, ms(1_000), vec![data]);
        let sample = |at, metric: &str, value| Sample { at: ms(at), metric: metric.to_owned(), value };
        run.samples = vec![
            sample(0, CPU_PERCENT.name, 150.0),
            sample(1_500, CPU_PERCENT.name, 150.0),
            sample(1_500, tcp::INBOUND_TIME_WAIT, 2_000.0),
        ];
        for metric in [jvm::CLASSES_LOADED, jvm::CLASS_LOAD_MS] {
            run.samples.extend([sample(900, metric.name, 5.0), sample(1_500, metric.name, 55.0)]);
        }
        let mut data = execution(plan(vec![variant("a")], vec![burst(1)], 1), vec![run]);
        data.execution.plan.claims = vec![Claim { says: String::new(), expression: expression.to_owned(), line: None }];
        analyse(&data).claims[0].findings.iter().map(|finding| finding.kind.id).collect()
    }

    #[test]
    fn a_claim_that_is_not_decided_for_is_explained_by_what_bears_on_its_metrics() {
        assert_eq!(explained("errors(a @ 1) > 50%"), ["no-errors", "time-wait", "target-cpu"]);
        assert_eq!(explained("first(a @ 1) < 1ms"), ["first-call-class-loading"]);
        assert_eq!(explained("throughput(a @ 1) > 50/s"), ["target-cpu"]);
    }
}
