//! Where connections go to and come from: Unix sockets, other addresses, proxies, names, IPv6.

mod load;
mod server;

use std::{
    collections::HashSet,
    io::{Read, Write},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex, atomic::Ordering::Relaxed},
    thread,
};

use load::{first, job, plain, shared, total};
use plimsoll_drive::connection::{Connection, Dns};
use plimsoll_hostile::tls::{Authority, Speaks};
use plimsoll_record::{ErrorKind, Load, Nanos, ThinkTime};
use server::{Server, Then, tls::Start as _};

fn greet() -> Server {
    Server::start(|_, _| (plain("hello"), Then::KeepOpen))
}

#[test]
fn a_unix_socket_takes_more_connections_than_its_backlog_holds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sock");
    let seen = Server::on_unix(&path, |_, _| (plain("hello"), Then::KeepOpen));
    // The standard library's backlog is 128 where the kernel's limit allows no more.
    let load = Load::PerVuIterations {
        vus: 600,
        iterations: 2,
        ramp_up: Nanos::ZERO,
        max_duration: None,
        think: ThinkTime::None,
    };
    let mut job = job(load, "http://somewhere/".parse().unwrap());
    job.options.connection.unix_socket = Some(path.clone());
    assert_eq!(total(&job).counts.succeeded, 1_200);
    assert_eq!(seen.connections.load(Relaxed), 600);
    job.options.connection.unix_socket = Some(folder.path().join("nobody.sock"));
    let total = total(&job);
    let error = &total.errors[&ErrorKind::Refused];
    assert!(error.count == 1_200 && error.example.contains("nobody.sock: No such file"), "{}", error.example);
}

#[test]
fn connections_go_where_they_are_told() {
    let server = greet();
    let mut job = job(shared(2, 10), "http://somewhere.invalid:81/".parse().unwrap());
    let rule = format!("somewhere.invalid:81:127.0.0.1:{}", server.address.port());
    job.options.connection.connect_to = vec![rule.parse().unwrap()];
    assert_eq!(total(&job).counts.succeeded, 10);
}

#[test]
fn ipv6_addresses_are_loaded() {
    let Ok(listener) = TcpListener::bind("[::1]:0") else { return };
    let port = listener.local_addr().unwrap().port();
    let server = Server::on(listener, |stream, _| Some(stream), |_, _| (plain("hello"), Then::KeepOpen));
    let mut job = job(shared(2, 10), format!("http://[::1]:{port}/").parse().unwrap());
    job.options.connection.sources = vec!["::1".parse().unwrap()];
    assert_eq!(total(&job).counts.succeeded, 10);
    assert_eq!(server.seen.connections.load(Relaxed), 2);
}

#[test]
fn names_are_resolved_for_each_connection_if_wanted() {
    // Where `localhost` is ::1, too, connections go there in turn, and a test beside this one may have the port there.
    let has_ipv6 = TcpListener::bind("[::1]:0").is_ok();
    let pair = || {
        let server = greet();
        let other = TcpListener::bind(SocketAddr::new("::1".parse().unwrap(), server.address.port()));
        (other.is_ok() || !has_ipv6).then_some((server, other))
    };
    let (server, other) = (0..100).find_map(|_| pair()).unwrap();
    let other =
        other.map(|listener| Server::on(listener, |stream, _| Some(stream), |_, _| (plain("hello"), Then::KeepOpen)));
    let mut job = job(shared(3, 30), format!("http://localhost:{}/", server.address.port()).parse().unwrap());
    job.options.keep_alive = false;
    job.options.connection.dns = Dns::PerConnection;
    let resolved = total(&job);
    assert_eq!((resolved.counts.succeeded, resolved.dns.count()), (30, 30));
    drop(other);
    first(&mut job).url = "http://no-such-host.invalid/".parse().unwrap();
    let total = total(&job);
    let error = &total.errors[&ErrorKind::Dns];
    assert!(
        error.count == 30 && error.example.contains("`no-such-host.invalid` cannot be resolved"),
        "{}",
        error.example
    );
}

#[test]
fn connections_come_from_the_addresses_that_are_named() {
    let server = greet();
    let mut job = job(shared(4, 40), server.url("/"));
    job.options.keep_alive = false;
    job.options.connection.sources = vec!["127.0.0.7".parse().unwrap(), "127.1.0.0/30".parse().unwrap()];
    assert_eq!(total(&job).counts.succeeded, 40);
    let peers: HashSet<String> = server.seen.peers.lock().unwrap().iter().map(|peer| peer.ip().to_string()).collect();
    assert_eq!(peers, HashSet::from(["127.0.0.7", "127.1.0.1", "127.1.0.2"].map(str::to_owned)));
}

