//! Behaviour of the whole: what files resolve to, and what users read when one is wrong.

mod bad_input;
mod bundled;
mod connections;
mod loads;
mod paces;
mod requests;
mod upstream;
mod variants;

use std::path::Path;

use plimsoll_record::Plan;

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

/// The errors as they are printed for a faulty file.
fn errors(text: &str) -> String {
    read(text).expect_err("this file is wrong").to_string()
}
