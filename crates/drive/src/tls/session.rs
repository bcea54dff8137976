//! The TLS of one connection. It keeps no buffers: what it reads and writes lies in those of the thread, but for the
//! beginning of a record whose rest is still to come.

use rustls::{
    Error, HandshakeKind,
    client::UnbufferedClientConnection,
    unbuffered::{ConnectionState, EncodeError, EncryptError, InsufficientSizeError, UnbufferedStatus},
};

use super::Secure;

/// A record adds at most this to what it carries: header, explicit nonce, content type, tag.
const RECORD_EXTRA_BYTES: usize = 5 + 8 + 1 + 16;
const RECORD_BYTES: usize = 16 * 1024;

pub(crate) struct Session {
    tls: UnbufferedClientConnection,
    partial: Vec<u8>,
}

impl Session {
    /// A session that is yet to begin; its first bytes come from [`Session::receive`] of nothing.
    pub fn new(secure: &Secure) -> Result<Self, Error> {
        let tls = UnbufferedClientConnection::new(secure.config.clone(), secure.name.clone())?;
        Ok(Self { tls, partial: Vec::new() })
    }

    pub fn is_handshaking(&self) -> bool {
        self.tls.is_handshaking()
    }

    /// Whether the handshake took up a session from before.
    pub fn is_resumed(&self) -> bool {
        self.tls.handshake_kind() == Some(HandshakeKind::Resumed)
    }

    /// The version in rustls' words; empty before the handshake.
    pub fn version(&self) -> String {
        self.tls.protocol_version().map(|version| format!("{version:?}")).unwrap_or_default()
    }

    /// The cipher suite in rustls' words; empty before the handshake.
    pub fn cipher(&self) -> String {
        self.tls.negotiated_cipher_suite().map(|suite| format!("{:?}", suite.suite())).unwrap_or_default()
    }

    /// The application protocol that the target chose.
    pub fn alpn(&self) -> Option<&[u8]> {
        self.tls.alpn_protocol()
    }

    /// Copies the record begun before to the front of `buffer`. Returns its length, behind which new bytes go.
    pub fn restore(&self, buffer: &mut [u8]) -> usize {
        buffer[..self.partial.len()].copy_from_slice(&self.partial);
        self.partial.len()
    }

    /// Takes `incoming`, which begins with what was left. Appends to `plain` what the target says, and to `outgoing`
    /// what is to be sent. Returns whether the target has said goodbye (close_notify). After an error, the session must
    /// not be used again.
    pub fn receive(&mut self, incoming: &mut [u8], plain: &mut Vec<u8>, outgoing: &mut Vec<u8>) -> Result<bool, Error> {
        self.partial = Vec::new();
        let (mut used, mut is_ended) = (0, false);
        loop {
            let UnbufferedStatus { mut discard, state } = self.tls.process_tls_records(&mut incoming[used..]);
            let mut is_waiting = false;
            match state? {
                ConnectionState::ReadTraffic(mut traffic) => {
                    while let Some(record) = traffic.next_record() {
                        let record = record?;
                        discard += record.discard;
                        plain.extend_from_slice(record.payload);
                    }
                }
                ConnectionState::EncodeTlsData(mut handshake) => {
                    append(outgoing, 0, |space| Ok(handshake.encode(space)?))?;
                }
                ConnectionState::TransmitTlsData(transmit) => transmit.done(),
                ConnectionState::PeerClosed => is_ended = true,
                _ => is_waiting = true,
            }
            used += discard;
            if is_waiting {
                self.partial = incoming[used..].to_vec();
                return Ok(is_ended);
            }
        }
    }

    /// Appends `plain` to `outgoing`, encrypted.
    pub fn send(&mut self, plain: &[u8], outgoing: &mut Vec<u8>) -> Result<(), Error> {
        let records = plain.len() / RECORD_BYTES + 1;
        self.write(outgoing, plain.len() + records * RECORD_EXTRA_BYTES, |traffic, space| traffic.encrypt(plain, space))
    }

    /// Appends the goodbye (close_notify) to `outgoing`.
    pub fn close(&mut self, outgoing: &mut Vec<u8>) -> Result<(), Error> {
        self.write(outgoing, RECORD_EXTRA_BYTES, |traffic, space| traffic.queue_close_notify(space))
    }

    fn write(
        &mut self,
        outgoing: &mut Vec<u8>,
        size: usize,
        mut encrypt: impl FnMut(&mut WriteTraffic<'_>, &mut [u8]) -> Result<usize, EncryptError>,
    ) -> Result<(), Error> {
        // The rest of incoming records must be shown to rustls again, though nothing is new.
        let UnbufferedStatus { discard, state } = self.tls.process_tls_records(&mut self.partial);
        let written = match state? {
            ConnectionState::WriteTraffic(mut traffic) => {
                append(outgoing, size, |space| Ok(encrypt(&mut traffic, space)?))
            }
            state => Err(Error::General(format!("nothing can be sent in state {state:?}"))),
        };
        self.partial.drain(..discard);
        written
    }
}

type WriteTraffic<'a> = rustls::unbuffered::WriteTraffic<'a, rustls::client::ClientConnectionData>;

/// Why nothing was written.
enum Unwritten {
    /// For want of space.
    Short(InsufficientSizeError),
    Failed(Error),
}

impl From<EncodeError> for Unwritten {
    fn from(error: EncodeError) -> Self {
        match error {
            EncodeError::InsufficientSize(size) => Self::Short(size),
            EncodeError::AlreadyEncoded => Self::Failed(Error::General(error.to_string())),
        }
    }
}

impl From<EncryptError> for Unwritten {
    fn from(error: EncryptError) -> Self {
        match error {
            EncryptError::InsufficientSize(size) => Self::Short(size),
            EncryptError::EncryptExhausted => Self::Failed(Error::EncryptError),
        }
    }
}

/// Appends to `outgoing` what `write` puts into the `size` bytes it is given; it is asked again if they were too few.
fn append(
    outgoing: &mut Vec<u8>,
    size: usize,
    mut write: impl FnMut(&mut [u8]) -> Result<usize, Unwritten>,
) -> Result<(), Error> {
    let (start, mut size) = (outgoing.len(), size);
    loop {
        outgoing.resize(start + size, 0);
        match write(&mut outgoing[start..]) {
            Ok(length) => {
                outgoing.truncate(start + length);
                return Ok(());
            }
            Err(Unwritten::Short(needed)) if needed.required_size > size => size = needed.required_size,
            Err(Unwritten::Short(_)) => return Err(Error::EncryptError),
            Err(Unwritten::Failed(error)) => return Err(error),
        }
    }
}
