//! Queues and resources that a request passes, from the listen queue to the deepest: how much of each is in use, and
//! how many requests wait for it. Only what was seen: a size that nobody told is left open.

use super::{
    account,
    activity::{Activity, DISPATCHER},
    case::{Case, Queued},
    doing::Doing,
    kinds,
    known::Gives,
    pool::Pool,
};
use crate::{results::Link, text::number};

/// Queues with fewer requests are left out.
const LEAST: f64 = 0.5;

/// The chain, in which the limit is marked, unless it is no part of it.
pub(super) fn of(case: &Case, limit: &str) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    links.extend(listening(case, limit));
    links.extend(event_loops(case));
    links.extend(serving(case, limit));
    links.extend(carriers(case, limit));
    let served = case.served();
    links.extend(queued(case, &served));
    let executor = executor(case, limit);
    if let Some((pool, waiting)) = &executor {
        links.push(of_executor(pool, *waiting));
        links.extend(queued(case, &case.threads_of(&pool.name)));
    }
    if !links.iter().any(|link| link.kind == "client-pool") {
        links.extend(unthreaded_pool(case));
    }
    let last = executor.map_or(served, |(pool, _)| case.threads_of(&pool.name));
    links.extend(case.queued_in_objects().and_then(|queued| of_queue(case, &queued)));
    if !links.iter().any(|link| link.kind == limit) {
        links.extend(without_a_queue(case, limit));
    }
    links.extend(deepest(case, limit, &last));
    if let Some(link) = links.iter_mut().rfind(|link| is_meant(link.kind, limit)) {
        link.is_limit = true;
    }
    links
}

fn is_meant(kind: &str, limit: &str) -> bool {
    match limit {
        "upstream-slow" | "upstream-latency" | "n-plus-one" => kind == "upstream" || kind == "database",
        "cpu-quota" | "foreign-cpu" => kind == "cpu",
        "pinned" => kind == "carriers",
        _ => kind == limit,
    }
}

/// Connections that are not accepted yet, or the limit of those that are.
fn listening(case: &Case, limit: &str) -> Option<Link> {
    let inbound = case.view.full.inbound();
    if limit == "accept-limit" {
        let (busy, size) = (Some(inbound.established), Some(inbound.established));
        let name = "accepted connections".to_owned();
        return Some(Link { kind: "accept-limit", name, busy, size, waiting: inbound.unaccepted, ..Link::default() });
    }
    let size = f64::from(inbound.unaccepted_max?);
    let name = "listen queue".to_owned();
    Some(Link { kind: "listen-queue", name, busy: Some(inbound.unaccepted), size: Some(size), ..Link::default() })
}

/// Threads of event loops, where they serve requests.
fn event_loops(case: &Case) -> Option<Link> {
    let all = || case.view.full.threads.iter().filter(|doing| doing.is_loop);
    // Loops that only accept connections have groups of their own.
    let is_busy = |group: &str| all().any(|doing| doing.group == group && doing.what != Activity::Idle);
    let loops = || all().filter(|doing| is_busy(&doing.group) || !all().any(|it| is_busy(&it.group)));
    let serves = loops().next().is_some() && !case.front().iter().any(|pool| pool.server.is_some());
    serves.then(|| {
        let count = |is_meant: fn(&Activity) -> bool| {
            loops().filter(|doing| is_meant(&doing.what)).fold(0.0, |sum, doing| sum + doing.count)
        };
        Link {
            kind: "event-loop",
            name: "event loops".to_owned(),
            busy: Some(count(|what| *what != Activity::Idle)),
            size: Some(count(|_| true)),
            waiting: unread(case),
            ..Link::default()
        }
    })
}

/// Requests that no thread has read.
fn unread(case: &Case) -> f64 {
    case.view.full.inbound().unread.min(case.outside())
}

/// Threads that serve requests.
fn serving(case: &Case, limit: &str) -> Option<Link> {
    let front = case.front();
    // The executor that has requests from others has a link of its own.
    let pool = *front.first().filter(|_| !(case.hands_on() && limit == "executor"))?;
    let waiting = match pool.server {
        // These threads hold them back, whether they were seen unread or not.
        _ if limit == "server-threads" => case.outside(),
        Some(_) => unread(case),
        None => 0.0,
    };
    let size = (!pool.is_virtual).then(|| pool.all());
    let (kind, name, busy) = ("server-threads", pool.title(case.framework()).0, Some(pool.busy));
    Some(Link { kind, name, busy, size, waiting, ..Link::default() })
}

