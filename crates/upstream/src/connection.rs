//! One connection, from its handshake to its end.

use std::{error::Error, io, pin::pin, sync::Arc, time::Duration};

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

/// How long a connection that is to be closed may take to say good-bye.
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
    timeout(GOODBYE, connection).await.unwrap_or(Ok(()))
}

/// Whether `error` comes from a client that hung up.
fn is_reset(error: &(dyn Error + 'static)) -> bool {
    let causes = std::iter::successors(Some(error), |error| (*error).source());
    causes
        .filter_map(|error| error.downcast_ref::<io::Error>())
        .any(|error| matches!(error.kind(), io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe))
}
