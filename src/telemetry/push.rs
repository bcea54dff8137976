//! OTLP/HTTP: metrics as JSON, every few seconds and once at the end.

use std::{
    sync::{
        Arc,
        mpsc::{self, RecvTimeoutError, Sender},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use plimsoll_drive::unix_now;
use plimsoll_record::Nanos;
use plimsoll_report::metrics;
use ureq::Agent;
use url::Url;

use super::Sums;
use crate::live::Voice;

const EVERY: Duration = Duration::from_secs(5);
/// A collector that does not answer must not hold up the end of the load for long.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Pushes until it is dropped.
pub struct Push {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Push {
    pub fn start(url: Url, sums: Arc<Sums>, voice: Voice) -> Self {
        let (end, ended) = mpsc::channel::<()>();
        let mut pusher = Pusher { url, started: unix_now(), agent: agent(), voice, has_failed: false };
        let thread = thread::spawn(move || {
            while ended.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                pusher.push(&sums);
            }
            pusher.push(&sums);
        });
        Self { end: Some(end), thread: Some(thread) }
    }
}

impl Drop for Push {
    fn drop(&mut self) {
        drop(self.end.take());
        self.thread.take().map(JoinHandle::join);
    }
}

struct Pusher {
    url: Url,
    started: Nanos,
    agent: Agent,
    voice: Voice,
    has_failed: bool,
}

impl Pusher {
    /// A failed delivery is reported once: the next push says it all again, as sums count from the start.
    fn push(&mut self, sums: &Sums) {
        let body = metrics::otlp(&sums.families(), self.started, unix_now());
        let sent = self.agent.post(self.url.as_str()).content_type("application/json").send(body);
        let taken = sent.map_err(|error| error.to_string()).and_then(|response| match response.status() {
            status if status.is_redirection() => Err(format!("it answers {status}, and redirects are not followed")),
            status if !status.is_success() => Err(format!("it answers {status}, where 200 was expected")),
            _ => Ok(()),
        });
        if let Err(error) = taken
            && !std::mem::replace(&mut self.has_failed, true)
        {
            self.voice.say(&format!("warning: no metrics to {}: {error}; the load goes on without", self.url));
        }
    }
}

fn agent() -> Agent {
    // Metrics go where they were sent to and nowhere else.
    Agent::config_builder().timeout_global(Some(TIMEOUT)).max_redirects(0).build().into()
}
