//! Censuses of a target beside the load, on a thread of their own.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use plimsoll_observe::{CensusTaker, read};
use plimsoll_record::{Census, HeapLook, Nanos, Window};

use super::CensusOrder;
use crate::{clock, placement::Placement};

/// Delay of a window's first census, so that its connections are open by then.
const SETTLING: Duration = Duration::from_millis(400);
/// Shortest pause between two glances, and between two dumps.
const GLANCE_EVERY: Duration = Duration::from_millis(500);
const DUMP_EVERY: Duration = Duration::from_millis(600);
/// Dumps of a window under full load, counted from 0, after which the objects of the heap are counted, too.
const COUNTED_AFTER: [u32; 3] = [1, 3, 5];
/// Pause after a census as a multiple of its cost. It bounds the share of a core that glances take, and the share of
/// the target's time that dumps take.
const GLANCE_PAUSE: u32 = 150;
const DUMP_PAUSE: u32 = 3;

/// A thread that takes censuses.
#[derive(Debug)]
pub struct CensusThread {
    orders: Option<Sender<CensusOrder>>,
    taken: Arc<Mutex<Vec<Census>>>,
    thread: Option<JoinHandle<()>>,
    blind: Option<String>,
}

impl CensusThread {
    /// Prepares to take censuses of `pid`, which listens on `port`. Instants are counted from the beginning of the
    /// explanation, which was `elapsed` ago.
    pub fn start(pid: i32, port: u16, elapsed: Nanos) -> Self {
        let began = clock::now() - elapsed;
        let taker = CensusTaker::new(pid, port);
        let blind = taker.blind().map(ToString::to_string);
        let (orders, incoming) = mpsc::channel();
        let taken = Arc::<Mutex<Vec<Census>>>::default();
        let into = Arc::clone(&taken);
        let placement = Placement::here().thread_in(None);
        let thread = thread::spawn(move || {
            let _ = placement.apply();
            take_all(taker, &incoming, began, &into);
        });
        Self { orders: Some(orders), taken, thread: Some(thread), blind }
    }

    /// Why threads cannot be told, if they cannot.
    pub fn blind(&self) -> Option<&str> {
        self.blind.as_deref()
    }

    /// Censuses to take from now on.
    pub fn order(&self, order: CensusOrder) {
        // A thread that has ended has nothing more to tell.
        let _ = self.orders.as_ref().map(|orders| orders.send(order));
    }

    /// Censuses since the last call.
    pub fn take(&self) -> Vec<Census> {
        std::mem::take(&mut *self.taken.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Ends it, and takes what was seen.
    pub fn end(mut self) -> Vec<Census> {
        self.stop();
        self.take()
    }

    fn stop(&mut self) {
        self.orders = None;
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

impl Drop for CensusThread {
    fn drop(&mut self) {
        self.stop();
    }
}

fn take_all(mut taker: CensusTaker, orders: &Receiver<CensusOrder>, began: Nanos, into: &Mutex<Vec<Census>>) {
    let (mut order, mut pause, mut dumps) = (CensusOrder::Away, SETTLING, 0);
    loop {
        let waited = match order {
            CensusOrder::Away => orders.recv().map_err(|_| RecvTimeoutError::Disconnected),
            CensusOrder::Glance(_) | CensusOrder::Dump(_) => orders.recv_timeout(pause),
        };
        match waited {
            Ok(new) => {
                (order, pause, dumps) = (new, SETTLING, 0);
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {}
        }
        let (begun, cpu) = (Instant::now(), read::thread_cpu_time());
        let at = clock::now() - began;
        let (census, least, times) = match order {
            CensusOrder::Away => continue,
            CensusOrder::Glance(window) => (seen(taker.glance(at), window), GLANCE_EVERY, GLANCE_PAUSE),
            CensusOrder::Dump(window) => {
                // Without a dump of its threads, the target is still seen from outside.
                let census = taker.take(at).unwrap_or_else(|why| {
                    let mut seen = taker.glance(at);
                    seen.process.blind.get_or_insert_with(|| why.to_string());
                    seen
                });
                let heap = objects(&mut taker, window, dumps);
                dumps += 1;
                (Census { heap, ..seen(census, window) }, DUMP_EVERY, DUMP_PAUSE)
            }
        };
        into.lock().unwrap_or_else(PoisonError::into_inner).push(census);
        // Glances cost CPU time: on a busy machine most of the elapsed time is that of other processes.
        let cost = if times == GLANCE_PAUSE { read::thread_cpu_time().saturating_sub(cpu) } else { begun.elapsed() };
        pause = (cost * times).max(least);
    }
}

/// Objects of the heap, counted once without load, and after some of the dumps under full load.
fn objects(taker: &mut CensusTaker, window: Window, dumps: u32) -> Option<HeapLook> {
    match window {
        Window::Rest if dumps == 0 => taker.count_at_rest(),
        Window::Full if COUNTED_AFTER.contains(&dumps) => return taker.count_objects(),
        Window::Rest | Window::Light | Window::Full => {}
    }
    None
}

fn seen(census: Census, window: Window) -> Census {
    Census { window, ..census }
}
