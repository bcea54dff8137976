//! The flags that judge a load.

use clap::Args;

use super::AgainstArgs;

/// When the load was good.
#[derive(Args)]
pub struct VerdictArgs {
    /// A limit to keep, in k6's grammar, e.g. 'p(99)<200ms', 'errors<0.1%' or 'throughput>5000'; several may follow, or
    /// the flag be given again. If one is exceeded, the exit code is 99
    #[arg(long, value_name = "LIMIT", num_args = 1..)]
    pub threshold: Vec<String>,
    /// Exit with 99 also if the generator, not the service, was the limit, or if others took the machine's CPU
    #[arg(long)]
    pub strict: bool,
    #[command(flatten)]
    pub against: AgainstArgs,
}
