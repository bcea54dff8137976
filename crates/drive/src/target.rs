//! Where a URL points to.

use std::{
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use url::Url;

use crate::DriveError;

/// For each address of a name that has several.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);

/// The one address that all connections go to. Of several (`localhost` is often ::1 and 127.0.0.1) the first that
/// accepts a connection; if none does, the first, and the load's errors will tell.
pub(crate) fn resolve(url: &Url) -> Result<SocketAddr, DriveError> {
    let refuse = |problem: String| DriveError::Url { url: url.to_string(), problem };
    match url.scheme() {
        "http" => {}
        "https" => return Err(refuse("TLS is not supported yet; use an http:// URL".to_owned())),
        other => return Err(refuse(format!("expected an http:// URL, found the scheme `{other}`"))),
    }
    let addresses = url.socket_addrs(|| None).map_err(|error| {
        refuse(format!("the host cannot be resolved ({error}); check its spelling and the network"))
    })?;
    let accepts = |address: &&SocketAddr| TcpStream::connect_timeout(address, PROBE_TIMEOUT).is_ok();
    let chosen = if addresses.len() > 1 { addresses.iter().find(accepts) } else { None };
    chosen.or(addresses.first()).copied().ok_or_else(|| refuse("the host has no address".to_owned()))
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn of_several_addresses_the_one_that_accepts_is_taken() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let url = Url::parse(&format!("http://localhost:{}/", address.port())).unwrap();
        assert_eq!(resolve(&url).unwrap(), address);
    }

    #[test]
    fn what_cannot_be_loaded_says_why() {
        let problem = |text: &str| resolve(&Url::parse(text).unwrap()).unwrap_err().to_string();
        assert!(problem("ftp://127.0.0.1/").contains("expected an http:// URL, found the scheme `ftp`"));
        assert!(problem("https://127.0.0.1/").contains("TLS is not supported yet"));
        assert!(problem("http://no-such-host.invalid/").contains("cannot be resolved"));
    }
}
