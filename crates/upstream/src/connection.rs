//! One connection, from its handshake to its end.

use std::{
    error::Error,
    io,
    pin::{Pin, pin},
    sync::Arc,
    time::Duration,
};

use hyper::service::service_fn;
use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto,
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    time::timeout,
};
use tokio_rustls::TlsAcceptor;

use crate::{
    life::{Life, idle},
    service::answer,
    shared::Shared,
};

/// How long a connection that is to be closed, and that no request uses any more, may take to say good-bye.
const GOODBYE: Duration = Duration::from_secs(1);

/// Protocol of connections.
pub struct Speaks {
    pub http: auto::Builder<TokioExecutor>,
    pub tls: Option<TlsAcceptor>,
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
    let life = Arc::new(Life::begin(shared));
    let service = service_fn(|request| answer(request, shared.clone(), life.clone()));
    let mut connection = pin!(speaks.http.serve_connection(TokioIo::new(stream), service));
    if shared.closes_nothing() {
        return connection.await;
    }
    tokio::select! {
        biased;
        outcome = connection.as_mut() => return outcome,
        () = life.spent() => {}
        () = idle(&life, shared) => {}
    }
    connection.as_mut().graceful_shutdown();
    take_leave(connection, &life).await
}

/// Serves the requests that a connection still has. It then ends by itself, or is dropped.
async fn take_leave<E>(mut connection: Pin<&mut impl Future<Output = Result<(), E>>>, life: &Life) -> Result<(), E> {
    loop {
        tokio::select! {
            biased;
            outcome = connection.as_mut() => return outcome,
            () = life.unused() => {}
        }
        match timeout(GOODBYE, connection.as_mut()).await {
            Ok(outcome) => return outcome,
            // Over HTTP/2 a request may have crossed the goodbye.
            Err(_) if life.is_used() => {}
            Err(_) => return Ok(()),
        }
    }
}

/// Whether `error` comes from a client that hung up.
fn is_reset(error: &(dyn Error + 'static)) -> bool {
    let causes = std::iter::successors(Some(error), |error| (*error).source());
    causes
        .filter_map(|error| error.downcast_ref::<io::Error>())
        .any(|error| matches!(error.kind(), io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe))
}

#[cfg(test)]
mod tests {
    use http_body_util::{BodyExt, Empty};
    use hyper::{Request, StatusCode, body::Bytes, client::conn::http2};
    use plimsoll_record::{Distribution, KeepAlive, Nanos, UpstreamPlan};
    use tokio::{io::duplex, runtime, spawn};

    use super::*;

    /// Two requests at once, each of which takes five seconds, one after the other. The first is the last that the
    /// connection is to carry.
    #[test]
    fn streams_that_have_begun_are_served_to_their_end() {
        let plan = UpstreamPlan {
            latency: Distribution::Constant(Nanos::from_secs(5)),
            servers: Some(1),
            keep_alive: KeepAlive { requests_max: Some(1), ..KeepAlive::default() },
            ..UpstreamPlan::default()
        };
        let runtime = runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let (near, far) = duplex(64 * 1024);
            let shared = Arc::new(Shared::new(&plan));
            let serving = shared.clone();
            let server = spawn(async move {
                let speaks = Speaks { http: auto::Builder::new(TokioExecutor::new()), tls: None };
                converse(far, &serving, &speaks).await
            });
            let (sender, connection) = http2::handshake(TokioExecutor::new(), TokioIo::new(near)).await.unwrap();
            let client = spawn(connection);
            let ask = || {
                let mut sender = sender.clone();
                spawn(async move {
                    let request = Request::get("http://upstream/").body(Empty::<Bytes>::new()).unwrap();
                    let (head, body) = sender.send_request(request).await.unwrap().into_parts();
                    (head.status, body.collect().await.unwrap().to_bytes().len())
                })
            };
            for answer in [ask(), ask()] {
                assert_eq!(answer.await.unwrap(), (StatusCode::OK, 100));
            }
            assert_eq!(shared.now().0 / 1_000_000_000, 10);
            // Its client still has it, but was told that it takes no more.
            assert!(client.await.unwrap().is_ok() && server.await.unwrap().is_ok());
            assert!(!sender.is_ready());
        });
    }
}