/// Carriers of virtual threads, where they are the limit.
fn carriers(case: &Case, limit: &str) -> Option<Link> {
    if limit != "carriers" && limit != "pinned" {
        return None;
    }
    let threads = || case.view.full.threads.iter();
    let carrying = threads().filter(|doing| doing.is_carrying).fold(0.0, |sum, doing| sum + doing.count);
    let could_run = threads().filter(|doing| doing.is_virtual && !doing.is_carrying && doing.what == Activity::Runs);
    Some(Link {
        kind: "carriers",
        name: "carriers of virtual threads".to_owned(),
        busy: Some(carrying),
        waiting: could_run.fold(0.0, |sum, doing| sum + doing.count),
        ..Link::default()
    })
}

/// The pool for whose threads requests wait, and how many it has not begun.
fn executor<'a>(case: &'a Case, limit: &str) -> Option<(&'a Pool, f64)> {
    let waits = case.waiting_for_others();
    let is_known = waits >= LEAST || matches!(limit, "executor" | "common-pool");
    let full = kinds::full_executor(case).filter(|_| is_known);
    let busiest = || {
        let others = case.pools.values().filter(|pool| pool.busy >= LEAST && !pool.is_loop);
        let others = others.filter(|pool| !case.is_front(pool));
        others.max_by(|a, b| a.busy.total_cmp(&b.busy)).filter(|_| waits >= LEAST)
    };
    let pool = full.or_else(busiest)?;
    let waiting = if waits >= LEAST { waits } else { case.outside() };
    Some((pool, (waiting - pool.busy).max(0.0)))
}

fn of_executor(pool: &Pool, waiting: f64) -> Link {
    let (kind, name, detail) = match pool.executor {
        _ if pool.name.starts_with(kinds::COMMON_POOL) => ("common-pool", "common pool", None),
        Some(DISPATCHER) => ("client-pool", DISPATCHER, None),
        _ => ("executor", "executor", Some(pool.name.clone())),
    };
    let size = (!pool.is_virtual).then(|| pool.size());
    Link { kind, name: name.to_owned(), detail, busy: Some(pool.busy), size, waiting, ..Link::default() }
}

/// Queues in which these threads stand, the deepest last.
fn queued(case: &Case, threads: &[&Doing]) -> Vec<Link> {
    let lasting = case.queues(threads).into_iter().filter(|it| it.waiting >= LEAST && case.is_lasting(it));
    lasting.filter_map(|queued| of_queue(case, &queued)).collect()
}

fn of_queue(case: &Case, queued: &Queued) -> Option<Link> {
    let given = |gives: Gives| match gives {
        Gives::DatabaseConnections => "database-pool",
        Gives::ClientConnections => "client-pool",
        Gives::Permits => "semaphore",
        Gives::Rate => "rate-limiter",
    };
    let (kind, detail) = match &queued.what {
        Activity::Lock { class } => ("lock", Some(class.clone()).filter(|class| !class.is_empty())),
        Activity::Logs => ("logging", None),
        Activity::Wants(library) => (given(library.gives), Some(library.name.to_owned())),
        Activity::WantsOwn(gives, class) => (given(*gives), Some(class.clone())),
        Activity::Resolves { .. } => ("dns", None),
        _ => return None,
    };
    let link = Link { kind, name: account::name(&queued.what), detail, ..Link::default() };
    Some(match kind {
        // Threads that look up a name are at it, one or all of them.
        "dns" => Link { busy: Some(queued.waiting), ..link },
        // A rate is held by nobody, and threads past a logger do not hold it either.
        "rate-limiter" | "logging" => Link { waiting: queued.waiting, ..link },
        "client-pool" | "database-pool" => {
            let size = case.connections(queued.past);
            let busy = size.map_or(queued.past, |size| queued.past.min(size));
            Link { busy: Some(busy), size, waiting: queued.waiting, ..link }
        }
        _ => Link { busy: Some(queued.past), waiting: queued.waiting, ..link },
    })
}

