//! Peers that mean harm, or are broken: targets over HTTP/1.1, HTTP/2 and TLS, proxies, collectors of metrics, and
//! clients that ask for metrics. Each behaviour is data: what it does on a socket, and what must come of it. For tests
//! only.

mod absent;
mod behaviour;
mod collector;
pub mod frames;
mod http1;
mod http2;
mod play;
mod prometheus;
mod proxy;
mod server;
pub mod tls;
mod tls_faults;

use std::{fs, time::Duration};

pub use behaviour::{Behaviour, Bounds, Connections, Ends, Family, Outcome, Place, Security, Step};
pub use play::call;
pub use server::{GOOD_BODY, Server};

/// Every behaviour, family by family.
pub fn all() -> Vec<Behaviour> {
    [http1::behaviours(), http2::behaviours(), tls_faults::behaviours(), proxy::behaviours()]
        .into_iter()
        .chain([collector::behaviours(), prometheus::behaviours()])
        .flatten()
        .collect()
}

/// All of one family.
pub fn of(family: Family) -> Vec<Behaviour> {
    all().into_iter().filter(|behaviour| behaviour.family == family).collect()
}

/// A load that meets any of them has ended by then, its time-outs of a few seconds included.
pub const ENDS_WITHIN: Duration = Duration::from_secs(60);
/// Memory that a process may have had that met any of them, or many at a time (kB).
pub const PROCESS_KB_MAX: u64 = 128 * 1024;

/// Memory that a process, a number or `self`, has or has had (kB), but pages of files, which a kernel may map by the
/// megabyte: those of its program are not what it met. None of one that has ended.
pub fn memory_kb(process: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let of = |key: &str| -> Option<u64> {
        let line = status.lines().find_map(|line| line.strip_prefix(key))?;
        line.trim().trim_end_matches(" kB").parse().ok()
    };
    Some(of("VmHWM:")?.saturating_sub(of("RssFile:")?).max(of("RssAnon:")?))
}

#[cfg(test)]
mod tests;
