//! Descriptors: as many as the load needs, or a clear refusal.

use plimsoll_engine::Segment;
use plimsoll_record::Load;

use crate::DriveError;

/// Descriptors that are not connections: epoll, standard streams, the record, the target's pipes.
const SPARE: u64 = 64;

/// Raises the soft limit of descriptors to the hard one. Fails if the virtual users of all closed models in the
/// `segment`, `streams` to a connection, need more. Open models are not checked: they need not come to their limit of
/// requests in flight.
pub(crate) fn allow_connections(loads: &[&Load], segment: Segment, streams: u64) -> Result<(), DriveError> {
    check(loads, segment, streams, plimsoll_process::raise_descriptors())
}

fn check(loads: &[&Load], segment: Segment, streams: u64, allowed: u64) -> Result<(), DriveError> {
    let closed = loads.iter().filter(|load| load.is_closed());
    let closed = closed.map(|load| segment.share(u64::from(load.max_in_flight())));
    let (vus, connections) =
        closed.fold((0, 0), |(vus, connections), more| (vus + more, connections + more.div_ceil(streams)));
    let needed = connections + SPARE;
    if vus == 0 || needed <= allowed {
        return Ok(());
    }
    let parts = u64::from(segment.count) * connections.div_ceil(allowed.saturating_sub(SPARE).max(1));
    Err(DriveError::Limit(format!(
        "{vus} virtual users need {needed} file descriptors, and the system allows {allowed} a process; \
         raise the hard limit (`ulimit -Hn`, LimitNOFILE= of a service, /etc/security/limits.conf), \
         share the load among machines or containers (`--segment 1/{parts}` and so on, then `plimsoll merge`), \
         or use fewer virtual users",
    )))
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Nanos, ThinkTime};

    use super::*;

    #[test]
    fn more_virtual_users_than_descriptors_are_refused_with_advice() {
        let load = Load::ConstantVus { vus: 1_000, duration: Nanos::from_secs(1), think: ThinkTime::None };
        assert!(check(&[&load], Segment::WHOLE, 1, 1_064).is_ok());
        let refusal = check(&[&load], Segment::WHOLE, 1, 1_063).unwrap_err().to_string();
        assert!(check(&[&load], Segment::WHOLE, 32, 96).is_ok(), "32 share a connection");
        assert!(refusal.contains("1000 virtual users need 1064") && refusal.contains("ulimit -Hn"), "{refusal}");
        assert!(refusal.contains("--segment 1/2"), "{refusal}");
        let half = Segment { index: 1, count: 2 };
        assert!(check(&[&load], half, 1, 564).is_ok(), "a part needs those of its own virtual users");
        let refusal = check(&[&load], half, 1, 314).unwrap_err().to_string();
        assert!(refusal.contains("500 virtual users need 564") && refusal.contains("--segment 1/4"), "{refusal}");
    }
}
