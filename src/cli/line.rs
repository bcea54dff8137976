//! The flags of `plimsoll line`.

use clap::Args;
use plimsoll_record::{Amount, Load, Nanos};

use super::{
    AgainstArgs, PartsArgs, SendArgs,
    output::OutputArgs,
    values::{duration, offered, percent, small_number},
};

#[derive(Args)]
#[command(after_help = HELP)]
pub struct LineArgs {
    #[command(flatten, next_help_heading = "Line")]
    pub search: SearchArgs,
    #[command(flatten)]
    pub send: SendArgs,
    #[command(flatten, next_help_heading = "Target")]
    pub watch: WatchArgs,
    /// Exit with 99 also where nothing is sure: if time was up before the interval was as narrow as wanted, if the
    /// generator was the limit, or if others took the machine's CPU
    #[arg(long, help_heading = "Verdict")]
    pub strict: bool,
    #[command(flatten, next_help_heading = "Verdict")]
    pub against: AgainstArgs,
    #[command(flatten, next_help_heading = "More than one machine")]
    pub parts: PartsArgs,
    #[command(flatten, next_help_heading = "Output")]
    pub output: OutputArgs,
}

/// The line that is looked for.
#[derive(Args)]
pub struct SearchArgs {
    /// An objective that must hold: 'p(99)<200ms', 'errors<0.1%' or 'checks>99%'. All must hold; several may follow, or
    /// the flag be given again. With a name before it (`strict: p(99)<50ms`) it belongs to the line of that name, and
    /// each name has a line of its own
    #[arg(long, value_name = "OBJECTIVE", num_args = 1.., required_unless_present = "critical")]
    pub slo: Vec<String>,
    /// Look for five lines, p(99) below 10, 25, 50, 75 and 100 ms, and tell their geometric mean, the critical rate of
    /// SPECjbb2015
    #[arg(long, conflicts_with_all = ["slo", "at_least"])]
    pub critical: bool,
    /// Width of the interval
    #[arg(long, value_name = "PERCENT", value_parser = percent, default_value = "10%")]
    pub resolution: f64,
    /// How long the search takes at most, once the service is warm; then it says what it knows. Trials that others
    /// disturb are made up for, up to half of it
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5min")]
    pub at_most: Nanos,
    /// The service is given that long until its throughput no longer rises
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1min")]
    pub warm_up: Nanos,
    /// The lowest rate to offer, in requests per second, or the fewest users [default: a hundredth of the capacity]
    #[arg(long, value_name = "N", value_parser = offered)]
    pub from: Option<Amount>,
    /// The highest rate to offer, or the most users [default: a little more than the capacity]
    #[arg(long, value_name = "N", value_parser = offered)]
    pub to: Option<Amount>,
    /// Test this rate, or this number of users, instead of searching. Exit with 0 if the line is surely above it, 99 if
    /// it is surely below, 1 if that is undecided
    #[arg(long, value_name = "N", value_parser = offered, conflicts_with_all = ["from", "to", "resolution"])]
    pub at_least: Option<Amount>,
    /// Look for the most virtual users instead of the highest rate: how many are carried, each sending its next request
    /// when it has its answer and has paused. Users who wait send nothing, so that bursts are smaller than those of a
    /// rate
    #[arg(long, conflicts_with_all = ["poisson", "evenly", "critical"])]
    pub users: bool,
    /// With --users: how long a user pauses between a response and its next request, on average; each pause is
    /// another (exponential), as those of people who know nothing of each other [default: none]
    #[arg(long, value_name = "TIME", value_parser = duration, requires = "users")]
    pub think_time: Option<Nanos>,
    /// The line of cold processes. Refused: each trial needs a process of its own, which nothing can make of a URL; the
    /// message shows the experiment file that can
    #[arg(long, hide = true)]
    pub cold: bool,
    /// Do not overload the service once its line is known. Else 1.3 times its upper end is offered for 5 s, then less
    /// than it carries until it keeps the objectives again, for 30 s at most; neither counts towards --at-most
    #[arg(long)]
    pub no_overload: bool,
    /// Arrivals that know nothing of each other (a Poisson process), as those of many people are. The default
    #[arg(long, conflicts_with = "evenly")]
    pub poisson: bool,
    /// Evenly spaced arrivals instead; the line is another one then
    #[arg(long)]
    pub evenly: bool,
    /// Requests in flight at most, and virtual users of the probe; with --users the most users
    #[arg(long, value_name = "N", value_parser = small_number, default_value_t = Load::DEFAULT_MAX_IN_FLIGHT)]
    pub max_in_flight: u32,
}

/// The process whose CPU and memory are told.
#[derive(Args)]
pub struct WatchArgs {
    /// Process whose CPU, memory and threads are sampled beside the search, with its children [default: the one that
    /// listens on the port, if the URL is of this machine]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..))]
    pub pid: Option<i32>,
    /// Watch no process
    #[arg(long, conflicts_with_all = ["pid", "explain"])]
    pub no_watch: bool,
    /// Explain what gives way first, once the line is known: that process is looked at for about 20 s, fully loaded
    /// with as many users as saturated it
    #[arg(long)]
    pub explain: bool,
}

const HELP: &str = "\
Examples:
  plimsoll line http://localhost:8080/orders --slo 'p(99)<200ms' 'errors<0.1%'
  plimsoll line http://localhost:8080/orders --slo 'p(99)<200ms' --at-least 1500/s    in CI
  plimsoll line http://localhost:8080/orders --slo 'strict: p(99)<50ms' 'loose: p(99)<500ms'
  plimsoll line http://localhost:8080/orders --slo 'p(99)<200ms' --users --think-time 1s    how many users
  plimsoll line 'curl https://…' --slo 'p(99)<200ms' --resolution 5% --at-most 15m -o html=line.html

How it goes: virtual users are added until throughput rises no more, and the service is warm. Then trials:
open loads at one rate each, from an empty start. The share of requests beyond the objective in all trials
together says where the line may lie; the search ends when that is narrow enough. Both ends of the interval
are rates that were offered: the lower one was carried for 30 s, the upper one was not. The line is within the
interval with a probability of 95 %.

A request that fails counts as one beyond the limit of a percentile.";
