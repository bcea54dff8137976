//! A part's connection to its collector: one message, one answer; a new connection where the last one broke.

use std::{fmt, sync::Arc, time::Duration};

use http_body_util::{BodyExt, Full, Limited};
use hyper::{
    Request, StatusCode,
    body::Bytes,
    client::conn::http1::{self, SendRequest},
    header::{AUTHORIZATION, CONTENT_LENGTH, HOST},
};
use hyper_util::rt::TokioIo;
use plimsoll_drive::unix_now;
use plimsoll_gather::{BODY_BYTES_MAX, Envelope, Message, Reply};
use plimsoll_record::Nanos;
use rustls::{ClientConfig, pki_types::ServerName};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    runtime::{Builder, Runtime},
    time::timeout,
};
use tokio_rustls::TlsConnector;
use url::{Host, Url};

use super::{Elapsed, PATH, Token};
use crate::{cli::CollectorAddress, failure::Failure};

/// Time for a connection, and for an answer.
const ANSWER_AT_MOST: Duration = Duration::from_secs(10);
/// Most bytes of an answer that is no load.
const ANSWER_BYTES_MAX: usize = 64 * 1024;
/// Most bytes of an answer that is a load with all its data.
const ORDER_BYTES_MAX: usize = 2 * BODY_BYTES_MAX;

/// Where a collector is.
#[derive(Clone)]
pub struct Address {
    host: String,
    port: u16,
    security: Option<(Arc<ClientConfig>, String)>,
}

impl Address {
    /// Reads `--join`: https needs a token, and http is for this machine alone.
    pub fn new(of: &CollectorAddress, token: Option<&Token>) -> Result<Self, Failure> {
        let url = &of.url;
        let refuse = |problem: &str| Failure::input(format_args!("--join {url}: {problem}"));
        let host = match url.host() {
            Some(Host::Ipv6(address)) => address.to_string(),
            Some(host) => host.to_string(),
            None => return Err(refuse("expected an address with a host, e.g. https://collector:7400")),
        };
        let security = match (url.scheme(), token) {
            ("https", Some(token)) => Some((token.client()?, token.code())),
            ("https", None) => {
                return Err(refuse("expected the token that the collector has, by PLIMSOLL_TOKEN or --token-file"));
            }
            ("http", None) if is_this_machine(url) => None,
            ("http", Some(_)) => return Err(refuse("with a token the collector speaks TLS: write https://")),
            ("http", None) => {
                return Err(refuse("without a token only a collector on this machine is asked: expected https://"));
            }
            _ => return Err(refuse("expected https://HOST:PORT, or http://127.0.0.1:PORT")),
        };
        Ok(Self { host, port: of.port, security })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

/// A part's side of the conversation.
pub struct Link {
    address: Address,
    session: String,
    answer_bytes_max: usize,
    clock: Elapsed,
    runtime: Runtime,
    connection: Option<SendRequest<Full<Bytes>>>,
}

/// An answer, with this side's times when the message was sent, when it was answered, and of day then.
pub struct Answered {
    pub sent: Nanos,
    pub at: Nanos,
    pub time_of_day: Nanos,
    pub reply: Reply,
}

impl Link {
    /// A link over which nothing is sent yet.
    pub fn new(address: Address, clock: Elapsed) -> Result<Self, Failure> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Failure::running(format_args!("cannot open sockets: {error}")))?;
        // A number that nobody guesses: it tells this part from others.
        let session = format!("{:032x}", rand::random::<u128>());
        Ok(Self { address, session, answer_bytes_max: ANSWER_BYTES_MAX, clock, runtime, connection: None })
    }

    /// The same, whose answers may be loads.
    pub fn for_orders(address: Address, clock: Elapsed) -> Result<Self, Failure> {
        Ok(Self { answer_bytes_max: ORDER_BYTES_MAX, ..Self::new(address, clock)? })
    }

    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Sends a message and waits for its answer; a message in words if there is none.
    pub fn ask(&mut self, message: &Message) -> Result<Answered, String> {
        let envelope = Envelope { session: self.session.clone(), message: message.clone() };
        let body = Bytes::from(serde_json::to_vec(&envelope).map_err(|error| error.to_string())?);
        let Self { address, runtime, connection, clock, answer_bytes_max, .. } = self;
        let asked = runtime.block_on(async {
            match timeout(ANSWER_AT_MOST, exchange(address, connection, body, (*clock, *answer_bytes_max))).await {
                Ok(answered) => answered,
                Err(_) => Err(format!("no answer within {} s", ANSWER_AT_MOST.as_secs())),
            }
        });
        if asked.is_err() {
            // A late answer must not pass for that of the next message.
            self.connection = None;
        }
        asked
    }
}

async fn exchange(
    address: &Address,
    connection: &mut Option<SendRequest<Full<Bytes>>>,
    body: Bytes,
    (clock, answer_bytes_max): (Elapsed, usize),
) -> Result<Answered, String> {
    let mut sender = match connection.take().filter(|sender| !sender.is_closed()) {
        Some(sender) => sender,
        None => connect(address).await?,
    };
    sender.ready().await.map_err(|error| error.to_string())?;
    let length = body.len();
    let mut request = Request::post(PATH).header(HOST, address.to_string()).header(CONTENT_LENGTH, length);
    if let Some((_, code)) = &address.security {
        request = request.header(AUTHORIZATION, code);
    }
    let request = request.body(Full::new(body)).map_err(|error| error.to_string())?;
    let sent = clock.now();
    let response = sender.send_request(request).await.map_err(|error| match &address.security {
        None if error.is_parse() => format!("{error}: it may speak TLS, by https:// and with its token"),
        _ => error.to_string(),
    })?;
    let status = response.status();
    let body = Limited::new(response.into_body(), answer_bytes_max).collect().await;
    let body = body.map_err(|error| format!("the answer was cut: {error}"))?.to_bytes();
    let (at, time_of_day) = (clock.now(), unix_now());
    if status != StatusCode::OK {
        return Err(format!("it answers {status}: {}", String::from_utf8_lossy(&body).trim()));
    }
    let reply = serde_json::from_slice(&body).map_err(|error| format!("it is no collector of Plimsoll: {error}"))?;
    *connection = Some(sender);
    Ok(Answered { sent, at, time_of_day, reply })
}

async fn connect(address: &Address) -> Result<SendRequest<Full<Bytes>>, String> {
    let stream = TcpStream::connect((address.host.as_str(), address.port)).await;
    let stream = stream.map_err(|error| format!("{address}: {error}"))?;
    stream.set_nodelay(true).map_err(|error| error.to_string())?;
    let Some((config, _)) = &address.security else { return converse(stream).await };
    let name = ServerName::try_from(address.host.clone()).map_err(|error| error.to_string())?;
    let secured = TlsConnector::from(config.clone()).connect(name, stream).await;
    converse(secured.map_err(|error| format!("{address}: {error}"))?).await
}

async fn converse<Stream>(stream: Stream) -> Result<SendRequest<Full<Bytes>>, String>
where
    Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(|error| error.to_string())?;
    // The sender sees its end.
    tokio::spawn(async { drop(connection.await) });
    Ok(sender)
}
