//! Where a URL's requests go, and through what.

use std::{
    fmt,
    net::{SocketAddr, TcpStream},
    path::PathBuf,
    time::Duration,
};

use rustix::net::SocketAddrUnix;
use url::{Host, Url};

use crate::{
    DriveError,
    connection::{Connection, Dns, Proxy, Source},
    resolver,
    tls::Secure,
};

/// Longest try of each address of a name that has several.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);

/// Route of all connections of a load.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    pub end: End,
    /// Asks the proxy for a tunnel to the target.
    pub tunnel: Option<Vec<u8>>,
    pub secure: Option<Secure>,
    pub is_resuming: bool,
    pub sources: Vec<Source>,
}

/// Where sockets connect to: the target, or the proxy.
#[derive(Clone, Debug)]
pub(crate) enum End {
    Address(SocketAddr),
    /// Resolved for each connection.
    Name(String, u16),
    Unix(PathBuf, SocketAddrUnix),
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(address) => write!(f, "{address}"),
            Self::Name(host, port) => write!(f, "{host}:{port}"),
            Self::Unix(path, _) => write!(f, "{}", path.display()),
        }
    }
}

impl Route {
    /// The way to `url`, with its names resolved unless each connection is to do that.
    pub fn new(url: &Url, connection: &Connection) -> Result<Self, DriveError> {
        connection.check()?;
        let refuse = |problem: String| DriveError::Url { url: url.to_string(), problem };
        let secure = match url.scheme() {
            "http" => None,
            "https" => Some(Secure::new(&connection.tls_offered(), url)?),
            other => return Err(refuse(format!("expected an http:// or https:// URL, found the scheme `{other}`"))),
        };
        let (host, port) = host_and_port(url).ok_or_else(|| refuse("the host is missing".to_owned()))?;
        let mapped = connection.connect_to.iter().find_map(|rule| rule.apply(&host, port));
        let (host, port) = mapped.unwrap_or((host, port));
        let tunnel = connection.proxy.as_ref().map(|proxy| proxy.request(&authority(&host, port)));
        let end = match (&connection.unix_socket, &connection.proxy) {
            (Some(path), _) => unix(path)?,
            (None, Some(Proxy { host, port, .. })) => end(host, *port, connection.dns).map_err(refuse)?,
            (None, None) => end(&host, port, connection.dns).map_err(refuse)?,
        };
        if let End::Address(address) = &end {
            check_family(&connection.sources, address)?;
        }
        let is_resuming = connection.tls.resumption;
        Ok(Self { end, tunnel, secure, is_resuming, sources: connection.sources.clone() })
    }

    /// How many local addresses connections come from; none if they need no ports.
    pub fn source_count(&self) -> Option<u64> {
        let given = self.sources.iter().map(Source::count).fold(0, u64::saturating_add);
        (!matches!(self.end, End::Unix(..))).then_some(given.max(1))
    }
}

/// An IPv6 address is without brackets.
fn host_and_port(url: &Url) -> Option<(String, u16)> {
    let host = match url.host()? {
        Host::Ipv6(address) => address.to_string(),
        host => host.to_string(),
    };
    Some((host, url.port_or_known_default()?))
}

fn authority(host: &str, port: u16) -> String {
    if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
}

fn unix(path: &std::path::Path) -> Result<End, DriveError> {
    let address = SocketAddrUnix::new(path).map_err(|error| {
        let error = std::io::Error::from(error);
        DriveError::Connection(format!("{} cannot be the path of a Unix socket: {error}", path.display()))
    })?;
    Ok(End::Unix(path.to_owned(), address))
}

fn end(host: &str, port: u16, dns: Dns) -> Result<End, String> {
    match dns {
        Dns::PerConnection if host.parse::<std::net::IpAddr>().is_err() => Ok(End::Name(host.to_owned(), port)),
        _ => resolve(host, port).map(End::Address),
    }
}

/// The one address that all connections go to: the first of several (`localhost` is often ::1 and 127.0.0.1) that
/// accepts a connection; if none does, the first, and the load's errors will tell.
fn resolve(host: &str, port: u16) -> Result<SocketAddr, String> {
    let addresses =
        resolver::resolve(host, port).map_err(|problem| format!("{problem}; check its spelling and the network"))?;
    let accepts = |address: &&SocketAddr| TcpStream::connect_timeout(address, PROBE_TIMEOUT).is_ok();
    let chosen = if addresses.len() > 1 { addresses.iter().find(accepts) } else { None };
    chosen.or(addresses.first()).copied().ok_or_else(|| "the host has no address".to_owned())
}

