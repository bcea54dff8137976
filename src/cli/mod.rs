//! Commands and flags: parsing and help in one place.

mod collect;
mod compare;
mod connection;
mod distribute;
mod explain;
mod import;
mod line;
mod load;
mod mistakes;
mod model;
mod output;
mod parts;
mod prove;
mod scale;
pub mod secrets;
mod serve;
mod upstream;
mod values;
mod verdict;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub use collect::{ElsewhereArgs, HeldWord};
pub use compare::{AgainstArgs, BaselineArgs, BaselineCommand, CompareArgs, ListArgs, TrendArgs};
pub use connection::{ConnectionArgs, DnsWord, ReuseWord, TlsArgs, VersionWord};
pub use distribute::DistributeArgs;
pub use explain::ExplainArgs;
pub use import::ImportArgs;
pub use line::{LineArgs, SearchArgs, WatchArgs};
pub use load::{LoadArgs, RequestArgs, SendArgs};
pub use mistakes::parse;
pub use output::{DestinationArgs, ReportOutput, TellingArgs, destinations};
pub use parts::{PartsArgs, ServePartArgs};
pub use prove::ProveArgs;
pub use scale::{COLLECTOR_PORT, CollectArgs, CollectorAddress, MergeArgs, ScaleArgs, StartAt};
pub use serve::ServeArgs;
pub use upstream::UpstreamArgs;
pub use values::{Content, Target};
pub use verdict::VerdictArgs;

use crate::output::Destination;

/// Learn how much load a JVM HTTP service can carry, what gives way first, and which change moves that limit.
#[derive(Parser)]
#[command(name = "plimsoll", version, arg_required_else_help = true, max_term_width = 100, after_help = EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  plimsoll run experiments/quickstart.yaml            how much do three variants carry? Four minutes
  plimsoll init target/shop.jar                       an experiment for your own service
  plimsoll load http://localhost:8080/ -n 2700 -c 2700
  plimsoll line http://localhost:8080/ --slo 'p(99)<200ms' 'errors<0.1%'
  plimsoll explain http://localhost:8080/ --pid 4242
  plimsoll compare last~1 last                        did my change make it worse?
  plimsoll report last -o html=report.html

Exit codes: 0 done, 1 failed while running, 2 bad input (nothing was launched), 3 parts of a load were
lost (4 and 5 of a part: see `plimsoll collect --help`), 99 a threshold is exceeded, or a figure is
surely worse than in what it is compared with (or, with --strict, a verdict is missing, see `plimsoll
run --help`), 130 ended by Ctrl-C.
Results go to stdout, everything else to stderr.";

#[derive(Subcommand)]
pub enum Command {
    /// Write an experiment for a service of your own, that runs at once: from its jar, its folder or its URL
    Init(InitArgs),
    /// Run an experiment: launch every variant, load it, compare, report
    Run(RunArgs),
    /// Load a URL and print what was measured
    Load(Box<LoadArgs>),
    /// Find the load line: the highest rate at which a service keeps its objectives
    Line(Box<LineArgs>),
    /// Explain what gives way first: the bottleneck by name, with evidence, and what to change
    Explain(Box<ExplainArgs>),
    /// Simulate an upstream: a server that is as slow and as unkind as you say, for services that call one
    Upstream(Box<UpstreamArgs>),
    /// Print a report of what was recorded, in any format
    Report(ReportArgs),
    /// Start the parts of a load together (`plimsoll load --join`), watch them, and report on the whole
    Collect(CollectArgs),
    /// Offer a part of one load after another, for a search on another machine (`plimsoll line --parts`)
    ServePart(ServePartArgs),
    /// Join the records of the parts of a load (`plimsoll load --segment`) into one
    Merge(MergeArgs),
    /// Print what starts the parts of a load on many machines: for Kubernetes, Slurm, Compose, or over ssh
    Distribute(Box<DistributeArgs>),
    /// List what was recorded, with verdicts and key figures
    List(ListArgs),
    /// Compare two executions: what changed between them, how each figure changed, and which change is sure
    Compare(CompareArgs),
    /// Name executions that others are compared with
    Baseline(BaselineArgs),
    /// Show the key figures of an experiment over all its executions
    Trend(TrendArgs),
    /// Show the records of a directory in the browser: list, reports, runs while they go, two side by side
    Serve(ServeArgs),
    /// Check an experiment file, say what it would run, and audit figures it has from others; launches nothing
    Check(CheckArgs),
    /// Print the JSON Schema of experiment files, for editors
    Schema(SchemaArgs),
}

