//! The flags of loads that are too large for one machine, or one process.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use clap::{Args, builder::ArgPredicate};
use jiff::{SignedDuration, Timestamp, ToSpan, Zoned, civil::Time};
use plimsoll_lab::file::parse_duration;
use plimsoll_record::{Nanos, Part};
use url::Url;

use super::{ElsewhereArgs, RecordArgs, values::duration};
use crate::output::{Destination, Output};

/// Each part is split among its threads: their numbers together must have room.
const PARTS_MOST: u32 = 10_000;

/// Port of a collector, where none is given.
pub const COLLECTOR_PORT: u16 = 7400;
pub(super) const COLLECTOR: &str = "127.0.0.1:7400";

/// The part of the load, and its start.
#[derive(Args)]
pub struct ScaleArgs {
    /// Offer only part I of N equal parts of the load, e.g. 2/4: the others are for other processes or machines, and
    /// `plimsoll merge` joins their records. All other flags describe the whole load
    #[arg(long, value_name = "I/N", value_parser = segment)]
    pub segment: Option<Part>,
    /// Start at this time: 2026-05-04T14:30:00Z, +30s from now, or 14:30:00, local time
    #[arg(long, value_name = "TIME", value_parser = start_at)]
    pub start_at: Option<StartAt>,
    /// Take part in the load of this collector (`plimsoll collect`), e.g. https://host:7400: it says which part this
    /// one offers and when it starts, and gets the measurements. All other flags describe the whole load
    #[arg(long, value_name = "URL", value_parser = collector)]
    #[arg(conflicts_with_all = ["segment", "start_at", "output", "full", "baseline", "strict", "debug"])]
    pub join: Option<CollectorAddress>,
    /// With --join: be this part, from 1, and no other
    #[arg(long, value_name = "I", requires = "join", value_parser = clap::value_parser!(u32).range(1..10_000))]
    pub part: Option<u32>,
    /// With --join: the same counted from 0, as JOB_COMPLETION_INDEX of Kubernetes is
    #[arg(long, value_name = "I", requires = "join", conflicts_with = "part")]
    #[arg(value_parser = clap::value_parser!(u32).range(..9_999))]
    pub part_index: Option<u32>,
    /// With --join: give up after so long without an answer of the collector
    #[arg(long, value_name = "TIME", requires = "join", default_value = "60s", value_parser = duration)]
    pub deadline: Nanos,
    #[command(flatten)]
    pub token: TokenArgs,
}

/// The secret that collector and parts share.
#[derive(Args)]
pub struct TokenArgs {
    /// File with the secret that the collector and its parts share, at least 32 letters and digits; without it
    /// PLIMSOLL_TOKEN holds it. With a secret they speak TLS and trust nobody else
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
}

#[derive(Args)]
#[command(after_help = COLLECT_HELP)]
pub struct CollectArgs {
    /// Parts that the load is split into
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..10_000))]
    #[arg(required_unless_present_any = ["from", "held"])]
    pub parts: Option<u32>,
    /// Where parts reach it; port 0: any that is free. Beyond this machine it speaks TLS with a secret: the one that is
    /// given, or one that it draws and shows
    #[arg(long, value_name = "ADDR:PORT", default_value = COLLECTOR)]
    pub listen: SocketAddr,
    /// All parts must have joined after so long, or there is no load; with --from, its container must run [default
    /// there: 5m]
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    #[arg(default_value_if("from", ArgPredicate::IsPresent, "5m"))]
    pub deadline: Nanos,
    /// A part is lost that says nothing for so long
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = silence)]
    pub silence: Nanos,
    /// A limit that the whole load must keep, beside those that the parts were given: see `plimsoll load --help`. One
    /// with `abort` ends all parts
    #[arg(long, value_name = "LIMIT", num_args = 1..)]
    pub threshold: Vec<String>,
    /// Exit with 99 also if a generator, not the service, was the limit, or if others took the machine's CPU
    #[arg(long)]
    pub strict: bool,
    #[command(flatten)]
    pub token: TokenArgs,
    #[command(flatten)]
    pub elsewhere: ElsewhereArgs,
    #[arg(short = 'o', long, visible_alias = "format", value_name = "FORMAT[=FILE]", help = Output::help())]
    #[arg(value_parser = str::parse::<Destination>)]
    pub output: Vec<Destination>,
    /// On a terminal print the whole report, not only what was found
    #[arg(long)]
    pub full: bool,
    /// No progress
    #[arg(long)]
    pub quiet: bool,
    #[command(flatten)]
    pub record: RecordArgs,
}

const COLLECT_HELP: &str = "\
Example, on one machine and then on four others:
  plimsoll collect --parts 4 --listen 0.0.0.0:7400       shows a secret, which the parts need
  PLIMSOLL_TOKEN=… plimsoll load https://orders.test/ -q 80k -z 1m --join https://collector:7400

