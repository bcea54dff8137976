//! Pages about the records of a directory, for a browser on this machine: a list, reports, live runs, two executions
//! side by side.
//!
//! Records are only read. The server listens on 127.0.0.1 alone, answers GET and HEAD, and refuses requests under other
//! names than this machine's own, so that no page from elsewhere reads a record through a browser.

mod digests;
mod guard;
mod held;
mod kind;
mod pages;
mod records;
mod route;
pub mod server;
mod shelf;
mod site;

use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use hyper::{Response, StatusCode};

use server::{Limits, Server};
use site::Site;

/// The most connections at a time; a browser opens six for each of its windows.
const CONNECTIONS_MOST: usize = 64;
/// Time that a client may take for the head of its request.
const HEAD_AT_MOST: Duration = Duration::from_secs(5);
/// Time for the whole request and its answer: long executions take seconds to analyse.
const CONNECTION_AT_MOST: Duration = Duration::from_secs(60);

/// Serves the records in `places`, files or directories, on 127.0.0.1 until it is dropped; port 0 is any that is free.
///
/// # Errors
///
/// If the port cannot be listened on.
pub fn start(places: Vec<PathBuf>, port: u16) -> io::Result<Server> {
    let listener = server::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
    let site = Arc::new(Site::new(places, listener.local_addr()?.port())?);
    let limits =
        Limits { connections: CONNECTIONS_MOST, head: HEAD_AT_MOST, whole: CONNECTION_AT_MOST, keep_alive: false };
    Server::start("serve", listener, None, limits, move |request| {
        let site = site.clone();
        let request = request.map(drop);
        async move {
            let answer = tokio::task::spawn_blocking(move || site.answer(&request));
            answer.await.unwrap_or_else(|_| failed())
        }
    })
}

/// The answer if a defect of ours kept a page from being made; stderr has the details.
fn failed() -> Response<String> {
    let mut response =
        Response::new("this page could not be made: please report it, with what stderr says\n".to_owned());
    *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
    response
}
