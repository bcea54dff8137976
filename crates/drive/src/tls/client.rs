//! TLS for who asks something once and may wait for the answer.

use std::{
    io::{self, Read, Write},
    net::TcpStream,
    sync::Arc,
};

use rustls::{ClientConfig, ClientConnection, Error, StreamOwned};
use url::Url;

use super::{Secure, explain};
use crate::{DriveError, connection::Tls};

/// Makes blocking TLS connections to the host of one URL, for HTTP/1.1.
#[derive(Clone, Debug)]
pub struct Client(Secure);

/// Answer on a connection that a [`Client`] has made.
#[derive(Debug)]
pub struct Answer(StreamOwned<ClientConnection, TcpStream>);

impl Client {
    /// A client for the host of `url`.
    ///
    /// # Errors
    ///
    /// Settings that do not go together, and files that cannot be used.
    pub fn new(tls: &Tls, url: &Url) -> Result<Self, DriveError> {
        let mut secure = Secure::new(tls, url)?;
        let mut config = ClientConfig::clone(&secure.config);
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        secure.config = Arc::new(config);
        Ok(Self(secure))
    }

    /// Sends `request` on `stream`, which is connected, as soon as the handshake is done; both happens while the answer
    /// is read.
    ///
    /// # Errors
    ///
    /// If no handshake can be begun.
    pub fn ask(&self, stream: TcpStream, request: &[u8]) -> io::Result<Answer> {
        let mut connection =
            ClientConnection::new(self.0.config.clone(), self.0.name.clone()).map_err(io::Error::other)?;
        connection.writer().write_all(request)?;
        Ok(Answer(StreamOwned::new(connection, stream)))
    }
}

impl Read for Answer {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| match error.get_ref().and_then(|inner| inner.downcast_ref::<Error>()) {
            Some(tls) => io::Error::new(error.kind(), explain(tls)),
            None => error,
        })
    }
}
