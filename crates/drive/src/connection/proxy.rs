//! The proxy that is asked for tunnels (HTTP CONNECT).

use std::{fmt, str::FromStr};

use base64::{Engine, prelude::BASE64_STANDARD};
use serde::{Deserialize, Serialize};
use url::{Host, Url};

/// A response head longer than this is not one of a proxy.
const HEAD_BYTES_MAX: usize = 16 * 1024;
const HEADERS_MAX: usize = 64;

/// A proxy, with the credentials it wants, if any.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proxy {
    /// Its host, an IPv6 address without brackets.
    pub(crate) host: String,
    pub(crate) port: u16,
    /// `user:password`, in Base64.
    credentials: Option<String>,
}

impl Proxy {
    /// Asks for a tunnel to `target`, a host and port.
    pub(crate) fn request(&self, target: &str) -> Vec<u8> {
        let credentials = self.credentials.as_ref();
        let authorization = credentials.map(|credentials| format!("Proxy-Authorization: Basic {credentials}\r\n"));
        let authorization = authorization.unwrap_or_default();
        format!("CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n{authorization}\r\n").into_bytes()
    }

    /// Whether the tunnel is open, by the `head` that the proxy has sent so far; false while the head is incomplete.
    ///
    /// # Errors
    ///
    /// A message explaining why it is not.
    pub fn opens(head: &[u8]) -> Result<bool, String> {
        let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
        let mut response = httparse::Response::new(&mut headers);
        match response.parse(head) {
            Ok(httparse::Status::Partial) if head.len() < HEAD_BYTES_MAX => Ok(false),
            Ok(httparse::Status::Partial) => Err("the proxy's answer is not a response to CONNECT".to_owned()),
            Err(error) => Err(format!("the proxy's answer is not HTTP: {error}")),
            Ok(httparse::Status::Complete(length)) => {
                let (status, reason) = (response.code.unwrap_or_default(), response.reason.unwrap_or_default());
                match status {
                    200..=299 if length == head.len() => Ok(true),
                    200..=299 => Err("the proxy sent more than its answer before anything was asked".to_owned()),
                    407 => Err(format!("the proxy answered `407 {reason}`: give it `user:password@` before its host")),
                    _ => Err(format!("the proxy answered `{status} {reason}` to CONNECT")),
                }
            }
        }
    }
}

impl FromStr for Proxy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = |what: &str| {
            format!(
                "expected a proxy such as http://user:password@host:3128, found `{}`: {what}",
                without_password(text)
            )
        };
        let Some((scheme, _)) = text.split_once("://") else { return Err(expected("it has no `http://`")) };
        if scheme != "http" {
            return Err(expected(&format!("proxies are spoken to by http, not by {scheme}")));
        }
        let url = Url::parse(text).map_err(|error| expected(&error.to_string()))?;
        if url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
            return Err(expected("a proxy has no path"));
        }
        let host = match url.host() {
            Some(Host::Ipv6(address)) => address.to_string(),
            Some(host) => host.to_string(),
            None => return Err(expected("it has no host")),
        };
        let decode = |text: &str| percent_encoding::percent_decode_str(text).collect::<Vec<u8>>();
        let password = decode(url.password().unwrap_or_default());
        let pair = [&decode(url.username())[..], b":", &password].concat();
        let credentials = (pair.len() > 1).then(|| BASE64_STANDARD.encode(pair));
        Ok(Self { host, port: url.port_or_known_default().unwrap_or(80), credentials })
    }
}

/// A proxy's URL without its password, for errors, which go to logs.
fn without_password(text: &str) -> String {
    match (text.split_once("://"), text.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, rest))) => format!("{scheme}://…@{rest}"),
        _ => text.to_owned(),
    }
}

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Proxy({self})")
    }
}

impl fmt::Display for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_sent_decoded_and_never_printed() {
        let proxy: Proxy = "http://me:p%40ss@[::1]:3128".parse().unwrap();
        assert_eq!((proxy.host.as_str(), proxy.port), ("::1", 3128));
        let request = String::from_utf8(proxy.request("a.org:443")).unwrap();
        let encoded = BASE64_STANDARD.encode("me:p@ss");
        let expected =
            format!("CONNECT a.org:443 HTTP/1.1\r\nHost: a.org:443\r\nProxy-Authorization: Basic {encoded}\r\n\r\n");
        assert_eq!(request, expected);
        assert!(!format!("{proxy:?}").contains(&encoded));
        let plain: Proxy = "http://p".parse().unwrap();
        assert_eq!((plain.port, plain.request("b:1").len()), (80, "CONNECT b:1 HTTP/1.1\r\nHost: b:1\r\n\r\n".len()));
    }

    #[test]
    fn what_is_wrong_is_said_without_the_password() {
        let problem = |text: &str| text.parse::<Proxy>().unwrap_err();
        assert!(problem("proxy:3128").contains("it has no `http://`"));
        assert!(problem("https://a:secret@p:1").contains("found `https://…@p:1`: proxies are spoken to by http"));
        assert!(problem("http://p:1/x").contains("a proxy has no path"));
        assert!(problem("http://p:99999").contains("port"));
    }

    #[test]
    fn an_answer_is_understood_when_it_is_complete() {
        assert_eq!(Proxy::opens(b"HTTP/1.1 200 Connection est"), Ok(false));
        assert_eq!(Proxy::opens(b"HTTP/1.0 200 OK\r\nVia: x\r\n\r\n"), Ok(true));
        assert!(
            Proxy::opens(b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n").unwrap_err().contains("user:password@")
        );
        assert!(Proxy::opens(b"HTTP/1.1 502 Bad Gateway\r\n\r\n").unwrap_err().contains("`502 Bad Gateway`"));
        assert!(Proxy::opens(b"SSH-2.0-x\r\n").unwrap_err().contains("not HTTP"));
        assert!(Proxy::opens(b"HTTP/1.1 200 OK\r\n\r\nx").is_err());
        let endless = [&b"HTTP/1.1 200 OK\r\nA: "[..], &[b'x'; HEAD_BYTES_MAX]].concat();
        assert!(Proxy::opens(&endless).is_err());
    }
}
