//! What a reader must know to trust the figures: one file per finding, and the list that names them.

use crate::{
    measured::Measured,
    results::{Note, Results},
};

/// Looks for one thing, and says it with advice wherever it is.
type Finding = fn(&Measured, &Results) -> Vec<Note>;

/// In the order in which they are told, those of the same weight.
const FINDINGS: &[Finding] = &[];

/// What every finding has to say, warnings first.
pub(crate) fn all(measured: &Measured, results: &Results) -> Vec<Note> {
    let mut notes: Vec<Note> = FINDINGS.iter().flat_map(|finding| finding(measured, results)).collect();
    notes.sort_by_key(|note| std::cmp::Reverse(note.weight));
    notes
}
