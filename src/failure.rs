//! Failures that end a command early, and the exit codes.

use std::{fmt, process::ExitCode};

use anstyle::{AnsiColor, Style};

use crate::live::shown;

/// The input is wrong: nothing has been launched.
pub const BAD_INPUT: u8 = 2;
/// A threshold was exceeded; or, with `--strict`, a claim failed or the generator was the limit.
pub const NOT_KEPT: u8 = 99;
/// A test is undecided.
pub const UNDECIDED: u8 = 1;
/// Parts of a load never came, were lost or cut short.
pub const PARTS_MISSING: u8 = 3;
/// A part of a load did not take part.
pub const NOT_JOINED: u8 = 4;
/// A part of a load could not hand over its record.
pub const NOT_COLLECTED: u8 = 5;
/// Ended by Ctrl-C: 128 + SIGINT, as shells have it.
pub const INTERRUPTED: u8 = 130;

const ERROR: Style = AnsiColor::Red.on_default().bold();

/// Why a command ends without having done what it should, in words that say what to do.
#[derive(Debug)]
pub struct Failure {
    code: u8,
    message: String,
}

impl Failure {
    /// The input is wrong: flags, files, the state of the record.
    pub fn input(message: impl fmt::Display) -> Self {
        Self { code: BAD_INPUT, message: message.to_string() }
    }

    /// Something failed while it was done.
    pub fn running(message: impl fmt::Display) -> Self {
        Self { code: 1, message: message.to_string() }
    }

    /// Ctrl-C came before there was anything to report.
    pub fn interrupted(message: impl fmt::Display) -> Self {
        Self { code: INTERRUPTED, message: message.to_string() }
    }

    /// A part that did not take part in its load.
    pub fn not_joined(message: impl fmt::Display) -> Self {
        Self { code: NOT_JOINED, message: message.to_string() }
    }

    /// Parts of a load never came.
    pub fn parts_missing(message: impl fmt::Display) -> Self {
        Self { code: PARTS_MISSING, message: message.to_string() }
    }

    /// The record of a part could not be handed over.
    pub fn not_collected(message: impl fmt::Display) -> Self {
        Self { code: NOT_COLLECTED, message: message.to_string() }
    }

    /// The message without secrets, and without what a terminal would obey.
    pub fn message(&self) -> String {
        shown(&self.message)
    }

    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.code)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{ERROR}error:{ERROR:#} {}", self.message())
    }
}

/// The record could not be opened: known before anything is launched.
impl From<plimsoll_record::StoreError> for Failure {
    fn from(error: plimsoll_record::StoreError) -> Self {
        Self::input(error)
    }
}
