//! From settings to what rustls wants to know.

use std::{fmt, path::Path, sync::Arc};

use rustls::{
    ClientConfig, Error, RootCertStore, SupportedProtocolVersion,
    client::Resumption,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, ServerName, pem, pem::PemObject},
    version::{TLS12, TLS13},
};
use url::{Host, Url};

use super::{holder::Holder, tickets::Tickets};
use crate::{
    DriveError,
    connection::{Identity, Tls, TlsVersion},
    files::{self, DOCUMENT_BYTES_MAX},
};

/// TLS towards one target.
#[derive(Clone, Debug)]
pub(crate) struct Secure {
    pub config: Arc<ClientConfig>,
    pub name: ServerName<'static>,
}

impl Secure {
    /// Towards the host of `url`.
    pub fn new(tls: &Tls, url: &Url) -> Result<Self, DriveError> {
        Ok(Self { config: Arc::new(config(tls)?), name: name(tls, url)? })
    }

    /// The same with a store of sessions of its own: workers would wait for a shared one.
    pub fn with_own_tickets(&self, is_resuming: bool) -> Self {
        let mut config = ClientConfig::clone(&self.config);
        config.resumption =
            if is_resuming { Resumption::store(Arc::new(Tickets::default())) } else { Resumption::disabled() };
        Self { config: Arc::new(config), name: self.name.clone() }
    }
}

/// Whether the settings make sense and their files can be used.
pub(crate) fn check(tls: &Tls) -> Result<(), DriveError> {
    if *tls == Tls::default() {
        return Ok(());
    }
    if let Some(name) = &tls.server_name {
        server_name(name)?;
    }
    config(tls).map(drop)
}

fn refuse(problem: String) -> DriveError {
    DriveError::Connection(problem)
}

fn name(tls: &Tls, url: &Url) -> Result<ServerName<'static>, DriveError> {
    match (&tls.server_name, url.host()) {
        (Some(name), _) => server_name(name),
        (None, Some(Host::Ipv4(address))) => Ok(ServerName::IpAddress(address.into())),
        (None, Some(Host::Ipv6(address))) => Ok(ServerName::IpAddress(address.into())),
        (None, host) => server_name(
            host.and_then(|host| url.domain().filter(|_| matches!(host, Host::Domain(_)))).unwrap_or_default(),
        ),
    }
}

fn server_name(name: &str) -> Result<ServerName<'static>, DriveError> {
    ServerName::try_from(name.to_owned())
        .map_err(|_| refuse(format!("`{name}` cannot be the name of a TLS server; expected e.g. example.org")))
}

fn config(tls: &Tls) -> Result<ClientConfig, DriveError> {
    let provider = Arc::new(ring::default_provider());
    let wanted = |version: TlsVersion| tls.min <= version && version <= tls.max;
    let versions: Vec<&'static SupportedProtocolVersion> = [(TlsVersion::V1_2, &TLS12), (TlsVersion::V1_3, &TLS13)]
        .into_iter()
        .filter(|(version, _)| wanted(*version))
        .map(|(_, supported)| supported)
        .collect();
    let builder = ClientConfig::builder_with_provider(provider.clone())
        .with_protocol_versions(&versions)
        .map_err(|_| refuse("no version of TLS is left: the oldest allowed is 1.3, the newest 1.2".to_owned()))?;
    let builder = if tls.insecure {
        builder.dangerous().with_custom_certificate_verifier(Arc::new(Holder::of_any(provider)))
    } else {
        builder.with_root_certificates(roots(tls.ca_cert.as_deref())?)
    };
    let mut config = match &tls.identity {
        None => builder.with_no_client_auth(),
        Some(identity) => {
            let (chain, key) = (certificates(&identity.cert)?, private_key(&identity.key)?);
            builder.with_client_auth_cert(chain, key).map_err(|error| unusable(identity, &error))?
        }
    };
    config.alpn_protocols = tls.alpn.iter().map(|protocol| protocol.clone().into_bytes()).collect();
    Ok(config)
}

fn unusable(identity: &Identity, error: &Error) -> DriveError {
    let (cert, key) = (identity.cert.display(), identity.key.display());
    let problem = match error {
        Error::InconsistentKeys(_) => "the key is not that of the certificate".to_owned(),
        other => other.to_string(),
    };
    refuse(format!("{cert} and {key} cannot be used together: {problem}"))
}

