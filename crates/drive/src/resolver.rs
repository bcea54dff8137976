//! Names are resolved on threads of their own: the system's resolver blocks.

use std::{
    net::{SocketAddr, ToSocketAddrs},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
};

use plimsoll_engine::SlotId;
use rustix::{
    event::{EventfdFlags, eventfd},
    fd::{AsFd, BorrowedFd, OwnedFd},
    io::{Errno, read, write},
};

/// Names that are looked up at a time.
const THREADS: usize = 4;

/// A connection that waits for an address: its slot and generation.
pub(crate) type Waiting = (SlotId, u32);

/// Addresses, or why there are none.
pub(crate) type Resolved = Result<Vec<SocketAddr>, String>;

/// Resolves one name, again for each connection of a worker.
#[derive(Debug)]
pub(crate) struct Resolver {
    questions: mpsc::Sender<Waiting>,
    answers: mpsc::Receiver<(Waiting, Resolved)>,
    /// Readable when there are answers.
    wake: Arc<OwnedFd>,
}

impl Resolver {
    /// A resolver of `host` and `port`. Its threads end once it is dropped and what they look up is found.
    pub fn start(host: &str, port: u16) -> Result<Self, Errno> {
        let wake = Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?);
        let (questions, asked) = mpsc::channel();
        let (answer, answers) = mpsc::channel();
        let asked = Arc::new(Mutex::new(asked));
        for _ in 0..THREADS {
            let (asked, answer, wake, host) = (asked.clone(), answer.clone(), wake.clone(), host.to_owned());
            let work = move || {
                loop {
                    let question = asked.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok(waiting) = question else { return };
                    if answer.send((waiting, resolve(&host, port))).is_err() {
                        return;
                    }
                    // It only fails if its counter is full, and then it is readable anyway.
                    let _ = write(&wake, &1_u64.to_ne_bytes());
                }
            };
            thread::Builder::new()
                .name("resolver".to_owned())
                .spawn(work)
                .map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::AGAIN))?;
        }
        Ok(Self { questions, answers, wake })
    }

    pub fn ask(&self, waiting: Waiting) {
        // The threads live as long as this.
        let _ = self.questions.send(waiting);
    }

    /// Becomes readable when there is an answer.
    pub fn wake(&self) -> BorrowedFd<'_> {
        self.wake.as_fd()
    }

    /// An answer, if there is one. To be asked until there is none.
    pub fn answer(&self) -> Option<(Waiting, Resolved)> {
        self.answers.try_recv().ok()
    }

    /// To be called before the answers are taken.
    pub fn clear_wake(&self) {
        let _ = read(&*self.wake, &mut [0; 8]);
    }
}

/// The addresses of a name, at least one.
pub(crate) fn resolve(host: &str, port: u16) -> Resolved {
    let found = (host, port).to_socket_addrs().map_err(|error| format!("`{host}` cannot be resolved: {error}"))?;
    let addresses: Vec<SocketAddr> = found.collect();
    if addresses.is_empty() { Err(format!("`{host}` has no address")) } else { Ok(addresses) }
}
