//! Commands and flags: parsing and help in one place.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use plimsoll_record::Nanos;
use url::Url;

/// Learn how much load a JVM HTTP service can carry, what gives way first, and which change moves that limit.
#[derive(Parser)]
#[command(name = "plimsoll", version, arg_required_else_help = true, max_term_width = 100, after_help = EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  plimsoll run experiments/quickstart.yaml            three variants, three rounds, under three minutes
  plimsoll load http://localhost:8080/ -n 2700 -c 2700
  plimsoll report last --format html -o report.html

Exit codes: 0 done, 1 failed while running, 2 bad input (nothing was launched), 99 a claim fails and
--strict is given, 130 ended by Ctrl-C. Results go to stdout, everything else to stderr.";

#[derive(Subcommand)]
pub enum Command {
    /// Run an experiment: launch every variant, load it, compare, report
    Run(RunArgs),
    /// Load a URL and print what was measured
    Load(LoadArgs),
    /// Print a report of what was recorded, in any format
    Report(ReportArgs),
    /// List what was recorded
    List(ListArgs),
    /// Check an experiment file and say what it would run; launches nothing
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
pub struct RunArgs {
    /// The experiment file
    pub file: PathBuf,
    /// Run only the variants whose name matches (`*` stands for anything); may be given again
    #[arg(long, value_name = "PATTERN")]
    pub only: Vec<String>,
    /// Rounds, instead of the file's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: Option<u32>,
    /// Seed of the order of variants, of arrivals and of bootstraps, instead of the file's
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Exit with 99 if a claim fails
    #[arg(long)]
    pub strict: bool,
    /// Format of what is printed at the end
    #[arg(long, default_value = "terminal", value_parser = format_names())]
    pub format: String,
    /// No progress
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    pub record: RecordArgs,
}

#[derive(Args)]
#[command(after_help = LOAD_HELP)]
pub struct LoadArgs {
    /// Where the requests go
    #[arg(value_parser = url)]
    pub url: Url,

    /// Requests in all, shared by the virtual users [default: 200, unless -z is given]
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Load")]
    pub requests: Option<u64>,
    /// Virtual users: requests in flight at once [default: 50]
    #[arg(short = 'c', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Load")]
    pub connections: Option<u32>,
    /// How long requests are offered, e.g. 30s or 5m
    #[arg(short = 'z', long, value_name = "TIME", value_parser = duration, help_heading = "Load")]
    pub duration: Option<Nanos>,
    /// Requests per second, whatever the responses do (an open model); needs -z
    #[arg(short = 'q', long, value_name = "N", value_parser = rate, requires = "duration", help_heading = "Load")]
    pub rate: Option<f64>,
    /// With -q: arrivals of a Poisson process instead of evenly spaced ones
    #[arg(long, requires = "rate", help_heading = "Load")]
    pub poisson: bool,
    /// With -q: requests in flight at most; what it holds back is sent late and counted from when it was due
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Load")]
    pub max_in_flight: u32,
    /// With -q: drop (and count) what --max-in-flight holds back
    #[arg(long, requires = "rate", help_heading = "Load")]
    pub drop_late: bool,
    /// Requests of each virtual user, instead of -n in all
    #[arg(long, value_name = "N", conflicts_with_all = ["requests", "rate"], value_parser = clap::value_parser!(u64).range(1..), help_heading = "Load")]
    pub per_vu: Option<u64>,
    /// With --per-vu: spread the starts of the virtual users over this time
    #[arg(long, value_name = "TIME", value_parser = duration, requires = "per_vu", help_heading = "Load")]
    pub ramp_up: Option<Nanos>,
    /// One leg of a ramp, TIME:TARGET, e.g. 30s:100; may be given again. Targets are virtual users, or requests per second with
    /// --ramp-rate
    #[arg(long, value_name = "TIME:TARGET", value_parser = stage, conflicts_with_all = ["requests", "duration", "rate", "per_vu"], help_heading = "Load")]
    pub stage: Vec<plimsoll_record::Stage>,
    /// With --stage: targets are requests per second
    #[arg(long, requires = "stage", help_heading = "Load")]
    pub ramp_rate: bool,
    /// Pause of a virtual user between a response and its next request
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with_all = ["rate", "ramp_rate"], help_heading = "Load")]
    pub think_time: Option<Nanos>,

    /// Method
    #[arg(short = 'm', long, default_value = "GET", value_parser = method, help_heading = "Request")]
    pub method: String,
    /// A header, `Name: value`; may be given again
    #[arg(short = 'H', long, value_name = "HEADER", value_parser = header, help_heading = "Request")]
    pub header: Vec<(String, String)>,
    /// Body
    #[arg(short = 'd', long, value_name = "TEXT", conflicts_with = "body_file", help_heading = "Request")]
    pub body: Option<String>,
    /// File that holds the body
    #[arg(short = 'D', long, value_name = "FILE", help_heading = "Request")]
    pub body_file: Option<PathBuf>,
    /// Content-Type of the body
    #[arg(short = 'T', long, value_name = "TYPE", help_heading = "Request")]
    pub content_type: Option<String>,
    /// Follow this many redirects that stay on the target's host and port
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Request")]
    pub redirects: u32,

    /// Give up on a response after this time
    #[arg(short = 't', long, value_name = "TIME", default_value = "30s", value_parser = duration, help_heading = "Connection")]
    pub timeout: Nanos,
    /// Give up on a connection after this time
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration, help_heading = "Connection")]
    pub connect_timeout: Nanos,
    /// A new connection for every request
    #[arg(long, help_heading = "Connection")]
    pub disable_keepalive: bool,
    /// Threads of the generator [default: a quarter of the cores, 1 to 8]
    #[arg(long, value_name = "N", help_heading = "Connection", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Format of what is printed
    #[arg(long, default_value = "terminal", value_parser = format_names())]
    pub format: String,
    /// Seed of arrivals and think times [default: drawn and recorded]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// No progress
    #[arg(long)]
    pub quiet: bool,
    #[command(flatten)]
    pub record: RecordArgs,
}

