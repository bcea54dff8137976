//! The account of requests in flight: by what their threads do (Little's law), and those that are in no thread.

use plimsoll_record::{Census, Window};

use super::{activity::Activity, case::Case, doing::Doing, known::Gives, seen::Seen};
use crate::results::{OTHERS, RequestsAt, TimeShare, WhereRequestsAre};

/// Parts below this percentage are added to the rest.
const LEAST_PERCENT: f64 = 0.5;
/// Parts that are shown over time, at most.
const PARTS: usize = 8;
/// The share of the listen queue's places that are taken, from which on it counts as full, between looks as well.
const FULL: f64 = 0.8;
const NOT_LOCATED: &str = "not located";
/// Where virtual threads are that could run while cores are left.
const CARRIER: &str = "carrier";

/// Shares of the response time, together 100 %.
pub(super) fn of(case: &Case) -> Vec<TimeShare> {
    let found = Found::of(case, Window::Full, &case.served(), &case.view.full, case.in_flight());
    let percent = |count: f64| count / found.all * 100.0;
    let shares = found.parts.iter().map(|(what, count)| TimeShare { what: what.clone(), percent: percent(*count) });
    let mut shares: Vec<TimeShare> = shares.filter(|share| share.percent >= LEAST_PERCENT).collect();
    shares.sort_by(|a, b| b.percent.total_cmp(&a.percent));
    let rest = 100.0 - shares.iter().map(|share| share.percent).sum::<f64>();
    if rest >= LEAST_PERCENT {
        shares.push(TimeShare { what: NOT_LOCATED.to_owned(), percent: rest });
    }
    shares
}

/// Users without a connection, while the listen queue is full: the kernel drops their requests for one, and they ask
/// again after 1 s, 3 s, 7 s.
fn turned_away(case: &Case, seen: &Seen) -> f64 {
    let full = &case.view.full;
    let Some(users) = full.users.filter(|_| !full.is_pausing) else { return 0.0 };
    let inbound = seen.inbound();
    let is_full = inbound.unaccepted_max.is_some_and(|most| inbound.unaccepted >= FULL * f64::from(most).max(1.0));
    if is_full { (f64::from(users) - inbound.established - inbound.unaccepted).max(0.0) } else { 0.0 }
}

/// Requests by where they were found.
struct Found {
    parts: Vec<(String, f64)>,
    /// Requests in flight.
    all: f64,
}

impl Found {
    fn of(case: &Case, load: Window, serving: &[&Doing], seen: &Seen, in_flight: f64) -> Self {
        let in_threads: f64 = serving.iter().map(|doing| doing.count).sum();
        let turned_away = turned_away(case, seen);
        // Requests of users who find no place in the listen queue end later, or not at all.
        let users = case.view.full.users.filter(|_| turned_away > 0.0).map_or(0.0, f64::from);
        let all = in_flight.max(in_threads).max(users).max(1e-9);
        let mut found = Self { parts: Vec::new(), all };
        let has_cores = !case.fills_its_cores();
        for doing in serving {
            let lacks_carrier = doing.is_virtual && !doing.is_carrying && doing.what == Activity::Runs && has_cores;
            let name = if lacks_carrier { CARRIER.to_owned() } else { name(&doing.what) };
            found.add(&name, doing.count);
        }
        let (mut left, inbound) = (all - in_threads, seen.inbound());
        // A client that needs no threads waits for answers in none of them.
        let peer = case.upstream().filter(|_| in_threads < 0.5 * all);
        let called = peer.map_or(0.0, |it| {
            let open = seen.outbound_to(it.peer).map_or(0.0, |peer| peer.open);
            if load == Window::Full { open.max(case.on_shared_connections(&it)) } else { open }
        });
        let outside = [
            ("not yet read by a thread", inbound.unread),
            ("not yet accepted", inbound.unaccepted),
            ("not yet connected", turned_away),
            ("upstream", called),
        ];
        for (what, count) in outside {
            let count = count.min(left);
            found.add(what, count);
            left -= count;
        }
        // Objects are counted at a few looks under full load, and assumed to be as many at the others.
        if let Some(queued) = case.queued_in_objects().filter(|_| load == Window::Full) {
            found.add(&name(&queued.what), queued.waiting.min(left));
        }
        found
    }

    fn add(&mut self, what: &str, count: f64) {
        match self.parts.iter_mut().find(|it| it.0 == what) {
            Some(part) => part.1 += count,
            None => self.parts.push((what.to_owned(), count)),
        }
    }

    fn count(&self, what: &str) -> f64 {
        self.parts.iter().find(|part| part.0 == what).map_or(0.0, |part| part.1)
    }

    fn share(&self, what: &str) -> f64 {
        self.count(what) / self.all
    }

