//! The flags of `plimsoll compare`, `baseline`, `trend` and `list`.

use clap::{Args, Subcommand};
use plimsoll_analysis::compare::Options;

use super::{
    RecordArgs,
    output::DestinationArgs,
    values::{name, percent},
};

#[derive(Args)]
#[command(after_help = HELP)]
pub struct CompareArgs {
    /// The earlier one, then the later one [default: last]: a number from `plimsoll list`, `last`, `last~1`,
    /// `NAME:last` (of the experiment of that name), `baseline NAME`; or `main..HEAD`, the newest execution at each of
    /// two commits
    #[arg(value_name = "EXECUTION", required = true, num_args = 1..=4)]
    pub executions: Vec<String>,
    /// Exit with 99 if a figure is surely worse by more than this
    #[arg(long, value_name = "PERCENT", value_parser = percent, default_value = "5%")]
    pub tolerance: f64,
    /// Compare different loads, too
    #[arg(long)]
    pub anyway: bool,
    #[command(flatten)]
    pub output: DestinationArgs,
    #[command(flatten)]
    pub record: RecordArgs,
}

const HELP: &str = "\
Examples:
  plimsoll compare 3 7                       the seventh execution against the third
  plimsoll compare last~1 last               the newest against the one before
  plimsoll compare main..HEAD                the newest execution at HEAD against the newest at main
  plimsoll compare baseline main             the newest against the one that `baseline set main` named
  plimsoll compare 3 7 -o junit=compare.xml -o markdown=compare.md

Changes of machine, software and settings come first, then each figure that both have. Exit codes: 0 none is
surely worse by more than the tolerance, 99 one is, 2 the executions cannot be compared.";

/// Comparing what was just measured.
#[derive(Args, Default)]
pub struct AgainstArgs {
    /// Compare with the execution that `plimsoll baseline set NAME` named: exit with 99 if a figure is surely worse by
    /// more than the tolerance. It takes three rounds of each to be sure. A load of a URL is one, whose differences are
    /// told and not judged; a line of a URL is judged by the intervals of both searches
    #[arg(long, value_name = "NAME")]
    pub baseline: Option<String>,
    /// With --baseline: the tolerance [default: 5%]
    #[arg(long, value_name = "PERCENT", value_parser = percent, requires = "baseline")]
    pub tolerance: Option<f64>,
}

impl AgainstArgs {
    pub fn options(&self) -> Options {
        Options { tolerance: self.tolerance.unwrap_or(Options::TOLERANCE), is_anyway: false }
    }
}

#[derive(Args)]
pub struct BaselineArgs {
    #[command(subcommand)]
    pub command: BaselineCommand,
    #[command(flatten)]
    pub record: RecordArgs,
}

#[derive(Subcommand)]
pub enum BaselineCommand {
    /// Give an execution a name that others are compared with; a name that is there moves
    Set {
        /// The name, e.g. `main`
        #[arg(value_parser = name)]
        name: String,
        /// The execution, as `plimsoll compare` takes it
        #[arg(default_value = "last")]
        execution: String,
    },
    /// List the names
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Take a name away; the execution stays
    Remove {
        /// The name
        name: String,
    },
}

#[derive(Args)]
pub struct TrendArgs {
    /// Name of the experiment, as `plimsoll list` shows it
    pub name: String,
    /// Only the newest so many executions
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(2..))]
    pub last: u32,
    #[command(flatten)]
    pub output: DestinationArgs,
    #[command(flatten)]
    pub record: RecordArgs,
}

#[derive(Args)]
pub struct ListArgs {
    /// Print JSON: all that is known of each without its measurements
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub record: RecordArgs,
}
