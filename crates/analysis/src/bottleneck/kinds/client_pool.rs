//! Requests queue for a connection of a client, of HTTP or another protocol.

use super::{
    super::{
        Knob, Limit, Verdict,
        activity::{Activity, DISPATCHER},
        case::Case,
        known::Gives,
        peers::PeerSeen,
        settings::{self, Named},
        waits::{
            AWS_ACQUIRE, HTTPCLIENT_4_LEASE, HTTPCLIENT_5_LEASES, REACTOR_BORROWER, VERTX_4_ACQUIRE, VERTX_5_ACQUIRE,
        },
    },
    ceiling, executor, queue,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit {
    id: "client-pool",
    means: "connections of Apache HttpClient 4 and 5, blocking or not, Reactor Netty, Jetty’s or Vert.x’s client, the \
            AWS SDK on Netty, Jedis, Lettuce, or of a pool of the service's own; calls that OkHttp's Dispatcher lets \
            run; streams of gRPC; channels of Spring AMQP",
    find,
    cleared,
    knob,
};

/// Pools that are named among those that are not the limit, at most.
const CLEARED_MOST: usize = 2;

fn find(case: &Case) -> Option<Verdict> {
    queue::for_pool(case, Gives::ClientConnections, "connections of a client", "a connection")
        .or_else(|| of_dispatcher(case))
        .or_else(|| of_connections(case))
}

/// Calls that OkHttp's Dispatcher lets run at once, while others stand in its queue, in no thread.
fn running(case: &Case) -> Option<f64> {
    let running = case.busy.iter().filter(|doing| doing.executor == Some(DISPATCHER));
    let running: f64 = running.map(|doing| doing.count).sum();
    let waiting = executor::wanted(case);
    // Threads that wait may wait for another executor.
    let is_other = executor::full(case).is_some_and(|pool| pool.executor != Some(DISPATCHER));
    (running >= 0.8 && waiting >= 1.3 * running && waiting >= 0.3 * case.served_at_once() && !is_other)
        .then_some(running)
}

fn of_dispatcher(case: &Case) -> Option<Verdict> {
    let running = running(case)?;
    let waiting = executor::wanted(case);
    let mut evidence = vec![format!(
        "{} calls run at each look; {} requests wait for theirs, of which {} are in the queue of the Dispatcher",
        number(running),
        number(waiting.round()),
        number((waiting - running).max(0.0).round())
    )];
    evidence.extend(ceiling::of(case, running.round()));
    Some(Verdict {
        says: format!("calls that {DISPATCHER} lets run ({})", number(running.round())),
        evidence,
        change: format!("Raise {}.", settings::of("OkHttp", case.framework()).unwrap_or_default().text),
    })
}

/// A client that waits in no thread, or whose own threads others wait for: connections to one peer are all in use, far
/// fewer than there are requests, and a call takes no longer than without a queue.
fn of_connections(case: &Case) -> Option<Verdict> {
    let upstream = case.upstream()?;
    let peer = upstream.peer;
    if !case.is_full_of_calls() || has_no_pool(case) {
        return None;
    }
    let size = number(peer.established.round());
    let mut evidence = vec![format!(
        "{} of {size} connections are busy at each look; {} requests are in flight, and the others have none",
        number(peer.open),
        number(case.in_flight().round())
    )];
    evidence.extend(ceiling::of(case, peer.established.round()));
    let client = client(case);
    let name = client.map_or_else(String::new, |client| format!("{client}, "));
    let setting = setting(case).map_or_else(String::new, |setting| format!(": {}", setting.text));
    Some(Verdict {
        says: format!("connections to {} ({name}{size})", peer.name()),
        evidence,
        change: format!("Raise the client’s pool{setting}."),
    })
}

/// Clients whose own threads read answers, by the names of these.
const CLIENTS: &[(&str, &str)] = &[
    ("HttpClient@", "Jetty’s HttpClient"),
    ("httpclient-dispatch-", "Apache HttpAsyncClient 5"),
    ("httpclient-main-", "Apache HttpAsyncClient 5"),
    ("I/O dispatcher ", "Apache HttpAsyncClient 4"),
    ("AsyncHttpClient-", "AsyncHttpClient"),
    ("aws-java-sdk-NettyEventLoop", "the AWS SDK’s Netty client"),
    // Loops that serve requests as well come last.
    ("default-nioEventLoopGroup-", "Micronaut’s client"),
    ("default-eventLoopGroup-", "Micronaut’s client"),
    ("vert.x-eventloop-thread-", "Vert.x’s client"),
    ("reactor-http-", "Reactor Netty"),
];

/// The clients whose threads are seen.
fn seen<'a>(case: &'a Case) -> impl Iterator<Item = &'static str> + 'a {
    CLIENTS.iter().filter(|(name, _)| case.has_threads(name)).map(|it| it.1)
}

/// The one among them for whose connections requests wait, or else the first.
fn by_threads(case: &Case) -> Option<&'static str> {
    let waits = |client: &&str| {
        let waiters = WAITERS.iter().filter(|(name, _)| name == client).flat_map(|(_, classes)| *classes);
        waiters.map(|class| case.view.full.objects.count(class)).sum::<f64>() >= 1.0
    };
    seen(case).find(waits).or_else(|| seen(case).next())
}