/// Trusted roots: the system's, and those of `more`. A system without any trusts nobody; the load's errors will tell.
fn roots(more: Option<&Path>) -> Result<RootCertStore, DriveError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let Some(path) = more else { return Ok(roots) };
    for certificate in certificates(path)? {
        roots
            .add(certificate)
            .map_err(|error| refuse(format!("{}: a certificate in it cannot be trusted: {error}", path.display())))?;
    }
    Ok(roots)
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, DriveError> {
    let pem = read(path, "a certificate")?;
    let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem).collect();
    match certificates {
        Ok(found) if !found.is_empty() => Ok(found),
        Ok(_) => Err(unreadable(path, "a certificate", &"none is in it")),
        Err(error) => Err(unreadable(path, "a certificate", &reason(&error))),
    }
}

fn private_key(path: &Path) -> Result<PrivateKeyDer<'static>, DriveError> {
    let pem = read(path, "a private key")?;
    PrivateKeyDer::from_pem_slice(&pem).map_err(|error| match error {
        pem::Error::NoItemsFound => unreadable(path, "a private key", &"none is in it (or it has a passphrase)"),
        other => unreadable(path, "a private key", &reason(&other)),
    })
}

fn read(path: &Path, what: &str) -> Result<Vec<u8>, DriveError> {
    files::read(path, DOCUMENT_BYTES_MAX).map_err(|error| unreadable(path, what, &error))
}

fn unreadable(path: &Path, what: &str, problem: &dyn fmt::Display) -> DriveError {
    let path = path.display();
    refuse(format!("{path}: expected a file that holds {what} in PEM form (`-----BEGIN …`): {problem}"))
}

fn reason(error: &pem::Error) -> String {
    match error {
        pem::Error::Io(error) => error.to_string(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::PathBuf};

    use super::*;

    fn problem(tls: &Tls) -> String {
        check(tls).unwrap_err().to_string()
    }

    #[test]
    fn files_that_hold_no_certificate_or_key_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let text = folder.path().join("text.pem");
        fs::write(&text, "just text").unwrap();
        let with_ca = |path: PathBuf| Tls { ca_cert: Some(path), ..Tls::default() };
        let absent = problem(&with_ca(folder.path().join("absent.pem")));
        assert!(absent.contains("absent.pem: expected a file") && absent.contains("No such file"), "{absent}");
        assert!(problem(&with_ca(text.clone())).contains("none is in it"));
        let own = |name: &str| rcgen::generate_simple_self_signed([name.to_owned()]).unwrap();
        let (a, b) = (own("a"), own("b"));
        let write = |name: &str, content: String| {
            let path = folder.path().join(name);
            fs::write(&path, content).unwrap();
            path
        };
        let cert = write("cert.pem", a.cert.pem());
        let key = write("key.pem", a.signing_key.serialize_pem());
        let other = write("other.pem", b.signing_key.serialize_pem());
        let with_identity =
            |key: PathBuf| Tls { identity: Some(Identity { cert: cert.clone(), key }), ..Tls::default() };
        assert!(check(&with_identity(key)).is_ok());
        assert!(problem(&with_identity(other)).contains("the key is not that of the certificate"));
        assert!(problem(&with_identity(cert.clone())).contains("expected a file that holds a private key"));
    }

    #[test]
    fn names_and_versions_that_make_no_sense_are_refused() {
        let name = Tls { server_name: Some("no name".to_owned()), ..Tls::default() };
        assert!(problem(&name).contains("`no name` cannot be the name"));
        let versions = Tls { min: TlsVersion::V1_3, max: TlsVersion::V1_2, ..Tls::default() };
        assert!(problem(&versions).contains("no version of TLS is left"));
    }

    #[test]
    fn the_name_is_the_urls_host_unless_another_is_given() {
        let of = |tls: &Tls, url: &str| name(tls, &url.parse().unwrap()).unwrap().to_str().into_owned();
        let other = Tls { server_name: Some("b.org".to_owned()), ..Tls::default() };
        assert_eq!(of(&Tls::default(), "https://a.org:1/"), "a.org");
        assert_eq!(of(&Tls::default(), "https://[::1]:1/"), "::1");
        assert_eq!(of(&Tls::default(), "https://127.0.0.1/"), "127.0.0.1");
        assert_eq!(of(&other, "https://a.org:1/"), "b.org");
    }
}
