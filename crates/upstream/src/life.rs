//! The life of a connection: its requests, and how long it may be unused.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use plimsoll_record::Nanos;
use tokio::{sync::Notify, time::sleep_until};

use crate::shared::Shared;

/// How a connection is used.
#[derive(Default)]
pub struct Life {
    requests: AtomicU64,
    in_flight: AtomicU64,
    /// When the last answer ended, in nanoseconds since the upstream's start.
    used_ns: AtomicU64,
    /// Notified once the last answer was given without saying that it was the last.
    spent: Notify,
    /// Notified whenever no request is in flight any more.
    unused: Notify,
}

impl Life {
    /// A connection begins.
    pub fn begin(shared: &Shared) -> Self {
        Self { used_ns: AtomicU64::new(shared.now().0), ..Self::default() }
    }

    /// Ends once the last answer was given without saying that it was the last.
    pub async fn spent(&self) {
        self.spent.notified().await;
    }

    /// Whether a request is in flight.
    pub fn is_used(&self) -> bool {
        self.in_flight.load(Relaxed) > 0
    }

    /// Ends once no request is in flight.
    pub async fn unused(&self) {
        while self.is_used() {
            self.unused.notified().await;
        }
    }
}

/// A request being served; the connection is idle again when it is dropped.
pub struct InUse {
    life: Arc<Life>,
    shared: Option<Arc<Shared>>,
    /// Whether the connection is closed after this.
    pub is_last: bool,
    /// Number among its connection's requests, counted from 1.
    pub nth: u64,
}

impl InUse {
    /// The next request.
    pub fn begin(life: &Arc<Life>, shared: &Arc<Shared>) -> Self {
        life.in_flight.fetch_add(1, Relaxed);
        let nth = life.requests.fetch_add(1, Relaxed) + 1;
        let is_last = shared.requests_max().is_some_and(|most| nth >= most);
        Self { life: life.clone(), shared: Some(shared.clone()), is_last, nth }
    }

    #[cfg(test)]
    pub fn for_tests() -> Self {
        Self { life: Arc::default(), shared: None, is_last: false, nth: 1 }
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        let now = self.shared.as_ref().map_or(Nanos::ZERO, |shared| shared.now());
        self.life.used_ns.store(now.0, Relaxed);
        if self.life.in_flight.fetch_sub(1, Relaxed) == 1 {
            self.life.unused.notify_one();
        }
        if self.is_last {
            self.life.spent.notify_one();
        }
    }
}

/// Ends when the connection has been unused for longer than it may be.
pub async fn idle(life: &Life, shared: &Shared) {
    let Some(idle_time) = shared.idle_time() else { return std::future::pending().await };
    loop {
        let now = shared.now();
        let since = if life.is_used() { now } else { Nanos(life.used_ns.load(Relaxed)) };
        let deadline = since + idle_time;
        if deadline <= now {
            return;
        }
        sleep_until(shared.instant(deadline)).await;
    }
}
