//! Traffic of a load's connections, for an observer.

use std::{fmt, net::SocketAddr, sync::Arc};

use plimsoll_record::Nanos;

/// Told of everything that connections carry. Meant for single requests: it is called within the event loop, which
/// waits for it.
#[derive(Clone)]
pub struct Observer(Arc<dyn Fn(Nanos, Seen<'_>) + Send + Sync>);

/// An event of a connection.
#[derive(Clone, Copy, Debug)]
pub enum Seen<'a> {
    /// A connection can carry requests.
    Opened {
        /// Address that it goes to, if it is TCP.
        address: Option<SocketAddr>,
        /// If it is encrypted.
        tls: Option<TlsSeen<'a>>,
    },
    /// Bytes that are sent, before they are encrypted.
    Sent(&'a [u8]),
    /// Bytes that were received, after they are decrypted.
    Received(&'a [u8]),
    /// The target closed the connection.
    Closed,
}

/// Result of a TLS handshake.
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
