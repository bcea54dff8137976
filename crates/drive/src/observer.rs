//! What goes over the connections of a load, for whoever wants to look at it.

use std::{fmt, net::SocketAddr, sync::Arc};

use plimsoll_record::Nanos;

/// Told of everything that connections carry. Meant for single requests: it is called within the event loop, which
/// waits for it.
#[derive(Clone)]
pub struct Observer(Arc<dyn Fn(Nanos, Seen<'_>) + Send + Sync>);

/// What was seen on a connection.
#[derive(Clone, Copy, Debug)]
pub enum Seen<'a> {
    /// A connection can carry requests.
    Opened {
        /// Where it goes to, if it is TCP.
        address: Option<SocketAddr>,
        /// If it is encrypted.
        tls: Option<TlsSeen<'a>>,
    },
    /// What is sent, before it is encrypted.
    Sent(&'a [u8]),
    /// What was received, after it is decrypted.
    Received(&'a [u8]),
    /// The target closed the connection.
    Closed,
}

/// What a TLS handshake came to.
#[derive(Clone, Copy, Debug)]
pub struct TlsSeen<'a> {
    /// E.g. `TLSv1_3`.
    pub version: &'a str,
    /// The cipher suite, e.g. `TLS13_AES_256_GCM_SHA384`.
    pub cipher: &'a str,
    /// The application protocol, e.g. `h2`, if one was agreed on.
    pub alpn: Option<&'a [u8]>,
    /// Whether it took up a session from before.
    pub is_resumed: bool,
}

impl Observer {
    /// `see` is told of everything, with the instant, counted from the start of the load.
    pub fn new(see: impl Fn(Nanos, Seen<'_>) + Send + Sync + 'static) -> Self {
        Self(Arc::new(see))
    }

    pub(crate) fn see(&self, now: Nanos, seen: Seen<'_>) {
        (self.0)(now, seen);
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}
