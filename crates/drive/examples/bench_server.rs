//! The server behind the scripts in `benches/`: answers every request with five bytes, when its manner says. One
//! thread, precise to some ten microseconds. Prints its port, and serves until it is killed.
//!
//! ```text
//! bench_server wait SECONDS                  each answer after that time
//! bench_server freeze SECONDS LENGTH EVERY   the same, but stands still for the last LENGTH seconds of every EVERY
//! bench_server queue SERVERS MEAN SEED       as many servers, first come, first served, exponential service times
//! ```

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
    io::{self, ErrorKind, Read, Write},
    net::{TcpListener, TcpStream},
    num::NonZeroU64,
    thread,
    time::{Duration, Instant},
};

use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use rustix::{
    buffer::spare_capacity,
    event::epoll::{self, EventData, EventFlags},
    fd::OwnedFd,
    thread::set_current_timer_slack,
    time::Timespec,
};

const RESPONSE: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
const END_OF_HEAD: &[u8] = b"\r\n\r\n";
/// The listener among the events; connections count from 1.
const LISTENER: u64 = 0;

/// When requests are answered.
enum Manner {
    Wait { time: Duration },
    Freeze { time: Duration, length: Duration, every: Duration },
    Queue { free_at: BinaryHeap<Reverse<Instant>>, mean_s: f64, rng: Xoshiro256PlusPlus },
}

impl Manner {
    fn parse(arguments: &[String]) -> Option<Self> {
        let seconds = |text: &String| text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        match arguments {
            [name, time] if name == "wait" => Some(Self::Wait { time: seconds(time)? }),
            [name, time, length, every] if name == "freeze" => {
                Some(Self::Freeze { time: seconds(time)?, length: seconds(length)?, every: seconds(every)? })
            }
            [name, servers, mean, seed] if name == "queue" => {
                let free_at = (0..servers.parse::<u32>().ok()?).map(|_| Reverse(Instant::now())).collect();
                let rng = Xoshiro256PlusPlus::seed_from_u64(seed.parse().ok()?);
                Some(Self::Queue { free_at, mean_s: seconds(mean)?.as_secs_f64(), rng })
            }
            _ => None,
        }
    }

    /// When a request that came `now` is to be answered.
    fn due(&mut self, now: Instant) -> Instant {
        match self {
            Self::Wait { time } | Self::Freeze { time, .. } => now + *time,
            Self::Queue { free_at, mean_s, rng } => {
                let free = free_at.pop().map_or(now, |Reverse(free)| free.max(now));
                let done = free + Duration::from_secs_f64(*mean_s * -(1.0 - rng.random::<f64>()).ln());
                free_at.push(Reverse(done));
                done
            }
        }
    }

    /// How long until it stands still, zero if it must now, and how long until it goes on; none if it never does.
    fn until_freeze(&self, since_start: Duration) -> Option<(Duration, Duration)> {
        let Self::Freeze { length, every, .. } = self else { return None };
        let into = Duration::from_nanos((since_start.as_nanos() % every.as_nanos()) as u64);
        Some(((*every - *length).saturating_sub(into), *every - into))
    }
}

/// A client's connection.
struct Connection {
    stream: TcpStream,
    /// How much of the end of a request's head came last.
    matched: usize,
}

struct Server {
    manner: Manner,
    epoll: OwnedFd,
    listener: TcpListener,
    connections: HashMap<u64, Connection>,
    accepted: u64,
    /// By instant, then in the order in which the requests came.
    answers: BinaryHeap<Reverse<(Instant, u64, u64)>>,
    requests: u64,
}

impl Server {
    fn new(manner: Manner) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        rustix::net::listen(&listener, 8_192)?;
        listener.set_nonblocking(true)?;
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        epoll::add(&epoll, &listener, EventData::new_u64(LISTENER), EventFlags::IN)?;
        let (connections, answers) = (HashMap::new(), BinaryHeap::new());
        Ok(Self { manner, epoll, listener, connections, accepted: 0, answers, requests: 0 })
    }

    fn run(mut self) -> io::Result<()> {
        let start = Instant::now();
        let mut events: Vec<epoll::Event> = Vec::with_capacity(1_024);
        loop {
            let mut wait = self.answers.peek().map(|Reverse((due, ..))| due.saturating_duration_since(Instant::now()));
            if let Some((until_freeze, until_thaw)) = self.manner.until_freeze(start.elapsed()) {
                if until_freeze.is_zero() {
                    thread::sleep(until_thaw);
                    continue;
                }
                wait = Some(wait.map_or(until_freeze, |wait| wait.min(until_freeze)));
            }
            let timeout = wait.map(|wait| Timespec { tv_sec: wait.as_secs() as _, tv_nsec: wait.subsec_nanos() as _ });
            match epoll::wait(&self.epoll, spare_capacity(&mut events), timeout.as_ref()) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
            for event in events.drain(..) {
                match event.data.u64() {
                    LISTENER => self.accept()?,
                    id => self.read(id),
                }
            }
            self.answer();
        }
    }

    fn accept(&mut self) -> io::Result<()> {
        loop {
            let stream = match self.listener.accept() {
                Ok((stream, _)) => stream,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            };
            stream.set_nonblocking(true)?;
            stream.set_nodelay(true)?;
            self.accepted += 1;
            epoll::add(&self.epoll, &stream, EventData::new_u64(self.accepted), EventFlags::IN)?;
            self.connections.insert(self.accepted, Connection { stream, matched: 0 });
        }
    }

    fn read(&mut self, id: u64) {
        let Some(connection) = self.connections.get_mut(&id) else { return };
        let mut buffer = [0; 16 * 1024];
        let length = match connection.stream.read(&mut buffer) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => return,
            Ok(0) | Err(_) => return drop(self.connections.remove(&id)),
            Ok(length) => length,
        };
        let now = Instant::now();
        for &byte in &buffer[..length] {
            let is_next = byte == END_OF_HEAD[connection.matched];
            connection.matched = if is_next { connection.matched + 1 } else { usize::from(byte == b'\r') };
            if connection.matched == END_OF_HEAD.len() {
                connection.matched = 0;
                self.requests += 1;
                self.answers.push(Reverse((self.manner.due(now), self.requests, id)));
            }
        }
    }

    /// Sends the answers that are due. A client that has gone away needs none.
    fn answer(&mut self) {
        while let Some(&Reverse((due, _, id))) = self.answers.peek()
            && due <= Instant::now()
        {
            self.answers.pop();
            if let Some(connection) = self.connections.get_mut(&id)
                && connection.stream.write_all(RESPONSE).is_err()
            {
                self.connections.remove(&id);
            }
        }
    }
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(manner) = Manner::parse(&arguments) else {
        eprintln!("usage: bench_server wait SECONDS | freeze SECONDS LENGTH EVERY | queue SERVERS MEAN SEED");
        std::process::exit(2);
    };
    plimsoll_process::raise_descriptors();
    // 1 ns instead of 50 µs by which timers may be late.
    set_current_timer_slack(NonZeroU64::new(1))?;
    let server = Server::new(manner)?;
    println!("{}", server.listener.local_addr()?.port());
    server.run()
}
