//! Commands around a target's runs and levels, and programs that it needs beside it: as an experiment file has them.

use std::{collections::BTreeMap, path::PathBuf};

use plimsoll_record::Nanos;

/// A command that is run once and must succeed.
#[derive(Clone, Debug, PartialEq)]
pub struct Hook {
    /// Program and arguments; placeholders are replaced.
    pub argv: Vec<String>,
    /// Where it is started.
    pub workdir: PathBuf,
    /// How long it may take.
    pub time_out: Nanos,
}

/// Commands around runs and levels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hooks {
    /// Before the target is started, once its dependencies are ready.
    pub before_run: Option<Hook>,
    /// Before each level, warm-up included; before a search for a load line.
    pub before_level: Option<Hook>,
    /// After the target has ended, before its dependencies end.
    pub after_run: Option<Hook>,
}

/// A program that a target needs: started before it and ended after it, in each run.
#[derive(Clone, Debug, PartialEq)]
pub struct Dependency {
    /// Its name; its port is `{NAME-port}`.
    pub name: String,
    /// Program and arguments; placeholders are replaced.
    pub argv: Vec<String>,
    /// Added to the environment that Plimsoll was started with; placeholders are replaced.
    pub env: BTreeMap<String, String>,
    /// Where it is started.
    pub workdir: PathBuf,
    /// The sign that it serves.
    pub ready: Ready,
    /// How long it may take until then.
    pub time_out: Nanos,
}

/// The sign that a dependency serves.
#[derive(Clone, Debug, PartialEq)]
pub enum Ready {
    /// It accepts a connection on its port.
    Port,
    /// This URL answers 2xx; placeholders are replaced.
    Url(String),
    /// This command succeeds; placeholders are replaced.
    Command(Vec<String>),
}

impl Dependency {
    /// The name by which texts of the variant have its port.
    pub fn port_name(&self) -> String {
        format!("{}-port", self.name)
    }
}