/// The limit, where no thread that serves requests was seen to queue for it: requests that something lets in, tasks
/// that it runs in their order, turns that come by time, and event loops that log.
fn without_a_queue(case: &Case, limit: &str) -> Option<Link> {
    let (kind, name) = match limit {
        "semaphore" => ("semaphore", "let in at once"),
        "executor" => ("executor", "tasks in their order"),
        "logging" => {
            let waiting = case.working(|what| *what == Activity::Logs);
            return Some(Link { kind: "logging", name: account::name(&Activity::Logs), waiting, ..Link::default() });
        }
        "rate-limiter" => {
            kinds::paced(case)?;
            let for_others = case.waiting_for_others();
            let (name, waiting) = ("turns by time".to_owned(), case.outside() + for_others);
            return Some(Link { kind: "rate-limiter", name, waiting, ..Link::default() });
        }
        _ => return None,
    };
    let at_once = kinds::lets_in(case)?;
    let (name, waiting) = (name.to_owned(), (case.in_flight() - at_once).max(0.0));
    Some(Link { kind, name, busy: Some(at_once), size: Some(at_once), waiting, ..Link::default() })
}

/// Connections of a client that waits in no thread.
fn unthreaded_pool(case: &Case) -> Option<Link> {
    let peer = case.upstream().filter(|_| case.is_full_of_calls())?.peer;
    let outside = case.outside() - unread(case) - case.view.full.inbound().unaccepted;
    let in_threads = case.serving(Activity::is_for_others);
    let (kind, gives) = match kinds::is_reactive(case) {
        true => ("database-pool", Gives::DatabaseConnections),
        false if kinds::has_no_pool(case) => return None,
        false => ("client-pool", Gives::ClientConnections),
    };
    Some(Link {
        kind,
        name: account::gives(gives).to_owned(),
        busy: Some(peer.open),
        size: Some(peer.established),
        waiting: (outside + in_threads - peer.established).max(0.0),
        ..Link::default()
    })
}

/// The resource behind all queues, which is busy with the requests that are past them.
fn deepest(case: &Case, limit: &str, threads: &[&Doing]) -> Option<Link> {
    match limit {
        "cpu" | "cpu-quota" | "foreign-cpu" => return Some(cpu(case)),
        "gc" => {
            let name = format!("garbage collection, {} % of the time", number(case.gc_share() * 100.0));
            return Some(Link { kind: "gc", name, ..Link::default() });
        }
        _ => {}
    }
    let count = |is_meant: &dyn Fn(&Activity) -> bool| {
        threads.iter().filter(|doing| is_meant(&doing.what)).fold(0.0, |sum, doing| sum + doing.count)
    };
    let is_call = |what: &Activity| matches!(what, Activity::Calls { .. } | Activity::Connects);
    let is_own = |what: &&Activity| !what.is_queued() && !matches!(what, Activity::Future { .. }) && !is_call(what);
    let own = threads.iter().map(|doing| &doing.what).filter(is_own);
    let own = own.map(|what| (what, count(&|it| it == what))).max_by(|a, b| a.1.total_cmp(&b.1));
    let called = called(case, count(&is_call));
    let is_upstream = is_meant("upstream", limit);
    match own.filter(|(_, count)| *count >= LEAST) {
        Some((what, own)) if !is_upstream && called.as_ref().is_none_or(|it| it.busy < Some(own)) => Some(match what {
            Activity::Runs => cpu(case),
            _ => Link {
                kind: match what {
                    Activity::Disk => "disk",
                    Activity::Sleeps => "sleep",
                    _ => "wait",
                },
                name: account::name(what),
                busy: Some(own),
                ..Link::default()
            },
        }),
        _ => called,
    }
}

/// The upstream service, with the requests that wait for it.
fn called(case: &Case, in_threads: f64) -> Option<Link> {
    let upstream = case.upstream();
    let asynchronous = upstream.as_ref().filter(|_| case.in_threads() < 0.5 * case.in_flight());
    let open = asynchronous.map_or(0.0, |it| case.open_questions(it));
    let is_database = case.busy.iter().any(|doing| matches!(doing.what, Activity::Calls { is_database: true, .. }));
    let what = Activity::Calls { is_database, by_others: false };
    let busy = in_threads.max(open);
    (busy >= LEAST).then(|| Link {
        kind: if is_database { "database" } else { "upstream" },
        name: account::name(&what),
        detail: upstream.as_ref().map(|it| it.peer.name()),
        busy: Some(busy),
        takes_ms: upstream.and_then(|it| it.full_ms),
        ..Link::default()
    })
}

/// The cores: those that the target uses, and those that it may use.
fn cpu(case: &Case) -> Link {
    let full = &case.view.full;
    Link {
        kind: "cpu",
        name: "CPU".to_owned(),
        busy: full.cpu_percent.map(|percent| percent / 100.0),
        size: full.cpu_percent.map(|_| full.cores),
        waiting: case.waiting_for_cores(),
        ..Link::default()
    }
}
