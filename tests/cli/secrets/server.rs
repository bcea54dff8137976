//! A target, a proxy and a collector in one, which keeps what it is sent.

use std::{
    io::{BufReader, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
    time::Duration,
};

use crate::target;

/// Longer than anything takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// Answers with the request that it got, in `Server-Timing`, which records keep.
pub struct Server {
    pub port: u16,
    received: Arc<Mutex<String>>,
    arrived: Receiver<()>,
    go: Sender<()>,
}

/// State shared by all connections.
#[derive(Clone)]
struct Shared {
    received: Arc<Mutex<String>>,
    arrived: Sender<()>,
    go: Arc<Mutex<Receiver<()>>>,
}

impl Server {
    /// Requests are answered at once, or each when [`Server::while_it_waits`] is done.
    pub fn start(waits: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let ((arrived_at, arrived), (go, goes)) = (channel(), channel());
        let received = Arc::default();
        let shared = Shared { received: Arc::clone(&received), arrived: arrived_at, go: Arc::new(Mutex::new(goes)) };
        thread::spawn(move || {
            for stream in listener.incoming() {
                let shared = shared.clone();
                thread::spawn(move || serve(stream.unwrap(), &shared, waits));
            }
        });
        Self { port, received, arrived, go }
    }

    /// Looks at the world between a request and its answer; none if no request came.
    pub fn while_it_waits<T>(&self, look: impl FnOnce() -> T) -> Option<T> {
        self.arrived.recv_timeout(PATIENCE).ok()?;
        let seen = look();
        self.go.send(()).ok().map(|()| seen)
    }

    /// Everything that came, credentials of basic authentication decoded.
    pub fn received(&self) -> String {
        self.received.lock().unwrap().clone()
    }
}

fn serve(mut stream: TcpStream, shared: &Shared, waits: bool) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    loop {
        let (head, body) = target::read_request(&mut reader)?;
        *shared.received.lock().unwrap() += &format!("{head}{}\n{}\n", decoded(&head), String::from_utf8_lossy(&body));
        if head.starts_with("CONNECT ") || head.starts_with("POST /v1/metrics ") {
            let rest = if head.starts_with("CONNECT ") { "" } else { "Content-Length: 0\r\n" };
            write!(stream, "HTTP/1.1 200 OK\r\n{rest}\r\n").ok()?;
            continue;
        }
        if waits {
            shared.arrived.send(()).ok()?;
            shared.go.lock().unwrap().recv_timeout(PATIENCE).ok()?;
        }
        let echo: String =
            head.chars().map(|c| if c.is_ascii_control() || "\"\\".contains(c) { ' ' } else { c }).collect();
        let timing = format!("Server-Timing: seen;dur=1;desc=\"{echo}\"\r\n");
        write!(stream, "HTTP/1.1 200 OK\r\n{timing}Set-Cookie: token=given\r\nContent-Length: 2\r\n\r\nok").ok()?;
    }
}

/// `user:password` of all that are in Base64 there.
fn decoded(head: &str) -> String {
    let encoded = head.lines().filter_map(|line| line.split_once("Basic ").map(|(_, encoded)| encoded.trim()));
    encoded.map(|encoded| String::from_utf8_lossy(&super::base64::decode(encoded)).into_owned()).collect()
}
