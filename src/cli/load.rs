//! The flags of `plimsoll load`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use plimsoll_record::{Nanos, Stage};

use super::{
    ImportArgs, ScaleArgs, VerdictArgs,
    connection::{ConnectionArgs, TlsArgs},
    output::OutputArgs,
    values::{
        Content, Target, duration, field, header, json, method, number, part, rate, small_number, stage, target, user,
    },
};

#[derive(Args)]
#[command(after_help = LOAD_HELP)]
pub struct LoadArgs {
    /// A URL, or a whole curl command in quotes; beside --http, --har or --openapi: where their requests go
    #[arg(value_name = "URL", value_parser = target, required_unless_present = "sources")]
    pub target: Option<Target>,
    #[command(flatten, next_help_heading = "Load")]
    pub model: ModelArgs,
    #[command(flatten, next_help_heading = "Request")]
    pub request: RequestArgs,
    /// File with the requests, and the load, as experiments have them: `requests`, `steps`, `flows`, `scenarios`,
    /// `feeders` …; paths are joined to the URL, and flags that are given win
    #[arg(short = 'f', long, value_name = "FILE", conflicts_with_all = ["sources", "bodies", "method"])]
    #[arg(help_heading = "Requests from a file", requires = "target")]
    pub file: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Requests from a file")]
    pub import: ImportArgs,
    #[command(flatten, next_help_heading = "Connection")]
    pub connection: ConnectionArgs,
    #[command(flatten, next_help_heading = "TLS")]
    pub tls: TlsArgs,
    #[command(flatten, next_help_heading = "Verdict")]
    pub verdict: VerdictArgs,
    #[command(flatten, next_help_heading = "More than one machine")]
    pub scale: ScaleArgs,
    #[command(flatten, next_help_heading = "Output")]
    pub output: OutputArgs,
}

/// How requests are offered over time.
#[derive(Args)]
pub struct ModelArgs {
    /// Requests in all, shared by the virtual users [default: 200, unless -z is given]
    #[arg(short = 'n', long, value_name = "N", value_parser = number)]
    pub requests: Option<u64>,
    /// Virtual users: requests in flight at once [default: 50]; with -q the same as --max-in-flight
    #[arg(short = 'c', long, value_name = "N", value_parser = small_number)]
    #[arg(conflicts_with = "stage")]
    pub connections: Option<u32>,
    /// How long requests are offered, e.g. 30s or 5m
    #[arg(short = 'z', long, value_name = "TIME", value_parser = duration)]
    pub duration: Option<Nanos>,
    /// Requests per second, whatever the responses do (an open model); needs -z
    #[arg(short = 'q', visible_short_alias = 'R', long, value_name = "N", value_parser = rate)]
    #[arg(requires = "duration", conflicts_with = "requests")]
    pub rate: Option<f64>,
    /// With -q or --ramp-rate: arrivals of a Poisson process instead of evenly spaced ones
    #[arg(long)]
    pub poisson: bool,
    /// With -q or --ramp-rate: requests in flight at most; what it holds back is sent late and counted from when it
    /// was due [default: 10000]
    #[arg(long, value_name = "N", value_parser = small_number, conflicts_with = "connections")]
    pub max_in_flight: Option<u32>,
    /// With -q or --ramp-rate: drop (and count) what --max-in-flight holds back
    #[arg(long)]
    pub drop_late: bool,
    /// Requests of each virtual user, instead of -n in all
    #[arg(long, value_name = "N", value_parser = number)]
    #[arg(conflicts_with_all = ["requests", "rate"])]
    pub per_vu: Option<u64>,
    /// With --per-vu: spread the starts of the virtual users over this time
    #[arg(long, value_name = "TIME", value_parser = duration, requires = "per_vu")]
    pub ramp_up: Option<Nanos>,
    /// One leg of a ramp, e.g. 30s:100; may be given again. Targets are virtual users, or requests per second with
    /// --ramp-rate
    #[arg(long, value_name = "TIME:TARGET", value_parser = stage)]
    #[arg(conflicts_with_all = ["requests", "duration", "rate", "per_vu"])]
    pub stage: Vec<Stage>,
    /// With --stage: targets are requests per second
    #[arg(long, requires = "stage")]
    pub ramp_rate: bool,
    /// Pause of a virtual user between a response and its next request
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with_all = ["rate", "ramp_rate"])]
    pub think_time: Option<Nanos>,
}

impl ModelArgs {
    /// Whether any flag says how requests are offered.
    pub fn is_given(&self) -> bool {
        let Self { requests, connections, duration, rate, max_in_flight, per_vu, stage, think_time, .. } = self;
        requests.is_some()
            || connections.is_some()
            || duration.is_some()
            || rate.is_some()
            || max_in_flight.is_some()
            || per_vu.is_some()
            || !stage.is_empty()
            || think_time.is_some()
            || self.poisson
            || self.drop_late
    }
}

