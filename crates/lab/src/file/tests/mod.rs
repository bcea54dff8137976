//! Behaviour of the whole: what files resolve to, and what users read when one is wrong.

mod bad_input;
mod bundled;
mod connections;
mod explain;
mod generator;
mod line;
mod loads;
mod paces;
mod requests;
mod rounds;
mod services;
mod upstream;
mod variants;

use std::{fs, path::Path};

use plimsoll_record::Plan;
use tempfile::TempDir;

use super::{ExperimentFile, FileErrors, parse};
use crate::experiment::Variant;

const SEED_IF_ABSENT: u64 = 7;

/// A load for files whose load does not matter.
const LOAD: &str = "load: {model: shared-iterations, levels: [100]}\n";
/// A variant for files whose variants do not matter.
const VARIANT: &str = "variants: {web: {subject: greetings-web}}\n";

fn read(text: &str) -> Result<ExperimentFile, FileErrors> {
    parse(text, Path::new("experiments/x.yaml"), None, SEED_IF_ABSENT)
}

fn plan(text: &str) -> Plan {
    read(text).unwrap_or_else(|errors| panic!("{errors}")).experiment.plan
}

/// The only variant of a file.
fn variant(text: &str) -> Variant {
    let mut variants = read(text).unwrap_or_else(|errors| panic!("{errors}")).experiment.variants;
    assert_eq!(variants.len(), 1);
    variants.remove(0)
}

/// A folder with data, in which files are read.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("users.csv"), "user,password\nann,a&b\nbob,c\n").unwrap();
    fs::write(folder.path().join("items.jsonl"), "{\"id\": 1, \"user\": \"x\"}\n").unwrap();
    fs::write(folder.path().join("body.bin"), b"\x00{{raw}}").unwrap();
    folder
}

fn read_in(folder: &Path, text: &str) -> Result<ExperimentFile, FileErrors> {
    parse(text, &folder.join("x.yaml"), None, 0)
}

/// The errors as they are printed for a faulty file, which lies in [`folder`].
fn errors(text: &str) -> String {
    let folder = folder();
    let errors = read_in(folder.path(), text).expect_err("this file is wrong").to_string();
    errors.replace(&folder.path().display().to_string(), "experiments")
}
