//! Where connections to a host and port really go, in curl's grammar.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// `HOST:PORT:ADDR:PORT`: connections to the first host and port go to the second. An empty part on the left stands for
/// any, on the right for the same. IPv6 addresses are in brackets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConnectTo {
    /// None: any.
    host: Option<String>,
    /// None: any.
    port: Option<u16>,
    /// None: the same.
    to_host: Option<String>,
    /// None: the same.
    to_port: Option<u16>,
}

impl ConnectTo {
    /// Host and port that connections to `host` and `port` go to; none if the rule is not about them. IPv6: no
    /// brackets.
    pub(crate) fn apply(&self, host: &str, port: u16) -> Option<(String, u16)> {
        let is_host = self.host.as_ref().is_none_or(|own| own.eq_ignore_ascii_case(host));
        let is_port = self.port.is_none_or(|own| own == port);
        let to_host = || self.to_host.clone().unwrap_or_else(|| host.to_owned());
        (is_host && is_port).then(|| (to_host(), self.to_port.unwrap_or(port)))
    }
}

impl FromStr for ConnectTo {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = |what: &str| {
            format!("expected HOST:PORT:ADDR:PORT, e.g. example.org:443:127.0.0.1:8443, found `{text}`: {what}")
        };
        let (host, rest) = host(text).ok_or_else(|| expected("the first host does not end with a colon"))?;
        let (port_text, rest) = rest.split_once(':').ok_or_else(|| expected("the address is missing"))?;
        let (to_host, to_port) = self::host(rest).ok_or_else(|| expected("the second port is missing"))?;
        let port = |text: &str| match text {
            "" => Ok(None),
            _ => match text.parse() {
                Ok(port) if port > 0 => Ok(Some(port)),
                _ => Err(expected(&format!("`{text}` is not a port"))),
            },
        };
        Ok(Self { host, port: port(port_text)?, to_host, to_port: port(to_port)? })
    }
}

/// The host that `text` begins with, none if it is empty, and what follows the colon after it.
fn host(text: &str) -> Option<(Option<String>, &str)> {
    let (host, rest) = match text.strip_prefix('[') {
        Some(inner) => inner.split_once("]:")?,
        None => text.split_once(':')?,
    };
    Some(((!host.is_empty()).then(|| host.to_owned()), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(rule: &str, host: &str, port: u16) -> Option<(String, u16)> {
        rule.parse::<ConnectTo>().unwrap().apply(host, port)
    }

    #[test]
    fn parts_that_are_empty_stand_for_any_and_for_the_same() {
        let to = |host: &str, port| Some((host.to_owned(), port));
        assert_eq!(apply("a.org:443:127.0.0.1:8443", "A.org", 443), to("127.0.0.1", 8443));
        assert_eq!(apply("a.org:443:127.0.0.1:8443", "a.org", 80), None);
        assert_eq!(apply("a.org:443:127.0.0.1:8443", "b.org", 443), None);
        assert_eq!(apply("::localhost:", "b.org", 9), to("localhost", 9));
        assert_eq!(apply(":80::81", "b.org", 80), to("b.org", 81));
        assert_eq!(apply("[::1]:80:[::2]:81", "::1", 80), to("::2", 81));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let problem = |text: &str| text.parse::<ConnectTo>().unwrap_err();
        assert!(problem("a.org").contains("the first host does not end"));
        assert!(problem("a.org:80").contains("the address is missing"));
        assert!(problem("a.org:80:b.org").contains("the second port is missing"));
        assert!(problem("a.org:80:b.org:99999").contains("`99999` is not a port"));
        assert!(problem("a.org:0:b.org:1").contains("`0` is not a port"));
    }
}