/// What is sent.
#[derive(Args)]
#[command(group = ArgGroup::new("bodies"))]
pub struct RequestArgs {
    /// Method [default: GET, or POST where there is a body]
    #[arg(short = 'm', long, value_parser = method)]
    pub method: Option<String>,
    /// A header, `Name: value`; may be given again
    #[arg(short = 'H', long, value_name = "HEADER", value_parser = header)]
    pub header: Vec<(String, String)>,
    /// Body; `{{…}}` in it is filled in, as in headers and in the URL: see the guide
    #[arg(short = 'd', long, value_name = "TEXT", group = "bodies")]
    pub body: Option<String>,
    /// File that holds the body, sent as it is
    #[arg(short = 'D', long, value_name = "FILE", group = "bodies")]
    pub body_file: Option<PathBuf>,
    /// Body of JSON
    #[arg(long, value_name = "TEXT", group = "bodies", value_parser = json)]
    pub json: Option<String>,
    /// A field of a form; may be given again
    #[arg(long, value_name = "NAME=VALUE", group = "bodies", value_parser = field)]
    pub form: Vec<(String, String)>,
    /// A field of a multipart form, or with @ a file to upload; may be given again
    #[arg(long, value_name = "NAME=VALUE|NAME=@FILE", group = "bodies", value_parser = part)]
    pub multipart: Vec<(String, Content)>,
    /// Content-Type of the body
    #[arg(short = 'T', long, value_name = "TYPE")]
    pub content_type: Option<String>,
    /// Basic authentication
    #[arg(short = 'u', long, value_name = "USER:PASSWORD", value_parser = user, conflicts_with = "bearer")]
    pub user: Option<(String, String)>,
    /// Bearer authentication
    #[arg(long, value_name = "TOKEN")]
    pub bearer: Option<String>,
    /// What must be so of each response, or the request has failed: 'status == 200', 'time < 500ms', 'body contains
    /// TEXT', 'header NAME exists', 'json $.items[0].id == 7'; may be given again
    #[arg(long, value_name = "CHECK")]
    pub check: Vec<String>,
    /// Each virtual user sends the cookies that it was given
    #[arg(long)]
    pub cookies: bool,
    /// Follow this many redirects that stay on the target's host and port [default: 0]
    #[arg(long, value_name = "N")]
    pub redirects: Option<u32>,
}

const LOAD_HELP: &str = "\
Examples, one request again and again:
  plimsoll load http://localhost:8080/ --debug           send it once, show it all
  plimsoll load http://localhost:8080/ -n 10k -c 100     10,000 requests, 100 at once
  plimsoll load http://localhost:8080/ -q 5k -z 1m       5,000 a second, as from many users
  plimsoll load http://localhost:8080/orders -m POST -T application/json -d '{\"id\": 1}'

Examples, results:
  plimsoll load http://localhost:8080/ -z 30s -o json   for programs; also csv, series, hlog, prom
  plimsoll load http://localhost:8080/ -z 30s -o html=report.html -o hlog=times.hlog
  plimsoll load http://localhost:8080/ -z 10m --prometheus --otlp http://localhost:4318
  plimsoll report last --format html -o report.html   any of it again, from the record

Load models (k6's names):
  -n N -c C                  shared-iterations      N requests, C at once
  -z TIME -c C               constant-vus           C virtual users in a loop
  --per-vu N -c C            per-vu-iterations      N requests each; --ramp-up spreads the starts
  --stage TIME:C …           ramping-vus            from 0 through each stage
  -q RATE -z TIME            constant-arrival-rate  RATE requests a second, whatever the responses do
  --stage TIME:RATE … --ramp-rate                   ramping-arrival-rate

Requests:
  plimsoll load 'curl https://…'          as browsers copy it and documentation gives it, in quotes
  --http FILE  --har FILE  --openapi FILE --operation ID
                                          their requests, one after the other; flags win over what they say

Thresholds:
  'p(99)<200ms'              also avg, min, med, max; service.p(99) for the time since it was sent
  'errors<0.1%'              also checks>99%, throughput>5000, count>100, dropped==0
  'p(99){request:buy}<1s'    of one request, or of one {scenario:NAME}
  'errors<5% abort after 10s'  ends the load when it is exceeded, but not before 10 s

More than one machine, or more connections than one process may have:
  --segment 1/4 --start-at 14:30 --record 1.db          each part on its own, all other flags alike
  plimsoll merge 1.db 2.db 3.db 4.db                    then one run of all parts

Response time counts from the instant a request was due, service time from the instant it was sent.
Where the generator or a limit holds requests back, only the response time tells what a user waits.

Numbers may end in k or M (10k = 10,000), times need a unit (500ms, 30s, 5m, 1h). -n -c -z -q -m -H
-d -D -T -t mean what they mean to oha and hey (so -t is a time-out), -R is wrk2's rate; wrk's -t is
--threads.";
