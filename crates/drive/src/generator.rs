//! The generator of a load: this process, or several that share it.

use std::fmt;

use plimsoll_record::{Interval, Merged};

use crate::{DriveError, Driven, Job, Stop, drive};

/// News of a load that is offered.
#[derive(Debug)]
pub enum Told {
    /// It starts now.
    Started,
    /// Measured of the scenario of this number. Intervals come in the order of their seconds, each stage and request of
    /// a second once.
    Measured(usize, Box<Interval>),
}

/// Offers loads, one after the other.
pub trait Generator: fmt::Debug + Send + Sync {
    /// Offers the loads of `job` until all are over, or until `stop` ends them. Blocks; news come on the calling
    /// thread.
    ///
    /// # Errors
    ///
    /// As [`drive`]; or parts of the load that are lost.
    fn drive(&self, job: &Job, stop: &Stop, tell: &mut dyn FnMut(Told)) -> Result<Driven, DriveError>;

    /// The parts that offer them, as the record has them; none: this process offers them alone.
    fn parts(&self) -> Option<Merged> {
        None
    }
}

/// This process as the generator.
#[derive(Clone, Copy, Debug, Default)]
pub struct Here;

impl Generator for Here {
    fn drive(&self, job: &Job, stop: &Stop, tell: &mut dyn FnMut(Told)) -> Result<Driven, DriveError> {
        tell(Told::Started);
        drive(job, stop, &mut |scenario, interval| tell(Told::Measured(scenario, Box::new(interval))))
    }
}
