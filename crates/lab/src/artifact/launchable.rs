//! A program that was prepared, and its command line.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use plimsoll_record::Making;

use super::flags;
use crate::{experiment::Limits, jmh, placeholders::Placeholders, run::command_text};

/// A program that is ready to be launched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    pub(super) argv: Vec<String>,
    pub(super) env: BTreeMap<String, String>,
    pub(super) workdir: PathBuf,
    /// The cost of making it; none if it is not made here.
    pub(super) making: Option<Making>,
    /// Path by which its framework tells readiness: the program serves once it answers there with a status below 500.
    pub(super) ready_path: Option<String>,
    /// Facts for the record: which jar it turned out to be, its framework, the commit.
    pub(super) facts: BTreeMap<String, String>,
}

/// A command line with its placeholders filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    /// Program and arguments.
    pub argv: Vec<String>,
    /// Variables added to its environment, which other users cannot read.
    pub env: BTreeMap<String, String>,
    /// Where it is started.
    pub workdir: PathBuf,
}

impl Artifact {
    pub(super) fn of(argv: Vec<String>, workdir: PathBuf) -> Self {
        Self { argv, env: BTreeMap::new(), workdir, making: None, ready_path: None, facts: BTreeMap::new() }
    }

    /// JMH benchmarks in a jar.
    pub(super) fn of_benchmarks(
        java: &Path,
        jar: &Path,
        jvm_flags: &[String],
        limits: &Limits,
        arguments: &[String],
    ) -> Self {
        let mut argv = vec![java.display().to_string()];
        argv.extend_from_slice(jvm_flags);
        argv.extend(flags::jvm(limits));
        argv.extend(["-jar".to_owned(), jar.display().to_string()]);
        argv.extend_from_slice(arguments);
        argv.extend(jmh::RESULT_ARGUMENTS.map(str::to_owned));
        let workdir = jar.parent().unwrap_or(Path::new("/")).to_owned();
        Self::of(argv, workdir)
    }

    /// Path at which any status below 500 says that the program serves; none if its framework has no such path.
    pub fn ready_path(&self) -> Option<&str> {
        self.ready_path.as_deref()
    }

    /// Facts beside the variant's settings: which jar it turned out to be, its framework, the commit.
    pub fn facts(&self) -> &BTreeMap<String, String> {
        &self.facts
    }

    pub(super) fn with_facts(self, facts: BTreeMap<String, String>) -> Self {
        Self { facts, ..self }
    }

    /// The cost of making all of it, whenever that was; none if it was not made here.
    pub fn making(&self) -> Option<Making> {
        self.making
    }

    pub(super) fn that_cost(self, making: Option<Making>) -> Self {
        Self { making, ..self }
    }

    /// Its command in one line that a shell understands, with placeholders as they are and without secrets.
    pub fn command_text(&self, env: &BTreeMap<String, String>) -> String {
        let env = self.env.iter().chain(env).map(|(name, value)| (name.clone(), value.clone())).collect();
        command_text(&env, &self.argv)
    }

    /// The command that serves at `{host}` and `{port}`, which are replaced in every argument.
    pub fn command_line(&self, placeholders: &Placeholders) -> CommandLine {
        let argv = self.argv.iter().map(|argument| placeholders.fill(argument)).collect();
        let env = self.env.iter().map(|(name, value)| (name.clone(), placeholders.fill(value))).collect();
        CommandLine { argv, env, workdir: self.workdir.clone() }
    }
}
