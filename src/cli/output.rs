//! Flags for what a load tells, during and after.

use std::{net::SocketAddr, path::PathBuf, str::FromStr};

use clap::Args;
use url::Url;

use super::RecordArgs;
use crate::output::{Destination, Output};

/// Where Prometheus' own exporters of OpenTelemetry listen.
const PROMETHEUS_ADDRESS: &str = "127.0.0.1:9464";

#[derive(Args)]
pub struct OutputArgs {
    #[arg(short = 'o', long, visible_alias = "format", value_name = "FORMAT[=FILE]", help = Output::help())]
    #[arg(value_parser = str::parse::<Destination>)]
    pub output: Vec<Destination>,
    /// On a terminal print the whole report, not only what was found
    #[arg(long)]
    pub full: bool,
    /// Seed of arrivals and think times [default: drawn and recorded]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// No progress
    #[arg(long)]
    pub quiet: bool,
    #[command(flatten)]
    pub record: RecordArgs,
}

/// Outputs of commands that measure nothing by themselves.
#[derive(Args)]
pub struct DestinationArgs {
    #[arg(short = 'o', long, visible_alias = "format", value_name = "FORMAT[=FILE]", help = Output::help())]
    #[arg(value_parser = str::parse::<Destination>)]
    pub output: Vec<Destination>,
    /// On a terminal print the whole report, not only what was found
    #[arg(long)]
    pub full: bool,
}

impl DestinationArgs {
    /// As [`destinations`].
    ///
    /// # Errors
    ///
    /// As well.
    pub fn destinations(&self) -> Result<Vec<Destination>, String> {
        destinations(&self.output)
    }
}

/// An output of `plimsoll report`: as everywhere, or, as it once was, the file of the format that `--format` names.
#[derive(Clone, Debug)]
pub enum ReportOutput {
    /// `FORMAT` or `FORMAT=FILE`.
    To(Destination),
    /// `FILE`.
    File(PathBuf),
}

impl ReportOutput {
    /// Help of the flag.
    pub fn help() -> String {
        Output::help().replace("Report printed at the end", "Report")
    }
}

impl FromStr for ReportOutput {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let name = text.split_once('=').map_or(text, |(name, _)| name);
        let is_path = name.contains(['.', '/']);
        if is_path { Ok(Self::File(text.into())) } else { text.parse().map(Self::To) }
    }
}

/// Outputs beside the report.
#[derive(Args)]
pub struct TellingArgs {
    /// While the load runs, serve its metrics to Prometheus there, in k6's names [address if left out: 127.0.0.1:9464]
    #[arg(long, value_name = "ADDR:PORT", num_args = 0..=1, default_missing_value = PROMETHEUS_ADDRESS)]
    #[arg(value_parser = socket_address)]
    pub prometheus: Option<SocketAddr>,
    /// While the load runs, push its metrics to this OpenTelemetry collector (OTLP/HTTP), e.g. http://localhost:4318
    #[arg(long, value_name = "URL", value_parser = otlp_url)]
    pub otlp: Option<Url>,
    /// Record the first N requests one by one and show how long each took, with what its response says of itself
    /// (`Server-Timing`)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub trace: Option<u32>,
    /// Send each request once and show it all: bytes, address, TLS, times. No load, nothing is recorded
    #[arg(long, conflicts_with_all = ["output", "prometheus", "otlp", "trace"])]
    pub debug: bool,
}

impl OutputArgs {
    /// Reports for stdout and for files; without a flag, or with files only, the terminal report too.
    ///
    /// # Errors
    ///
    /// Where two are for stdout.
    pub fn destinations(&self) -> Result<Vec<Destination>, String> {
        destinations(&self.output)
    }
}

/// Reports for stdout and for files; without one for stdout, the terminal report too.
///
/// # Errors
///
/// Where two are for stdout.
pub fn destinations(given: &[Destination]) -> Result<Vec<Destination>, String> {
    let mut all = given.to_vec();
    let to_stdout: Vec<&str> = all.iter().filter(|it| it.file.is_none()).map(|it| it.output.name()).collect();
    match to_stdout[..] {
        [] => all.insert(0, Destination::terminal()),
        [_] => {}
        [first, second, ..] => {
            return Err(format!(
                "--output {first} --output {second}: only one can go to stdout; name a file for the other, \
                     e.g. --output {second}=FILE"
            ));
        }
    }
    Ok(all)
}

fn socket_address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| {
        format!(
            "expected an IP address and a port, e.g. {PROMETHEUS_ADDRESS}, found `{text}`; if that is the target, \
                 put it before --prometheus"
        )
    })
}

/// The collector's base, or the whole path to its metrics.
fn otlp_url(text: &str) -> Result<Url, String> {
    const EXPECTED: &str = "expected the address of a collector, e.g. http://localhost:4318";
    let mut url = Url::parse(text).map_err(|error| format!("{error}: {EXPECTED}"))?;
    if url.scheme() == "https" {
        return Err("https:// is not supported here; let a collector on this machine pass the metrics on".to_owned());
    }
    if url.scheme() != "http" || !url.has_host() {
        return Err(EXPECTED.to_owned());
    }
    if matches!(url.path(), "" | "/") {
        url.set_path("/v1/metrics");
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collector_is_given_by_its_base_or_in_full() {
        assert_eq!(otlp_url("http://localhost:4318").unwrap().as_str(), "http://localhost:4318/v1/metrics");
        assert_eq!(otlp_url("http://h/otlp/v1/metrics").unwrap().as_str(), "http://h/otlp/v1/metrics");
        for wrong in ["localhost:4318", "https://h/", "grpc://h", ""] {
            assert!(otlp_url(wrong).is_err(), "{wrong}");
        }
        assert!(socket_address("http://h/").unwrap_err().contains("put it before --prometheus"));
    }
}
