//! The flags of parts that stay, and of whoever lets them offer its loads.

use std::net::SocketAddr;

use clap::Args;
use plimsoll_record::Nanos;

use super::{
    scale::{COLLECTOR, CollectorAddress, TokenArgs, collector, silence},
    values::duration,
};

/// Parts that offer the loads of a search.
#[derive(Args)]
pub struct PartsArgs {
    /// Let so many parts offer each load together, on other machines or here (`plimsoll serve-part`): each offers its
    /// own part, and the search sees the sum
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..10_000))]
    pub parts: Option<u32>,
    /// With --parts: where they reach this process; port 0: any that is free. Beyond this machine it speaks TLS with a
    /// secret: the one that is given, or one that it draws and shows
    #[arg(long, value_name = "ADDR:PORT", default_value = COLLECTOR, requires = "parts")]
    pub listen: SocketAddr,
    /// With --parts: all must have joined after so long, or nothing is sent
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration, requires = "parts")]
    pub deadline: Nanos,
    /// With --parts: one is lost that says nothing for so long, and then the search ends with what it knows
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = silence, requires = "parts")]
    pub silence: Nanos,
    #[command(flatten)]
    pub token: TokenArgs,
}

/// A part that stays.
#[derive(Args)]
#[command(after_help = HELP)]
pub struct ServePartArgs {
    /// Where the search (`plimsoll line --parts`) or the experiment (`plimsoll run`, with a `generator`) is, e.g.
    /// https://host:7400. It says what to send, and when
    #[arg(long, value_name = "URL", value_parser = collector)]
    pub join: CollectorAddress,
    /// Be this part, from 1, and no other
    #[arg(long, value_name = "I", value_parser = clap::value_parser!(u32).range(1..10_000))]
    pub part: Option<u32>,
    /// The same counted from 0, as JOB_COMPLETION_INDEX of Kubernetes is
    #[arg(long, value_name = "I", conflicts_with = "part", value_parser = clap::value_parser!(u32).range(..9_999))]
    pub part_index: Option<u32>,
    /// Give up after so long without an answer
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub deadline: Nanos,
    #[command(flatten)]
    pub token: TokenArgs,
    /// Say only what went wrong
    #[arg(long, short)]
    pub quiet: bool,
}

const HELP: &str = "\
Example, on one machine (or there `plimsoll run FILE`, whose `generator` says the same) and then on two
others:
  plimsoll line https://orders.test/ --slo 'p(99)<200ms' --parts 2 --listen 0.0.0.0:7400
  PLIMSOLL_TOKEN=… plimsoll serve-part --join https://search:7400

It takes one load after another, and keeps no record: measurements go to the search, or to the
experiment, each second. Files that the load names (certificates, keys, a Unix socket) are those of
this machine. A load of which the other side says nothing for longer than its `silence` is ended.

Exit codes: 0 dismissed, for all has ended, 4 it did not take part (refused, or no answer in time), 5
the other side is gone, or wants no more of this part, 130 ended by Ctrl-C: this part is lost.";
