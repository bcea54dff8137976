//! A small HTTP/1.1 server on a free port of the loopback address, which counts what it sees.
#![allow(dead_code, reason = "each test uses a part of it")]

pub mod http2;
pub mod tls;

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    os::unix::net::UnixListener,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
};

/// Counts of the server.
#[derive(Default)]
pub struct Seen {
    pub connections: AtomicU64,
    pub requests: AtomicU64,
    pub bytes_in: AtomicU64,
    pub bytes_out: AtomicU64,
    /// Where connections came from.
    pub peers: Mutex<Vec<SocketAddr>>,
    /// TLS sessions that were taken up again.
    pub resumed: AtomicU64,
    /// The names that were asked for by SNI.
    pub names: Mutex<Vec<Option<String>>>,
}

/// Action after a handler's response.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Then {
    KeepOpen,
    Close,
}

/// A response as bytes, and what follows it.
type Answer = (Vec<u8>, Then);

pub struct Server {
    pub address: SocketAddr,
    pub seen: Arc<Seen>,
}

impl Server {
    /// Answers each request by what `handle` makes of its request line and body length. Its threads end with the test's
    /// process.
    pub fn start(handle: impl Fn(&str, usize) -> Answer + Send + Sync + 'static) -> Self {
        Self::on(TcpListener::bind("127.0.0.1:0").unwrap(), |stream, _| Some(stream), handle)
    }

    /// The same on `listener`, with each connection as `wrap` makes it.
    pub fn on<S: Read + Write>(
        listener: TcpListener,
        wrap: impl Fn(TcpStream, &Seen) -> Option<S> + Send + Sync + 'static,
        handle: impl Fn(&str, usize) -> Answer + Send + Sync + 'static,
    ) -> Self {
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Seen::default());
        let (both, counts) = (Arc::new((wrap, handle)), seen.clone());
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (both, counts) = (both.clone(), counts.clone());
                let stream = stream.unwrap();
                counts.connections.fetch_add(1, Relaxed);
                counts.peers.lock().unwrap().push(stream.peer_addr().unwrap());
                // A client that goes away ends its thread.
                thread::spawn(move || serve((both.0)(stream, &counts)?, &both.1, &counts));
            }
        });
        Self { address, seen }
    }

    /// The same on a Unix socket.
    pub fn on_unix(path: &Path, handle: impl Fn(&str, usize) -> Answer + Send + Sync + 'static) -> Arc<Seen> {
        let listener = UnixListener::bind(path).unwrap();
        let seen = Arc::new(Seen::default());
        let (handle, counts) = (Arc::new(handle), seen.clone());
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (handle, counts) = (handle.clone(), counts.clone());
                counts.connections.fetch_add(1, Relaxed);
                thread::spawn(move || serve(stream.unwrap(), &*handle, &counts));
            }
        });
        seen
    }

    pub fn url(&self, path: &str) -> url::Url {
        format!("http://{}{path}", self.address).parse().unwrap()
    }
}

fn serve<S: Read + Write>(stream: S, handle: &dyn Fn(&str, usize) -> Answer, seen: &Seen) -> Option<()> {
    let mut input = BufReader::new(stream);
    loop {
        let mut request_line = String::new();
        let mut bytes = input.read_line(&mut request_line).ok().filter(|&length| length > 0)?;
        let mut body_length = 0;
        loop {
            let mut line = String::new();
            bytes += input.read_line(&mut line).ok()?;
            if let Some(length) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                body_length = length.trim().parse().ok()?;
            }
            if line == "\r\n" {
                break;
            }
        }
        input.read_exact(&mut vec![0; body_length]).ok()?;
        seen.requests.fetch_add(1, Relaxed);
        seen.bytes_in.fetch_add((bytes + body_length) as u64, Relaxed);
        let (response, then) = handle(request_line.trim(), body_length);
        seen.bytes_out.fetch_add(response.len() as u64, Relaxed);
        input.get_mut().write_all(&response).ok()?;
        if then == Then::Close {
            return None;
        }
    }
}
