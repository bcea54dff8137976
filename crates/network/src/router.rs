//! The router between two namespaces: takes packets from one, holds them as long as [`Link`] says, and hands them to
//! the other. One thread does it all, and sleeps while nothing is due.

use std::{
    io::{self, ErrorKind, Stdin},
    time::{Duration, Instant},
};

use plimsoll_record::Nanos;
use rustix::event::{PollFd, PollFlags};

use crate::{
    control::{Reports, is_ready, wait},
    counts::Counts,
    end::Device,
    link::{Link, Path},
    protocol::Config,
};

/// Packets taken from one end before it is looked what is due: a burst may go on for longer than that.
const BATCH: usize = 64;
/// No packet is longer, whatever the MTU.
const PACKET_BYTES_MAX: usize = 65_536;
const IPV4: u8 = 4;

type Packet = Box<[u8]>;

/// Two devices and a link from each to the other.
#[derive(Debug)]
pub struct Router {
    devices: [Device; 2],
    /// From the device with the same index.
    links: [Link<Packet>; 2],
    origin: Instant,
    buffer: Box<[u8]>,
    /// Packets that a device did not take.
    refused: u64,
}

impl Router {
    pub fn new(devices: [Device; 2], config: &Config) -> Self {
        let path = Path::of(&config.plan);
        // Each direction has losses of its own.
        let links = [config.seed, !config.seed].map(|seed| Link::new(path, seed));
        let buffer = vec![0; PACKET_BYTES_MAX].into();
        Self { devices, links, origin: Instant::now(), buffer, refused: 0 }
    }

    /// Routes until `control` ends.
    pub fn run(mut self, control: &Stdin, reports: &mut Reports) -> io::Result<()> {
        loop {
            self.deliver();
            reports.tell_if_due(|| self.counts());
            let [near, far] = &self.devices;
            let mut fds = [
                PollFd::new(control, PollFlags::IN),
                PollFd::new(&near.tun, PollFlags::IN),
                PollFd::new(&far.tun, PollFlags::IN),
            ];
            wait(&mut fds, self.until_next(reports))?;
            let [has_ended, near, far] = fds.each_ref().map(is_ready);
            if has_ended {
                return Ok(());
            }
            for (index, _) in [near, far].into_iter().enumerate().filter(|(_, is_ready)| *is_ready) {
                self.take_batch(index)?;
            }
        }
    }

    /// Hands over all that is due.
    fn deliver(&mut self) {
        for (from, to) in [(0, 1), (1, 0)] {
            while let Some(packet) = self.links[from].take_due(now(self.origin)) {
                // A packet that is not taken is lost, as on any network. It is counted, since it was not meant to be
                // lost.
                self.refused += u64::from(self.devices[to].tun.send(&packet).is_err());
            }
        }
    }

    /// Takes what the namespace of device `index` has sent, up to a batch.
    fn take_batch(&mut self, index: usize) -> io::Result<()> {
        for _ in 0..BATCH {
            let bytes = match self.devices[index].tun.recv(&mut self.buffer) {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let packet = &self.buffer[..bytes];
            // The kernel looks for neighbours by IPv6, which nobody here speaks.
            if packet.first().is_some_and(|first| first >> 4 == IPV4) {
                self.links[index].offer(now(self.origin), bytes, packet.into());
            }
        }
        Ok(())
    }

    fn until_next(&self, reports: &Reports) -> Duration {
        let due = self.links.iter().filter_map(Link::next_due).min();
        let due = due.map(|due| self.origin + Duration::from(due));
        let next = due.map_or(reports.due(), |due| due.min(reports.due()));
        next.saturating_duration_since(Instant::now())
    }

    fn counts(&mut self) -> Counts {
        let [there, back] = self.links.each_ref().map(Link::counts);
        let overflowed = self.devices.iter_mut().map(Device::overflowed).sum::<u64>() + self.refused;
        Counts { overflowed, ..there.plus(back) }
    }
}

fn now(origin: Instant) -> Nanos {
    origin.elapsed().into()
}
