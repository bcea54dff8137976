//! CPU of other processes of this machine during a load.

use plimsoll_drive::{Connection, Job};
use plimsoll_observe::{Foreign, listener::Answering};
use plimsoll_record::{Interval, Sample};

use crate::commands::target::{is_here, listener_at};

/// Looks at them about once a second; at none where they could not be told from the target.
pub struct ForeignCpu(Option<Foreign>);

impl ForeignCpu {
    /// Finds the target, if it is of this machine, so that it is none of the others.
    pub fn new(job: &Job) -> Self {
        let url = job.scenarios.first().map(|scenario| &scenario.script.first().url);
        // A proxy, a Unix socket or another address may lead anywhere.
        let Connection { unix_socket, proxy, connect_to, .. } = &job.options.connection;
        let goes_straight = unix_socket.is_none() && proxy.is_none() && connect_to.is_empty();
        let target = url.filter(|_| goes_straight).map(|url| is_here(url).then(|| listener_at(url)).transpose());
        let mut foreign = target.and_then(Result::ok).map(|it| Foreign::new(it.into_iter().flat_map(Answering::pids)));
        foreign.iter_mut().for_each(|it| drop(it.sample()));
        Self(foreign)
    }

    /// CPU that others used until the end of `interval`.
    pub fn look(&mut self, interval: &Interval) -> Vec<Sample> {
        let at = interval.start + interval.duration;
        let used = self.0.as_mut().map(Foreign::sample).unwrap_or_default();
        used.into_iter().map(|(metric, value)| Sample { at, metric, value }).collect()
    }
}
