//! The `connection` section: how connections are made.

use std::{
    num::NonZeroU32,
    path::{Path, PathBuf},
    str::FromStr,
};

use plimsoll_drive::connection::{Connection, Dns, Identity, Reuse, Tls, TlsVersion};

use crate::experiment::Connecting;

use super::{
    decode::{OneOrMany, Whole, choice, mapping},
    errors::{At, Errors},
    quantity::Duration,
    values::positive,
};

mapping! {
    /// How connections are made, for all loads of the experiment. Paths are seen from the experiment file's folder.
    pub struct ConnectionSection as "connection" {
        /// Whether a connection carries more than one request. Default: true. Example: `keep-alive: false`.
        pub keep_alive: Option<bool>,
        /// How long a connection may take to be made, TLS and proxy included. Default: 10s. Example:
        /// `connect-time-out: 3s`.
        pub connect_time_out: Option<At<Duration>>,
        /// A connection is closed after this many requests. Default: no limit. Example:
        /// `max-requests-per-connection: 100`.
        pub max_requests_per_connection: Option<Whole<1, { u32::MAX as u64 }>>,
        /// A connection that was unused for longer is not used again, as clients with a pool do. Default: no limit.
        /// Example: `idle-time: 30s`.
        pub idle_time: Option<At<Duration>>,
        /// The idle connection that a request of an open load takes. Default: `latest`. Example: `reuse: oldest`.
        pub reuse: Option<ReuseWord>,
        /// HTTP/2: over https as TLS agrees on it (ALPN), over http by prior knowledge. Default: false. Example:
        /// `http2: true`.
        pub http2: Option<bool>,
        /// With `http2`: requests in flight on a connection; 512 virtual users with 32 streams share 16 connections.
        /// Default: 1. Example: `streams: 32`.
        pub streams: Option<At<Whole<1, { u32::MAX as u64 }>>>,
        /// For https: whether any certificate of the target will do. Default: false. Example: `insecure: true`.
        pub insecure: Option<bool>,
        /// For https: PEM file of certificates to be trusted beside the system's. Default: none. Example:
        /// `cacert: ca.pem`.
        pub cacert: Option<String>,
        /// For https: PEM file of the certificate that is shown to the target (mutual TLS). Needs `key`. Default:
        /// none. Example: `cert: client.pem`.
        pub cert: Option<At<String>>,
        /// PEM file of the private key of `cert`. Default: none. Example: `key: client-key.pem`.
        pub key: Option<At<String>>,
        /// For https: the name that is asked for and verified (SNI). Default: the URL's host. Example:
        /// `sni: example.org`.
        pub sni: Option<String>,
        /// The oldest version of TLS to offer. Default: 1.2. Example: `tls-min: "1.3"`.
        pub tls_min: Option<VersionWord>,
        /// The newest version of TLS to offer. Default: 1.3. Example: `tls-max: "1.2"`.
        pub tls_max: Option<VersionWord>,
        /// Whether connections resume TLS sessions of earlier ones. Default: true. Example: `tls-resumption: false`.
        pub tls_resumption: Option<bool>,
        /// A Unix socket that the load goes to, whatever the host of its URL. Default: none. Example:
        /// `unix-socket: /run/app.sock`.
        pub unix_socket: Option<String>,
        /// Where connections to a host and port really go, as `HOST:PORT:ADDR:PORT` (curl's grammar: what is left
        /// empty is any, and the same); one, or a list. Default: none. Example: `connect-to:
        /// "example.org:443:127.0.0.1:8443"`.
        pub connect_to: Option<OneOrMany<At<String>>>,
        /// When names are resolved. Default: `once`. Example: `dns: per-connection`.
        pub dns: Option<DnsWord>,
        /// A proxy that is asked for tunnels (HTTP CONNECT). Default: none. Example: `proxy: http://proxy:3128`.
        pub proxy: Option<At<String>>,
        /// Addresses of this machine that connections come from, in turn; one or a list of addresses or ranges.
        /// Default: the system's choice. Example: `source: [192.0.2.7, 192.0.2.16/28]`.
        pub source: Option<OneOrMany<At<String>>>,
    }
}

choice! {
    /// When names are resolved.
    pub enum DnsWord as "dns" {
        /// Before the load; of several addresses the first that accepts a connection is taken.
        Once = "once",
        /// For each connection; several addresses are taken in turn.
        PerConnection = "per-connection",
    }
}

choice! {
    /// The idle connection that is taken.
    pub enum ReuseWord as "reuse" {
        /// The one that was used last, as connection pools do: those in use stay few.
        Latest = "latest",
        /// The one that has been idle for longest: all take turns.
        Oldest = "oldest",
        /// Any of them, drawn by the seed.
        Random = "random",
    }
}

