//! A small HTTP/1.1 server on a free port of the loopback address, which counts what it sees.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
};

/// What the server counted.
#[derive(Default)]
pub struct Seen {
    pub connections: AtomicU64,
    pub requests: AtomicU64,
    pub bytes_in: AtomicU64,
    pub bytes_out: AtomicU64,
}

/// What a handler wants to happen after its response.
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
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Seen::default());
        let (handle, counts) = (Arc::new(handle), seen.clone());
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (handle, counts) = (handle.clone(), counts.clone());
                counts.connections.fetch_add(1, Relaxed);
                // A client that goes away ends its thread.
                thread::spawn(move || serve(stream.unwrap(), &*handle, &counts));
            }
        });
        Self { address, seen }
    }

    pub fn url(&self, path: &str) -> url::Url {
        format!("http://{}{path}", self.address).parse().unwrap()
    }
}

fn serve(stream: TcpStream, handle: &dyn Fn(&str, usize) -> Answer, seen: &Seen) -> Option<()> {
    let mut out = stream.try_clone().ok()?;
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
        out.write_all(&response).ok()?;
        if then == Then::Close {
            return None;
        }
    }
}
