//! `GET /metrics` for Prometheus: whatever a client does, the load goes on, and its end waits for nobody.

use std::{
    convert::Infallible,
    future::ready,
    io,
    net::{SocketAddr, TcpListener},
    sync::{Arc, Mutex, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use hyper::{
    Request, Response, StatusCode,
    body::Incoming,
    header::{CONNECTION, CONTENT_TYPE},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use plimsoll_report::metrics;
use tokio::{
    net,
    runtime::{Builder, Runtime},
    sync::{Semaphore, oneshot},
    time::{sleep, timeout},
};

use super::Sums;

/// How long a page is served again: an interval has a second, and clients that ask more often cost the load nothing.
const PAGE_FOR: Duration = Duration::from_secs(1);

/// Connections at a time; more wait in the listen queue.
const CONNECTIONS_MOST: usize = 16;
/// Bytes of a request's head, and of what is buffered of an answer.
const BUFFER_MOST: usize = 16 * 1024;
/// How long a client may take for the head of its request, and for all of it and the answer.
const HEAD_AT_MOST: Duration = Duration::from_secs(5);
const CONNECTION_AT_MOST: Duration = Duration::from_secs(15);
/// How long nothing is accepted after the system refused a connection, mostly for want of descriptors.
const BREATHER: Duration = Duration::from_millis(100);

/// Serves until it is dropped.
pub struct Endpoint {
    address: SocketAddr,
    /// Dropped, it ends the thread.
    end: Option<oneshot::Sender<Infallible>>,
    thread: Option<JoinHandle<()>>,
}

impl Endpoint {
    pub fn start(address: SocketAddr, sums: Arc<Sums>) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (end, ended) = oneshot::channel();
        let thread =
            thread::Builder::new().name("metrics".to_owned()).spawn(move || serve(runtime, listener, sums, ended))?;
        Ok(Self { address, end: Some(end), thread: Some(thread) })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        drop(self.end.take());
        self.thread.take().map(JoinHandle::join);
    }
}

/// Until the end is told; connections that are open then are dropped.
fn serve(runtime: Runtime, listener: TcpListener, sums: Arc<Sums>, ended: oneshot::Receiver<Infallible>) {
    runtime.block_on(async {
        tokio::select! {
            _ = accept_all(listener, Page::new(sums)) => {}
            _ = ended => {}
        }
    });
    runtime.shutdown_background();
}

async fn accept_all(listener: TcpListener, page: Page) -> io::Result<Infallible> {
    let listener = net::TcpListener::from_std(listener)?;
    let page = Arc::new(page);
    let slots = Arc::new(Semaphore::new(CONNECTIONS_MOST));
    loop {
        let slot = slots.clone().acquire_owned().await.map_err(io::Error::other)?;
        let Ok((stream, _)) = listener.accept().await else {
            sleep(BREATHER).await;
            continue;
        };
        let page = page.clone();
        tokio::spawn(async move {
            let answer = service_fn(|request| ready(Ok::<_, Infallible>(answer(&request, &page))));
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_AT_MOST)
                .max_buf_size(BUFFER_MOST)
                .keep_alive(false)
                .serve_connection(TokioIo::new(stream), answer);
            // A client that is too slow or has gone away needs no answer.
            let _ = timeout(CONNECTION_AT_MOST, connection).await;
            drop(slot);
        });
    }
}

/// All metrics as text. To make it takes the lock that the driver's thread needs.
struct Page {
    sums: Arc<Sums>,
    last: Mutex<Option<(Instant, String)>>,
}

impl Page {
    fn new(sums: Arc<Sums>) -> Self {
        Self { sums, last: Mutex::default() }
    }

    fn text(&self) -> String {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = last.take().filter(|(made, _)| made.elapsed() < PAGE_FOR);
        let (_, text) =
            last.insert(fresh.unwrap_or_else(|| (Instant::now(), metrics::prometheus(&self.sums.families()))));
        text.clone()
    }
}

/// Bodies of requests are not read.
fn answer(request: &Request<Incoming>, page: &Page) -> Response<String> {
    let (status, kind, text) = match request.uri().path() {
        "/metrics" => (StatusCode::OK, "text/plain; version=0.0.4; charset=utf-8", page.text()),
        _ => (StatusCode::NOT_FOUND, "text/plain", "plimsoll's metrics are at /metrics\n".to_owned()),
    };
    let response = Response::builder().status(status).header(CONTENT_TYPE, kind).header(CONNECTION, "close");
    response.body(text).expect("a status and headers that are valid")
}
