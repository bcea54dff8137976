//! Threads queue for a connection of an HTTP client, or of another client.

use super::{
    super::{Knob, Limit, Verdict, case::Case, known::Gives},
    queue, silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit {
    id: "client-pool",
    means: "connections of Apache HttpClient 4 and 5, Jedis, Lettuce, or of a pool of the service's own",
    find,
    cleared: silent,
    knob,
};

fn find(case: &Case) -> Option<Verdict> {
    of_threads(case).or_else(|| of_connections(case))
}

/// A client that waits in no thread: connections to one peer are all in use, far fewer than there are requests, and a
/// call takes no longer than without a queue.
fn of_connections(case: &Case) -> Option<Verdict> {
    let upstream = case.upstream()?;
    let peer = upstream.peer;
    if !case.is_full_of_calls() {
        return None;
    }
    let size = number(peer.established.round());
    let call_ms = upstream.full_ms.unwrap_or(0.0);
    Some(Verdict {
        says: format!("connections to {} ({size})", peer.name()),
        evidence: vec![
            format!(
                "{} of {size} connections are busy at each look, a call takes {} ms; {} requests are in flight, and \
                 the others in no thread",
                number(peer.open),
                number(call_ms),
                number(case.in_flight().round())
            ),
            queue::growth(case),
        ],
        change: "Raise the client’s pool (Reactor Netty: ConnectionProvider.maxConnections, twice the cores and 16 at \
                 least by default; -Dreactor.netty.pool.maxConnections)."
            .to_owned(),
    })
}

fn of_threads(case: &Case) -> Option<Verdict> {
    queue::for_pool(case, Gives::ClientConnections, "connections of a client", "a connection")
}

fn knob(case: &Case) -> Option<Knob> {
    let of_threads = || queue::knob(case, &queue::for_what(case, Gives::ClientConnections)?);
    let established = case.upstream().map(|upstream| upstream.peer.established);
    of_threads().or_else(|| Some(Knob::sized(&["-Dreactor.netty.pool.maxConnections"], established?, case.in_flight())))
}
