//! Surroundings of a program while it is prepared: who is told of it, and what runs beside it while its archive is
//! trained.

use std::collections::BTreeMap;

use super::{CommandLine, PrepareError};
use crate::placeholders::Placeholders;

/// Message about what is being made: one line for the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said<'a> {
    /// A step begins, or has an outcome.
    Step(&'a str),
    /// How far a step has come; the next one takes its place.
    Progress(&'a str),
}

/// Callback for messages about what is being made.
pub(super) type Say<'a> = &'a mut dyn FnMut(Said<'_>);

/// Training run; it is given the values of placeholders.
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

/// Runs a service for training, in the same way as its measured runs.
pub trait Trainer {
    /// Its requests and surroundings: an archive is made for each.
    fn key(&self) -> String;

    /// Launches a command line and waits until it answers at `ready_path`. If `is_loaded`, the service answers the
    /// requests of the file for a few seconds. Then it is ended in order.
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
    /// The trainer, for archives of the user's own services.
    pub trainer: Option<&'a dyn Trainer>,
}
