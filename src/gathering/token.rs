//! The secret of one load: whoever has it may take part.
//!
//! The collector's key for TLS follows from it, so that a part knows the key that it must find: a certificate has not
//! to be handed around, and nobody else can stand in between. Only a code that follows from the token, too, is sent.

use std::{fs, net::SocketAddr, path::Path, sync::Arc};

use plimsoll_drive::tls::Holder;
use plimsoll_gather::hexadecimal;
use rcgen::{CertificateParams, DnType, KeyPair, PKCS_ED25519};
use ring::{
    hmac,
    rand::{SecureRandom, SystemRandom},
    signature::{Ed25519KeyPair, KeyPair as _},
};
use rustls::{
    ClientConfig, ServerConfig,
    crypto::ring::default_provider,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
    version::TLS13,
};

use crate::failure::Failure;

/// Environment variable that holds it.
pub const VARIABLE: &str = "PLIMSOLL_TOKEN";
/// 128 bits in hexadecimal digits; fewer characters could be guessed.
const CHARACTERS_LEAST: usize = 32;
const CHARACTERS_MOST: usize = 1_024;
/// An Ed25519 private key in PKCS #8 (RFC 8410) before its 32 bytes.
const PRIVATE_KEY: [u8; 16] = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
/// An Ed25519 public key as certificates have it (RFC 8410) before its 32 bytes.
const PUBLIC_KEY: [u8; 12] = [0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 0x21, 0];

/// The secret of one load.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// A new one, of 256 bits.
    pub fn draw() -> Result<Self, Failure> {
        let mut bytes = [0; 32];
        SystemRandom::new().fill(&mut bytes).map_err(|_| Failure::running("the system gives no random numbers"))?;
        Ok(Self(hexadecimal(&bytes)))
    }

    /// The token that was given by a file or by the environment, if any; from now on it is masked wherever it would be
    /// shown.
    pub fn given(file: Option<&Path>) -> Result<Option<Self>, Failure> {
        let (text, place) = match file {
            Some(file) => {
                let text = fs::read_to_string(file).map_err(|error| {
                    Failure::input(format_args!("--token-file {}: cannot be read: {error}", file.display()))
                })?;
                (text, format!("--token-file {}", file.display()))
            }
            None => match std::env::var(VARIABLE) {
                Ok(text) if !text.is_empty() => (text, VARIABLE.to_owned()),
                _ => return Ok(None),
            },
        };
        let text = text.trim();
        let length = text.chars().count();
        let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_plain || !(CHARACTERS_LEAST..=CHARACTERS_MOST).contains(&length) {
            return Err(Failure::input(format_args!(
                "{place}: expected at least {CHARACTERS_LEAST} letters and digits that nobody can guess, e.g. of \
                 `openssl rand -hex 32`, found {length} characters"
            )));
        }
        plimsoll_secrets::learn([text.to_owned()]);
        Ok(Some(Self(text.to_owned())))
    }

    /// The token of whoever listens at `address`, and whether it was drawn; none is needed on this machine.
    pub fn for_listening(file: Option<&Path>, address: SocketAddr) -> Result<Option<(Self, bool)>, Failure> {
        Ok(match Self::given(file)? {
            Some(token) => Some((token, false)),
            None if address.ip().is_loopback() => None,
            None => Some((Self::draw()?, true)),
        })
    }

    /// The secret, for the person who hands it to the parts.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The code that a part sends.
    pub fn code(&self) -> String {
        format!("Bearer {}", hexadecimal(hmac::sign(&self.key(), b"part").as_ref()))
    }

    /// Whether it is the code of a part; however wrong it is, the answer takes the same time.
    pub fn is_code(&self, given: &str) -> bool {
        let bytes = given.strip_prefix("Bearer ").and_then(bytes_of);
        bytes.is_some_and(|bytes| hmac::verify(&self.key(), b"part", &bytes).is_ok())
    }

    fn key(&self) -> hmac::Key {
        hmac::Key::new(hmac::HMAC_SHA256, self.0.as_bytes())
    }

    fn seed(&self) -> hmac::Tag {
        hmac::sign(&self.key(), b"collector")
    }

    /// TLS of the collector.
    pub fn server(&self) -> Result<Arc<ServerConfig>, Failure> {
        let private = [&PRIVATE_KEY, self.seed().as_ref()].concat();
        let made = || -> Result<ServerConfig, Box<dyn std::error::Error>> {
            let key = KeyPair::from_pkcs8_der_and_sign_algo(&private.as_slice().into(), &PKCS_ED25519)?;
            let mut params = CertificateParams::new(vec!["plimsoll".to_owned()])?;
            params.distinguished_name.push(DnType::CommonName, "Plimsoll, for this load only");
            let certificate = params.self_signed(&key)?.der().clone();
            let private = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(private.clone()));
            let builder = ServerConfig::builder_with_provider(Arc::new(default_provider()));
            let config = builder.with_protocol_versions(&[&TLS13])?.with_no_client_auth();
            Ok(config.with_single_cert(vec![certificate], private)?)
        };
        made().map(Arc::new).map_err(|error| Failure::running(format_args!("no certificate could be made: {error}")))
    }

    /// TLS of a part: it trusts the key of this token's collector and no other.
    pub fn client(&self) -> Result<Arc<ClientConfig>, Failure> {
        let pair = Ed25519KeyPair::from_seed_unchecked(self.seed().as_ref());
        let pair = pair.map_err(|error| Failure::running(format_args!("no key follows from the token: {error}")))?;
        let provider = Arc::new(default_provider());
        let public = [&PUBLIC_KEY, pair.public_key().as_ref()].concat();
        let verifier = Arc::new(Holder::of_key(public, "the collector has another token", provider.clone()));
        let builder = ClientConfig::builder_with_provider(provider).with_protocol_versions(&[&TLS13]);
        let builder = builder.map_err(Failure::running)?.dangerous().with_custom_certificate_verifier(verifier);
        Ok(Arc::new(builder.with_no_client_auth()))
    }
}

fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    let pair = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok();
    (digits.len() == 64).then(|| digits.as_bytes().chunks(2).map(pair).collect::<Option<_>>()).flatten()
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use rustls::{ClientConnection, Error, ServerConnection, pki_types::ServerName};

    use super::*;

    fn token(letter: &str) -> Token {
        Token(letter.repeat(CHARACTERS_LEAST))
    }

    #[test]
    fn a_code_is_of_its_token_alone() {
        let (own, other) = (token("a"), token("b"));
        assert!(own.is_code(&own.code()));
        assert!(!own.code().contains(own.reveal()), "the token itself is not sent");
        for wrong in
            [other.code(), String::new(), "Bearer ".to_owned(), format!("{}0", own.code()), own.code()[7..].to_owned()]
        {
            assert!(!own.is_code(&wrong), "{wrong}");
        }
        assert_ne!(Token::draw().unwrap().reveal(), Token::draw().unwrap().reveal());
        assert!(Token::draw().unwrap().reveal().len() >= CHARACTERS_LEAST);
    }

    /// Bytes go back and forth until both are through or one refuses.
    fn handshake(server: &Token, client: &Token) -> Result<(), Error> {
        let name = ServerName::try_from("10.1.2.3").unwrap();
        let mut client = ClientConnection::new(client.client().unwrap(), name).unwrap();
        let mut server = ServerConnection::new(server.server().unwrap()).unwrap();
        let mut bytes = Vec::new();
        while client.is_handshaking() || server.is_handshaking() {
            bytes.clear();
            client.write_tls(&mut bytes).unwrap();
            server.read_tls(&mut bytes.as_slice()).unwrap();
            server.process_new_packets()?;
            bytes.clear();
            server.write_tls(&mut bytes).unwrap();
            client.read_tls(&mut bytes.as_slice()).unwrap();
            client.process_new_packets()?;
        }
        server.writer().write_all(b"hello").unwrap();
        bytes.clear();
        while server.wants_write() {
            server.write_tls(&mut bytes).unwrap();
        }
        client.read_tls(&mut bytes.as_slice()).unwrap();
        client.process_new_packets()?;
        let mut read = [0; 5];
        client.reader().read_exact(&mut read).unwrap();
        assert_eq!(&read, b"hello");
        Ok(())
    }

    #[test]
    fn a_part_speaks_with_the_collector_of_its_token_and_with_nobody_else() {
        handshake(&token("a"), &token("a")).unwrap();
        let refused = handshake(&token("b"), &token("a")).unwrap_err();
        assert!(refused.to_string().contains("another token"), "{refused}");
    }
}
