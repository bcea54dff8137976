//! Drives a level that ends once enough was seen of it: a step of a search, or of an explanation.

use std::{
    ops::ControlFlow,
    slice,
    sync::{Arc, atomic::AtomicBool},
};

use plimsoll_drive::{DriveError, Driven, Job, Stop, Told};
use plimsoll_record::Interval;

use super::{
    LabError,
    failures::Failures,
    pump::{Cause, Step},
    session::Session,
};

/// How a load ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadEnd {
    /// By a cause that may end anything done beside a target.
    By(Cause),
    /// Parts that were to offer it are lost; in words.
    PartsLost(String),
}

impl LoadEnd {
    /// The load came to its end.
    pub const OVER: Self = Self::By(Cause::Over);
}

impl Session<'_, '_> {
    /// Drives `job`, which is the level of that number, until `on_interval` ends it by the [`Stop`] it is given.
    /// `label` names it in an error.
    pub(super) fn drive_step(
        &mut self,
        (level, label): (usize, &str),
        job: &Job,
        on_interval: &mut dyn FnMut(&mut Self, Interval, &Stop) -> Result<(), LabError>,
    ) -> Result<LoadEnd, LabError> {
        let (stop, mut begun, mut failures) = (Stop::new(), None, Failures::default());
        let (driven, end) = self.drive(job, &stop, label, &mut |session, told| {
            let (Told::Measured(_, interval), Some(begun)) = (told, begun) else {
                begun = Some(session.execution.store.begin_level(session.run.id, level, session.age())?);
                return Ok(ControlFlow::Continue(()));
            };
            session.execution.store.add_intervals(begun, slice::from_ref(&*interval))?;
            failures.add(&interval);
            on_interval(session, *interval, &stop)?;
            Ok(ControlFlow::Continue(()))
        })?;
        if let (Some(begun), Some(driven), LoadEnd::By(Cause::Over)) = (begun, driven, &end) {
            self.execution.store.end_level(begun, driven.took[0])?;
        }
        Ok(if self.is_dying([&failures]) { LoadEnd::By(Cause::TargetEnded) } else { end })
    }

    /// Has `job` offered, and how that ended; none of a load whose parts are lost. `label` names it in an error.
    pub(super) fn drive(
        &mut self,
        job: &Job,
        stop: &Stop,
        label: &str,
        on_told: &mut dyn FnMut(&mut Self, Told) -> Step,
    ) -> Result<(Option<Driven>, LoadEnd), LabError> {
        let placement = self.execution.placement.thread_in(self.topology.generator());
        let generator = &self.execution.context.generator;
        let offer = |abort: &Arc<AtomicBool>, tell: &mut dyn FnMut(Told)| {
            generator.drive(job, &stop.clone().abandoned_by(abort.clone()), tell)
        };
        let (driven, cause) = self.pump(&placement, offer, on_told)?;
        match driven {
            Ok(driven) => Ok((Some(driven), LoadEnd::By(cause))),
            // An earlier end has a reason of its own.
            Err(DriveError::Parts(why)) if cause == Cause::Over => Ok((None, LoadEnd::PartsLost(why))),
            Err(DriveError::Parts(_)) => Ok((None, LoadEnd::By(cause))),
            Err(source) => Err(LabError::Drive { variant: self.place.name.clone(), level: label.to_owned(), source }),
        }
    }
}