fn client(case: &Case) -> Option<&'static str> {
    let by_threads = by_threads(case);
    if by_threads == Some("Vert.x’s client") && case.framework().version("vertx-sql-client").is_some() {
        return Some("Vert.x’s client for HTTP or SQL");
    }
    by_threads.or_else(|| case.framework().version("reactor-netty-http").map(|_| "Reactor Netty"))
}

/// Threads of the JDK’s client, which has no pool limit: it makes a connection for each call.
const WITHOUT_POOL: &str = "HttpClient-";

/// Classes of which each request that waits for a connection of a client has an object, those under way maybe as well.
const WAITERS: &[(&str, &[&str])] = &[
    ("Vert.x’s client", &[VERTX_5_ACQUIRE, VERTX_4_ACQUIRE]),
    ("Reactor Netty", &[REACTOR_BORROWER]),
    (
        "Jetty’s HttpClient",
        &["org.eclipse.jetty.client.transport.HttpExchange", "org.eclipse.jetty.client.HttpExchange"],
    ),
    ("Apache HttpAsyncClient 5", HTTPCLIENT_5_LEASES),
    ("Apache HttpAsyncClient 4", &[HTTPCLIENT_4_LEASE]),
    ("the AWS SDK’s Netty client", &[AWS_ACQUIRE]),
];

/// Whether the clients whose threads are seen limit no connections, or nobody waits for one of their pools: then the
/// limit is something in front of them.
pub(crate) fn has_no_pool(case: &Case) -> bool {
    let is_free = |client| {
        let waiters = WAITERS.iter().find(|(name, _)| *name == client);
        waiters.is_some_and(|(_, classes)| case.has_no_objects(classes))
    };
    if by_threads(case).is_none() { case.has_threads(WITHOUT_POOL) } else { seen(case).all(is_free) }
}

/// The least size of a pool of Reactor Netty whose provider is given none; more with more than eight cores.
const UNSIZED_REACTOR_LEAST: f64 = 16.0;
/// The size of the pool that a client of Reactor Netty has which is given none.
const DEFAULT_REACTOR: f64 = 500.0;

fn setting(case: &Case) -> Option<Named> {
    let connections = case.upstream()?.peer.established.round();
    settings::of(sized(client(case)?, connections, case.machine_cores), case.framework())
}

/// The name in the list of settings of the setting that sizes a client’s connections.
fn sized(client: &'static str, connections: f64, cores: f64) -> &'static str {
    let unsized_most = UNSIZED_REACTOR_LEAST.max(2.0 * cores);
    match client {
        "Reactor Netty" if connections == DEFAULT_REACTOR => settings::DEFAULT_REACTOR,
        "Reactor Netty" if !(UNSIZED_REACTOR_LEAST..=unsized_most).contains(&connections) => settings::SIZED_REACTOR,
        _ => client,
    }
}

/// Connections that are kept open to other services, and how many are in use.
fn cleared(case: &Case) -> Option<String> {
    // Threads that wait for answers count if they are more than connections with an open question.
    let calling = case.working(|what| matches!(what, Activity::Calls { .. }));
    let is_pool = |peer: &&PeerSeen| peer.established >= 1.5 && peer.open.max(calling) < 0.8 * peer.established;
    let pools = case.view.full.outbound().into_iter().filter(is_pool).take(CLEARED_MOST);
    let busy = |peer: &PeerSeen| {
        let (open, all) = (number(peer.open.round()), number(peer.established.round()));
        format!("connections to {}: {open} of {all} busy", peer.name())
    };
    let pools: Vec<String> = pools.map(busy).collect();
    (!pools.is_empty()).then(|| pools.join(" · "))
}

fn knob(case: &Case) -> Option<Knob> {
    if let Some(queued) = queue::for_what(case, Gives::ClientConnections) {
        return queue::knob(case, &queued);
    }
    if let Some(running) = running(case) {
        return Some(Knob::sized(Vec::new(), running, executor::wanted(case)));
    }
    let established = case.upstream()?.peer.established;
    let names = setting(case).map(|setting| setting.names).unwrap_or_default();
    Some(Knob::sized(names, established, case.in_flight()))
}

#[cfg(test)]
mod tests {
    use plimsoll_record::ProcessFacts;

    use super::{super::super::framework::Framework, *};

    #[test]
    fn connections_that_reactor_netty_would_not_have_by_itself_are_sized_by_no_property_of_it() {
        let names = |connections| {
            let process = ProcessFacts::default();
            settings::of(sized("Reactor Netty", connections, 12.0), Framework::of(&process)).expect("it is known").names
        };
        for sized in [15.0, 25.0, 500.0] {
            assert_eq!(names(sized), [""; 0]);
        }
        for unsized_by_the_service in [16.0, 24.0] {
            assert_eq!(names(unsized_by_the_service), ["-Dreactor.netty.pool.maxConnections"]);
        }
    }
}
