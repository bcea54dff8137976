//! Certificates made for tests, and servers that show them.

use std::{
    fs,
    io::{self, Read, Write},
    net::TcpStream,
    path::PathBuf,
    sync::{Arc, OnceLock},
};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use rustls::{
    RootCertStore, ServerConfig, ServerConnection, StreamOwned, SupportedProtocolVersion,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
    server::WebPkiClientVerifier,
};
use tempfile::TempDir;

use crate::play::{Duplex, Wire};

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
    /// An issuer of this `name`.
    ///
    /// # Panics
    ///
    /// If there is no randomness, or no folder for temporary files.
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

    /// A certificate that becomes valid only in many years.
    pub fn issue_early(&self, name: &str) -> Shown {
        self.issue_by(name, |params| {
            params.not_before = date_time_ymd(2_400, 1, 1);
            params.not_after = date_time_ymd(2_401, 1, 1);
        })
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
    /// Its certificate.
    pub shown: &'a Shown,
    /// The versions that it speaks.
    pub versions: Vec<&'static SupportedProtocolVersion>,
    /// Clients must show a certificate that it issued.
    pub asks_for: Option<&'a Authority>,
    /// Protocols that it chooses from.
    pub alpn: &'static [&'static str],
    /// Whether it says goodbye before it closes a connection (close_notify), as it should.
    pub says_goodbye: bool,
}

impl<'a> Speaks<'a> {
    /// All versions, with this certificate.
    pub fn by(shown: &'a Shown) -> Self {
        Self { shown, versions: rustls::ALL_VERSIONS.to_vec(), asks_for: None, alpn: &[], says_goodbye: true }
    }

    /// The configuration of a server that speaks so.
    ///
    /// # Panics
    ///
    /// If versions and certificates do not go together.
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
}

/// Certificates of hostile servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// As it should be, by [`trusted`].
    Good,
    /// Expired long ago.
    Expired,
    /// Not valid yet.
    Early,
    /// For another host.
    OfAnotherHost,
    /// By an issuer that nobody trusts.
    OfAStranger,
    /// By a stranger that has the trusted issuer's name.
    OfANamesake,
    /// Good, and the client is asked for one.
    Demanding,
}

const CERTIFICATES: usize = 7;

struct Issued {
    /// Its folder goes with it.
    _authority: Authority,
    file: PathBuf,
    configs: [Arc<ServerConfig>; CERTIFICATES],
}

/// Made once: keys take their time.
fn issued() -> &'static Issued {
    static ISSUED: OnceLock<Issued> = OnceLock::new();
    ISSUED.get_or_init(|| {
        let [authority, stranger, namesake] = ["one", "stranger", "one"].map(Authority::new);
        const HOST: &str = "127.0.0.1";
        let good = authority.issue(HOST);
        let demanding = Speaks { asks_for: Some(&stranger), ..Speaks::by(&good) }.config();
        let by = |shown: &Shown| Speaks::by(shown).config();
        let configs = [
            by(&good),
            by(&authority.issue_expired(HOST)),
            by(&authority.issue_early(HOST)),
            by(&authority.issue("example.org")),
            by(&stranger.issue(HOST)),
            by(&namesake.issue(HOST)),
            demanding,
        ];
        Issued { file: authority.file(), _authority: authority, configs }
    })
}

/// A file with the certificate of the issuer that clients are to trust.
pub fn trusted() -> PathBuf {
    issued().file.clone()
}

/// The connection after its handshake.
pub(crate) fn accept(mut socket: TcpStream, certificate: Certificate) -> io::Result<Wire> {
    let config = issued().configs[certificate as usize].clone();
    let mut connection = ServerConnection::new(config).map_err(io::Error::other)?;
    while connection.is_handshaking() {
        if let Err(error) = connection.complete_io(&mut socket) {
            // The client is told what went wrong.
            let _ = connection.write_tls(&mut socket);
            return Err(error);
        }
    }
    let stream = Secured(StreamOwned::new(connection, socket.try_clone()?));
    Ok(Wire::over(stream, socket))
}

struct Secured(StreamOwned<ServerConnection, TcpStream>);

impl Read for Secured {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Write for Secured {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Duplex for Secured {
    fn say_goodbye(&mut self) {
        self.0.conn.send_close_notify();
        // The client may have left.
        let _ = self.0.conn.write_tls(&mut self.0.sock);
    }
}
