//! Errors of preparing.

use std::path::Path;

/// Why there is no artifact.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrepareError {
    /// It cannot be had on this machine as it is; the text says what to install.
    #[error("{0}")]
    Unavailable(String),
    /// Making it failed.
    #[error("{what}{}", in_words(telling))]
    Failed {
        /// The attempt, its outcome, and where to read more, in one line.
        what: String,
        /// The lines of the failing program that say why, errors first; empty if none ran.
        telling: Vec<String>,
    },
}

fn in_words(lines: &[String]) -> String {
    if lines.is_empty() { String::new() } else { format!(":\n  {}", lines.join("\n  ")) }
}

impl PrepareError {
    pub(super) fn failed(what: impl Into<String>) -> Self {
        Self::Failed { what: what.into(), telling: Vec::new() }
    }

    /// One line.
    pub fn brief(&self) -> &str {
        match self {
            Self::Unavailable(text) => text,
            Self::Failed { what, .. } => what,
        }
    }

    /// The lines of a failing program that say why.
    pub fn telling(&self) -> &[String] {
        match self {
            Self::Unavailable(_) => &[],
            Self::Failed { telling, .. } => telling,
        }
    }

    pub(super) fn io(doing: &str, path: &Path, error: &std::io::Error) -> Self {
        Self::failed(format!("cannot {doing} {}: {error}", path.display()))
    }
}
