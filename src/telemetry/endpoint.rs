//! `GET /metrics` for Prometheus.

use std::{
    io,
    net::SocketAddr,
    sync::Arc,
    thread::{self, JoinHandle},
};

use plimsoll_report::metrics;
use tiny_http::{Header, Request, Response, Server};

use super::Sums;

/// Serves until it is dropped.
pub struct Endpoint {
    server: Arc<Server>,
    address: SocketAddr,
    thread: Option<JoinHandle<()>>,
}

impl Endpoint {
    pub fn start(address: SocketAddr, sums: Arc<Sums>) -> io::Result<Self> {
        let server = Arc::new(Server::http(address).map_err(io::Error::other)?);
        let address = server.server_addr().to_ip().unwrap_or(address);
        let requests = server.clone();
        let thread = thread::spawn(move || requests.incoming_requests().for_each(|request| answer(request, &sums)));
        Ok(Self { server, address, thread: Some(thread) })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        self.server.unblock();
        self.thread.take().map(JoinHandle::join);
    }
}

fn answer(request: Request, sums: &Sums) {
    let response = match request.url().split('?').next() {
        Some("/metrics") => {
            let head = "Content-Type: text/plain; version=0.0.4; charset=utf-8";
            Response::from_string(metrics::prometheus(&sums.families()))
                .with_header(head.parse::<Header>().expect("a header"))
        }
        _ => Response::from_string("plimsoll's metrics are at /metrics\n").with_status_code(404),
    };
    // A client that has gone away needs no answer.
    let _ = request.respond(response);
}
