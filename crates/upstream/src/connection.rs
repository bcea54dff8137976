//! One connection, from its handshake to its end.

use std::{
    error::Error,
    io,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use plimsoll_record::Nanos;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    sync::Notify,
    time::{sleep_until, timeout},
};

use crate::{
    server::Speaks,
    service::{Shared, answer},
};

/// How long a connection that is to be closed may take to say good-bye.
const GOODBYE: Duration = Duration::from_secs(1);

/// How a connection is used.
#[derive(Default)]
pub struct Life {
    requests: AtomicU64,
    in_flight: AtomicU64,
    /// When the last answer ended, in nanoseconds since the upstream's start.
    used_ns: AtomicU64,
    /// Its last answer was given, and nothing in it said so.
    spent: Notify,
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
        self.life.in_flight.fetch_sub(1, Relaxed);
        if self.is_last {
            self.life.spent.notify_one();
        }
    }
}

/// Serves a connection that was accepted.
pub async fn serve(stream: TcpStream, shared: Arc<Shared>, speaks: Arc<Speaks>) {
    let _open = shared.counts.open();
    // Answers are small, and must not wait for acknowledgements. An error shows again at the first read.
    let _ = stream.set_nodelay(true);
    shared.thaw().await;
    let outcome = match &speaks.tls {
        None => converse(stream, &shared, &speaks).await,
        Some(acceptor) => match acceptor.accept(stream).await {
            Ok(stream) => {
                let is_resumed = stream.get_ref().1.handshake_kind() == Some(rustls::HandshakeKind::Resumed);
                shared.counts.handshake(is_resumed);
                converse(stream, &shared, &speaks).await
            }
            Err(error) => {
                shared.counts.failed_handshake();
                Err(error.into())
            }
        },
    };
    if outcome.is_err_and(|error| is_reset(&*error)) {
        shared.counts.reset();
    }
}

async fn converse(
    stream: impl AsyncRead + AsyncWrite + Unpin + 'static,
    shared: &Arc<Shared>,
    speaks: &Speaks,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let life = Arc::new(Life { used_ns: AtomicU64::new(shared.now().0), ..Life::default() });
    let service = service_fn(|request| answer(request, shared.clone(), life.clone()));
    let mut connection = pin!(speaks.http.serve_connection(TokioIo::new(stream), service));
    if shared.closes_nothing() {
        return connection.await;
    }
    tokio::select! {
        biased;
        outcome = connection.as_mut() => return outcome,
        () = life.spent.notified() => {}
        () = idle(&life, shared) => {}
    }
    connection.as_mut().graceful_shutdown();
    timeout(GOODBYE, connection).await.unwrap_or(Ok(()))
}

/// Ends when the connection has been unused for longer than it may be.
async fn idle(life: &Life, shared: &Shared) {
    let Some(idle_time) = shared.idle_time() else { return std::future::pending().await };
    loop {
        let now = shared.now();
        let since = if life.in_flight.load(Relaxed) > 0 { now } else { Nanos(life.used_ns.load(Relaxed)) };
        let deadline = since + idle_time;
        if deadline <= now {
            return;
        }
        sleep_until(shared.instant(deadline)).await;
    }
}

/// Whether `error` comes from a client that hung up.
fn is_reset(error: &(dyn Error + 'static)) -> bool {
    let causes = std::iter::successors(Some(error), |error| (*error).source());
    causes
        .filter_map(|error| error.downcast_ref::<io::Error>())
        .any(|error| matches!(error.kind(), io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe))
}