The load starts on all parts at once as soon as all have joined; clocks need not agree. While it runs, the
totals of all parts are shown, and thresholds that abort are judged on them. At the end each part sends its
record, and the report is that of the whole load. A part that is lost is named with its share, nothing is
scaled up, and no threshold counts as kept.

Exit codes: 0 done, 1 no request succeeded, or the record cannot be written, 3 parts are missing or were cut
short (if any never came, nothing was sent), 99 a threshold is exceeded, 130 ended by Ctrl-C, which ends all
parts. Exit codes of a part: 0 its record is collected, 4 it did not take part (refused, or no answer in time),
5 its record could not be handed over and is kept.";

/// When a load starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartAt {
    /// By the machine's clock, which others share.
    At(Timestamp),
    /// So long from now, whatever is done to the clock meanwhile.
    In(Duration),
}

impl StartAt {
    /// Time left when the clock shows `now` and it has been waited for so long.
    pub fn left(self, now: Timestamp, waited: Duration) -> Duration {
        match self {
            Self::At(at) => at.duration_since(now).try_into().unwrap_or_default(),
            Self::In(delay) => delay.saturating_sub(waited),
        }
    }
}

#[derive(Args)]
#[command(after_help = MERGE_HELP)]
pub struct MergeArgs {
    /// The parts: each a record's file, whose last execution is meant, FILE#ID for another one, or a number from
    /// `plimsoll list`
    #[arg(value_name = "RECORD", required = true)]
    pub parts: Vec<String>,
    /// The record's file that gets the merged load [default: .plimsoll/plimsoll.db]
    #[arg(short = 'o', long, value_name = "FILE", env = "PLIMSOLL_RECORD")]
    pub record: Option<PathBuf>,
    /// Merge the parts that are there, though others are missing or incomplete. The report names them, nothing is
    /// scaled up, and no threshold is kept
    #[arg(long)]
    pub allow_missing: bool,
    /// Exit with 99 if a generator, not the service, was the limit, or if others took the machine's CPU
    #[arg(long)]
    pub strict: bool,
    /// On a terminal print the whole report, not only what was found
    #[arg(long)]
    pub full: bool,
    /// Format of what is printed
    #[arg(long, default_value = "terminal", value_parser = Output::possible_values())]
    pub format: String,
}

const MERGE_HELP: &str = "\
Example, in two shells and then in one:
  plimsoll load http://server:8080/ -q 20k -z 1m --segment 1/2 --start-at 14:30 --record 1.db
  plimsoll load http://server:8080/ -q 20k -z 1m --segment 2/2 --start-at 14:30 --record 2.db
  plimsoll merge 1.db 2.db

Counts add and histograms merge, second by second from the start of each part: percentiles are those of
all requests, never averages. Thresholds are judged on the whole.";

/// The address of a collector.
#[derive(Clone, Debug)]
pub struct CollectorAddress {
    /// As it was given.
    pub url: Url,
    /// The port that was given, even if it is the scheme's, which a [`Url`] leaves out; else the usual one.
    pub port: u16,
}

/// Reads the address of a collector.
pub(super) fn collector(text: &str) -> Result<CollectorAddress, String> {
    let expected = |problem: String| format!("{problem}: expected https://HOST:PORT, or http://127.0.0.1:PORT");
    let url = Url::parse(text).map_err(|error| expected(error.to_string()))?;
    let is_bare = matches!(url.path(), "" | "/") && url.query().is_none() && url.fragment().is_none();
    match url.has_host() && is_bare && matches!(url.scheme(), "http" | "https") {
        true => Ok(CollectorAddress { port: port_in(text).unwrap_or(COLLECTOR_PORT), url }),
        false => Err(expected("no address of a collector".to_owned())),
    }
}

/// The port that stands in a URL.
fn port_in(url: &str) -> Option<u16> {
    let authority = url.split_once("://")?.1.split('/').next()?;
    let (host, port) = authority.rsplit_once(':')?;
    port.parse().ok().filter(|_| !host.starts_with('[') || host.ends_with(']'))
}

/// Parts say something twice a second, and machines are busy.
pub(super) fn silence(text: &str) -> Result<Nanos, String> {
    let found = duration(text)?;
    if found < Nanos::from_secs(2) { Err("expected at least 2s".to_owned()) } else { Ok(found) }
}

/// `I/N`, from 1.
fn segment(text: &str) -> Result<Part, String> {
    let expected = || format!("expected I/N, the I-th of N equal parts, e.g. 2/4, found `{text}`");
    let (number, count) = text.split_once('/').ok_or_else(expected)?;
    let read = |text: &str| text.parse::<u32>().map_err(|_| expected());
    let part = Part { number: read(number)?, count: read(count)? };
    match part {
        Part { count: 0, .. } => Err(expected()),
        Part { count: PARTS_MOST.., .. } => Err(format!("expected fewer than {PARTS_MOST} parts, found `{text}`")),
        Part { number: 0, count } => Err(format!("parts are counted from 1: expected 1/{count} to {count}/{count}")),
        Part { number, count } if number > count => {
            Err(format!("there are only {count} parts: expected 1/{count} to {count}/{count}"))
        }
        part => Ok(part),
    }
}

