//! Networks for tests, and what is sent over them.

use std::{
    io::{Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    path::Path,
    thread,
    time::{Duration, Instant},
};

use plimsoll_network::{Config, Namespace, Network, Opened};
use plimsoll_record::{Nanos, NetworkPlan};

/// A network of `plan`.
pub fn start(plan: NetworkPlan) -> Network {
    let exe = Path::new(env!("CARGO_BIN_EXE_network-test-helper"));
    Network::start(exe, "network", &Config { plan, seed: 42 }).unwrap_or_else(|problem| panic!("{problem}"))
}

/// The ends of a network by namespaces; none where none can be made, which is said.
pub fn ends(network: &Network) -> Option<(Namespace, Namespace)> {
    match network.opened() {
        Opened::Namespaces { near, far } => Some((near.clone(), far.clone())),
        Opened::Relay { because, .. } => {
            eprintln!("skipped: this machine lets us make no network namespaces: {because:?}");
            None
        }
    }
}

/// With a round trip of so many milliseconds.
pub fn plan(rtt_ms: u64) -> NetworkPlan {
    NetworkPlan { rtt: Nanos::from_millis(rtt_ms), ..NetworkPlan::default() }
}

/// On a thread in `namespace`.
pub fn within<T: Send>(namespace: &Namespace, does: impl FnOnce() -> T + Send) -> T {
    let run = || {
        namespace.enter().expect("it is there");
        does()
    };
    thread::scope(|scope| scope.spawn(run).join().expect("no panic"))
}

/// Answers each byte `b` by `b` KiB; on any address.
pub fn serve() -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).expect("a port");
    let address = listener.local_addr().expect("bound");
    thread::spawn(move || {
        for connection in listener.incoming() {
            thread::spawn(move || answer(connection.expect("a connection")));
        }
    });
    address
}

fn answer(mut connection: TcpStream) {
    let mut kib = [0];
    while connection.read_exact(&mut kib).is_ok() {
        if connection.write_all(&vec![7; usize::from(kib[0]) << 10]).is_err() {
            return;
        }
    }
}

/// A connection, and how long it took to be made.
pub fn connect(address: SocketAddr) -> (TcpStream, Duration) {
    let begun = Instant::now();
    let connection = TcpStream::connect_timeout(&address, Duration::from_secs(60)).expect("something listens");
    let took = begun.elapsed();
    connection.set_nodelay(true).expect("a socket");
    connection.set_read_timeout(Some(Duration::from_secs(60))).expect("a socket");
    (connection, took)
}

/// Asks for so many KiB and waits for them.
pub fn ask(connection: &mut TcpStream, kib: u8) -> Duration {
    let begun = Instant::now();
    connection.write_all(&[kib]).expect("it listens");
    let mut answer = vec![0; usize::from(kib) << 10];
    connection.read_exact(&mut answer).expect("an answer");
    assert!(answer.iter().all(|byte| *byte == 7));
    begun.elapsed()
}

/// Waits until `condition` holds.
pub fn eventually(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !condition() {
        assert!(Instant::now() < deadline, "not within a minute: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}
