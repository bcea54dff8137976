//! Text of `/proc` and `/sys`, and of metrics, turned into values. Nothing here reads a file, and no text makes it
//! panic: what is not understood is `None`, or left out of a list.

pub mod actuator;
pub mod cgroup;
pub mod cpu_list;
pub mod histogram;
pub mod hsperf;
pub mod machine;
pub mod net;
pub mod process;
pub mod prometheus;
pub mod sock_diag;
pub mod socket;
pub mod threads;

/// The number after `key` on the line that begins with it, e.g. `2928` for `VmRSS:` in `VmRSS:\t 2928 kB`.
fn keyed_number(text: &str, key: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(key))?;
    rest.split_whitespace().next()?.parse().ok()
}