fn check_family(sources: &[Source], address: &SocketAddr) -> Result<(), DriveError> {
    let is_any = sources.is_empty() || sources.iter().any(|source| source.is_ipv4() == address.is_ipv4());
    if is_any {
        return Ok(());
    }
    let (own, other) = if address.is_ipv4() { ("IPv4", "IPv6") } else { ("IPv6", "IPv4") };
    Err(DriveError::Connection(format!(
        "connections go to {address}, and all source addresses are {other}; expected at least one that is {own}"
    )))
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv6Addr, TcpListener};

    use super::*;

    fn route(url: &str, connection: &Connection) -> Result<Route, String> {
        Route::new(&Url::parse(url).unwrap(), connection).map_err(|error| error.to_string())
    }

    fn end_of(url: &str, connection: &Connection) -> String {
        route(url, connection).unwrap().end.to_string()
    }

    #[test]
    fn of_several_addresses_the_one_that_accepts_is_taken() {
        // A test beside this one may listen on ::1 with the port that the kernel gives: then another one is tried.
        let is_alone = |port: u16| TcpStream::connect((Ipv6Addr::LOCALHOST, port)).is_err();
        let listener = (0..100).map(|_| TcpListener::bind("127.0.0.1:0").unwrap());
        let address = |listener: &TcpListener| listener.local_addr().unwrap();
        let listener = listener.into_iter().find(|it| is_alone(address(it).port())).unwrap();
        let url = format!("http://localhost:{}/", address(&listener).port());
        assert_eq!(end_of(&url, &Connection::default()), address(&listener).to_string());
    }

    #[test]
    fn what_cannot_be_loaded_says_why() {
        let problem = |text: &str| route(text, &Connection::default()).unwrap_err();
        assert!(problem("ftp://127.0.0.1/").contains("expected an http:// or https:// URL, found the scheme `ftp`"));
        assert!(problem("http://no-such-host.invalid/").contains("cannot be resolved"));
        let sources = vec!["::1".parse().unwrap()];
        let other_family = Connection { sources, ..Connection::default() };
        assert!(
            route("http://127.0.0.1:9/", &other_family).unwrap_err().contains("expected at least one that is IPv4")
        );
        let path = "x".repeat(200).into();
        let too_long = Connection { unix_socket: Some(path), ..Connection::default() };
        assert!(route("http://a/", &too_long).unwrap_err().contains("cannot be the path of a Unix socket"));
    }

    #[test]
    fn connections_go_where_the_settings_say() {
        let rule = |text: &str| Connection { connect_to: vec![text.parse().unwrap()], ..Connection::default() };
        assert_eq!(end_of("https://no.invalid/", &rule("no.invalid:443:127.0.0.1:8443")), "127.0.0.1:8443");
        assert_eq!(end_of("http://[::1]:80/", &rule("[::1]:80:[::1]:81")), "[::1]:81");
        let unix = Connection { unix_socket: Some("/run/a.sock".into()), ..Connection::default() };
        assert_eq!(end_of("http://no.invalid/", &unix), "/run/a.sock");
        let late = Connection { dns: Dns::PerConnection, ..Connection::default() };
        assert_eq!(end_of("http://no.invalid/", &late), "no.invalid:80");
        assert_eq!(end_of("http://127.0.0.1/", &late), "127.0.0.1:80");
    }

    #[test]
    fn a_proxy_is_asked_for_the_place_that_the_settings_say() {
        let mut connection =
            Connection { proxy: Some("http://127.0.0.1:3128".parse().unwrap()), ..Connection::default() };
        let asked = |connection: &Connection| {
            let route = route("http://no.invalid/a", connection).unwrap();
            (route.end.to_string(), String::from_utf8(route.tunnel.unwrap()).unwrap())
        };
        let (end, tunnel) = asked(&connection);
        assert!(end == "127.0.0.1:3128" && tunnel.starts_with("CONNECT no.invalid:80 HTTP/1.1\r\n"), "{end} {tunnel}");
        connection.connect_to = vec!["::[::1]:81".parse().unwrap()];
        assert!(asked(&connection).1.starts_with("CONNECT [::1]:81 "));
    }
}
