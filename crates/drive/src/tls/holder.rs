//! Trust in the holder of a key, without an authority.

use std::sync::Arc;

use rustls::{
    DigitallySignedStruct, Error, SignatureScheme,
    client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    crypto::{CryptoProvider, WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, ServerName, UnixTime},
    server::ParsedCertificate,
};

/// Trusts certificates by their key alone: any key, or a given one. The key's holder must have signed the handshake.
#[derive(Debug)]
pub struct Holder {
    /// The only key that is trusted, as certificates have it, and the message for any other.
    only: Option<(Vec<u8>, &'static str)>,
    provider: Arc<CryptoProvider>,
}

impl Holder {
    /// Trusts any key.
    pub fn of_any(provider: Arc<CryptoProvider>) -> Self {
        Self { only: None, provider }
    }

    /// Trusts this public key alone, as certificates have it; `refusal` is the error where there is another.
    pub fn of_key(key: Vec<u8>, refusal: &'static str, provider: Arc<CryptoProvider>) -> Self {
        Self { only: Some((key, refusal)), provider }
    }

    fn algorithms(&self) -> &WebPkiSupportedAlgorithms {
        &self.provider.signature_verification_algorithms
    }
}

impl ServerCertVerifier for Holder {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if let Some((key, refusal)) = &self.only
            && ParsedCertificate::try_from(end_entity)?.subject_public_key_info().as_ref() != key.as_slice()
        {
            return Err(Error::General((*refusal).to_owned()));
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, dss, self.algorithms())
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, dss, self.algorithms())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms().supported_schemes()
    }
}
