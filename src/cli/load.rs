//! The flags of `plimsoll load`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::{
    ImportArgs, ScaleArgs, VerdictArgs,
    connection::{ConnectionArgs, TlsArgs},
    model::{MODELS, ModelArgs},
    output::{OutputArgs, TellingArgs},
    values::{Content, Target, field, header, json, method, part, target, user},
};

#[derive(Args)]
#[command(after_help = HELP.replace("{models}", MODELS))]
pub struct LoadArgs {
    #[command(flatten, next_help_heading = "Load")]
    pub model: ModelArgs,
    #[command(flatten)]
    pub send: SendArgs,
    #[command(flatten, next_help_heading = "Verdict")]
    pub verdict: VerdictArgs,
    #[command(flatten, next_help_heading = "More than one machine")]
    pub scale: ScaleArgs,
    #[command(flatten, next_help_heading = "Output")]
    pub output: OutputArgs,
    #[command(flatten, next_help_heading = "Output")]
    pub telling: TellingArgs,
}

/// Requests that are sent, and how.
#[derive(Args)]
pub struct SendArgs {
    /// A URL, or a whole curl command in quotes; beside --http, --har or --openapi: where their requests go
    #[arg(value_name = "URL", value_parser = target, required_unless_present = "sources")]
    pub target: Option<Target>,
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
}

/// The request.
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
    /// A condition that each response must meet, or the request has failed: 'status == 200', 'time < 500ms', 'body
    /// contains TEXT', 'header NAME exists', 'json $.items[0].id == 7'; may be given again
    #[arg(long, value_name = "CHECK")]
    pub check: Vec<String>,
    /// Each virtual user sends the cookies that it was given
    #[arg(long)]
    pub cookies: bool,
    /// Follow this many redirects that stay on the target's host and port [default: 0]
    #[arg(long, value_name = "N")]
    pub redirects: Option<u32>,
}

/// The examples; where they say `{models}`, the models are listed.
const HELP: &str = "\
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

{models}
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
  plimsoll collect --parts 4 --listen 0.0.0.0:7400      starts all parts, shows and reports the whole
  --join https://collector:7400                         each part, all other flags alike
  --segment 1/4 --start-at 14:30 --record 1.db          by hand; then plimsoll merge 1.db … 4.db

Response time counts from the instant a request was due, service time from the instant it was sent.
Where the generator or a limit holds requests back, only the response time tells what a user waits.

Numbers may end in k or M (10k = 10,000), times need a unit (500ms, 30s, 5m, 1h). -n -c -z -q -m -H
-d -D -T -t mean what they mean to oha and hey (so -t is a time-out), -R is wrk2's rate; wrk's -t is
--threads.";
