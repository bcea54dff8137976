//! Places of a service at which it reads requests from sockets itself. The frames there look like those of a call of
//! another service: only numbers tell the two apart.

use std::collections::{BTreeMap, BTreeSet};

use plimsoll_record::Side;

use super::{activity::Activity, doing::Doing, seen::Seen};

/// Threads that read sockets wait for requests if they are this many times the calls that can be under way.
const MORE: f64 = 1.3;

/// Such places.
#[derive(Debug, Default)]
pub(super) struct RequestsAt(BTreeSet<String>);

impl RequestsAt {
    /// The places that show under any of the loads.
    pub fn of(loads: [&Seen; 2]) -> Self {
        Self(loads.into_iter().flat_map(places).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether threads wait there for requests.
    pub fn has(&self, doing: &Doing) -> bool {
        reads(doing) && doing.site.as_ref().is_some_and(|site| self.0.contains(site))
    }

    /// Marks threads that wait there for requests as idle.
    pub fn mark(&self, threads: &mut [Doing]) {
        threads.iter_mut().filter(|doing| self.has(doing)).for_each(|doing| doing.what = Activity::Idle);
    }
}

/// Whether threads may read requests: no server has read one for them.
fn reads(doing: &Doing) -> bool {
    doing.reads_itself && doing.server.is_none()
}

/// Places at which more threads read sockets than requests are in flight, and than connections to others have a
/// question open: the sockets are those of visitors who have asked nothing yet.
fn places(seen: &Seen) -> BTreeSet<String> {
    let outbound = seen.peers.iter().filter(|peer| peer.side == Side::Outbound);
    let open: f64 = outbound.map(|peer| peer.open).sum();
    let most = MORE * f64::max(seen.in_flight, MORE * open) + 1.0;
    let mut readers: BTreeMap<&str, f64> = BTreeMap::new();
    for doing in seen.threads.iter().filter(|doing| reads(doing)) {
        *readers.entry(doing.site.as_deref().unwrap_or_default()).or_default() += doing.count;
    }
    readers.into_iter().filter(|it| it.1 > most).map(|(site, _)| site.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Census, Peer, Stack, ThreadState};

    use super::*;

    const READ: [&str; 6] = [
        "sun.nio.ch.SocketDispatcher.read0",
        "sun.nio.ch.NioSocketImpl.implRead",
        "java.net.Socket$SocketInputStream.read",
        "java.io.BufferedReader.readLine",
        "app.Door.welcome",
        "java.util.concurrent.ThreadPoolExecutor$Worker.run",
    ];

    /// Threads that read at these frames and are idle, where 28 requests are in flight and connections to another
    /// service have `open` questions.
    fn idle(readers: u32, open: u32, frames: &[&str]) -> f64 {
        let frames = frames.iter().map(|frame| format!("{frame}(Source.java:1)")).collect();
        let stack = Stack {
            group: "pool-1-thread-*".to_owned(),
            count: readers,
            state: ThreadState::Runnable,
            frames,
            ..Stack::default()
        };
        let peer = Peer { side: Side::Outbound, port: 80, established: 43, open, ..Peer::default() };
        let census = Census { stacks: vec![stack], peers: vec![peer], ..Census::default() };
        let mut seen = Seen { in_flight: 28.0, ..Seen::by(&[&census]) };
        let at = RequestsAt::of([&Seen::default(), &seen]);
        at.mark(&mut seen.threads);
        seen.threads.iter().filter(|doing| doing.what == Activity::Idle).map(|doing| doing.count).sum()
    }

    #[test]
    fn more_readers_than_requests_wait_for_some() {
        assert_eq!(idle(64, 4, &READ), 64.0);
        assert_eq!(idle(30, 4, &READ), 0.0, "each may have a request");
        assert_eq!(idle(64, 60, &READ), 0.0, "each request may have several calls");
    }

    #[test]
    fn a_client_or_a_server_between_reads_for_others() {
        let mut by_a_client = READ;
        by_a_client[3] = "sun.net.www.http.HttpClient.parseHTTPHeader";
        assert_eq!(idle(64, 4, &by_a_client), 0.0);
        by_a_client[3] = "okio.InputStreamSource.read";
        assert_eq!(idle(64, 4, &by_a_client), 0.0);
    }
}
