//! The flags of `plimsoll load` for requests that are written down elsewhere.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

/// Where requests come from, if not from the URL; they are made in their order, by each virtual user.
#[derive(Args)]
#[command(group = ArgGroup::new("sources"))]
pub struct ImportArgs {
    /// File of IntelliJ's HTTP client (.http)
    #[arg(long, value_name = "FILE", group = "sources")]
    pub http: Option<PathBuf>,
    /// With --http: environment of http-client.env.json beside the file
    #[arg(long, value_name = "NAME", requires = "http")]
    pub env: Option<String>,
    /// With --http: take this request alone, by its name or as #1, #2, …
    #[arg(long, value_name = "NAME", requires = "http")]
    pub request: Option<String>,
    /// Recording of a browser (.har)
    #[arg(long, value_name = "FILE", group = "sources")]
    pub har: Option<PathBuf>,
    /// With --har: take the requests to this host, instead of that of the first
    #[arg(long, value_name = "HOST", requires = "har")]
    pub har_host: Option<String>,
    /// With --har: keep the pauses of the recording between its requests
    #[arg(long, requires = "har")]
    pub har_pauses: bool,
    /// OpenAPI 3 document, JSON or YAML
    #[arg(long, value_name = "FILE", group = "sources", requires = "operation")]
    pub openapi: Option<PathBuf>,
    /// With --openapi: operation to request, by its operationId or as `GET /path`; may be given again
    #[arg(long, value_name = "ID", requires = "openapi")]
    pub operation: Vec<String>,
    /// With --http or --openapi: folder whose files `< file` and $ref may name, instead of that of the file itself
    #[arg(long, value_name = "DIR", requires = "sources", conflicts_with = "har")]
    pub import_root: Option<PathBuf>,
}
