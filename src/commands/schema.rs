//! `plimsoll schema`.

use std::process::ExitCode;

use crate::{cli::SchemaArgs, failure::Failure};

pub fn execute(_: &SchemaArgs) -> Result<ExitCode, Failure> {
    super::print(&format!("{:#}\n", plimsoll_lab::file::schema()))?;
    Ok(ExitCode::SUCCESS)
}
