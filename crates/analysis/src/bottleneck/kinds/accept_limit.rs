//! The server has all the connections that it may have, and accepts no more.

use super::{
    super::{
        Knob, Limit, Verdict,
        activity::Activity,
        case::Case,
        known,
        settings::{self, Named},
    },
    queue, silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit =
    Limit { id: "accept-limit", means: "connections that the server accepts", find, cleared: silent, knob };

fn find(case: &Case) -> Option<Verdict> {
    let full = &case.view.full;
    let inbound = full.inbound();
    let wanted = case.connections_wanted();
    // Connections that end as soon as they are accepted fill no limit.
    let waits = inbound.unaccepted >= 0.8 && (0.5..0.97 * wanted).contains(&inbound.established);
    (waits && (case.stops_accepting() || is_left(case))).then(|| Verdict {
        says: format!("connections that the server accepts ({})", number(inbound.established.round())),
        evidence: vec![
            format!(
                "{} connections wait to be accepted, {} are; {} {} want one each",
                number(inbound.unaccepted.round()),
                number(inbound.established.round()),
                number(wanted.round()),
                if full.users.is_some() { "users" } else { "requests in flight" }
            ),
            queue::growth(case),
        ],
        change: format!("Raise {}.", setting(case).text),
    })
}

/// Whether connections are left waiting though threads that serve requests are idle, and no more are accepted: a server
/// that accepts on an event loop stops to listen at its limit.
fn is_left(case: &Case) -> bool {
    let full = &case.view.full;
    let inbound = full.inbound();
    let is_steady = f64::from(inbound.established_most) <= inbound.established + 0.5;
    let has_time = case.front().iter().all(|pool| pool.idle >= 1.0 || pool.is_virtual) && !case.lacks_cores();
    let loops = || full.threads.iter().filter(|doing| doing.is_loop);
    let idle = loops().filter(|doing| doing.what == Activity::Idle).map(|doing| doing.count).sum::<f64>();
    is_steady && has_time && idle >= 0.5 * loops().map(|doing| doing.count).sum::<f64>() && full.dumps > 0
}

/// The server's setting of its limit.
fn setting(case: &Case) -> Named {
    let front = case.front();
    let of_acceptor = || case.view.full.threads.iter().filter(|doing| doing.is_acceptor).find_map(|doing| doing.server);
    let server = front.first().and_then(|pool| pool.server).or_else(of_acceptor);
    let server = server.and_then(|index| known::SERVERS.get(index));
    let of_server = ["Tomcat", "Jetty", "Undertow", "Helidon", "the executor of com.sun.net.httpserver"]
        .into_iter()
        .find(|name| server.is_some_and(|(_, threads)| threads.starts_with(name)));
    let of = of_server.map_or_else(|| "connections".to_owned(), |name| format!("connections of {name}"));
    settings::of(&of, case.framework()).unwrap_or_default()
}

fn knob(case: &Case) -> Option<Knob> {
    let accepted = case.view.full.inbound().established;
    Some(Knob::sized(setting(case).names, accepted, case.connections_wanted()))
}
