//! The flags of `plimsoll collect` for collectors that run elsewhere.

use clap::{Args, ValueEnum};
use plimsoll_record::Nanos;

use super::{distribute::name, values::duration};

#[derive(Args)]
pub struct ElsewhereArgs {
    /// Follow the collector that `plimsoll distribute` has started elsewhere, fetch its record, and report:
    /// kubernetes/NAME, by your kubectl
    #[arg(long, value_name = "kubernetes/NAME", value_parser = from)]
    #[arg(conflicts_with_all = ["parts", "listen", "silence", "threshold", "token_file", "hold"])]
    pub from: Option<String>,
    /// With --from: its namespace [default: the one that kubectl uses]
    #[arg(long, value_name = "NAME", requires = "from", value_parser = name)]
    pub namespace: Option<String>,
    /// Stay when all is done, for so long at most, until `collect --from` has fetched the record: nobody can read the
    /// files of a container that has ended
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub hold: Option<Nanos>,
    /// Done by a collector's container for `collect --from`
    #[arg(long, value_name = "WORD", hide = true, conflicts_with_all = ["parts", "from", "hold"])]
    pub held: Option<HeldWord>,
}

/// The fate of a record that is held.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HeldWord {
    /// It is written to stdout.
    Send,
    /// It was fetched.
    Release,
}

/// The name in `kubernetes/NAME`.
fn from(text: &str) -> Result<String, String> {
    match text.split_once('/') {
        Some(("kubernetes", text)) => name(text),
        _ => Err(format!("expected kubernetes/NAME, as `plimsoll distribute` was told, found `{text}`")),
    }
}
