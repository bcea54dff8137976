//! The flags of `plimsoll explain`.

use clap::Args;
use plimsoll_record::{ExplainPlan, Load, Nanos};

use super::{
    SendArgs,
    output::OutputArgs,
    values::{duration, rate, small_number},
};

#[derive(Args)]
#[command(after_help = HELP)]
pub struct ExplainArgs {
    #[command(flatten, next_help_heading = "Explanation")]
    pub look: LookArgs,
    #[command(flatten)]
    pub send: SendArgs,
    /// Exit with 99 if no limit of the service was found, or if the generator or others on the machine were the limit
    #[arg(long, help_heading = "Verdict")]
    pub strict: bool,
    #[command(flatten, next_help_heading = "Output")]
    pub output: OutputArgs,
}

/// The process that is looked at, and the load meanwhile.
#[derive(Args)]
pub struct LookArgs {
    /// The process that answers [default: the one that listens on the port, if the URL is of this machine]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..))]
    pub pid: Option<i32>,
    /// Virtual users of the full load [default: as many as it takes until throughput rises no more]
    #[arg(short = 'c', long, value_name = "N", value_parser = small_number)]
    pub connections: Option<u32>,
    /// Virtual users at most, where their number is found
    #[arg(long, value_name = "N", value_parser = small_number, default_value_t = ExplainPlan::DEFAULT_USERS_MAX)]
    #[arg(conflicts_with = "connections")]
    pub max_users: u32,
    /// Requests per second of the full load, whatever the responses do (an open load): what a rate waits for
    #[arg(short = 'q', visible_short_alias = 'R', long, value_name = "N", value_parser = rate)]
    #[arg(conflicts_with_all = ["connections", "think_time"])]
    pub rate: Option<f64>,
    /// With -q: arrivals of a Poisson process instead of evenly spaced ones
    #[arg(long, requires = "rate")]
    pub poisson: bool,
    /// With -q: requests in flight at most
    #[arg(long, value_name = "N", value_parser = small_number, requires = "rate")]
    #[arg(default_value_t = Load::DEFAULT_MAX_IN_FLIGHT)]
    pub max_in_flight: u32,
    /// Pause of a virtual user between a response and its next request
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub think_time: Option<Nanos>,
    /// The service is given that long until its throughput no longer rises
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "45s")]
    pub warm_up: Nanos,
}

const HELP: &str = "\
Examples:
  plimsoll explain http://localhost:8080/orders                the process that listens there
  plimsoll explain http://localhost:8080/orders --pid 4242     the one that answers, behind a proxy
  plimsoll explain http://localhost:8080/orders -c 200         what 200 users at once wait for
  plimsoll explain http://localhost:8080/orders -q 400         what 400 requests a second wait for
  plimsoll explain 'curl https://…' --pid 4242 -o json

How it goes: virtual users are added until throughput rises no more, and the service is warm. Then it is
looked at for about 20 s: at rest, with one request at a time, and fully loaded. The first limit is the
resource in front of which a queue grows with the load, and which is itself always busy: the deepest
of a chain of queues. Where none is seen, the answer is `unknown`; a rate that is carried is `offered-load`.

How it looks: from outside, with what the JDK has. The JVM is asked for its threads as jcmd asks it; nothing
is loaded into it. A dump stops it for a moment, so no figure is of a time in which one was taken. Connections
and the CPU of threads come from the kernel. The JVM answers its own user and root. JDK 17 and newer.";
