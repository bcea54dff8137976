//! Flags of connections.

use std::num::NonZeroU32;

use plimsoll_drive::connection::{Connection, Dns, Identity, Reuse, Tls, TlsVersion};

use crate::cli::{ConnectionArgs, DnsWord, ReuseWord, TlsArgs, VersionWord};

/// Changes what the flags name.
pub fn apply(flags: &ConnectionArgs, tls: &TlsArgs, connection: &mut Connection) {
    apply_tls(tls, &mut connection.tls);
    connection.unix_socket = flags.unix_socket.clone().or(connection.unix_socket.take());
    if !flags.connect_to.is_empty() {
        connection.connect_to.clone_from(&flags.connect_to);
    }
    connection.dns = match flags.dns {
        Some(DnsWord::Once) => Dns::Once,
        Some(DnsWord::PerConnection) => Dns::PerConnection,
        None => connection.dns,
    };
    connection.proxy = flags.proxy.clone().or(connection.proxy.take());
    if !flags.source.is_empty() {
        connection.sources.clone_from(&flags.source);
    }
    connection.max_requests = flags.max_requests_per_connection.or(connection.max_requests);
    connection.idle_time = flags.idle_time.or(connection.idle_time);
    connection.reuse = match flags.reuse {
        Some(ReuseWord::Latest) => Reuse::Latest,
        Some(ReuseWord::Oldest) => Reuse::Oldest,
        Some(ReuseWord::Random) => Reuse::Random,
        None => connection.reuse,
    };
    if flags.http2 {
        connection.http2_streams = Some(flags.streams.and_then(NonZeroU32::new).unwrap_or(NonZeroU32::MIN));
    }
}

fn apply_tls(flags: &TlsArgs, tls: &mut Tls) {
    tls.insecure |= flags.insecure;
    tls.ca_cert = flags.cacert.clone().or(tls.ca_cert.take());
    if let (Some(cert), Some(key)) = (&flags.cert, &flags.key) {
        tls.identity = Some(Identity { cert: cert.clone(), key: key.clone() });
    }
    tls.server_name = flags.sni.clone().or(tls.server_name.take());
    tls.min = flags.tls_min.map_or(tls.min, version);
    tls.max = flags.tls_max.map_or(tls.max, version);
    tls.resumption &= !flags.no_tls_resumption;
}

/// Whether any flag is given that has no meaning without TLS.
pub fn are_for_tls(flags: &TlsArgs) -> bool {
    let mut changed = Tls::default();
    apply_tls(flags, &mut changed);
    changed != Tls::default()
}

const fn version(word: VersionWord) -> TlsVersion {
    match word {
        VersionWord::V1_2 => TlsVersion::V1_2,
        VersionWord::V1_3 => TlsVersion::V1_3,
    }
}
