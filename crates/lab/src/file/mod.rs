//! Experiment files: from YAML to an [`Experiment`], with every error of the file at once, each with its place.
//!
//! Text becomes a tree of places (`node.rs`), the tree becomes a document (`document.rs`, which is also the
//! JSON Schema and the reference), and the document is resolved: matrices expanded, settings merged, defaults
//! filled in, names checked.
//!
//! It is no crate of its own: it would import everything that the lab imports but the network (an experiment holds the
//! driver's connections and scripts and the selectors of `observe`), and read files besides, so the import table would
//! get one row more and none shorter, and no purity would be won.

mod arguments;
mod beside;
mod brackets;
mod connection;
mod decode;
mod document;
mod errors;
mod explain;
mod generator;
mod jmh;
mod levels;
mod line;
mod load;
mod matrix;
mod merge;
mod metrics;
mod model;
mod network;
mod node;
mod pace;
mod prove;
mod published;
mod quantity;
mod reference;
mod request;
mod requests;
mod resolve;
mod revisions;
mod rounds;
mod script;
mod secrets;
mod table;
#[cfg(test)]
mod tests;
mod upstream;
mod values;
mod variant;
mod variants;

use std::path::{Path, PathBuf};

use plimsoll_drive::{ScriptText, files};
use plimsoll_record::{LevelPlan, Nanos};

use crate::experiment::{Connecting, Experiment};

use self::{
    decode::{Checked, FromNode},
    document::Document,
    errors::Errors,
    node::Node,
    resolve::Resolved,
};
pub use self::{
    errors::{FileError, FileErrors, Place},
    explain::explain_all,
    quantity::parse_duration,
    reference::{reference_markdown, schema},
    secrets::learn_script,
    upstream::{parse_answer_size, parse_freeze, parse_latency, parse_statuses},
};

/// An experiment file that has been read and found right, in one of its paces.
#[derive(Clone, Debug, PartialEq)]
pub struct ExperimentFile {
    /// The message.
    pub experiment: Experiment,
    /// Names of all its paces; empty if it has none.
    pub paces: Vec<String>,
    /// Names that its texts may use.
    pub names: Names,
    path: PathBuf,
    source: String,
    /// Where the expression of each claim starts; same indices as the plan's claims.
    claims: Vec<Place>,
    /// Where the name of each variant stands; same indices as the plan's variants.
    variants: Vec<Place>,
}

/// Names of what a file has at any of its paces, each once.
#[derive(Clone, Debug, PartialEq)]
pub struct Names {
    /// Its variants, also those that `only` leaves out.
    pub variants: Vec<String>,
    /// Labels of its measured levels.
    pub levels: Vec<String>,
    /// Requests of its levels.
    pub requests: Vec<String>,
    /// Load lines that it searches for; the only one's is empty.
    pub lines: Vec<String>,
}

impl ExperimentFile {
    /// Errors in the expressions of claims, in the same form as those of the file: the claim's index in the
    /// plan, the 1-based column (in characters) within its expression, and the message.
    pub fn claim_errors(&self, problems: impl IntoIterator<Item = (usize, usize, String)>) -> FileErrors {
        let located = problems.into_iter().map(|(claim, column, message)| {
            let place = self.claims.get(claim).map(|start| self.within_claim(claim, column, start));
            FileError { place, message, related: None }
        });
        FileErrors::new(&self.path, &self.source, located.collect())
    }

    /// An error in what a variant is to launch, in the same form: the variant's index in the plan and the message.
    pub fn variant_error(&self, variant: usize, message: String) -> FileErrors {
        let place = self.variants.get(variant).cloned();
        FileErrors::new(&self.path, &self.source, vec![FileError { place, message, related: None }])
    }

    /// The column counts from the text itself, not from its quotes. Where YAML folds or escapes the text, its
    /// start must do.
    fn within_claim(&self, claim: usize, column: usize, start: &Place) -> Place {
        let expression = self.experiment.plan.claims[claim].expression.trim_end();
        let from = node::offset(&self.source, start);
        let Some(found) = self.source[from..].find(expression) else { return start.clone() };
        let (line, first_column) = node::line_and_column(&self.source, from + found);
        let column = first_column.saturating_add(u32::try_from(column.saturating_sub(1)).unwrap_or(u32::MAX));
        Place { line, column, field: start.field.clone() }
    }
}

/// Reads the experiment file at `path`, at the pace that is wanted, or at its first. `seed_if_absent` is the seed if
/// the file names none.
///
/// # Errors
///
/// All errors of the file, at whatever pace; or why it cannot be read.
pub fn load(path: &Path, pace: Option<&str>, seed_if_absent: u64) -> Result<ExperimentFile, FileErrors> {
    parse(&read_text(path)?, path, pace, seed_if_absent)
}