fn start_at(text: &str) -> Result<StartAt, String> {
    instant(text, &Zoned::now())
}

/// The start that `text` means at `now`.
fn instant(text: &str, now: &Zoned) -> Result<StartAt, String> {
    let unclear = || format!("expected 2026-05-04T14:30:00Z, +30s, or 14:30:00 (local time), found `{text}`");
    if let Some(duration) = text.strip_prefix('+') {
        return Ok(StartAt::In(Duration::from_nanos(parse_duration(duration)?.0)));
    }
    if let Ok(at) = text.parse::<Timestamp>() {
        let ago = now.timestamp().duration_since(at);
        return match ago.is_positive() {
            true => {
                Err(format!("that was {:#} ago: expected an instant to come", SignedDuration::from_secs(ago.as_secs())))
            }
            false => Ok(StartAt::At(at)),
        };
    }
    // A date that would be mistaken for a time of day has no offset.
    let time: Time = if text.contains('-') { Err(unclear()) } else { text.parse().map_err(|_| unclear()) }?;
    let today = now.with().time(time).build().map_err(|_| unclear())?;
    let next = if today < *now { today.checked_add(1.day()).map_err(|_| unclear())? } else { today };
    Ok(StartAt::At(next.timestamp()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_counted_from_one() {
        assert_eq!(segment("2/4"), Ok(Part { number: 2, count: 4 }));
        assert_eq!(segment("1/1"), Ok(Part { number: 1, count: 1 }));
        assert!(segment("0/4").unwrap_err().contains("counted from 1"));
        assert!(segment("5/4").unwrap_err().contains("only 4 parts"));
        for wrong in ["x", "1", "1/", "/4", "1/0", "1/2/3", "-1/4", "1.5/4", "1/99999"] {
            assert!(segment(wrong).unwrap_err().contains("expected"), "{wrong}");
        }
    }

    #[test]
    fn a_collector_is_a_host_with_a_scheme() {
        let port = |text| collector(text).unwrap().port;
        assert_eq!((port("https://h:7400"), port("https://h:443"), port("https://h")), (7400, 443, 7400));
        assert_eq!((port("http://[::1]:80/"), port("http://[::1]")), (80, 7400));
        for wrong in ["h:7400", "https://h/x", "https://h/#a", "ftp://h", "", "https://h/?a"] {
            assert!(collector(wrong).unwrap_err().contains("expected https://HOST:PORT"), "{wrong}");
        }
    }

    #[test]
    fn a_start_is_an_instant_a_delay_or_the_next_time_of_day() {
        let now: Zoned = "2026-05-04T14:30:00+09:00[Asia/Seoul]".parse().unwrap();
        let read = |text| {
            instant(text, &now).map(|start| match start {
                StartAt::At(at) => at.to_string(),
                StartAt::In(delay) => format!("in {delay:?}"),
            })
        };
        assert_eq!(read("+90s").unwrap(), "in 90s");
        assert_eq!(read("2026-05-04T16:00:00+09:00").unwrap(), "2026-05-04T07:00:00Z");
        assert_eq!(read("14:31").unwrap(), "2026-05-04T05:31:00Z");
        assert_eq!(read("14:29:59").unwrap(), "2026-05-05T05:29:59Z");
        assert_eq!(read("2026-05-04T04:28:57.5Z").unwrap_err(), "that was 1h 1m 2s ago: expected an instant to come");
        for wrong in ["", "soon", "+", "+30", "25:00", "2026-05-04", "2026-05-04T14:30:00", "-30s"] {
            assert!(read(wrong).unwrap_err().contains("xpected"), "{wrong}: {:?}", read(wrong));
        }
    }

    #[test]
    fn a_delay_does_not_follow_the_clock_and_an_instant_does() {
        let now: Timestamp = "2026-05-04T05:30:00Z".parse().unwrap();
        let (delay, waited) = (StartAt::In(Duration::from_secs(4)), Duration::from_secs(1));
        let set_back = now - SignedDuration::from_hours(1);
        assert_eq!([now, set_back].map(|now| delay.left(now, waited).as_secs()), [3, 3]);
        assert_eq!(delay.left(now, Duration::from_secs(5)), Duration::ZERO);
        let at = StartAt::At(now + SignedDuration::from_secs(4));
        assert_eq!([now, set_back].map(|now| at.left(now, waited).as_secs()), [4, 3_604]);
        assert_eq!(at.left(now + SignedDuration::from_secs(9), waited), Duration::ZERO);
    }
}