choice! {
    /// A version of TLS.
    pub enum VersionWord as "tls-version" {
        /// TLS 1.2.
        V1_2 = "1.2",
        /// TLS 1.3.
        V1_3 = "1.3",
    }
}

/// How connections are made; files are looked for from `folder`.
pub(super) fn resolve(section: Option<&At<ConnectionSection>>, folder: &Path, errors: &mut Errors) -> Connecting {
    let mut connecting = Connecting::default();
    let Some(At { value: section, place }) = section else { return connecting };
    let before = errors.count();
    connecting.keep_alive = section.keep_alive.unwrap_or(true);
    if let Some(limit) = &section.connect_time_out {
        connecting.connect_timeout = positive(limit, errors);
    }
    connecting.connection = Connection {
        tls: tls(section, folder, errors),
        unix_socket: section.unix_socket.as_ref().map(|path| folder.join(path)),
        connect_to: parsed_all(section.connect_to.as_ref(), errors),
        dns: match section.dns {
            Some(DnsWord::PerConnection) => Dns::PerConnection,
            Some(DnsWord::Once) | None => Dns::Once,
        },
        proxy: section.proxy.as_ref().and_then(|proxy| parsed(proxy, errors)),
        sources: parsed_all(section.source.as_ref(), errors),
        max_requests: section.max_requests_per_connection.map(Whole::narrow),
        idle_time: section.idle_time.as_ref().map(|limit| positive(limit, errors)),
        reuse: match section.reuse {
            Some(ReuseWord::Oldest) => Reuse::Oldest,
            Some(ReuseWord::Random) => Reuse::Random,
            Some(ReuseWord::Latest) | None => Reuse::Latest,
        },
        http2_streams: http2_streams(section, errors),
    };
    if errors.count() == before
        && let Err(problem) = connecting.connection.check()
    {
        errors.push(place, problem.to_string());
    }
    connecting
}

fn http2_streams(section: &ConnectionSection, errors: &mut Errors) -> Option<NonZeroU32> {
    let is_http2 = section.http2 == Some(true);
    let streams = section.streams.as_ref();
    if let Some(At { place, .. }) = streams {
        if !is_http2 {
            errors.push(place, "only connections of HTTP/2 have streams: add `http2: true`");
        } else if section.keep_alive == Some(false) {
            errors.push(place, "streams share a connection, which `keep-alive: false` forbids: remove one of the two");
        }
    }
    is_http2.then(|| streams.and_then(|given| NonZeroU32::new(given.value.narrow())).unwrap_or(NonZeroU32::MIN))
}

fn tls(section: &ConnectionSection, folder: &Path, errors: &mut Errors) -> Tls {
    let defaults = Tls::default();
    let file = |path: &String| -> PathBuf { folder.join(path) };
    let identity = match (&section.cert, &section.key) {
        (Some(cert), Some(key)) => Some(Identity { cert: file(&cert.value), key: file(&key.value) }),
        (Some(only), None) => missing(only, "a certificate needs its key: add `key`", errors),
        (None, Some(only)) => missing(only, "a key needs its certificate: add `cert`", errors),
        (None, None) => None,
    };
    Tls {
        insecure: section.insecure.unwrap_or(defaults.insecure),
        ca_cert: section.cacert.as_ref().map(file),
        identity,
        server_name: section.sni.clone(),
        min: section.tls_min.map_or(defaults.min, version),
        max: section.tls_max.map_or(defaults.max, version),
        resumption: section.tls_resumption.unwrap_or(defaults.resumption),
        alpn: defaults.alpn,
    }
}

fn missing<T>(given: &At<String>, message: &str, errors: &mut Errors) -> Option<T> {
    errors.push(&given.place, message);
    None
}

const fn version(word: VersionWord) -> TlsVersion {
    match word {
        VersionWord::V1_2 => TlsVersion::V1_2,
        VersionWord::V1_3 => TlsVersion::V1_3,
    }
}

fn parsed<T: FromStr<Err = String>>(text: &At<String>, errors: &mut Errors) -> Option<T> {
    text.value.parse().map_err(|problem: String| errors.push(&text.place, problem)).ok()
}

fn parsed_all<T: FromStr<Err = String>>(texts: Option<&OneOrMany<At<String>>>, errors: &mut Errors) -> Vec<T> {
    texts.iter().flat_map(|texts| &texts.0).filter_map(|text| parsed(text, errors)).collect()
}
