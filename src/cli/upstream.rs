//! The flags of `plimsoll upstream`.

use std::{net::IpAddr, path::PathBuf};

use clap::{Args, value_parser};
use plimsoll_record::{Distribution, Freeze, Nanos};

use super::values::{Statuses, answer_size, duration, freeze, latency, small_number, statuses};

#[derive(Args)]
#[command(after_help = UPSTREAM_HELP)]
pub struct UpstreamArgs {
    /// Configuration as JSON, as records keep it, or a file with it; flags override it
    #[arg(long, value_name = "FILE|JSON")]
    pub config: Option<String>,
    #[command(flatten, next_help_heading = "Speed")]
    pub speed: SpeedArgs,
    #[command(flatten, next_help_heading = "Answers")]
    pub answers: AnswerArgs,
    #[command(flatten, next_help_heading = "Connections")]
    pub connections: UpstreamConnectionArgs,
    #[command(flatten, next_help_heading = "TLS")]
    pub tls: UpstreamTlsArgs,
    #[command(flatten, next_help_heading = "Process")]
    pub process: ProcessArgs,
}

/// How long it takes.
#[derive(Args)]
pub struct SpeedArgs {
    /// From the end of a request, or of its wait for a server, to the first byte of the answer: 200ms, 'uniform
    /// 100ms..300ms', 'exponential 100ms', 'lognormal 20ms p99 200ms' (median and 99th percentile), 'histogram
    /// times.hlog' [default: 0ms]
    #[arg(short = 'l', long, value_name = "LATENCY", value_parser = latency)]
    pub latency: Option<Distribution<Nanos>>,
    /// From the first byte of the answer to its last, in the same forms [default: 0ms]
    #[arg(long, value_name = "LATENCY", value_parser = latency)]
    pub body_time: Option<Distribution<Nanos>>,
    /// Requests served at once; the others queue in order of arrival [default: all]
    #[arg(short = 'c', long, value_name = "N", value_parser = small_number)]
    pub servers: Option<u32>,
    /// Freeze from time to time, as in a long garbage collection: '1s every 10s'
    #[arg(long, value_name = "LENGTH every TIME", value_parser = freeze)]
    pub freeze: Option<Freeze>,
    /// Seed of everything that is drawn [default: 1]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
}

/// The answer.
#[derive(Args)]
pub struct AnswerArgs {
    /// Length of the body: 2kB, or as for --latency, e.g. 'lognormal 2kB p99 50kB' [default: 100B]
    #[arg(long, value_name = "SIZE", value_parser = answer_size)]
    pub size: Option<Distribution<u64>>,
    /// Statuses, each with its weight: 200:99,503:1 [default: 200]
    #[arg(long, value_name = "STATUS:WEIGHT,…", value_parser = statuses)]
    pub status: Option<Statuses>,
}

/// How long connections live.
#[derive(Args)]
pub struct UpstreamConnectionArgs {
    /// Close a connection that was unused for this long [default: never]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub idle_time: Option<Nanos>,
    /// Close a connection after this many requests [default: never]
    #[arg(long, value_name = "N", value_parser = small_number)]
    pub max_requests_per_connection: Option<u32>,
    /// Announce these limits in each answer: `Keep-Alive: timeout=5, max=99`
    #[arg(long)]
    pub announce_keepalive: bool,
    /// Idle time that responses announce in place of --idle-time; implies --announce-keepalive
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub announced_idle_time: Option<Nanos>,
    /// Do not say `Connection: close` in the last answer of a connection
    #[arg(long)]
    pub close_without_notice: bool,
    /// A new connection for every request
    #[arg(long, conflicts_with_all = ["max_requests_per_connection", "idle_time", "announce_keepalive", "announced_idle_time"])]
    pub disable_keepalive: bool,
    /// Connections open at once; beyond that none is accepted, and the kernel's queue fills [default: all]
    #[arg(long, value_name = "N", value_parser = small_number)]
    pub max_connections: Option<u32>,
    /// Length of the kernel's queue of connections not yet accepted; net.core.somaxconn limits it [default: 4096]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=i64::from(i32::MAX)))]
    pub backlog: Option<u32>,
    /// HTTP/2, too: over TLS for clients that ask for it (ALPN), without TLS by prior knowledge
    #[arg(long)]
    pub http2: bool,
}

/// https by certificates made on the spot.
#[derive(Args)]
pub struct UpstreamTlsArgs {
    /// Speak TLS; the certificate of its authority is written into --certificates
    #[arg(long)]
    pub tls: bool,
    /// Ask clients for a certificate (mutual TLS); one is written into --certificates
    #[arg(long)]
    pub mtls: bool,
    /// A full handshake for each connection: sessions cannot be resumed
    #[arg(long)]
    pub no_tls_resumption: bool,
    /// Folder for ca.pem, client.pem and client-key.pem [default: .plimsoll/upstream]
    #[arg(long, value_name = "FOLDER")]
    pub certificates: Option<PathBuf>,
    /// Remove the certificates at the end, with the folder if nothing else is in it
    #[arg(long)]
    pub remove_certificates: bool,
}

/// Where it runs, and what it says.
#[derive(Args)]
pub struct ProcessArgs {
    /// Address to listen on [default: 127.0.0.1]
    #[arg(long, value_name = "ADDRESS")]
    pub bind: Option<IpAddr>,
    /// Port to listen on; 0 is any free one [default: 0]
    #[arg(short = 'p', long, value_name = "PORT")]
    pub port: Option<u16>,
    /// Threads [default: a quarter of the cores, 1 to 8]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// For programs: a line of JSON when it is ready, then one with counts at each --interval, on stdout
    #[arg(long)]
    pub json: bool,
    /// With --json: from one line of counts to the next [default: 1s]
    #[arg(long, value_name = "TIME", value_parser = duration, requires = "json")]
    pub interval: Option<Nanos>,
}

const UPSTREAM_HELP: &str = "\
Examples:
  plimsoll upstream -p 9000 -l 200ms                     200 ms for every request, however many
  plimsoll upstream -l 'exponential 10ms' -c 20          20 servers with a queue: M/M/20, 2,000/s at most
  plimsoll upstream -l 'lognormal 20ms p99 400ms' --status 200:999,503:1
  plimsoll load https://… -o hlog=times.hlog; plimsoll upstream -l 'histogram times.hlog'
                                                         as slow as a real one was
  plimsoll upstream --mtls --idle-time 5s --http2        closes idle connections, without a word

A server is busy from the first byte of latency to the last byte of the body. A request whose client
has gone away is served all the same, as by a thread that does not look. Timers fire on whole
milliseconds: an answer is up to 1 ms late, never early, and what waits behind it does not see that.
Times in a histogram's log are nanoseconds; with several tags, as in `plimsoll load -o hlog`, those
of `service`, or of the one you name: 'histogram times.hlog tag response'.
Ctrl-C ends it and says what it counted.";
