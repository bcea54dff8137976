//! One request: what the model makes of it, done for real.

use std::sync::Arc;

use http_body_util::BodyExt;
use hyper::{
    Method, Request, Response, StatusCode, Version,
    body::Incoming,
    header::{CONNECTION, CONTENT_TYPE, HeaderName, HeaderValue},
};

use crate::{
    answer::Answer,
    life::{InUse, Life},
    shared::Shared,
};

const KEEP_ALIVE: HeaderName = HeaderName::from_static("keep-alive");

/// Reads a request to its end, has it wait for its turn, and answers it.
pub async fn answer(
    request: Request<Incoming>,
    shared: Arc<Shared>,
    life: Arc<Life>,
) -> Result<Response<Answer>, hyper::Error> {
    let mut in_use = InUse::begin(&life, &shared);
    let (head, mut body) = request.into_parts();
    while let Some(frame) = body.frame().await {
        frame?;
    }
    shared.counts.request(in_use.nth);
    let fate = shared.first_byte().await;
    let says_close = in_use.is_last && head.version < Version::HTTP_2 && !shared.keep_alive.closes_silently;
    let announced = announcement(&shared, &in_use).filter(|_| head.version < Version::HTTP_2 && !says_close);
    // hyper itself closes a connection that it said it would close.
    in_use.is_last &= !says_close;
    let status = StatusCode::from_u16(fate.status).unwrap_or(StatusCode::OK);
    let has_body = !matches!(status, StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED) && head.method != Method::HEAD;
    let length = if has_body { fate.bytes } else { 0 };
    let (first_byte, done) = (shared.instant(fate.first_byte), shared.instant(fate.done));
    let mut response = Response::new(Answer::new(length, first_byte, done, in_use));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    if has_body {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    }
    if says_close {
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    headers.extend(announced.map(|value| (KEEP_ALIVE, value)));
    Ok(response)
}

/// How long the connection will be kept, in words of HTTP, if that is to be said.
fn announcement(shared: &Shared, in_use: &InUse) -> Option<HeaderValue> {
    if !shared.keep_alive.is_announced {
        return None;
    }
    let timeout = shared
        .keep_alive
        .announced_idle_time
        .or(shared.idle_time())
        .map(|time| format!("timeout={}", time.0 / 1_000_000_000));
    let max = shared.requests_max().map(|most| format!("max={}", most.saturating_sub(in_use.nth)));
    let parts: Vec<String> = timeout.into_iter().chain(max).collect();
    HeaderValue::from_str(&parts.join(", ")).ok().filter(|value| !value.is_empty())
}
