//! From flags, and from what was imported, to how connections are made.

mod flags;
mod imported;

use plimsoll_drive::Connection;
use plimsoll_import::TransferOptions;

use crate::{cli::SendArgs, failure::Failure};

/// How connections are made: a flag wins over what was imported.
pub fn of(arguments: &SendArgs, imported: &TransferOptions) -> Result<Connection, Failure> {
    let mut connection = imported::of(imported)?;
    flags::apply(&arguments.connection, &arguments.tls, &mut connection);
    Ok(connection)
}

pub use flags::{apply, are_for_tls};