/// A proxy that answers CONNECT by `answer` and then joins both ends, if the answer is 200. Requests are kept.
fn proxy(answer: &'static str) -> (Connection, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://me:secret@{}", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let kept = asked.clone();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (stream, kept) = (stream.unwrap(), kept.clone());
            thread::spawn(move || tunnel(stream, answer, &kept));
        }
    });
    (Connection { proxy: Some(url.parse().unwrap()), ..Connection::default() }, asked)
}

fn tunnel(mut stream: TcpStream, answer: &str, asked: &Mutex<Vec<String>>) -> Option<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).ok()?;
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap();
    let target = head.split(' ').nth(1)?.to_owned();
    asked.lock().unwrap().push(head);
    // In two pieces, as a network may deliver it.
    let (first, second) = answer.split_at(answer.len() / 2);
    stream.write_all(first.as_bytes()).ok()?;
    thread::sleep(std::time::Duration::from_millis(2));
    stream.write_all(second.as_bytes()).ok()?;
    if !answer.contains(" 200 ") {
        return None;
    }
    let mut out = TcpStream::connect(target).ok()?;
    let (mut back, mut forth) = (out.try_clone().ok()?, stream.try_clone().ok()?);
    thread::spawn(move || {
        let _ = std::io::copy(&mut back, &mut forth);
        let _ = forth.shutdown(Shutdown::Write);
    });
    let _ = std::io::copy(&mut stream, &mut out);
    out.shutdown(Shutdown::Write).ok()
}

const OPEN: &str = "HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n";

#[test]
fn a_proxy_is_asked_for_a_tunnel_by_either_scheme() {
    let (connection, asked) = proxy(OPEN);
    let server = greet();
    let mut job = job(shared(2, 20), server.url("/"));
    job.options.connection = connection.clone();
    assert_eq!(total(&job).counts.succeeded, 20);
    let authority = Authority::new("one");
    let shown = authority.issue("127.0.0.1");
    let secure = Speaks::by(&shown).start(|_, _| (plain("hello"), Then::KeepOpen));
    first(&mut job).url = format!("https://{}/", secure.address).parse().unwrap();
    job.options.connection.tls.ca_cert = Some(authority.file());
    assert_eq!(total(&job).counts.succeeded, 20);
    let asked = asked.lock().unwrap();
    assert_eq!(asked.len(), 4);
    assert!(asked[0].starts_with(&format!("CONNECT {} HTTP/1.1\r\n", server.address)), "{}", asked[0]);
    assert!(asked[0].contains("Proxy-Authorization: Basic bWU6c2VjcmV0\r\n"), "{}", asked[0]);
    assert!(asked[3].starts_with(&format!("CONNECT {} ", secure.address)));
}

/// Connections with `Connection: close` are left to the server to close: the client keeps no ports in TIME_WAIT, so
/// that many more connections can be made than there are ports.
#[test]
fn a_connection_for_each_request_leaves_the_closing_to_the_server() {
    let server = Server::start(|_, _| (plain("hello"), Then::Close));
    let mut job = job(shared(8, 2_000), server.url("/"));
    job.options.keep_alive = false;
    assert_eq!(total(&job).counts.succeeded, 2_000);
    let own: HashSet<SocketAddr> = server.seen.peers.lock().unwrap().iter().copied().collect();
    let table = std::fs::read_to_string("/proc/net/tcp").unwrap();
    let waiting = table.lines().filter(|line| is_time_wait_of(line, &own, server.address)).count();
    assert!(waiting < 200, "{waiting} of 2000 ports are in TIME_WAIT");
}

/// Whether a line of /proc/net/tcp is a socket in TIME_WAIT from one of `own` to `to`.
fn is_time_wait_of(line: &str, own: &HashSet<SocketAddr>, to: SocketAddr) -> bool {
    let mut fields = line.split_whitespace().skip(1);
    let port = |text: &str| u16::from_str_radix(text.split_once(':')?.1, 16).ok();
    let (Some(local), Some(remote), Some(state)) =
        (fields.next().and_then(port), fields.next().and_then(port), fields.next())
    else {
        return false;
    };
    state == "06" && remote == to.port() && own.iter().any(|address| address.port() == local)
}
