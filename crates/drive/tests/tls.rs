//! Loads over TLS against a real server: what is trusted, what is resumed, and what failures say.

mod load;
mod server;

use std::{
    io::Read,
    net::TcpStream,
    sync::{Arc, Mutex, atomic::Ordering::Relaxed},
};

use load::{plain, shared, total};
use plimsoll_drive::{
    Job, Observer, Seen,
    connection::{Identity, Tls, TlsVersion},
    tls::Client,
};
use plimsoll_hostile::tls::{Authority, Speaks};
use plimsoll_record::ErrorKind;
use rustls::version::{TLS12, TLS13};
use server::{Server, Then, tls::Start as _};

fn greet(speaks: &Speaks) -> Server {
    speaks.start(|_, _| (plain("hello"), Then::KeepOpen))
}

/// A load of `iterations` on two connections at a time that trusts `authority`.
fn job(server: &Server, authority: &Authority, iterations: u64) -> Job {
    let url = format!("https://127.0.0.1:{}/a", server.address.port()).parse().unwrap();
    let mut job = load::job(shared(2, iterations), url);
    job.options.connection.tls = Tls { ca_cert: Some(authority.file()), ..Tls::default() };
    job
}

/// Kind and message of the only failure of `job`.
fn failure(job: &Job) -> (ErrorKind, String) {
    let total = total(job);
    assert_eq!((total.counts.succeeded, total.errors.len()), (0, 1), "{:?}", total.errors);
    let (kind, error) = total.errors.into_iter().next().unwrap();
    (kind, error.example)
}

#[test]
fn both_versions_carry_requests_of_any_size() {
    let authority = Authority::new("one");
    let shown = authority.issue("127.0.0.1");
    for version in [&TLS12, &TLS13] {
        let big = "x".repeat(1_000_000);
        let server = Speaks { versions: vec![version], ..Speaks::by(&shown) }.start(move |line, length| {
            let body = if line.contains("/big") { big.clone() } else { length.to_string() };
            (plain(&body), Then::KeepOpen)
        });
        let counts = total(&job(&server, &authority, 500)).counts;
        assert_eq!((counts.succeeded, counts.connections_opened, counts.connections_reused), (500, 2, 498));
        let seen = [&server.seen.bytes_in, &server.seen.bytes_out].map(|count| count.load(Relaxed));
        assert_eq!(seen, [counts.bytes_sent, counts.bytes_received], "what is counted is HTTP, not TLS");
        let mut large = job(&server, &authority, 6);
        let request = load::first(&mut large);
        request.url = request.url.join("/big").unwrap();
        request.method = "POST".to_owned();
        request.body = vec![b'x'; 3_000_000];
        let counts = total(&large).counts;
        assert_eq!((counts.succeeded, counts.connections_opened), (6, 2), "{version:?}");
    }
}

#[test]
fn sessions_are_resumed_unless_they_must_not_be() {
    let authority = Authority::new("one");
    let shown = authority.issue("127.0.0.1");
    for version in [&TLS12, &TLS13] {
        for resumption in [true, false] {
            let server = greet(&Speaks { versions: vec![version], ..Speaks::by(&shown) });
            let mut job = job(&server, &authority, 20);
            job.options.keep_alive = false;
            job.options.connection.tls.resumption = resumption;
            let total = total(&job);
            let counts = &total.counts;
            assert_eq!((counts.connections_opened, counts.tls_handshakes, total.tls.count()), (20, 20, 20));
            // The first two know no session yet, unless one of them comes late.
            let expected = if resumption { 18..=19 } else { 0..=0 };
            assert!(expected.contains(&counts.tls_resumed), "{version:?}: {}", counts.tls_resumed);
            assert_eq!(server.seen.resumed.load(Relaxed), counts.tls_resumed);
        }
    }
}

#[test]
fn the_server_may_close_every_connection() {
    let authority = Authority::new("one");
    let shown = authority.issue("127.0.0.1");
    let server = Speaks::by(&shown).start(|_, _| (b"HTTP/1.1 200 OK\r\n\r\nuntil the end".to_vec(), Then::Close));
    let counts = total(&job(&server, &authority, 20)).counts;
    assert_eq!((counts.succeeded, counts.connections_opened), (20, 20));
}

/// An attacker on the way can cut a connection, and with it a body, but not say TLS's goodbye.
#[test]
fn a_body_that_ends_without_a_goodbye_may_be_cut_short() {
    let authority = Authority::new("one");
    let shown = authority.issue("127.0.0.1");
    for version in [&TLS12, &TLS13] {
        let speaks = || Speaks { says_goodbye: false, versions: vec![version], ..Speaks::by(&shown) };
        let cut = speaks().start(|_, _| (b"HTTP/1.1 200 OK\r\n\r\nuntil the e".to_vec(), Then::Close));
        let (kind, words) = failure(&job(&cut, &authority, 4));
        assert_eq!(kind, ErrorKind::ClosedBeforeResponse);
        assert_eq!(words, "the connection ended without TLS's close_notify: the body may be cut short");
        let response = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello";
        let whole = speaks().start(|_, _| (response.to_vec(), Then::Close));
        assert_eq!(total(&job(&whole, &authority, 4)).counts.succeeded, 4, "its length says where it ends");
    }
}

