//! Arguments of `plimsoll serve`.

use std::path::PathBuf;

use clap::Args;

#[derive(Args)]
pub struct ServeArgs {
    /// Directories whose records are shown, with all below them; or files of records
    #[arg(value_name = "DIR", default_value = ".", env = "PLIMSOLL_RECORD")]
    pub places: Vec<PathBuf>,
    /// Port on 127.0.0.1; 0: any that is free
    #[arg(long, default_value_t = 7475)]
    pub port: u16,
    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,
}
