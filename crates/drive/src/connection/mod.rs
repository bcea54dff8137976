//! How connections are made: what the user may say of it, and how it is read from text.

mod connect_to;
mod proxy;
mod source;

use std::{num::NonZeroU32, path::PathBuf};

pub use connect_to::ConnectTo;
pub use plimsoll_engine::Reuse;
use plimsoll_record::Nanos;
pub use proxy::Proxy;
use serde::{Deserialize, Serialize};
pub use source::Source;

use crate::DriveError;

/// How connections are made. By default: straight to the URL's host, resolved once, and TLS as a browser would.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Connection {
    /// TLS of `https` URLs.
    pub tls: Tls,
    /// The socket that all connections go to, whatever the URL's host and port.
    pub unix_socket: Option<PathBuf>,
    /// Where connections really go; the first that matches the URL counts.
    pub connect_to: Vec<ConnectTo>,
    /// When names are resolved.
    pub dns: Dns,
    /// The proxy that is asked for a tunnel to the target.
    pub proxy: Option<Proxy>,
    /// The addresses that connections come from, in turn; none: the system's choice. They are each machine's own.
    #[serde(skip)]
    pub sources: Vec<Source>,
    /// Requests that a connection carries; none: as many as the target allows.
    pub max_requests: Option<u32>,
    /// A connection that was unused for longer is closed, and a new one made for the next request.
    pub idle_time: Option<Nanos>,
    /// The idle connection that an arrival of an open load takes.
    pub reuse: Reuse,
    /// HTTP/2, with at most that many streams at a time on a connection; none: HTTP/1.1. TLS must agree on it (ALPN);
    /// without TLS the target is taken to speak it (prior knowledge).
    pub http2_streams: Option<NonZeroU32>,
}

/// When names are resolved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Dns {
    /// Before the load. The first of several addresses that accepts a connection is taken.
    #[default]
    Once,
    /// For each connection, which is part of its time. Several addresses are taken in turn.
    PerConnection,
}

/// TLS towards the target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tls {
    /// Whether any certificate will do.
    pub insecure: bool,
    /// PEM file of certificates to be trusted beside the system's.
    pub ca_cert: Option<PathBuf>,
    /// PEM files by which the target is to know the generator.
    pub identity: Option<Identity>,
    /// The name that is asked for, and that the certificate must be for; none: the URL's host.
    pub server_name: Option<String>,
    /// The oldest version to be offered.
    pub min: TlsVersion,
    /// The newest version to be offered.
    pub max: TlsVersion,
    /// Whether a connection may resume the session of one before it.
    pub resumption: bool,
    /// Application protocols (ALPN) to be offered, the preferred one first.
    pub alpn: Vec<String>,
}

/// Identity of the generator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    /// PEM file of the certificate, followed by those of its issuers.
    pub cert: PathBuf,
    /// PEM file of the private key.
    pub key: PathBuf,
}

/// A version of TLS; older ones are not safe, and not supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TlsVersion {
    /// TLS 1.2.
    V1_2,
    /// TLS 1.3.
    V1_3,
}

impl Default for Tls {
    fn default() -> Self {
        Self {
            insecure: false,
            ca_cert: None,
            identity: None,
            server_name: None,
            min: TlsVersion::V1_2,
            max: TlsVersion::V1_3,
            resumption: true,
            alpn: vec!["http/1.1".to_owned()],
        }
    }
}

impl Connection {
    /// Requests that a connection carries at a time.
    pub(crate) fn streams(&self) -> u64 {
        self.http2_streams.map_or(1, |streams| streams.get().into())
    }

    /// TLS as it is to be offered.
    pub(crate) fn tls_offered(&self) -> Tls {
        let alpn = if self.http2_streams.is_some() { vec!["h2".to_owned()] } else { self.tls.alpn.clone() };
        Tls { alpn, ..self.tls.clone() }
    }

    /// Whether the settings go together, and the files they name can be used.
    ///
    /// # Errors
    ///
    /// Message: what is wrong, and what to do.
    pub fn check(&self) -> Result<(), DriveError> {
        let others: &[(&str, bool)] = &[
            ("a proxy", self.proxy.is_some()),
            ("connect-to", !self.connect_to.is_empty()),
            ("source addresses", !self.sources.is_empty()),
            ("DNS per connection", self.dns == Dns::PerConnection),
        ];
        if let (Some(path), Some((other, _))) = (&self.unix_socket, others.iter().find(|(_, is_given)| *is_given)) {
            let path = path.display();
            return Err(DriveError::Connection(format!(
                "the Unix socket {path} and {other} exclude each other: a Unix socket has no address and no proxy; \
                 remove one of the two"
            )));
        }
        self.sources.iter().try_for_each(Source::check)?;
        crate::tls::check(&self.tls)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unix_socket_goes_with_nothing_that_needs_an_address() {
        let unix = Connection { unix_socket: Some("a.sock".into()), ..Connection::default() };
        assert!(unix.check().is_ok());
        let contradictory = Connection { proxy: Some("http://p:1".parse().unwrap()), ..unix.clone() };
        let refusal = contradictory.check().unwrap_err().to_string();
        assert!(refusal.contains("a.sock and a proxy exclude each other"), "{refusal}");
        let contradictory = Connection { dns: Dns::PerConnection, ..unix };
        assert!(contradictory.check().unwrap_err().to_string().contains("DNS per connection"));
    }
}
