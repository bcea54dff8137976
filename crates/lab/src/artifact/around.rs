//! Surroundings of a program while it is prepared: who is told of it, and what runs beside it while its archive is
//! trained.

use std::collections::BTreeMap;

use super::{CommandLine, PrepareError};
use crate::placeholders::Placeholders;

/// Word of what is being made, in one line for the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said<'a> {
    /// A step begins, or has an outcome.
    Step(&'a str),
    /// How far a step has come; the next one takes its place.
    Progress(&'a str),
}

/// Is told what is being made.
pub(super) type Say<'a> = &'a mut dyn FnMut(Said<'_>);

/// A training run, told the values of placeholders.
pub type Training<'a> = &'a mut dyn FnMut(&Placeholders) -> Result<(), PrepareError>;

/// An upstream that a program may call while its archive is trained, as in its runs.
pub trait Beside {
    /// Its identity: an archive is made for each.
    fn key(&self) -> String;

    /// Starts it, does the training, and ends it.
    ///
    /// # Errors
    /// If it cannot be started, and those of the training.
    fn during(&self, train: Training) -> Result<(), PrepareError>;
}

/// Runs a service that is trained, as its runs do.
pub trait Trainer {
    /// Its requests and surroundings: an archive is made for each.
    fn key(&self) -> String;

    /// Launches a command line, awaits that it answers at the path, has it answer the requests of the file for a few
    /// seconds if `is_loaded`, and ends it in order.
    ///
    /// # Errors
    /// Why that failed, with what the service put out.
    fn serve(
        &self,
        command_line: &dyn Fn(&Placeholders) -> CommandLine,
        ready_path: &str,
        is_loaded: bool,
    ) -> Result<(), PrepareError>;
}

/// Surroundings of a program that is prepared, as in its runs.
#[derive(Clone, Copy, Default)]
pub struct Around<'a> {
    /// Added to its environment.
    pub env: Option<&'a BTreeMap<String, String>>,
    /// The upstream that it may call.
    pub beside: Option<&'a dyn Beside>,
    /// For archives of the user's own services.
    pub trainer: Option<&'a dyn Trainer>,
}
