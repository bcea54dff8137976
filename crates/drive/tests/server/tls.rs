//! Certificates made for a test, and a server that speaks TLS by them.

use std::{
    fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    path::PathBuf,
    sync::{Arc, atomic::Ordering::Relaxed},
};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use rustls::{
    HandshakeKind, RootCertStore, ServerConfig, ServerConnection, StreamOwned, SupportedProtocolVersion,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
    server::WebPkiClientVerifier,
};
use tempfile::TempDir;

use super::{Answer, Server};

/// An issuer of certificates, with a folder for what clients read.
pub struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    folder: TempDir,
}

/// Certificates of a server or a client.
pub struct Shown {
    certificate: rcgen::Certificate,
    key: KeyPair,
}

impl Authority {
    pub fn new(name: &str) -> Self {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        Self { issuer, folder: tempfile::tempdir().unwrap() }
    }

    /// A certificate for `name`.
    pub fn issue(&self, name: &str) -> Shown {
        self.issue_by(name, |_| {})
    }

    /// One that expired long ago.
    pub fn issue_expired(&self, name: &str) -> Shown {
        self.issue_by(name, |params| params.not_after = date_time_ymd(2001, 1, 1))
    }

    fn issue_by(&self, name: &str, change: impl Fn(&mut CertificateParams)) -> Shown {
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        change(&mut params);
        let key = KeyPair::generate().unwrap();
        Shown { certificate: params.signed_by(&key, &self.issuer).unwrap(), key }
    }

    /// A file with its own certificate.
    pub fn file(&self) -> PathBuf {
        self.write("ca.pem", &self.issuer.pem())
    }

    /// Files with a certificate and its key.
    pub fn files(&self, shown: &Shown) -> (PathBuf, PathBuf) {
        (self.write("cert.pem", &shown.certificate.pem()), self.write("key.pem", &shown.key.serialize_pem()))
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }
}

/// How a server speaks TLS.
pub struct Speaks<'a> {
    pub shown: &'a Shown,
    pub versions: Vec<&'static SupportedProtocolVersion>,
    /// Clients must show a certificate that it issued.
    pub asks_for: Option<&'a Authority>,
    pub alpn: &'static [&'static str],
    /// Whether it says goodbye before it closes a connection (close_notify), as it should.
    pub says_goodbye: bool,
}

impl<'a> Speaks<'a> {
    pub fn by(shown: &'a Shown) -> Self {
        Self { shown, versions: rustls::ALL_VERSIONS.to_vec(), asks_for: None, alpn: &[], says_goodbye: true }
    }

    pub fn config(&self) -> Arc<ServerConfig> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder =
            ServerConfig::builder_with_provider(provider.clone()).with_protocol_versions(&self.versions).unwrap();
        let builder = match self.asks_for {
            None => builder.with_no_client_auth(),
            Some(authority) => {
                let mut roots = RootCertStore::empty();
                roots.add(authority.issuer.der().clone()).unwrap();
                let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
                builder.with_client_cert_verifier(verifier.build().unwrap())
            }
        };
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(self.shown.key.serialize_der()));
        let mut config = builder.with_single_cert(vec![self.shown.certificate.der().clone()], key).unwrap();
        config.alpn_protocols = self.alpn.iter().map(|protocol| protocol.as_bytes().to_vec()).collect();
        Arc::new(config)
    }

    /// Starts a server on a free port of 127.0.0.1.
    pub fn start(&self, handle: impl Fn(&str, usize) -> Answer + Send + Sync + 'static) -> Server {
        let (config, says_goodbye) = (self.config(), self.says_goodbye);
        let wrap = move |mut stream: TcpStream, seen: &super::Seen| {
            let mut connection = ServerConnection::new(config.clone()).unwrap();
            while connection.is_handshaking() {
                if connection.complete_io(&mut stream).is_err() {
                    // The client is told what went wrong.
                    let _ = connection.write_tls(&mut stream);
                    return None;
                }
            }
            seen.names.lock().unwrap().push(connection.server_name().map(str::to_owned));
            let is_resumed = connection.handshake_kind() == Some(HandshakeKind::Resumed);
            seen.resumed.fetch_add(u64::from(is_resumed), Relaxed);
            Some(Secured { stream: StreamOwned::new(connection, stream), says_goodbye })
        };
        Server::on(TcpListener::bind("127.0.0.1:0").unwrap(), wrap, handle)
    }
}

/// A connection of a server.
struct Secured {
    stream: StreamOwned<ServerConnection, TcpStream>,
    says_goodbye: bool,
}

impl Read for Secured {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.stream.read(buffer)
    }
}

impl Write for Secured {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.stream.flush()
    }
}

impl Drop for Secured {
    fn drop(&mut self) {
        if self.says_goodbye {
            self.stream.conn.send_close_notify();
            // The client may have left.
            let _ = self.stream.conn.write_tls(&mut self.stream.sock);
        }
    }
}
