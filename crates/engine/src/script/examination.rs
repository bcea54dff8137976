//! Examination of a response: checks, and values that later requests use.

use std::fmt;

use plimsoll_record::ErrorKind;
use plimsoll_secrets::MASK;

use super::{
    builtin::Context,
    check::Check,
    response::{Response, Wanted},
    source::Source,
};

/// The largest status that HTTP has (RFC 9110, section 15).
const STATUS_MAX: u16 = 599;
/// Bytes that a captured value may have: it is kept for each virtual user.
const CAPTURED_BYTES_MAX: usize = 64 * 1024;

/// The checks and captures of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Examination {
    pub checks: Vec<Check>,
    pub captures: Vec<Capture>,
}

/// A value of a response that becomes a variable.
#[derive(Clone, Debug)]
pub(crate) struct Capture {
    /// Name and source, to be shown.
    pub name: String,
    pub text: String,
    pub source: Source,
    /// The index of the variable.
    pub variable: usize,
}

/// Why a whole response is a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    Status(u16),
    Check(String),
    Capture(String),
}

impl Failure {
    /// The rule where no check is about the status.
    #[inline]
    pub fn of_status(status: u16) -> Option<Self> {
        (status >= 400).then_some(Self::Status(status))
    }

    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Status(..500) => ErrorKind::Status4xx,
            Self::Status(..=STATUS_MAX) => ErrorKind::Status5xx,
            Self::Status(_) => ErrorKind::Protocol,
            Self::Check(_) => ErrorKind::CheckFailed,
            Self::Capture(_) => ErrorKind::CaptureFailed,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status @ ..=STATUS_MAX) => write!(f, "status {status}"),
            Self::Status(status) => write!(f, "status {status}, beyond {STATUS_MAX}"),
            Self::Check(detail) | Self::Capture(detail) => f.write_str(detail),
        }
    }
}

impl Examination {
    pub fn is_empty(&self) -> bool {
        self.checks.is_empty() && self.captures.is_empty()
    }

    /// Parts that must be kept of the response.
    pub fn wanted(&self) -> Wanted {
        let mut wanted = Wanted::default();
        self.checks.iter().for_each(|check| check.source.add_wanted(&mut wanted));
        self.captures.iter().for_each(|capture| capture.source.add_wanted(&mut wanted));
        wanted
    }

    /// Makes all checks, and tells each with its name and whether it holds. A status that is a failure explains the
    /// checks that fail after it, so it comes first.
    pub fn check(
        &self,
        response: &Response<'_>,
        context: &mut Context<'_>,
        mut tell: impl FnMut(&str, bool),
    ) -> Option<Failure> {
        let is_status_checked = self.checks.iter().any(Check::is_of_status);
        let mut failure = Failure::of_status(response.status).filter(|_| !is_status_checked);
        for check in &self.checks {
            let found = check.examine(response, context);
            tell(&check.name, found.is_ok());
            if let (Err(found), None) = (found, &failure) {
                failure = Some(Failure::Check(format!("`{}`: found {found}", check.name)));
            }
        }
        failure
    }

    /// Sets the variables, up to the first that finds nothing.
    pub fn capture(&self, response: &Response<'_>, values: &mut [String]) -> Option<Failure> {
        self.captures.iter().find_map(|capture| {
            let Capture { name, text, source, variable } = capture;
            let problem = match source.find(response) {
                Ok(Some(found)) if found.len() > CAPTURED_BYTES_MAX => {
                    format!("found {} bytes, more than 64 KiB", plimsoll_text::count(found.len() as u64))
                }
                Ok(Some(found)) => {
                    values[*variable] = found.into_owned();
                    return None;
                }
                Ok(None) if source.is_secret(name) => format!("nothing found in {MASK}"),
                Ok(None) => format!("nothing found in {}", response.beginning()),
                Err(problem) => problem,
            };
            Some(Failure::Capture(format!("`{name}` from `{text}`: {problem}")))
        })
    }
}
