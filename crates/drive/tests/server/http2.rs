//! A server that speaks HTTP/2 by the library most servers in Rust use.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
};

use bytes::Bytes;
use h2::{Reason, RecvStream, server::SendResponse};
use http::{Request, Response};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpListener,
    runtime,
};
use tokio_rustls::TlsAcceptor;

/// How it behaves.
#[derive(Clone, Default)]
pub struct Behaviour {
    /// TLS by this, else none.
    pub tls: Option<Arc<rustls::ServerConfig>>,
    /// Streams at a time that it allows a connection.
    pub streams_max: Option<u32>,
    /// Requests after which it goes away.
    pub requests_max: Option<u64>,
}

/// Counts of what it has seen.
#[derive(Default)]
pub struct Seen {
    pub connections: AtomicU64,
    pub requests: AtomicU64,
}

/// Starts one on a free port of 127.0.0.1; it lives as long as the tests.
pub fn start(behaviour: Behaviour) -> (SocketAddr, Arc<Seen>) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let (address, seen) = (listener.local_addr().unwrap(), Arc::new(Seen::default()));
    let counted = seen.clone();
    thread::spawn(move || {
        let runtime = runtime::Builder::new_current_thread().enable_io().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::from_std(listener).unwrap();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let (behaviour, seen) = (behaviour.clone(), counted.clone());
                seen.connections.fetch_add(1, Relaxed);
                tokio::spawn(async move {
                    match &behaviour.tls {
                        None => serve(stream, &behaviour, &seen).await,
                        Some(config) => {
                            let Ok(stream) = TlsAcceptor::from(config.clone()).accept(stream).await else { return };
                            serve(stream, &behaviour, &seen).await;
                        }
                    }
                });
            }
        });
    });
    (address, seen)
}

async fn serve(stream: impl AsyncRead + AsyncWrite + Unpin, behaviour: &Behaviour, seen: &Arc<Seen>) {
    let mut builder = h2::server::Builder::new();
    if let Some(streams) = behaviour.streams_max {
        builder.max_concurrent_streams(streams);
    }
    let Ok(mut connection) = builder.handshake::<_, Bytes>(stream).await else { return };
    let mut requests = 0;
    while let Some(Ok((request, respond))) = connection.accept().await {
        requests += 1;
        if behaviour.requests_max == Some(requests) {
            connection.graceful_shutdown();
        }
        seen.requests.fetch_add(1, Relaxed);
        tokio::spawn(async move { answer(request, respond).await.ok() });
    }
}

async fn answer(request: Request<RecvStream>, mut respond: SendResponse<Bytes>) -> Result<(), h2::Error> {
    let (head, mut body) = request.into_parts();
    let mut length = 0;
    while let Some(chunk) = body.data().await {
        let bytes = chunk?.len();
        body.flow_control().release_capacity(bytes)?;
        length += bytes;
    }
    if head.uri.path() == "/reset" {
        respond.send_reset(Reason::INTERNAL_ERROR);
        return Ok(());
    }
    let response = Response::builder();
    let (response, answer) = match head.uri.path() {
        "/moved" => (response.status(302).header("location", "/here"), Bytes::new()),
        "/big" => (response, Bytes::from(vec![b'x'; 1_000_000])),
        "/missing" => (response.status(404), Bytes::new()),
        _ => (response.header("content-length", 9), Bytes::from(format!("{length:09}"))),
    };
    let response = response.body(()).expect("a head that is valid");
    let mut stream = respond.send_response(response, answer.is_empty())?;
    if answer.is_empty() { Ok(()) } else { stream.send_data(answer, true) }
}
