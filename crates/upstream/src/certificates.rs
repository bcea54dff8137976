//! TLS by certificates made on the spot: an authority that is known to nobody else, and what it issues.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::Arc,
};

use plimsoll_record::{UpstreamPlan, UpstreamReady, UpstreamTls};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose,
};
use rustls::{
    RootCertStore, ServerConfig,
    crypto::{CryptoProvider, ring},
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
    server::WebPkiClientVerifier,
};

use crate::UpstreamError;

/// Certificates of the upstream, and those that its clients need.
pub struct Certificates {
    /// How TLS is spoken.
    pub config: Arc<ServerConfig>,
    ca: PathBuf,
    client: Option<(PathBuf, PathBuf)>,
}

impl Certificates {
    /// Makes them, and writes what clients need into `folder`.
    pub fn make(plan: &UpstreamPlan, tls: &UpstreamTls, folder: &Path) -> Result<Self, UpstreamError> {
        let issuer = authority().map_err(problem)?;
        let names = ["localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned(), plan.bind.to_string()];
        let server =
            issue("Plimsoll upstream", &names, ExtendedKeyUsagePurpose::ServerAuth, &issuer).map_err(problem)?;
        fs::create_dir_all(folder).map_err(|error| unwritten(folder, &error))?;
        let ca = write(folder, "ca.pem", &issuer.pem())?;
        let client = if tls.is_mutual { Some(write_client(folder, &issuer)?) } else { None };
        let config = config(plan, tls, &issuer, &server).map_err(problem)?;
        Ok(Self { config: Arc::new(config), ca, client })
    }

    /// Files that were written.
    pub fn files(&self) -> Vec<PathBuf> {
        let client = self.client.iter().flat_map(|(certificate, key)| [certificate, key]);
        std::iter::once(&self.ca).chain(client).cloned().collect()
    }

    /// Tells clients where the files are.
    pub fn announce(&self, ready: &mut UpstreamReady) {
        let text = |path: &PathBuf| Some(path.display().to_string());
        ready.ca = text(&self.ca);
        if let Some((certificate, key)) = &self.client {
            (ready.client_cert, ready.client_key) = (text(certificate), text(key));
        }
    }
}

type Issuer = CertifiedIssuer<'static, KeyPair>;

struct Issued {
    certificate: rcgen::Certificate,
    key: KeyPair,
}

fn authority() -> Result<Issuer, rcgen::Error> {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, "Plimsoll, for this upstream only");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    CertifiedIssuer::self_signed(params, KeyPair::generate()?)
}

fn issue(
    name: &str,
    alternatives: &[String],
    usage: ExtendedKeyUsagePurpose,
    issuer: &Issuer,
) -> Result<Issued, rcgen::Error> {
    let mut params = CertificateParams::new(alternatives)?;
    params.distinguished_name.push(DnType::CommonName, name);
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![usage];
    params.use_authority_key_identifier_extension = true;
    let key = KeyPair::generate()?;
    Ok(Issued { certificate: params.signed_by(&key, issuer)?, key })
}

fn write_client(folder: &Path, issuer: &Issuer) -> Result<(PathBuf, PathBuf), UpstreamError> {
    let client = issue("Plimsoll client", &[], ExtendedKeyUsagePurpose::ClientAuth, issuer).map_err(problem)?;
    let certificate = write(folder, "client.pem", &client.certificate.pem())?;
    Ok((certificate, write(folder, "client-key.pem", &client.key.serialize_pem())?))
}

/// Writes a file for its owner only, as one of them is a key.
fn write(folder: &Path, name: &str, text: &str) -> Result<PathBuf, UpstreamError> {
    let path = std::path::absolute(folder.join(name)).map_err(|error| unwritten(folder, &error))?;
    let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&path);
    file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| unwritten(&path, &error))?;
    Ok(path)
}

fn config(
    plan: &UpstreamPlan,
    tls: &UpstreamTls,
    issuer: &Issuer,
    server: &Issued,
) -> Result<ServerConfig, Box<dyn std::error::Error>> {
    let provider = Arc::new(ring::default_provider());
    let builder = ServerConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions()?;
    let builder = if tls.is_mutual {
        builder.with_client_cert_verifier(verifier(issuer, provider)?)
    } else {
        builder.with_no_client_auth()
    };
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(server.key.serialize_der()));
    let mut config = builder.with_single_cert(vec![server.certificate.der().clone()], key)?;
    let protocols: &[&str] = if plan.http2 { &["h2", "http/1.1"] } else { &["http/1.1"] };
    config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
    if tls.resumption {
        // Tickets, as the sessions of many clients would not fit in memory.
        config.ticketer = ring::Ticketer::new()?;
    } else {
        config.session_storage = Arc::new(rustls::server::NoServerSessionStorage {});
        config.send_tls13_tickets = 0;
    }
    Ok(config)
}

fn verifier(
    issuer: &Issuer,
    provider: Arc<CryptoProvider>,
) -> Result<Arc<dyn rustls::server::danger::ClientCertVerifier>, Box<dyn std::error::Error>> {
    let mut roots = RootCertStore::empty();
    roots.add(issuer.der().clone())?;
    Ok(WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build()?)
}

fn problem(error: impl std::fmt::Display) -> UpstreamError {
    UpstreamError::Certificates(error.to_string())
}

fn unwritten(path: &Path, error: &io::Error) -> UpstreamError {
    UpstreamError::Certificates(format!("{} cannot be written: {error}; name another folder", path.display()))
}
