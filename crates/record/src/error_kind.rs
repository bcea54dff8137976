//! Why a request failed: one closed list, in the words every output uses.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

macro_rules! error_kinds {
    ($($variant:ident = $text:literal, $meaning:literal;)*) => {
        /// Why a request failed. A request ends in exactly one outcome: it succeeded, or it failed
        /// for exactly one of these reasons.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum ErrorKind {
            $(#[doc = $meaning] #[serde(rename = $text)] $variant,)*
        }

        impl ErrorKind {
            /// Every kind, in the order outputs list them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name in outputs and in the record, e.g. `connect-timeout`.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// Its meaning, in one sentence.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning,)* }
            }
        }
    };
}

error_kinds! {
    Dns = "dns", "The target's name, or its proxy's, could not be resolved.";
    Refused = "refused", "The target refused the connection: nothing listens there, or its backlog overflowed and it resets.";
    ConnectTimeout = "connect-timeout", "The connection was not established in time: SYNs were dropped, often because the accept queue was full, or a proxy or a TLS handshake was slow.";
    Reset = "reset", "The target reset the connection before the response was complete.";
    ClosedBeforeResponse = "closed-before-response", "The target closed the connection before it had sent a whole response.";
    ResponseTimeout = "response-timeout", "The response was not complete when the time-out expired.";
    Tls = "tls", "The TLS handshake or a TLS record failed.";
    Proxy = "proxy", "The proxy did not open a tunnel to the target.";
    Protocol = "protocol", "The response was not valid HTTP.";
    PortsExhausted = "ports-exhausted", "No local port was left for a new connection (EADDRNOTAVAIL).";
    DescriptorsExhausted = "descriptors-exhausted", "The generator ran out of file descriptors (EMFILE).";
    Unreachable = "unreachable", "The target's host or network cannot be reached.";
    TooManyRedirects = "too-many-redirects", "More redirects than allowed.";
    RedirectElsewhere = "redirect-elsewhere", "A redirect leaves the target's scheme, host or port, to which all requests of a load go.";
    Status4xx = "status-4xx", "The response's status was 400 to 499.";
    Status5xx = "status-5xx", "The response's status was 500 to 599.";
    CheckFailed = "check-failed", "A check on the response did not hold.";
    CaptureFailed = "capture-failed", "A value that a later request needs was not found in the response, or cannot be used in the next request.";
    Other = "other", "An operating-system error that has no name of its own here; see the example.";
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ErrorKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .iter()
            .copied()
            .find(|kind| kind.as_str() == text)
            .ok_or_else(|| format!("`{text}` is not an error kind"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_and_agrees_with_serde() {
        for &kind in ErrorKind::ALL {
            assert_eq!(kind.as_str().parse(), Ok(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
        }
    }
}
