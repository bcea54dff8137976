//! GET, over HTTP and over TLS.

use std::{
    cell::Cell,
    io::{ErrorKind, Read},
    net::TcpStream,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use plimsoll_drive::{connection::Tls, tls::Client};
use ureq::Agent;
use url::{Position, Url};

const PATIENCE: Duration = Duration::from_secs(5);
const PAGE_BYTES_MAX: u64 = 16 << 20;
const HEAD_BYTES_MAX: usize = 64 << 10;

/// Asks a service, with patience.
pub struct Asker {
    agent: Agent,
    /// Whether a certificate was met that is not trusted here.
    is_insecure: Cell<bool>,
    /// Set once nothing is asked any more.
    stop: Arc<AtomicBool>,
}

/// An answer, as far as somebody looks at it.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    pub location: Option<String>,
    body: Vec<u8>,
}

impl Default for Asker {
    fn default() -> Self {
        Self::until(Arc::default())
    }
}

impl Asker {
    /// Asks nothing any more once `stop` is set.
    pub fn until(stop: Arc<AtomicBool>) -> Self {
        let config = Agent::config_builder();
        let config = config.timeout_global(Some(PATIENCE)).http_status_as_error(false).max_redirects(0).proxy(None);
        Self { agent: config.build().into(), is_insecure: Cell::new(false), stop }
    }

    /// Whether a certificate was met that is not trusted here.
    pub const fn is_insecure(&self) -> bool {
        self.is_insecure.get()
    }

    /// The status of a page, and where it leads.
    pub fn head_of(&self, url: &Url) -> Result<Answer, String> {
        self.get(url, "*/*", false)
    }

    /// The text of a page of JSON.
    pub fn page(&self, url: &Url) -> Option<String> {
        let answer = self.get(url, "application/json", true).ok().filter(|answer| answer.status == 200)?;
        String::from_utf8(answer.body).ok()
    }

    fn get(&self, url: &Url, accept: &str, is_whole: bool) -> Result<Answer, String> {
        if self.stop.load(Ordering::Relaxed) {
            return Err("interrupted".to_owned());
        }
        if url.scheme() == "https" {
            return self.get_by_tls(url, accept, is_whole);
        }
        let called = self.agent.get(url.as_str()).header("Accept", accept).call();
        let mut answer = called.map_err(|error| error.to_string())?;
        let status = answer.status().as_u16();
        let location = answer.headers().get("location").and_then(|it| it.to_str().ok()).map(str::to_owned);
        let body = match is_whole {
            true => answer.body_mut().with_config().limit(PAGE_BYTES_MAX).read_to_vec().map_err(|it| it.to_string())?,
            false => Vec::new(),
        };
        Ok(Answer { status, location, body })
    }

    /// Asks by TLS: with any certificate, once one is met that is not trusted.
    fn get_by_tls(&self, url: &Url, accept: &str, is_whole: bool) -> Result<Answer, String> {
        let with = |insecure: bool| get_by_tls(url, accept, is_whole, Tls { insecure, ..Tls::default() });
        if self.is_insecure.get() {
            return with(true);
        }
        with(false).or_else(|why| {
            let answer = with(true).map_err(|_| why)?;
            self.is_insecure.set(true);
            Ok(answer)
        })
    }
}

/// Asks in HTTP/1.0, whose answers end with their connection.
fn get_by_tls(url: &Url, accept: &str, is_whole: bool, tls: Tls) -> Result<Answer, String> {
    let client = Client::new(&tls, url).map_err(|error| error.to_string())?;
    let addresses = url.socket_addrs(|| None).map_err(|error| error.to_string())?;
    let mut connected = Err("it has no address".to_owned());
    for address in addresses {
        connected = TcpStream::connect_timeout(&address, PATIENCE).map_err(|error| error.to_string());
        if connected.is_ok() {
            break;
        }
    }
    let stream = connected?;
    stream.set_read_timeout(Some(PATIENCE)).map_err(|error| error.to_string())?;
    let (path, host) =
        (&url[Position::BeforePath..Position::AfterQuery], &url[Position::BeforeHost..Position::AfterPort]);
    let request = format!("GET {path} HTTP/1.0\r\nHost: {host}\r\nUser-Agent: plimsoll\r\nAccept: {accept}\r\n\r\n");
    let mut answer = client.ask(stream, request.as_bytes()).map_err(|error| error.to_string())?;
    read(&mut answer, is_whole, Instant::now() + PATIENCE)
}

/// An answer as it comes; with its body only if that `is_whole`.
fn read(from: &mut impl Read, is_whole: bool, until: Instant) -> Result<Answer, String> {
    let (mut all, mut buffer) = (Vec::new(), [0; 16 << 10]);
    loop {
        if let Some(answer) = parsed(&all)
            && (!is_whole || all.len() as u64 > PAGE_BYTES_MAX)
        {
            return Ok(answer);
        }
        if Instant::now() >= until {
            return Err("it took too long".to_owned());
        }
        match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => all.extend_from_slice(&buffer[..length]),
            // Many a server ends TLS without its goodbye.
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => break,
            Err(error) => return Err(error.to_string()),
        }
    }
    parsed(&all).ok_or_else(|| "what came is no answer of HTTP".to_owned())
}

/// The answer, once its head is there.
fn parsed(all: &[u8]) -> Option<Answer> {
    let head = all.windows(4).take(HEAD_BYTES_MAX).position(|window| window == b"\r\n\r\n")?;
    let text = String::from_utf8_lossy(&all[..head]);
    let mut lines = text.split("\r\n");
    let status = lines.next()?.strip_prefix("HTTP/1.")?.split(' ').nth(1)?.parse().ok()?;
    let location = lines.filter_map(|line| line.split_once(':'));
    let location =
        location.filter(|(name, _)| name.eq_ignore_ascii_case("location")).map(|(_, to)| to.trim().to_owned());
    Some(Answer { status, location: location.last(), body: all[head + 4..].to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(text: &str, is_whole: bool) -> Result<Answer, String> {
        read(&mut text.as_bytes(), is_whole, Instant::now() + Duration::from_secs(60))
    }

    #[test]
    fn an_answer_is_read_as_far_as_it_is_wanted() {
        let text = "HTTP/1.1 302 Found\r\nServer: x\r\nLOCATION: /login\r\n\r\n{}";
        let head = answer(text, false).unwrap();
        assert_eq!((head.status, head.location.as_deref()), (302, Some("/login")));
        assert_eq!(answer(text, true).unwrap().body, b"{}");
        assert_eq!(answer("HTTP/1.0 200 OK\r\n\r\n", true).unwrap().location, None);
    }

    #[test]
    fn whatever_is_no_answer_is_an_error() {
        for text in ["", "220 mail ESMTP\r\n\r\n", "HTTP/1.1 200 OK\r\nCut: off", "HTTP/1.1 x y\r\n\r\n"] {
            assert!(answer(text, false).unwrap_err().contains("no answer of HTTP"), "{text}");
        }
    }
}
