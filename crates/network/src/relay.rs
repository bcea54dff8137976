//! A relay of TCP connections, for machines on which no network can be made: it accepts connections, makes one to the
//! destination for each, and holds what comes for half the round trip.
//!
//! Limits: a connection is accepted at once, so a handshake takes no round trip; nothing is lost; and each
//! TCP has a short line before it, so congestion windows are of no account.

use std::{
    io,
    net::SocketAddr,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use plimsoll_record::{Nanos, NetworkPlan};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{ReadHalf, WriteHalf},
    },
    sync::{
        OwnedSemaphorePermit, Semaphore,
        mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    },
};

use crate::{
    counts::Counts,
    link::{Link, Path},
    protocol::Config,
};

/// Read at once.
const PIECE_BYTES: u32 = 16 << 10;
/// Bytes of one connection on their way in one direction: more would only fill memory, should the other side not read.
const WINDOW_BYTES: usize = 1 << 20;
const NOTHING_DUE: Duration = Duration::from_secs(3_600);

/// A relay at work; it ends with its process.
#[derive(Debug)]
pub struct Relay {
    directions: [Arc<Direction>; 2],
}

/// Bytes on their way in one direction, of all connections.
#[derive(Debug)]
struct Direction {
    link: Mutex<Link<Sending>>,
    /// Longest wait for the wire; bytes that would wait longer are not taken yet.
    queue: Nanos,
    changed: Condvar,
    origin: Instant,
}

/// A piece with where it goes.
#[derive(Debug)]
struct Sending {
    piece: Piece,
    to: UnboundedSender<Piece>,
}

#[derive(Debug)]
enum Piece {
    /// With its share of the window.
    Data(Box<[u8]>, OwnedSemaphorePermit),
    /// The sender has nothing more to say.
    End,
    /// The sender is gone.
    Reset,
}

impl Relay {
    /// Relays what comes to `listener` to `to`, on threads of its own.
    pub fn start(listener: std::net::TcpListener, to: SocketAddr, config: &Config) -> io::Result<Self> {
        let path = Path::of(&NetworkPlan { loss_percent: 0.0, ..config.plan });
        let directions = [config.seed, !config.seed].map(|seed| Arc::new(Direction::new(path, seed)));
        for direction in directions.clone() {
            thread::spawn(move || direction.deliver());
        }
        let relay = Self { directions: directions.clone() };
        listener.set_nonblocking(true)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        thread::spawn(move || runtime.block_on(accept(listener, to, directions)));
        Ok(relay)
    }

    /// Counts so far.
    pub fn counts(&self) -> Counts {
        let [there, back] = self.directions.each_ref().map(|direction| direction.lock().counts());
        there.plus(back)
    }
}

impl Direction {
    fn new(path: Path, seed: u64) -> Self {
        // Bytes that were read must arrive: the link itself never finds its queue full.
        let link = Mutex::new(Link::new(Path { queue: Nanos::MAX, ..path }, seed));
        Self { link, queue: path.queue, changed: Condvar::new(), origin: Instant::now() }
    }

    fn lock(&self) -> MutexGuard<'_, Link<Sending>> {
        self.link.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> Nanos {
        self.origin.elapsed().into()
    }

    fn offer(&self, bytes: usize, sending: Sending) {
        self.lock().offer(self.now(), bytes, sending);
        self.changed.notify_one();
    }

    /// A relay does not drop what finds the queue full: it holds it, and reads no more, until there is room.
    async fn await_room(&self) {
        loop {
            let wait = self.lock().wait(self.now()) - self.queue;
            if wait == Nanos::ZERO {
                return;
            }
            tokio::time::sleep(wait.into()).await;
        }
    }

    /// Hands over what is due, for ever. A thread can sleep more exactly than a timer of the runtime.
    fn deliver(&self) {
        let mut link = self.lock();
        loop {
            while let Some(Sending { piece, to }) = link.take_due(self.now()) {
                // A connection that is gone meanwhile needs nothing.
                let _ = to.send(piece);
            }
            let wait = link.next_due().map_or(NOTHING_DUE, |due| (due - self.now()).into());
            link = self.changed.wait_timeout(link, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

async fn accept(listener: std::net::TcpListener, to: SocketAddr, directions: [Arc<Direction>; 2]) -> io::Result<()> {
    let listener = TcpListener::from_std(listener)?;
    loop {
        // Out of descriptors, most likely: others will be closed.
        let Ok((mut near, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        let directions = directions.clone();
        tokio::spawn(async move {
            if relay(&mut near, to, &directions).await.is_err() {
                // Without lingering, closing resets it.
                let _ = near.set_zero_linger();
            }
        });
    }
}

async fn relay(near: &mut TcpStream, to: SocketAddr, directions: &[Arc<Direction>; 2]) -> io::Result<()> {
    let mut far = TcpStream::connect(to).await?;
    near.set_nodelay(true)?;
    far.set_nodelay(true)?;
    let relayed = both_ways(near, &mut far, directions).await;
    if relayed.is_err() {
        let _ = far.set_zero_linger();
    }
    relayed
}

async fn both_ways(near: &mut TcpStream, far: &mut TcpStream, directions: &[Arc<Direction>; 2]) -> io::Result<()> {
    let (near_read, near_write) = near.split();
    let (far_read, far_write) = far.split();
    let [there, back] = directions;
    tokio::try_join!(one_way(near_read, far_write, there), one_way(far_read, near_write, back))?;
    Ok(())
}

/// Relays one direction. An error is the end of the connection as a whole.
async fn one_way(from: ReadHalf<'_>, to: WriteHalf<'_>, direction: &Direction) -> io::Result<()> {
    let (sender, receiver) = unbounded_channel();
    tokio::try_join!(read(from, &sender, direction), write(to, receiver))?;
    Ok(())
}

async fn read(mut from: ReadHalf<'_>, to: &UnboundedSender<Piece>, direction: &Direction) -> io::Result<()> {
    let window = Arc::new(Semaphore::new(WINDOW_BYTES));
    let mut buffer = vec![0; PIECE_BYTES as usize];
    let offer = |bytes, piece| direction.offer(bytes, Sending { piece, to: to.clone() });
    loop {
        let mut share = Arc::clone(&window).acquire_many_owned(PIECE_BYTES).await.map_err(io::Error::other)?;
        match from.read(&mut buffer).await {
            Ok(0) => {
                offer(0, Piece::End);
                return Ok(());
            }
            Ok(bytes) => {
                drop(share.split(PIECE_BYTES as usize - bytes));
                direction.await_room().await;
                offer(bytes, Piece::Data(buffer[..bytes].into(), share));
            }
            Err(_) => {
                offer(0, Piece::Reset);
                return Ok(());
            }
        }
    }
}

async fn write(mut to: WriteHalf<'_>, mut pieces: UnboundedReceiver<Piece>) -> io::Result<()> {
    while let Some(piece) = pieces.recv().await {
        match piece {
            Piece::Data(data, _share) => to.write_all(&data).await?,
            Piece::End => return to.shutdown().await,
            Piece::Reset => return Err(io::ErrorKind::ConnectionReset.into()),
        }
    }
    Ok(())
}
