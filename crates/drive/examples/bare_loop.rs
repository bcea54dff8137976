//! The least that a generator costs here, to be held beside Plimsoll by the scripts in `benches/`: one thread,
//! edge-triggered epoll, a `send` and a `recv` for each request, and nothing else. It reads no response, takes each to
//! come in one piece, and records nothing but how late requests of an open model were sent.
//!
//! ```text
//! bare_loop HOST:PORT CONNECTIONS SECONDS          each connection sends again when its answer is there
//! bare_loop HOST:PORT CONNECTIONS SECONDS RATE     as many requests a second, evenly spaced
//! ```
//!
//! Prints the number of requests answered, the CPU time they took in seconds, and of an open model the median and 99th
//! percentile of the lag in µs. All connections are opened before.

use std::{
    io::{self, ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream},
    num::NonZeroU64,
    time::{Duration, Instant},
};

use rustix::{
    buffer::spare_capacity,
    event::epoll::{self, EventData, EventFlags},
    fd::OwnedFd,
    thread::set_current_timer_slack,
    time::{ClockId, Timespec, clock_gettime},
};

/// Lags are counted by the µs, longer ones with the last.
const LAGS_MAX: usize = 100_000;

struct Generator {
    request: Vec<u8>,
    epoll: OwnedFd,
    connections: Vec<TcpStream>,
    buffer: Vec<u8>,
    events: Vec<epoll::Event>,
    answered: u64,
}

impl Generator {
    fn new(address: SocketAddr, connections: usize) -> io::Result<Self> {
        let request =
            format!("GET / HTTP/1.1\r\nHost: {address}\r\nUser-Agent: bare_loop\r\nAccept: */*\r\n\r\n").into();
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let connect = |index| -> io::Result<TcpStream> {
            let stream = TcpStream::connect(address)?;
            stream.set_nonblocking(true)?;
            stream.set_nodelay(true)?;
            let flags = EventFlags::IN | EventFlags::OUT | EventFlags::RDHUP | EventFlags::ET;
            epoll::add(&epoll, &stream, EventData::new_u64(index as u64), flags)?;
            Ok(stream)
        };
        let connections = (0..connections).map(connect).collect::<io::Result<_>>()?;
        let (buffer, events) = (vec![0; 64 * 1024], Vec::with_capacity(512));
        Ok(Self { request, epoll, connections, buffer, events, answered: 0 })
    }

    fn send(&mut self, index: usize) -> io::Result<()> {
        let length = self.connections[index].write(&self.request)?;
        if length < self.request.len() {
            return Err(io::Error::other("a request did not fit into the socket's buffer"));
        }
        Ok(())
    }

    /// Waits, and gives the connections whose answers have come.
    fn wait(
        &mut self,
        longest: Duration,
        mut on_answer: impl FnMut(&mut Self, usize) -> io::Result<()>,
    ) -> io::Result<()> {
        let timeout = Timespec { tv_sec: longest.as_secs() as _, tv_nsec: longest.subsec_nanos() as _ };
        match epoll::wait(&self.epoll, spare_capacity(&mut self.events), Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let mut events = std::mem::take(&mut self.events);
        for event in events.drain(..) {
            let flags = event.flags;
            if !flags.contains(EventFlags::IN) {
                continue;
            }
            let index = event.data.u64() as usize;
            match self.connections[index].read(&mut self.buffer) {
                Ok(0) => return Err(io::Error::other("the server has closed a connection")),
                Ok(_) => {
                    self.answered += 1;
                    on_answer(self, index)?;
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        self.events = events;
        Ok(())
    }

    fn closed(&mut self, length: Duration) -> io::Result<()> {
        let end = Instant::now() + length;
        for index in 0..self.connections.len() {
            self.send(index)?;
        }
        while Instant::now() < end {
            self.wait(Duration::from_millis(100), Self::send)?;
        }
        Ok(())
    }

    /// How often a request was as many µs late.
    fn open(&mut self, length: Duration, rate: f64) -> io::Result<Vec<u64>> {
        let mut idle: Vec<usize> = (0..self.connections.len()).collect();
        let mut lags = vec![0; LAGS_MAX];
        let (start, mut sent) = (Instant::now(), 0_u64);
        let due = |nth: u64| Duration::from_secs_f64(nth as f64 / rate);
        loop {
            let mut now = start.elapsed();
            if now >= length {
                return Ok(lags);
            }
            while due(sent) <= now
                && let Some(index) = idle.pop()
            {
                lags[((now - due(sent)).as_micros() as usize).min(LAGS_MAX - 1)] += 1;
                self.send(index)?;
                sent += 1;
                now = start.elapsed();
            }
            let wait = if idle.is_empty() { length.saturating_sub(now) } else { due(sent).saturating_sub(now) };
            self.wait(wait, |_, index| {
                idle.push(index);
                Ok(())
            })?;
        }
    }
}

/// The lag in µs that this share of the requests did not exceed.
fn quantile(lags: &[u64], share: f64) -> usize {
    let mut left = (lags.iter().sum::<u64>() as f64 * share).ceil() as u64;
    lags.iter()
        .position(|&count| {
            left = left.saturating_sub(count);
            left == 0
        })
        .unwrap_or(LAGS_MAX)
}

/// CPU time of this process, user and system.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let parsed = || {
        let [address, connections, seconds, rate @ ..] = &arguments[..] else { return None };
        let length = Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?;
        let rate = match rate {
            [] => None,
            [rate] => Some(rate.parse().ok().filter(|rate: &f64| *rate > 0.0)?),
            _ => return None,
        };
        Some((address.parse().ok()?, connections.parse().ok()?, length, rate))
    };
    let Some((address, connections, length, rate)) = parsed() else {
        eprintln!("usage: bare_loop HOST:PORT CONNECTIONS SECONDS [RATE]");
        std::process::exit(2);
    };
    plimsoll_process::raise_descriptors();
    set_current_timer_slack(NonZeroU64::new(1))?;
    let mut generator = Generator::new(address, connections)?;
    let before = cpu_time();
    let lags = match rate {
        None => generator.closed(length).map(|()| None)?,
        Some(rate) => Some(generator.open(length, rate)?),
    };
    print!("{} {}", generator.answered, (cpu_time() - before).as_secs_f64());
    if let Some(lags) = lags {
        print!(" {} {}", quantile(&lags, 0.5), quantile(&lags, 0.99));
    }
    println!();
    Ok(())
}
