//! Many parts as one process: they speak in turn, on one connection.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    time::Duration,
};

use plimsoll_gather::{Answer, Envelope, Message, Reply};

/// A collector that is silent for longer has hung.
const PATIENCE: Duration = Duration::from_secs(60);

/// The connection.
pub struct Voice(BufReader<TcpStream>);

impl Voice {
    pub fn connect(address: &str) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Self(BufReader::new(stream))
    }

    pub fn say(&mut self, part: u32, message: Message) -> Answer {
        let body = serde_json::to_string(&Envelope { session: format!("part {part}"), message }).unwrap();
        let head = format!("POST /part HTTP/1.1\r\nHost: h\r\nContent-Length: {}\r\n\r\n", body.len());
        self.0.get_mut().write_all((head + &body).as_bytes()).unwrap();
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.0.read_line(&mut line).unwrap();
            let line = line.trim().to_ascii_lowercase();
            length = line.strip_prefix("content-length: ").map_or(length, |it| it.parse().unwrap());
            if line.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).unwrap();
        serde_json::from_slice::<Reply>(&body).unwrap().answer
    }
}
