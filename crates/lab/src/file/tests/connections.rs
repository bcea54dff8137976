//! The `connection` section.

use std::{num::NonZeroU32, path::Path};

use plimsoll_drive::connection::{Connection, Dns, Reuse, Tls, TlsVersion};
use plimsoll_record::Nanos;

use super::{LOAD, VARIANT, read};
use crate::experiment::Connecting;

fn connecting(section: &str) -> Connecting {
    let text = format!("{section}{VARIANT}{LOAD}");
    read(&text).unwrap_or_else(|errors| panic!("{errors}")).experiment.connecting
}

#[test]
fn without_it_connections_are_made_as_by_default() {
    let defaults = Connecting { connection: Connection::default(), keep_alive: true, ..Connecting::default() };
    assert_eq!(connecting(""), defaults);
    assert_eq!(connecting("connection: {}\n"), defaults);
}

#[test]
fn http2_has_one_stream_on_a_connection_unless_more_are_asked_for() {
    let streams = |section| connecting(section).connection.http2_streams.map(NonZeroU32::get);
    assert_eq!(streams("connection: {http2: false}\n"), None);
    assert_eq!(streams("connection: {http2: true}\n"), Some(1));
    assert_eq!(streams("connection: {http2: true, streams: 32}\n"), Some(32));
}

#[test]
fn streams_need_http2_and_connections_that_are_kept() {
    let refused = |section: &str| read(&format!("{section}{VARIANT}{LOAD}")).unwrap_err().to_string();
    assert!(refused("connection: {streams: 4}\n").contains("add `http2: true`"));
    let both = refused("connection: {http2: true, streams: 4, keep-alive: false}\n");
    assert!(both.contains("`keep-alive: false` forbids"), "{both}");
    assert!(refused("connection: {http2: true, streams: 0}\n").contains("streams"));
}

#[test]
fn every_key_is_read_and_paths_are_seen_from_the_file() {
    let Connecting { connection, keep_alive, connect_timeout } = connecting(
        "connection:\n  keep-alive: false\n  connect-time-out: 3s\n  max-requests-per-connection: 100\n  \
         idle-time: 30s\n  reuse: oldest\n  insecure: true\n  sni: example.org\n  tls-min: 1.3\n  tls-max: \"1.3\"\n  \
         tls-resumption: false\n  connect-to: \"a:1:b:2\"\n  dns: per-connection\n  proxy: http://proxy:3128\n  \
         source: [127.0.0.2, 127.0.1.0/28]\n",
    );
    assert_eq!((keep_alive, connect_timeout), (false, Nanos::from_secs(3)));
    let expected = Connection {
        tls: Tls {
            insecure: true,
            server_name: Some("example.org".to_owned()),
            min: TlsVersion::V1_3,
            resumption: false,
            ..Tls::default()
        },
        unix_socket: None,
        connect_to: vec!["a:1:b:2".parse().unwrap()],
        dns: Dns::PerConnection,
        proxy: Some("http://proxy:3128".parse().unwrap()),
        sources: vec!["127.0.0.2".parse().unwrap(), "127.0.1.0/28".parse().unwrap()],
        max_requests: Some(100),
        idle_time: Some(Nanos::from_secs(30)),
        reuse: Reuse::Oldest,
        ..Connection::default()
    };
    assert_eq!(connection, expected);
    let unix = connecting("connection: {unix-socket: run/app.sock}\n").connection.unix_socket;
    assert_eq!(unix.as_deref(), Some(Path::new("experiments/run/app.sock")));
}