/// Load and requests of a file, to be sent to any target.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadFile {
    /// Driven together, each with its script; empty if the file names no load.
    pub levels: Vec<LevelPlan>,
    /// By level; one if there is none.
    pub scripts: Vec<ScriptText>,
    /// How many levels follow the only one, each a load of its own.
    pub alternatives: usize,
    /// From sent to done, if the file says so.
    pub response_timeout: Option<Nanos>,
    /// Seed of arrivals, think times and values, if the file names it.
    pub seed: Option<u64>,
    /// How connections are made.
    pub connecting: Connecting,
    /// To be judged, not yet read.
    pub thresholds: Vec<String>,
    path: PathBuf,
    source: String,
    /// Where the file has its load, or its scenarios.
    place: Place,
}

impl LoadFile {
    /// An error in what the file says as a whole, in the same form as those of the file.
    pub fn error(&self, message: String) -> FileErrors {
        let error = FileError { place: Some(self.place.clone()), message, related: None };
        FileErrors::new(&self.path, &self.source, vec![error])
    }
}

/// Reads load and requests of the file at `path`, at its first pace; its variants are ignored.
///
/// # Errors
///
/// All errors of the file as far as it is read; or why it cannot be read.
pub fn load_requests(path: &Path) -> Result<LoadFile, FileErrors> {
    let text = read_text(path)?;
    let mut errors = Errors::default();
    let root = root(&text, path, &mut errors)?;
    let first = root.and_then(|root| pace::all(&root, &Document::keys(), &mut errors).into_iter().next());
    match first
        .and_then(|pace| Checked::<Document>::from_node(&pace.root, &mut errors))
        .map(|document| resolve::load_file(&document, path, &text, &mut errors))
    {
        Some(file) if errors.is_empty() => Ok(file),
        _ => Err(FileErrors::new(path, &text, errors.into_vec())),
    }
}

fn read_text(path: &Path) -> Result<String, FileErrors> {
    let whole = |message: String| FileErrors::whole(path, message);
    let bytes = files::read(path, files::PLAN_BYTES_MAX)
        .map_err(|why| whole(format!("cannot read this experiment file: {why}; check the path")))?;
    String::from_utf8(bytes).map_err(|why| {
        let line = why.as_bytes()[..why.utf8_error().valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() + 1;
        whole(format!("expected text in UTF-8, found other bytes in line {line}: save it as UTF-8"))
    })
}

fn root(text: &str, path: &Path, errors: &mut Errors) -> Result<Option<Node>, FileErrors> {
    if text.trim().is_empty() {
        let remedy = "experiments/quickstart.yaml is a good start";
        return Err(FileErrors::whole(path, format!("expected an experiment, found an empty file; {remedy}")));
    }
    let root = node::read(text, errors);
    match &root {
        Some(root) => secrets::learn_tree(root),
        None => secrets::learn_text(text),
    }
    Ok(root)
}

/// Reads the text of the experiment file at `path`, which errors name and `workdir` is relative to.
///
/// # Errors
///
/// All errors of the text, at whatever pace.
pub fn parse(text: &str, path: &Path, pace: Option<&str>, seed_if_absent: u64) -> Result<ExperimentFile, FileErrors> {
    let mut errors = Errors::default();
    let Some(root) = root(text, path, &mut errors)? else { return Err(FileErrors::new(path, text, errors.into_vec())) };
    let paces = pace::all(&root, &Document::keys(), &mut errors);
    let chosen = pace::choose(&paces, pace).map_err(|message| FileErrors::whole(path, message))?;
    let read: Vec<_> = paces.iter().map(|pace| Checked::<Document>::from_node(&pace.root, &mut errors)).collect();
    let resolve = |document: &Option<Checked<Document>>| {
        document.as_ref().map(|document| resolve::resolve(document, path, seed_if_absent, &mut errors))
    };
    let mut all: Vec<Option<Resolved>> = read.iter().map(resolve).collect();
    let names = Names::of(all.iter().flatten());
    for document in read.iter().flatten() {
        resolve::check_references(&document.value, &names, &mut errors);
    }
    match (all.swap_remove(chosen), &read[chosen]) {
        (Some(Resolved { mut experiment, places, .. }), Some(document)) if errors.is_empty() => {
            experiment.scripts.iter().for_each(secrets::learn_script);
            experiment.plan.source = Some(secrets::masked(text, &root));
            experiment.plan.pace.clone_from(&paces[chosen].name);
            let claims = document.value.claims.iter().flatten().map(|claim| claim.claim.place.clone()).collect();
            let (path, source) = (path.to_owned(), text.to_owned());
            let paces = paces.into_iter().filter_map(|pace| pace.name).collect();
            let variants = places;
            Ok(ExperimentFile { experiment, paces, names, path, source, claims, variants })
        }
        _ => Err(FileErrors::new(path, text, errors.into_vec())),
    }
}
