//! Descriptors: as many as the system allows.

use crate::UpstreamError;

/// Descriptors that are not connections: epoll, standard streams, the listener.
const SPARE: u64 = 32;

/// Raises the soft limit of descriptors to the hard one.
///
/// # Errors
/// If `connections_max` are more than that.
pub fn allow_connections(connections_max: Option<u32>) -> Result<(), UpstreamError> {
    check(connections_max, plimsoll_process::raise_descriptors())
}

fn check(connections_max: Option<u32>, allowed: u64) -> Result<(), UpstreamError> {
    let wanted = connections_max.map_or(0, u64::from);
    let needed = wanted + SPARE;
    if wanted == 0 || needed <= allowed { Ok(()) } else { Err(UpstreamError::Descriptors { wanted, needed, allowed }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_connections_than_descriptors_are_refused_with_advice() {
        assert!(check(None, 10).is_ok(), "no limit, no promise");
        assert!(check(Some(68), 100).is_ok());
        let refusal = check(Some(69), 100).unwrap_err().to_string();
        assert!(refusal.starts_with("69 connections need 101") && refusal.contains("ulimit -Hn"), "{refusal}");
    }
}
