//! The flags of `plimsoll load` that say how connections are made.

use std::path::PathBuf;

use clap::{Args, ValueEnum, value_parser};
use plimsoll_drive::connection::{ConnectTo, Proxy, Source};
use plimsoll_record::Nanos;

use super::values::duration;

/// How it is sent.
#[derive(Args)]
pub struct ConnectionArgs {
    /// Give up on a response after this time [default: 30s]
    #[arg(short = 't', long, value_name = "TIME", value_parser = duration)]
    pub timeout: Option<Nanos>,
    /// Give up on a connection after this time, TLS and proxy included [default: 10s]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub connect_timeout: Option<Nanos>,
    /// A new connection for every request
    #[arg(long)]
    pub disable_keepalive: bool,
    /// Close a connection after this many requests
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..), conflicts_with = "disable_keepalive")]
    pub max_requests_per_connection: Option<u32>,
    /// Do not reuse a connection that was idle for longer than this, as connection pools do
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with = "disable_keepalive")]
    pub idle_time: Option<Nanos>,
    /// The idle connection that a request of an open load takes: the one used last, as connection pools do, the one
    /// idle for longest, or any [default: latest]
    #[arg(long, value_name = "WHICH", value_parser = value_parser!(ReuseWord), conflicts_with = "disable_keepalive")]
    pub reuse: Option<ReuseWord>,
    /// HTTP/2: over https as TLS agrees on it (ALPN), over http by prior knowledge, without an upgrade
    #[arg(long)]
    pub http2: bool,
    /// With --http2, requests in flight on a connection [default: 1]. -c stays the number of virtual users: -c 512
    /// --streams 32 is 16 connections of 32 streams
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..), requires = "http2")]
    #[arg(conflicts_with = "disable_keepalive")]
    pub streams: Option<u32>,
    /// Threads of the generator [default: a quarter of the cores, 1 to 8; fewer where --max-in-flight or --streams
    /// would be cut]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Connect to this Unix socket; the URL's host is only named in the request
    #[arg(long, value_name = "PATH", conflicts_with_all = ["connect_to", "dns", "proxy", "source"])]
    pub unix_socket: Option<PathBuf>,
    /// Connect to ADDR and its PORT in place of HOST and PORT, as curl does; may be given again. An empty part is
    /// any on the left, and the same on the right
    #[arg(long, value_name = "HOST:PORT:ADDR:PORT", value_parser = read::<ConnectTo>)]
    pub connect_to: Vec<ConnectTo>,
    /// When names are resolved: once before the load, or for each connection, over all addresses in turn
    /// [default: once]
    #[arg(long, value_name = "WHEN", value_parser = value_parser!(DnsWord))]
    pub dns: Option<DnsWord>,
    /// Tunnel through this proxy (HTTP CONNECT), e.g. http://user:password@proxy:3128
    #[arg(short = 'x', long, value_name = "URL", value_parser = read::<Proxy>)]
    pub proxy: Option<Proxy>,
    /// Come from these addresses of this machine in turn: one, several, or ranges such as 192.0.2.0/28
    #[arg(long, value_name = "ADDR,…", value_parser = read::<Source>, value_delimiter = ',')]
    pub source: Vec<Source>,
}

/// TLS, for https:// URLs.
#[derive(Args)]
pub struct TlsArgs {
    /// Accept any certificate of the target
    #[arg(short = 'k', long, conflicts_with = "cacert")]
    pub insecure: bool,
    /// Trust the certificates in this PEM file, too
    #[arg(long, value_name = "FILE")]
    pub cacert: Option<PathBuf>,
    /// Show the certificate in this PEM file (mutual TLS)
    #[arg(long, value_name = "FILE", requires = "key")]
    pub cert: Option<PathBuf>,
    /// The private key of --cert, in a PEM file
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub key: Option<PathBuf>,
    /// Ask for this name (SNI), and verify it, instead of the URL's host
    #[arg(long, value_name = "NAME")]
    pub sni: Option<String>,
    /// Oldest version to offer [default: 1.2]
    #[arg(long, value_name = "VERSION", value_parser = value_parser!(VersionWord))]
    pub tls_min: Option<VersionWord>,
    /// Newest version to offer [default: 1.3]
    #[arg(long, value_name = "VERSION", value_parser = value_parser!(VersionWord))]
    pub tls_max: Option<VersionWord>,
    /// A full handshake for each connection: do not resume sessions
    #[arg(long)]
    pub no_tls_resumption: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DnsWord {
    Once,
    PerConnection,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReuseWord {
    Latest,
    Oldest,
    Random,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum VersionWord {
    #[value(name = "1.2")]
    V1_2,
    #[value(name = "1.3")]
    V1_3,
}

fn read<T: std::str::FromStr<Err = String>>(text: &str) -> Result<T, String> {
    text.parse()
}
