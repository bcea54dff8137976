//! What a reader must know to trust the figures: one file per finding, and the list that names them.

mod ceiling_reached;
mod clamped;
mod dropped;
mod ended_early;
mod errors;
mod generator;
mod listen_backlog;
mod littles_law;
mod network;
mod noise;
mod offered_load;
mod parts;
mod published;
mod rounds;
mod send_lag;
mod sockets;
mod steal;
mod throttled;

use plimsoll_record::VariantPlan;

use crate::{
    measured::{Level, LevelRound, Measured},
    results::{LevelResults, Note, Results, Weight},
};

/// Looks for one thing, and says it with advice wherever it is.
type Finding = fn(&Measured, &Results) -> Vec<Note>;

/// In the order in which they are told, those of the same weight.
const FINDINGS: &[Finding] = &[
    parts::find,
    ended_early::find,
    errors::find,
    listen_backlog::find,
    littles_law::find,
    published::find,
    network::find,
    dropped::find,
    generator::find,
    send_lag::find,
    clamped::find,
    steal::find,
    throttled::find,
    noise::find,
    sockets::find,
    rounds::find,
    ceiling_reached::find,
    offered_load::find,
];

/// What every finding has to say, warnings first.
pub(crate) fn all(measured: &Measured, results: &Results) -> Vec<Note> {
    let mut notes: Vec<Note> = FINDINGS.iter().flat_map(|finding| finding(measured, results)).collect();
    notes.sort_by_key(|note| std::cmp::Reverse(note.weight));
    notes
}

fn warning(text: impl Into<String>) -> Note {
    Note { weight: Weight::Warning, text: text.into() }
}

fn info(text: impl Into<String>) -> Note {
    Note { weight: Weight::Info, text: text.into() }
}

/// One variant at one level, with everything there is about it.
#[derive(Clone)]
struct Cell<'a> {
    variant: &'a VariantPlan,
    level: &'a Level<'a>,
    rounds: &'a [LevelRound],
    results: &'a LevelResults,
}

impl Cell<'_> {
    /// As claims write it: `web-jar @ 2700`.
    fn name(&self) -> String {
        format!("{} @ {}", self.variant.name, self.level.label)
    }
}

/// Every variant at every level that has figures, by variant.
fn cells<'a>(measured: &'a Measured, results: &'a Results) -> impl Iterator<Item = Cell<'a>> {
    let variants = measured.plan().variants.iter().zip(&measured.variants).zip(&results.variants);
    variants.flat_map(|((variant, rounds), figures)| {
        let levels = measured.levels.iter().zip(&rounds.levels).zip(&figures.levels);
        levels.filter_map(move |((level, rounds), results)| {
            Some(Cell { variant, level, rounds, results: results.as_ref()? })
        })
    })
}

/// `a, b, c and 4 more`.
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 4;
    let shown = names[..names.len().min(SHOWN)].join(", ");
    if names.len() > SHOWN { format!("{shown} and {} more", names.len() - SHOWN) } else { shown }
}

/// ` The same of a, b and 4 more.`; nothing where there are no others.
fn the_same_of(others: &[String]) -> String {
    if others.is_empty() { String::new() } else { format!(" The same of {}.", listed(others)) }
}

#[cfg(test)]
mod tests {
    use crate::{analyse, results::Weight, testing::greetings};

    #[test]
    fn warnings_come_first() {
        let notes = analyse(&greetings()).notes;
        assert!(notes.is_sorted_by(|a, b| a.weight >= b.weight), "{notes:#?}");
        assert!(notes.iter().any(|note| note.weight == Weight::Warning));
        assert!(notes.iter().any(|note| note.weight == Weight::Info));
    }
}
