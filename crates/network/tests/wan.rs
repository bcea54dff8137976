//! The truth about networks by namespaces: what a TCP meets on them is what was ordered. Needs root; without it these
//! tests say that they are skipped.

mod support;

use std::{net::SocketAddr, os::unix::fs::MetadataExt, thread, time::Duration};

use plimsoll_network::Network;
use plimsoll_record::NetworkPlan;
use support::{ask, connect, ends, eventually, plan, serve, start, within};

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Result of `does` at the near end, with a server at the far end.
fn across<T: Send>(network: &Network, does: impl FnOnce(SocketAddr) -> T + Send) -> Option<T> {
    let (near, far) = ends(network)?;
    let port = within(&far, serve).port();
    let address = SocketAddr::new(network.opened().far_address().into(), port);
    Some(within(&near, || does(address)))
}

#[test]
fn a_fresh_connection_takes_two_round_trips_to_its_answer() {
    let network = start(plan(70));
    let times = across(&network, |address| {
        let time = |_| {
            let (mut connection, connected) = connect(address);
            (connected, ask(&mut connection, 1))
        };
        (0..15).map(time).collect::<Vec<_>>()
    });
    let Some(times) = times else { return };
    let (connects, answers): (Vec<Duration>, Vec<Duration>) = times.into_iter().unzip();
    for times in [connects, answers] {
        assert!(times.iter().all(|time| *time >= ms(70)), "{times:?}");
        // The fastest, because a busy machine adds to all others: one round trip and not two.
        assert!(times.iter().min() < Some(&ms(140)), "{times:?}");
    }
    eventually("it has told its counts", || network.counts().packets > 15 * 4);
    let counts = network.counts();
    assert!(counts.bytes > 15 * 1_024, "{counts:?}");
    assert_eq!((counts.lost, counts.queue_full, counts.overflowed), (0, 0, 0), "{counts:?}");
}

#[test]
fn bandwidth_is_shared_and_kept() {
    // 8 Mbit/s are a million bytes a second.
    let network = start(NetworkPlan { bandwidth_bits_per_s: Some(8_000_000), ..plan(10) });
    let took = across(&network, |address| {
        let begun = std::time::Instant::now();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..2).map(|_| ask(&mut connect(address).0, 125)).sum::<Duration>());
            }
        });
        begun.elapsed()
    });
    let Some(took) = took else { return };
    // 1,024,000 bytes and the headers of 700 packets.
    assert!(took >= ms(1_024), "{took:?}");
    eventually("the queue overflowed, which is how TCP learns", || network.counts().queue_full > 0);
}

#[test]
fn what_is_lost_is_sent_again() {
    let network = start(NetworkPlan { loss_percent: 10.0, ..plan(4) });
    let times = across(&network, |address| {
        let (mut connection, _) = connect(address);
        (0..60).map(|_| ask(&mut connection, 16)).collect::<Vec<_>>()
    });
    let Some(times) = times else { return };
    assert!(times.iter().any(|time| *time > ms(20)), "some waited for what was lost: {times:?}");
    eventually("losses are counted", || network.counts().lost > 20);
    let counts = network.counts();
    let share = counts.lost as f64 / (counts.lost + counts.packets) as f64;
    assert!((0.05..0.17).contains(&share), "{counts:?}");
}

#[test]
fn many_connections_at_once_lose_nothing() {
    let network = start(plan(30));
    let times = across(&network, |address| {
        thread::scope(|scope| {
            let users: Vec<_> = (0..200)
                .map(|_| {
                    scope.spawn(|| {
                        let (mut connection, _) = connect(address);
                        (0..5).map(|_| ask(&mut connection, 4)).collect::<Vec<_>>()
                    })
                })
                .collect();
            users.into_iter().flat_map(|user| user.join().expect("no panic")).collect::<Vec<_>>()
        })
    });
    let Some(times) = times else { return };
    assert_eq!(times.len(), 1_000);
    assert!(times.iter().min() < Some(&ms(60)), "one round trip of 30 ms and not two: {times:?}");
    eventually("all is counted", || network.counts().packets > 200 * 10);
    assert_eq!(network.counts().overflowed, 0, "{:?}", network.counts());
}

#[test]
fn each_end_has_its_own_loopback_and_the_kernels_settings_of_the_machine() {
    let network = start(plan(0));
    let Some((near, far)) = ends(&network) else { return };
    let port = within(&far, serve).port();
    let here = SocketAddr::from(([127, 0, 0, 1], port));
    assert!(within(&far, || ask(&mut connect(here).0, 1)) > Duration::ZERO);
    assert!(within(&near, || std::net::TcpStream::connect(here).is_err()), "that is another loopback");
    let range = || std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").expect("procfs");
    assert_eq!(within(&near, range), range());
}

#[test]
fn nothing_is_left_when_it_is_dropped() {
    let network = start(plan(10));
    let Some((near, _)) = ends(&network) else { return };
    let inode = within(&near, || std::fs::metadata("/proc/thread-self/ns/net").expect("procfs").ino());
    assert!(!network.has_ended());
    drop(network);
    assert!(near.enter().is_err(), "it is gone");
    let is_used = || {
        let processes = std::fs::read_dir("/proc").expect("procfs").flatten();
        let of = |entry: std::fs::DirEntry| std::fs::metadata(entry.path().join("ns/net")).ok();
        processes.filter_map(of).any(|found| found.ino() == inode)
    };
    eventually("no process is in it", || !is_used());
}
