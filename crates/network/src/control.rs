//! The helper's side of its pipes: reports to the lab, and waiting for packets or for the lab's end.

use std::{
    io,
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, Timespec, poll},
    fs::{OFlags, fcntl_getfl, fcntl_setfl},
    io::Errno,
};

use crate::{
    counts::Counts,
    protocol::{Opened, Report, send},
};

/// Time from one report of counts to the next.
pub const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// Waits until one of `fds` is ready, at most as long as `patience`. Among them is the pipe from the lab, which writes
/// nothing any more: once it is ready, the lab has ended.
pub fn wait(fds: &mut [PollFd<'_>], patience: Duration) -> io::Result<()> {
    let patience = Timespec::try_from(patience).map_err(io::Error::other)?;
    match poll(fds, Some(&patience)) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Whether there is something to read, or an end.
pub fn is_ready(fd: &PollFd<'_>) -> bool {
    !fd.revents().is_empty()
}

/// Tells the lab what happens, and never waits for it.
#[derive(Debug)]
pub struct Reports {
    due: Instant,
}

impl Reports {
    /// Tells first what was made.
    pub fn open(opened: Opened) -> io::Result<Self> {
        send(&mut io::stdout(), &Report::Opened(opened))?;
        let stdout = io::stdout();
        fcntl_setfl(&stdout, fcntl_getfl(&stdout)? | OFlags::NONBLOCK)?;
        Ok(Self { due: Instant::now() })
    }

    /// When the next one is due.
    pub fn due(&self) -> Instant {
        self.due
    }

    /// Tells the counts, if it is time. One that finds the pipe full is left out: the next one says as much.
    pub fn tell_if_due(&mut self, counts: impl FnOnce() -> Counts) {
        let now = Instant::now();
        if now >= self.due {
            self.due = now + REPORT_INTERVAL;
            // A line is shorter than PIPE_BUF: it is written as a whole or not at all (pipe(7)).
            let _ = send(&mut io::stdout(), &Report::Counts(counts()));
        }
    }
}
