//! `GET /metrics` for Prometheus: whatever a client does, the load goes on, and its end waits for nobody.

use std::{
    future::ready,
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use hyper::{
    Response, StatusCode,
    header::{CONNECTION, CONTENT_TYPE},
};
use plimsoll_report::metrics;
use plimsoll_serve::server::{Limits, Server, bind};

use super::Sums;

/// How long a page is served again: an interval has a second, and clients that ask more often cost the load nothing.
const PAGE_FOR: Duration = Duration::from_secs(1);

const LIMITS: Limits =
    Limits { connections: 16, head: Duration::from_secs(5), whole: Duration::from_secs(15), keep_alive: false };

/// Serves until the server is dropped.
pub fn start(address: SocketAddr, sums: Arc<Sums>) -> io::Result<Server> {
    let page = Page { sums, last: Mutex::default() };
    Server::start("metrics", bind(address)?, None, LIMITS, move |request| ready(answer(request.uri().path(), &page)))
}

/// All metrics as text. To make it takes the lock that the driver's thread needs.
struct Page {
    sums: Arc<Sums>,
    last: Mutex<Option<(Instant, String)>>,
}

impl Page {
    fn text(&self) -> String {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = last.take().filter(|(made, _)| made.elapsed() < PAGE_FOR);
        let (_, text) =
            last.insert(fresh.unwrap_or_else(|| (Instant::now(), metrics::prometheus(&self.sums.families()))));
        text.clone()
    }
}

fn answer(path: &str, page: &Page) -> Response<String> {
    let (status, kind, text) = match path {
        "/metrics" => (StatusCode::OK, "text/plain; version=0.0.4; charset=utf-8", page.text()),
        _ => (StatusCode::NOT_FOUND, "text/plain", "plimsoll's metrics are at /metrics\n".to_owned()),
    };
    let response = Response::builder().status(status).header(CONTENT_TYPE, kind).header(CONNECTION, "close");
    response.body(text).expect("a status and headers that are valid")
}
