//! Servers that speak TLS by certificates made for a test.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::atomic::Ordering::Relaxed,
};

use plimsoll_hostile::tls::Speaks;
use rustls::{HandshakeKind, ServerConnection, StreamOwned};

use super::{Answer, Server};

/// Starts a server on a free port of 127.0.0.1.
pub trait Start {
    fn start(&self, handle: impl Fn(&str, usize) -> Answer + Send + Sync + 'static) -> Server;
}

impl Start for Speaks<'_> {
    fn start(&self, handle: impl Fn(&str, usize) -> Answer + Send + Sync + 'static) -> Server {
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
