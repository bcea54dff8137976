//! The server has as many connections as it may have, and accepts no more.

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
    let is_held = full.threads.iter().any(|doing| match &doing.what {
        Activity::Waits(class) => class.contains("LimitLatch") || class.contains("ConnectionLimit"),
        _ => false,
    });
    let waits = inbound.unaccepted >= 0.8 && inbound.established < 0.97 * wanted;
    (waits && is_held).then(|| Verdict {
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

/// Tomcat has a setting of its own for it.
fn setting(case: &Case) -> Named {
    let front = case.front();
    let server = front.first().and_then(|pool| pool.server).and_then(|index| known::SERVERS.get(index));
    let of = if server.is_some_and(|it| it.1.starts_with("Tomcat")) { "connections of Tomcat" } else { "connections" };
    settings::of(of, case.framework()).unwrap_or_default()
}

fn knob(case: &Case) -> Option<Knob> {
    let accepted = case.view.full.inbound().established;
    Some(Knob::sized(setting(case).names, accepted, case.connections_wanted()))
}