#[derive(Args)]
pub struct RecordArgs {
    /// The record's file [default: .plimsoll/plimsoll.db]
    #[arg(long, value_name = "FILE", env = "PLIMSOLL_RECORD", global = true)]
    pub record: Option<PathBuf>,
}

#[derive(Args)]
pub struct InitArgs {
    /// The jar that `java -jar` starts, the folder of the project that built it, or the URL of a service that runs
    #[arg(value_name = "JAR|DIR|URL", default_value = ".")]
    pub target: String,
    /// Write to this file; `-` is stdout
    #[arg(long, short, value_name = "FILE", default_value = "plimsoll.yaml")]
    pub output: PathBuf,
    /// Replace the file if it is there
    #[arg(long)]
    pub force: bool,
}

#[derive(Args)]
pub struct RunArgs {
    /// The experiment file
    pub file: PathBuf,
    /// Pace of the file (its `paces`), instead of the first one
    #[arg(long, value_name = "NAME")]
    pub pace: Option<String>,
    /// Run only the variants whose name matches (`*` stands for anything); may be given again
    #[arg(long, value_name = "PATTERN")]
    pub only: Vec<String>,
    /// Rounds, instead of the file's; exactly so many, also where the file ends once its claims are decided
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: Option<u32>,
    /// Seed of the order of variants and of arrivals, instead of the file's
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Explain what gives way first, after the load of each run of the first round and in its process: the level with
    /// the greatest load, or what `explain` of the file says. It takes about 21 s a variant
    #[arg(long)]
    pub explain: bool,
    /// Exit with 99 also where nothing is sure: if a claim fails or is undecided, if the generator was the limit, or if
    /// others took the machine's CPU
    #[arg(long)]
    pub strict: bool,
    #[command(flatten)]
    pub against: AgainstArgs,
    #[command(flatten, next_help_heading = "Proof")]
    pub prove: ProveArgs,
    #[command(flatten)]
    pub output: DestinationArgs,
    /// No progress
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    pub record: RecordArgs,
}

#[derive(Args)]
pub struct ReportArgs {
    /// `last`, `last~1`, `NAME:last`, or a number from `plimsoll list`
    #[arg(default_value = "last")]
    pub execution: String,
    #[arg(short = 'o', long, value_name = "FORMAT[=FILE]", help = ReportOutput::help())]
    #[arg(value_parser = str::parse::<ReportOutput>)]
    pub output: Vec<ReportOutput>,
    /// The same as -o; with it, `-o FILE` writes it to that file
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = str::parse::<Destination>)]
    pub format: Vec<Destination>,
    /// On a terminal print the whole report, not only what was found
    #[arg(long)]
    pub full: bool,
    /// Exit with 99 if a threshold is exceeded, a claim fails or is undecided, the generator was the limit, or others
    /// took the machine's CPU
    #[arg(long)]
    pub strict: bool,
    #[command(flatten)]
    pub record: RecordArgs,
}

#[derive(Args)]
pub struct CheckArgs {
    /// The experiment files; each is checked at all its paces
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
}

#[derive(Args)]
pub struct SchemaArgs {}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_flags_do_not_contradict_each_other() {
        Cli::command().debug_assert();
    }
}
