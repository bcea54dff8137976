//! Drives a level that ends once enough was seen of it: a step of a search, or of an explanation.

use std::{ops::ControlFlow, slice};

use plimsoll_drive::{Job, Stop, drive};
use plimsoll_record::Interval;

use super::{LabError, pump::Cause, session::Session};

impl Session<'_, '_> {
    /// Drives `job`, which is the level of that number, until `on_interval` ends it by the [`Stop`] it is given.
    /// `label` names it in an error.
    pub(super) fn drive_step(
        &mut self,
        (level, label): (usize, &str),
        job: &Job,
        on_interval: &mut dyn FnMut(&mut Self, Interval, &Stop) -> Result<(), LabError>,
    ) -> Result<Cause, LabError> {
        let begun = self.execution.store.begin_level(self.run.id, level, self.age())?;
        let placement = self.execution.placement.thread_in(self.topology.generator());
        let stop = Stop::new();
        let mut failed = 0;
        let (driven, cause) = self.pump(
            &placement,
            |abort, tell| drive(job, &stop.clone().abandoned_by(abort.clone()), &mut |_, interval| tell(interval)),
            &mut |session, interval| {
                session.execution.store.add_intervals(begun, slice::from_ref(&interval))?;
                failed += interval.counts.failed;
                on_interval(session, interval, &stop)?;
                Ok(ControlFlow::Continue(()))
            },
        )?;
        let (variant, level) = (self.place.name.clone(), label.to_owned());
        let driven = driven.map_err(|source| LabError::Drive { variant, level, source })?;
        if cause == Cause::Over {
            self.execution.store.end_level(begun, driven.took[0])?;
        }
        Ok(if failed > 0 && self.is_dying() { Cause::TargetEnded } else { cause })
    }
}