const LOAD_HELP: &str = "\
Load models (k6's names):
  -n N -c C                  shared-iterations      N requests, C at once
  -z TIME -c C               constant-vus           C virtual users in a loop
  --per-vu N -c C            per-vu-iterations      N requests each; --ramp-up spreads the starts
  --stage TIME:C …           ramping-vus            from 0 through each stage
  -q RATE -z TIME            constant-arrival-rate  RATE requests a second, whatever the responses do
  --stage TIME:RATE … --ramp-rate                   ramping-arrival-rate

Response time counts from the instant a request was due, service time from the instant it was sent. Where
the generator or a limit holds requests back, only the response time tells what a user waits.";

#[derive(Args)]
pub struct ReportArgs {
    /// `last`, or a number from `plimsoll list`
    #[arg(default_value = "last")]
    pub execution: String,
    /// Format
    #[arg(long, default_value = "terminal", value_parser = format_names())]
    pub format: String,
    /// Write to this file instead of stdout
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Exit with 99 if a claim fails
    #[arg(long)]
    pub strict: bool,
    #[command(flatten)]
    pub record: RecordArgs,
}

#[derive(Args)]
pub struct ListArgs {
    #[command(flatten)]
    pub record: RecordArgs,
}

#[derive(Args)]
pub struct CheckArgs {
    /// The experiment files
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
}

#[derive(Args)]
pub struct SchemaArgs {}

fn format_names() -> clap::builder::PossibleValuesParser {
    let value = |info: &plimsoll_report::FormatInfo| clap::builder::PossibleValue::new(info.name).help(info.about);
    plimsoll_report::FORMATS.iter().map(value).collect::<Vec<_>>().into()
}

fn url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).or_else(|error| match error {
        url::ParseError::RelativeUrlWithoutBase => Url::parse(&format!("http://{text}")),
        other => Err(other),
    });
    let url = url.map_err(|error| format!("{error}: expected e.g. http://localhost:8080/greetings"))?;
    if !url.has_host() {
        // `localhost:8080/x` reads as the scheme `localhost`.
        let with_scheme = Url::parse(&format!("http://{text}")).ok().filter(|_| !text.contains("://"));
        return with_scheme.ok_or_else(|| "a URL without a host: expected e.g. http://localhost:8080/".to_owned());
    }
    Ok(url)
}

fn duration(text: &str) -> Result<Nanos, String> {
    let duration = plimsoll_lab::file::parse_duration(text)?;
    if duration == Nanos::ZERO { Err("expected more than zero".to_owned()) } else { Ok(duration) }
}

/// Requests per second; the unit is in the flag's name and may be left out.
fn rate(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix("/s").unwrap_or(text);
    match number.parse::<f64>() {
        Ok(rate) if rate > 0.0 && rate <= 1e7 => Ok(rate),
        _ => Err("expected requests per second, more than 0 and at most 10,000,000, e.g. 500".to_owned()),
    }
}

fn stage(text: &str) -> Result<plimsoll_record::Stage, String> {
    let expected = || format!("expected TIME:TARGET, e.g. 30s:100, found `{text}`");
    let (time, target) = text.split_once(':').ok_or_else(expected)?;
    let duration = plimsoll_lab::file::parse_duration(time)?;
    let target: f64 = target.parse().map_err(|_| expected())?;
    if !(0.0..=1e7).contains(&target) {
        return Err(expected());
    }
    Ok(plimsoll_record::Stage { duration, target })
}

fn method(text: &str) -> Result<String, String> {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if !text.is_empty() && text.bytes().all(is_token) {
        return Ok(text.to_ascii_uppercase());
    }
    Err(format!("expected a method such as GET or POST, found `{text}`"))
}

fn header(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once(':').ok_or("expected `Name: value`")?;
    let value = value.trim();
    method(name).map_err(|_| format!("`{name}` is not a header's name"))?;
    if value.bytes().any(|byte| byte < b' ' && byte != b'\t') {
        return Err("a header's value must not contain control characters".to_owned());
    }
    Ok((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_flags_do_not_contradict_each_other() {
        Cli::command().debug_assert();
    }

    #[test]
    fn urls_may_leave_out_the_scheme_but_not_the_host() {
        let read = |text| url(text).map(|url| url.to_string());
        assert_eq!(read("localhost:8080/a"), Ok("http://localhost:8080/a".to_owned()));
        assert_eq!(read("127.0.0.1:8080"), Ok("http://127.0.0.1:8080/".to_owned()));
        assert_eq!(read("http://h/"), Ok("http://h/".to_owned()));
        for wrong in ["http://", "http:///x", "/only/a/path", "http://h:99999/"] {
            assert!(read(wrong).is_err(), "{wrong}: {:?}", read(wrong));
        }
    }

    #[test]
    fn headers_and_stages_are_read() {
        assert_eq!(header("A-B:  c:d "), Ok(("A-B".to_owned(), "c:d".to_owned())));
        assert!(header("no colon").is_err() && header("a b: c").is_err() && header("a: b\r\nc: d").is_err());
        let leg = stage("1m 30s:2.5").unwrap();
        assert_eq!((leg.duration, leg.target), (Nanos::from_secs(90), 2.5));
        assert!(stage("30:100").is_err() && stage("30s:-1").is_err() && stage("30s").is_err());
    }
}
