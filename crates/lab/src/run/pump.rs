//! Does one thing beside a running target (waiting until it is ready, driving a level) while everything measured goes
//! into the record, and ends that thing at once when the target has exited or the user wants to stop.

use std::{
    io,
    ops::ControlFlow,
    panic,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use super::{LabError, session::Session};
use crate::placement::ThreadPlacement;

/// How often it is looked whether the target lives and the user wants to go on.
const LOOK_UP: Duration = Duration::from_millis(20);

/// Why an activity ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// By itself, or because of what it told.
    Over,
    /// The target has exited.
    TargetEnded,
    /// The upstream that it calls has exited.
    UpstreamEnded,
    /// A program that the target needs has exited.
    DependencyEnded,
    /// The network has ended, though nobody told it to.
    NetworkEnded,
    /// The user wants to stop.
    Stopped,
}

/// Handles a message; `Break` ends the activity.
pub type Step = Result<ControlFlow<Cause>, LabError>;

impl Session<'_, '_> {
    /// Runs `activity` on a thread at `placement`. It ends soon after the flag it is given is set, and hands
    /// messages to its second argument, which `on_message` gets on this thread.
    pub fn pump<T: Send, M: Send>(
        &mut self,
        placement: &ThreadPlacement,
        activity: impl FnOnce(&Arc<AtomicBool>, &mut dyn FnMut(M)) -> T + Send,
        on_message: &mut dyn FnMut(&mut Self, M) -> Step,
    ) -> Result<(T, Cause), LabError> {
        let abort = Arc::<AtomicBool>::default();
        let (tell, told) = mpsc::channel();
        thread::scope(|scope| {
            let activity = scope.spawn(|| {
                let tell = tell;
                placement.apply()?;
                // A message to a thread that has panicked is heard by nobody.
                io::Result::Ok(activity(&abort, &mut |message| drop(tell.send(message))))
            });
            let mut end = None;
            loop {
                let step = match told.recv_timeout(LOOK_UP) {
                    Ok(message) => on_message(self, message),
                    Err(RecvTimeoutError::Timeout) => Ok(ControlFlow::Continue(())),
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                // Messages that come after the end are kept, but the first reason is the reason.
                end = end.or_else(|| self.look_up(step).transpose());
                abort.store(end.is_some(), Ordering::Relaxed);
            }
            let value = activity.join().unwrap_or_else(|panic| panic::resume_unwind(panic));
            Ok((value.map_err(LabError::Network)?, end.transpose()?.unwrap_or(Cause::Over)))
        })
    }

    /// Whether to end, and why, after `step`.
    fn look_up(&mut self, step: Step) -> Result<Option<Cause>, LabError> {
        if let ControlFlow::Break(cause) = step? {
            return Ok(Some(cause));
        }
        self.flush_if_due()?;
        if self.target.poll_ended().is_some() {
            return Ok(Some(Cause::TargetEnded));
        }
        if self.upstream.as_mut().is_some_and(|upstream| upstream.poll_ended().is_some()) {
            return Ok(Some(Cause::UpstreamEnded));
        }
        if self.ended_dependency().is_some() {
            return Ok(Some(Cause::DependencyEnded));
        }
        if self.topology.is_broken() {
            return Ok(Some(Cause::NetworkEnded));
        }
        Ok(self.execution.is_stopped().then_some(Cause::Stopped))
    }
}