#[test]
fn certificates_are_verified_unless_any_will_do() {
    let (authority, other) = (Authority::new("one"), Authority::new("other"));
    let namesake = Authority::new("one");
    for (shown, trusted, said) in [
        (
            authority.issue("127.0.0.1"),
            &other,
            "the issuer of the target's certificate is unknown; name it by --cacert",
        ),
        (authority.issue("127.0.0.1"), &namesake, "is the file of --cacert an old one?"),
        (authority.issue_expired("127.0.0.1"), &authority, "has expired"),
        (authority.issue("example.org"), &authority, "is not for 127.0.0.1, but for "),
    ] {
        let server = greet(&Speaks::by(&shown));
        let mut job = job(&server, trusted, 4);
        let (kind, words) = failure(&job);
        assert!(kind == ErrorKind::Tls && words.contains(said) && words.contains("--insecure"), "{kind} {words}");
        job.options.connection.tls = Tls { insecure: true, ..Tls::default() };
        assert_eq!(total(&job).counts.succeeded, 4);
    }
}

#[test]
fn who_asks_once_is_told_the_same() {
    let authority = Authority::new("one");
    let shown = authority.issue("127.0.0.1");
    let server = greet(&Speaks { alpn: &["http/1.1"], ..Speaks::by(&shown) });
    let url = format!("https://{}/", server.address).parse().unwrap();
    let ask = |tls: &Tls| {
        let mut answer = Vec::new();
        let stream = TcpStream::connect(server.address).unwrap();
        let asked = Client::new(tls, &url).unwrap().ask(stream, b"GET / HTTP/1.1\r\n\r\n").unwrap();
        asked.take(15).read_to_end(&mut answer).map(|_| String::from_utf8(answer).unwrap())
    };
    assert_eq!(ask(&Tls { ca_cert: Some(authority.file()), ..Tls::default() }).unwrap(), "HTTP/1.1 200 OK");
    assert_eq!(ask(&Tls { insecure: true, ..Tls::default() }).unwrap(), "HTTP/1.1 200 OK");
    let refusal = ask(&Tls::default()).unwrap_err().to_string();
    assert!(refusal.contains("the issuer of the target's certificate is unknown"), "{refusal}");
}

#[test]
fn another_name_can_be_asked_for() {
    let authority = Authority::new("one");
    let shown = authority.issue("example.org");
    let server = greet(&Speaks::by(&shown));
    let mut job = job(&server, &authority, 2);
    job.options.connection.tls.server_name = Some("example.org".to_owned());
    assert_eq!(total(&job).counts.succeeded, 2);
    assert_eq!(server.seen.names.lock().unwrap()[0].as_deref(), Some("example.org"));
}

#[test]
fn a_server_that_asks_for_a_certificate_gets_it_or_the_load_says_so() {
    let (authority, clients) = (Authority::new("one"), Authority::new("other"));
    let shown = authority.issue("127.0.0.1");
    let (cert, key) = clients.files(&clients.issue("the generator"));
    for version in [&TLS12, &TLS13] {
        let server = greet(&Speaks { asks_for: Some(&clients), versions: vec![version], ..Speaks::by(&shown) });
        let mut job = job(&server, &authority, 4);
        let (kind, words) = failure(&job);
        assert!(kind == ErrorKind::Tls && words.contains("--cert"), "{version:?}: {kind} {words}");
        job.options.connection.tls.identity = Some(Identity { cert: cert.clone(), key: key.clone() });
        assert_eq!(total(&job).counts.succeeded, 4);
    }
}

#[test]
fn versions_and_protocols_can_be_narrowed() {
    let authority = Authority::new("one");
    let shown = authority.issue("127.0.0.1");
    let server = greet(&Speaks { versions: vec![&TLS12], alpn: &["http/1.1"], ..Speaks::by(&shown) });
    let mut job = job(&server, &authority, 2);
    assert_eq!(total(&job).counts.succeeded, 2);
    job.options.connection.tls.alpn = vec!["h2".to_owned()];
    let (kind, words) = failure(&job);
    assert!(kind == ErrorKind::Tls && words.contains("speaks no version of HTTP that was offered"), "{words}");
    job.options.connection.tls.min = TlsVersion::V1_3;
    let (kind, words) = failure(&job);
    assert!(kind == ErrorKind::Tls && words.contains("does not speak the versions"), "{words}");
}

#[test]
fn who_looks_on_sees_what_is_said_before_it_is_encrypted() {
    let authority = Authority::new("one");
    let server = greet(&Speaks::by(&authority.issue("127.0.0.1")));
    let mut watched = job(&server, &authority, 1);
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let notes = seen.clone();
    watched.options.observer = Some(Observer::new(move |_, what| {
        let note = match what {
            Seen::Opened { address, tls } => format!("{} {}", address.unwrap(), tls.unwrap().version),
            Seen::Sent(bytes) | Seen::Received(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            Seen::Closed => "closed".to_owned(),
        };
        notes.lock().unwrap().push(note);
    }));
    assert_eq!(total(&watched).counts.succeeded, 1);
    let seen = seen.lock().unwrap();
    assert_eq!(seen[0], format!("{} TLSv1_3", server.address));
    assert!(seen[1].starts_with("GET /a HTTP/1.1\r\n"), "{seen:?}");
    assert_eq!(seen[2..].concat().as_bytes(), plain("hello"));
}
