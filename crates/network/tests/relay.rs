//! The relay: it delays, hands on ends and resets, and does not need root.

#[allow(dead_code, reason = "ends of namespaces are for the other tests")]
mod support;

use std::{
    io::{Read, Write},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    time::Duration,
};

use plimsoll_network::{Network, Opened};
use plimsoll_record::{NetworkBy, NetworkPlan};
use support::{ask, connect, eventually, plan, serve, start};

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// A relay to `to`, and where it listens.
fn relay(plan: NetworkPlan, to: SocketAddr) -> (Network, SocketAddr) {
    let mut network = start(NetworkPlan { by: NetworkBy::Relay, ..plan });
    let Opened::Relay { listen, because: None } = *network.opened() else { panic!("{:?}", network.opened()) };
    network.lead_to(to).expect("it lives");
    (network, listen)
}

fn here(address: SocketAddr) -> SocketAddr {
    ([127, 0, 0, 1], address.port()).into()
}

#[test]
fn answers_take_a_round_trip_and_connects_do_not() {
    let (network, address) = relay(plan(60), here(serve()));
    let time = |_| {
        let (mut connection, connected) = connect(address);
        (connected, ask(&mut connection, 100))
    };
    let (connects, answers): (Vec<Duration>, Vec<Duration>) = (0..10).map(time).unzip();
    assert!(answers.iter().all(|time| *time >= ms(60)), "{answers:?}");
    // The fastest, because a busy machine adds to all others.
    assert!(connects.iter().min() < Some(&ms(60)), "{connects:?}");
    assert!(answers.iter().min() < Some(&ms(120)), "{answers:?}");
    eventually("it tells what it carried", || network.counts().bytes >= 10 * (1 + 100 * 1_024));
}

#[test]
fn bandwidth_is_kept() {
    let slow = NetworkPlan { bandwidth_bits_per_s: Some(8_000_000), ..plan(10) };
    let (network, address) = relay(slow, here(serve()));
    let (mut connection, _) = connect(address);
    let took: Duration = (0..4).map(|_| ask(&mut connection, 250)).sum();
    assert!(took >= ms(1_024), "{took:?}");
    assert_eq!(network.counts().queue_full, 0, "a relay drops nothing");
}

#[test]
fn connections_that_share_a_narrow_line_get_all_their_bytes() {
    let narrow = NetworkPlan { bandwidth_bits_per_s: Some(16_000_000), ..plan(4) };
    let (network, address) = relay(narrow, here(serve()));
    std::thread::scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|| (0..3).map(|_| ask(&mut connect(address).0, 40)).sum::<Duration>());
        }
    });
    eventually("all is counted", || network.counts().bytes >= 60 * (40 * 1_024 + 1));
    assert_eq!(network.counts().queue_full, 0, "a relay drops nothing");
}

#[test]
fn half_closed_connections_stay_so() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let (_network, address) = relay(plan(20), listener.local_addr().expect("bound"));
    let (mut connection, _) = connect(address);
    let (mut accepted, _) = listener.accept().expect("a connection");
    connection.write_all(b"all I have").expect("it listens");
    connection.shutdown(Shutdown::Write).expect("open");
    let mut heard = String::new();
    accepted.read_to_string(&mut heard).expect("to its end");
    assert_eq!(heard, "all I have");
    accepted.write_all(b"thanks").expect("still open");
    drop(accepted);
    heard.clear();
    connection.read_to_string(&mut heard).expect("to its end");
    assert_eq!(heard, "thanks");
}

#[test]
fn where_nothing_listens_the_connection_is_reset() {
    // The discard port: one that was free a moment ago could be another test's by now.
    let (_network, address) = relay(plan(10), ([127, 0, 0, 1], 9).into());
    // The reset may come before `connect` has looked at its socket.
    let asked = TcpStream::connect(address).and_then(|mut connection| connection.read(&mut [0]));
    let error = asked.expect_err("not a silent end");
    assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset);
}

#[test]
fn it_is_gone_when_it_is_dropped() {
    let (network, address) = relay(plan(10), here(serve()));
    connect(address);
    drop(network);
    assert!(TcpStream::connect(address).is_err());
}