    /// Requests by name, then the others, then those that were not found.
    fn by(&self, names: &[String], has_others: bool) -> Vec<f64> {
        let mut counts: Vec<f64> = names.iter().map(|name| self.count(name)).collect();
        let found: f64 = self.parts.iter().map(|part| part.1).sum();
        if has_others {
            counts.push((found - counts.iter().sum::<f64>()).max(0.0));
        }
        counts.push((self.all - found).max(0.0));
        counts
    }
}

/// Where requests are under each load, and at each look.
pub(super) fn requests(case: &Case, looks: &[&Census]) -> WhereRequestsAre {
    let under = |load: Window, seen: &Seen| (load, None, found(case, load, seen, seen.in_flight));
    let loads = [under(Window::Light, &case.view.light), under(Window::Full, &case.view.full)];
    let loads = loads.into_iter().filter(|(.., found)| found.all >= 0.5);
    let looks = telling(looks).map(|census| {
        let of_load = if census.window == Window::Full { &case.view.full } else { &case.view.light };
        let seen = Seen::by(&[census]);
        (census.window, Some(census.at.as_secs_f64()), found(case, census.window, &seen, of_load.in_flight))
    });
    let (loads, looks): (Vec<_>, Vec<_>) = (loads.collect(), looks.collect());
    let Some((.., full)) = loads.last() else { return WhereRequestsAre::default() };
    let (names, has_others) = names(loads.iter().chain(&looks).map(|(.., found)| found), full);
    let at = |(load, at_s, found): &(Window, Option<f64>, Found)| RequestsAt {
        load: *load,
        at_s: *at_s,
        requests: found.by(&names, has_others),
    };
    let (loads, looks) = (loads.iter().map(at).collect(), looks.iter().map(at).collect());
    let rest = has_others.then(|| OTHERS.to_owned()).into_iter().chain([NOT_LOCATED.to_owned()]);
    WhereRequestsAre { parts: names.iter().cloned().chain(rest).collect(), loads, looks }
}

fn found(case: &Case, load: Window, seen: &Seen, in_flight: f64) -> Found {
    let busy = case.view.busy(&seen.threads);
    Found::of(case, load, &case.serving_of(&busy), seen, in_flight)
}

/// Censuses that asked for threads; all of them where none has any.
fn telling<'a>(looks: &'a [&'a Census]) -> impl Iterator<Item = &'a Census> {
    let are_told = looks.iter().any(|census| !census.stacks.is_empty());
    looks.iter().copied().filter(move |census| !are_told || !census.stacks.is_empty())
}

/// The parts that have the greatest shares anywhere, the greatest under full load first, and whether there are others.
fn names<'a>(all: impl Iterator<Item = &'a Found>, full: &Found) -> (Vec<String>, bool) {
    let all: Vec<&Found> = all.collect();
    let greatest = |name: &str| all.iter().map(|found| found.share(name)).fold(0.0, f64::max);
    let mut names: Vec<(String, f64)> = Vec::new();
    for (name, _) in all.iter().flat_map(|found| &found.parts) {
        if !names.iter().any(|known| known.0 == *name) {
            names.push((name.clone(), greatest(name)));
        }
    }
    names.retain(|(_, share)| *share > 0.0);
    names.sort_by(|a, b| b.1.total_cmp(&a.1));
    // Requests that were not located are one of the parts.
    let has_others = names.len() > PARTS - 1;
    names.truncate(if has_others { PARTS - 2 } else { PARTS - 1 });
    names.sort_by(|a, b| full.share(&b.0).total_cmp(&full.share(&a.0)));
    (names.into_iter().map(|(name, _)| name).collect(), has_others)
}

/// The name of an activity, in a few words.
pub(super) fn name(what: &Activity) -> String {
    let name = match what {
        Activity::Idle => "idle",
        Activity::Runs => "CPU",
        Activity::Disk => "disk",
        Activity::Lock { .. } => "lock",
        Activity::Logs => "logging",
        Activity::Wants(library) => return gives(library.gives).to_owned(),
        Activity::WantsOwn(given, _) => return gives(*given).to_owned(),
        Activity::Future { .. } => "other threads",
        Activity::Calls { is_database: true, .. } => "database",
        Activity::Calls { is_database: false, .. } => "upstream",
        Activity::Connects => "connecting",
        Activity::Resolves { .. } => "name resolution",
        Activity::Sleeps => "sleep",
        Activity::Outside(name) => name,
        Activity::Waits(_) => "other waits",
    };
    name.to_owned()
}

/// The name of what a library hands out.
pub(super) const fn gives(gives: Gives) -> &'static str {
    match gives {
        Gives::DatabaseConnections => "database pool",
        Gives::ClientConnections => "connection pool",
        Gives::Permits => "permits",
        Gives::Rate => "rate limiter",
    }
}
