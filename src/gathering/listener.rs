//! The collector's side: an HTTP server that takes messages of parts, of those that have the token.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use http_body_util::{BodyExt, Limited};
use hyper::{
    Method, Request, Response, StatusCode,
    body::Incoming,
    header::{AUTHORIZATION, CONTENT_LENGTH},
};
use plimsoll_drive::unix_now;
use plimsoll_gather::{Answer, BODY_BYTES_MAX, Envelope, Reply};
use plimsoll_serve::server::{Limits, Server, bind};
use tokio::{sync::Semaphore, task::spawn_blocking, time::timeout};

use super::{PATH, Token};
use crate::failure::Failure;

/// Connections beside one for each part: of parts that are refused, and of those that come again.
const MORE_CONNECTIONS: usize = 64;
/// File descriptors of all else.
const MORE_DESCRIPTORS: u64 = 64;
/// Time for a head, which begins when the last answer was given: parts say something each second.
const HEAD_AT_MOST: Duration = Duration::from_secs(30);
/// Time for a connection. A part then makes another one.
const CONNECTION_AT_MOST: Duration = Duration::from_secs(3_600);
/// Time for a body of the greatest length.
const BODY_AT_MOST: Duration = Duration::from_secs(60);
/// KiB of bodies in memory at a time; others wait.
const BODIES_KIB_MAX: usize = 64 * 1024;

/// Listens until it is dropped.
pub struct Listener(Server);

impl Listener {
    /// Answers messages by `take`. Beyond this machine only with a token.
    pub fn start(
        address: SocketAddr,
        token: Option<Token>,
        parts: u32,
        take: impl Fn(Envelope) -> Answer + Send + Sync + 'static,
    ) -> Result<Self, Failure> {
        let unable = |error| {
            Failure::input(format_args!(
                "--listen {address}: cannot listen there: {error}; choose another port, 0 for any that is free"
            ))
        };
        let limits = Limits {
            connections: parts as usize + MORE_CONNECTIONS,
            head: HEAD_AT_MOST,
            whole: CONNECTION_AT_MOST,
            keep_alive: true,
        };
        allow(limits.connections as u64 + MORE_DESCRIPTORS)?;
        let tls = token.as_ref().map(Token::server).transpose()?;
        let desk = Arc::new(Desk { token, take, room: Semaphore::new(BODIES_KIB_MAX) });
        let answer = move |request| {
            let desk = desk.clone();
            async move { desk.answer(request).await }
        };
        Server::start("collector", bind(address).map_err(unable)?, tls, limits, answer).map(Self).map_err(unable)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.0.address()
    }
}

/// Raises the limit of file descriptors, and fails if it is less than `needed`.
fn allow(needed: u64) -> Result<(), Failure> {
    let allowed = plimsoll_process::raise_descriptors();
    if needed <= allowed {
        return Ok(());
    }
    Err(Failure::input(format_args!(
        "--parts: a collector of so many parts needs {needed} file descriptors, and {allowed} are allowed: raise the \
         limit (`ulimit -Hn`)"
    )))
}

struct Desk<Take> {
    token: Option<Token>,
    take: Take,
    room: Semaphore,
}

impl<Take: Fn(Envelope) -> Answer + Send + Sync + 'static> Desk<Take> {
    async fn answer(self: Arc<Self>, request: Request<Incoming>) -> Response<String> {
        match self.take(request).await {
            Ok(answer) => {
                let reply = Reply { clock: unix_now(), answer };
                said(StatusCode::OK, serde_json::to_string(&reply).unwrap_or_default())
            }
            Err((status, problem)) => said(status, format!("{problem}\n")),
        }
    }

    async fn take(self: Arc<Self>, request: Request<Incoming>) -> Result<Answer, (StatusCode, String)> {
        let refuse = |status, problem: &str| Err((status, problem.to_owned()));
        if let Some(token) = &self.token {
            let given = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
            if !given.is_some_and(|given| token.is_code(given)) {
                return refuse(StatusCode::UNAUTHORIZED, "expected the code of this collector's token");
            }
        }
        if request.uri().path() != PATH {
            return refuse(
                StatusCode::NOT_FOUND,
                "a collector of `plimsoll collect`: parts join by `plimsoll load --join`",
            );
        }
        if request.method() != Method::POST {
            return refuse(StatusCode::METHOD_NOT_ALLOWED, "expected POST");
        }
        let length = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
        let Some(length) = length else { return refuse(StatusCode::LENGTH_REQUIRED, "expected Content-Length") };
        if length > BODY_BYTES_MAX {
            return refuse(StatusCode::PAYLOAD_TOO_LARGE, "expected a message of at most 16 MiB");
        }
        // The semaphore is never closed: it gives room as soon as there is some.
        let room = self.room.acquire_many(1 + (length / 1024) as u32).await;
        let body = timeout(BODY_AT_MOST, Limited::new(request.into_body(), length).collect()).await;
        let body = match body {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(_)) => return refuse(StatusCode::BAD_REQUEST, "the message was cut"),
            Err(_) => return refuse(StatusCode::REQUEST_TIMEOUT, "the message took too long"),
        };
        let desk = self.clone();
        let taken = spawn_blocking(move || Envelope::read(&body).map(|envelope| (desk.take)(envelope))).await;
        drop(room);
        match taken {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(problem)) => Err((StatusCode::BAD_REQUEST, problem)),
            Err(_) => refuse(StatusCode::INTERNAL_SERVER_ERROR, "the message could not be taken: please report it"),
        }
    }
}

fn said(status: StatusCode, text: String) -> Response<String> {
    let mut response = Response::new(text);
    *response.status_mut() = status;
    response
}
