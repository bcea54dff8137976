//! Protocol between the lab and the process that makes a network: one JSON value a line.

use std::{
    io::{self, BufRead, Write},
    net::{Ipv4Addr, SocketAddr},
};

use plimsoll_record::NetworkPlan;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{counts::Counts, namespace::Namespace};

/// Addresses come from the range for benchmarks of networks (RFC 2544, appendix C.2.2): no other network has them.
pub const NEAR: Ipv4Addr = Ipv4Addr::new(198, 18, 0, 1);
/// On the far end.
pub const FAR: Ipv4Addr = Ipv4Addr::new(198, 18, 0, 2);
/// Length of the network prefix of both, in bits.
pub const PREFIX: u8 = 30;

/// Network to make; the first line from the lab. For a relay a second one follows: the [`SocketAddr`] that it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// Effect on traffic.
    pub plan: NetworkPlan,
    /// Decides which packets are lost, and jitter.
    pub seed: u64,
}

/// Network that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Opened {
    /// Two namespaces; all that is sent from one to the other passes the router.
    Namespaces {
        /// Where the load, or the target with its load, is.
        near: Namespace,
        /// Where the target, or its upstream, is; at [`Opened::far_address`].
        far: Namespace,
    },
    /// A relay, on this machine's loopback.
    Relay {
        /// Address whose traffic passes it.
        listen: SocketAddr,
        /// Why there are no namespaces; none if a relay was wanted.
        because: Option<String>,
    },
}

impl Opened {
    /// Where the far end is, seen from the near one.
    pub fn far_address(&self) -> Ipv4Addr {
        match self {
            Self::Namespaces { .. } => FAR,
            Self::Relay { .. } => Ipv4Addr::LOCALHOST,
        }
    }
}

/// From the process to the lab; its end says that the network is gone.
#[derive(Debug, Serialize, Deserialize)]
pub enum Report {
    /// It could not be made at all; why. Nothing follows.
    Failed(String),
    /// The first, if all went well.
    Opened(Opened),
    /// Ten times a second.
    Counts(Counts),
}

/// Writes one value, as a line of JSON.
///
/// # Errors
///
/// Fails if the value is no JSON, or the other end is gone.
pub fn send<T: Serialize>(to: &mut impl Write, value: &T) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    to.write_all(&line)?;
    to.flush()
}

/// Reads one value, a line of JSON; none at the end.
///
/// # Errors
///
/// Fails if nothing can be read, or the line is no such value.
pub fn receive<T: DeserializeOwned>(from: &mut impl BufRead) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    match from.read_until(b'\n', &mut line)? {
        0 => Ok(None),
        _ => Ok(Some(serde_json::from_slice(&line)?)),
    }
}
