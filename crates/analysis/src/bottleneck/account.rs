//! Where the time of a request goes: requests in flight by what their threads do (Little's law), and what is in no
//! thread.

use super::{activity::Activity, case::Case, known::Gives};
use crate::results::TimeShare;

/// Parts that are less than this percentage are in the rest.
const LEAST_PERCENT: f64 = 0.5;

/// Shares of the response time, together 100 %.
pub(super) fn of(case: &Case) -> Vec<TimeShare> {
    let all = case.in_flight().max(case.in_threads());
    let mut parts: Vec<(String, f64)> = Vec::new();
    let mut add = |what: String, count: f64| match parts.iter_mut().find(|it| it.0 == what) {
        Some(part) => part.1 += count,
        None => parts.push((what, count)),
    };
    for doing in case.served() {
        add(name(&doing.what), doing.count);
    }
    let inbound = case.view.full.inbound();
    let unread = inbound.unread.min(case.outside());
    add("not yet read by a thread".to_owned(), unread);
    let unaccepted = inbound.unaccepted.min(case.outside() - unread);
    add("not yet accepted".to_owned(), unaccepted);
    let left = case.outside() - unread - unaccepted;
    let called = case.upstream().filter(|_| case.in_threads() < 0.5 * all).map_or(0.0, |it| it.peer.open.min(left));
    add("upstream".to_owned(), called);
    let mut shares: Vec<TimeShare> =
        parts.into_iter().map(|(what, count)| TimeShare { what, percent: count / all * 100.0 }).collect();
    shares.retain(|share| share.percent >= LEAST_PERCENT);
    shares.sort_by(|a, b| b.percent.total_cmp(&a.percent));
    let rest = 100.0 - shares.iter().map(|share| share.percent).sum::<f64>();
    if rest >= LEAST_PERCENT {
        shares.push(TimeShare { what: "not located".to_owned(), percent: rest });
    }
    shares
}

/// In a few words.
pub(super) fn name(what: &Activity) -> String {
    let name = match what {
        Activity::Idle => "idle",
        Activity::Runs => "CPU",
        Activity::Lock { .. } => "lock",
        Activity::Logs => "logging",
        Activity::Wants(library) => return gives(library.gives).to_owned(),
        Activity::WantsOwn(given, _) => return gives(*given).to_owned(),
        Activity::Future { .. } => "other threads",
        Activity::Calls { is_database: true } => "database",
        Activity::Calls { is_database: false } => "upstream",
        Activity::Connects => "connecting",
        Activity::Resolves => "name resolution",
        Activity::Sleeps => "sleep",
        Activity::Waits(_) => "other waits",
    };
    name.to_owned()
}

/// What a library hands out.
pub(super) const fn gives(gives: Gives) -> &'static str {
    match gives {
        Gives::DatabaseConnections => "database pool",
        Gives::ClientConnections => "connection pool",
        Gives::Permits => "permits",
        Gives::Rate => "rate limiter",
    }
}
