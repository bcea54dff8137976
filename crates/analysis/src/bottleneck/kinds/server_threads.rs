//! All threads that serve requests have one, and more requests wait.

use super::{
    super::{Knob, Limit, Verdict, account, case::Case},
    ceiling,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit {
    id: "server-threads",
    means: "threads of Tomcat, Jetty, Undertow, `com.sun.net.httpserver`, or of another server",
    find,
    cleared,
    knob,
};

/// Requests that are seen, as a multiple of throughput × response time, from which on that product is too low.
const TOLD: f64 = 1.05;

fn find(case: &Case) -> Option<Verdict> {
    let front = case.front();
    let pool = front.first().filter(|pool| pool.is_full() && (pool.server.is_some() || pool.size() >= 1.5))?;
    // A pool to which requests are handed on is an executor.
    if case.hands_on() && pool.server.is_none() {
        return None;
    }
    let inbound = case.view.full.inbound();
    let waiting = case.outside().max(inbound.unread + inbound.unaccepted);
    if waiting < 0.15 * case.in_flight() || waiting < 0.8 {
        return None;
    }
    let (title, setting) = pool.title(case.framework());
    let setting = setting.text;
    let mut doings = case.served();
    doings.sort_by(|a, b| b.count.total_cmp(&a.count));
    let most = doings.first().map_or_else(String::new, |doing| {
        let site = doing.site.as_ref().map_or_else(String::new, |site| format!(" in {site}"));
        format!(", most of them: {}{site}", account::name(&doing.what))
    });
    let handing_on = match pool.handing_on {
        count if count < 0.5 => String::new(),
        count => format!(", {} accept connections or wait for what comes on them", number(count.round())),
    };
    // Requests that ended in the window were sent when fewer waited: more are seen than throughput × time.
    let all = match case.view.full.users {
        Some(users) if waiting + pool.busy > TOLD * case.in_flight() => f64::from(users),
        _ => case.in_flight(),
    };
    let mut evidence = vec![format!(
        "{} of {} threads are busy at each look{handing_on}{most}; {} requests of {} in flight have no thread",
        number(pool.busy),
        number(pool.all()),
        number(waiting.min(all).round()),
        number(all.round())
    )];
    evidence.extend(ceiling::of(case, pool.size().round()));
    Some(Verdict {
        says: format!("{title} ({})", number(pool.all().round())),
        evidence,
        change: match case.framework().virtual_threads() {
            Some(instead) => format!("Raise {setting}, or {instead}."),
            None => format!("Raise {setting}."),
        },
    })
}

fn cleared(case: &Case) -> Option<String> {
    let front = case.front();
    let pool = front.iter().find(|pool| pool.server.is_some() && !pool.is_virtual)?;
    let (title, _) = pool.title(case.framework());
    Some(format!("{title}: {} of {} busy", number(pool.busy.round()), number(pool.all().round())))
}

fn knob(case: &Case) -> Option<Knob> {
    let front = case.front();
    let pool = front.first()?;
    let (_, setting) = pool.title(case.framework());
    Some(Knob::sized(setting.names, pool.all(), case.in_flight() + pool.handing_on))
}
