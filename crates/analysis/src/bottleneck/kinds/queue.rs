//! Facts about any queue: how many wait, how long, and for whom.

use std::collections::BTreeMap;

use plimsoll_text::{and_more, counted, plural};

use super::{
    super::{
        Knob, Verdict, account,
        activity::Activity,
        case::{Case, Queued},
        doing::Doing,
        known::{Gives, Library},
        settings::{self, Named},
    },
    ceiling, executor,
};
use crate::text::number;

/// Settings of Apache HttpClient 5's pool if OpenFeign makes it.
const OPENFEIGN: [&str; 2] = [
    "spring.cloud.openfeign.httpclient.max-connections-per-route",
    "spring.cloud.openfeign.httpclient.max-connections",
];

/// Whether a library's pool is one that OpenFeign makes.
fn is_of_openfeign(case: &Case, library: &Library) -> bool {
    library.name == "Apache HttpClient 5" && case.framework().version("spring-cloud-openfeign-core").is_some()
}

/// The setting of the resource that a queue waits for.
pub(super) fn setting_of(case: &Case, queued: &Queued) -> Named {
    let framework = case.framework();
    match &queued.what {
        Activity::Wants(library) if is_of_openfeign(case, library) => {
            let names = OPENFEIGN.map(|name| framework.spring_name(name));
            Named { text: format!("{} (50 and 200 by default)", names.join(" and ")), names: names.to_vec() }
        }
        Activity::Wants(library) => settings::of(library.name, framework).unwrap_or_default(),
        Activity::WantsOwn(_, class) => Named { text: format!("the size of {class}"), names: Vec::new() },
        _ => Named::default(),
    }
}

/// The deepest queue: of the threads that serve requests, or of a pool that they wait for.
pub(super) fn deepest(case: &Case) -> Option<Queued> {
    let of_front = case.queued();
    let waits_for_others = case.waiting_for_others();
    if waits_for_others >= 0.5 * case.in_threads() && waits_for_others >= 0.5 {
        let pools = case.pools.values().filter(|pool| pool.server.is_none() && !pool.is_loop);
        let mut queues: Vec<Queued> = pools.filter_map(|pool| case.queued_in(&pool.name)).collect();
        queues.sort_by(|a, b| b.waiting.total_cmp(&a.waiting));
        return queues.into_iter().next().or(of_front);
    }
    // Requests may be in no thread while an executor has their tasks.
    of_front.or_else(|| case.queued_in(&executor::full(case)?.name)).or_else(|| case.queued_in_objects())
}

/// The deepest queue, if it waits for this kind of resource.
pub(super) fn for_what(case: &Case, gives: Gives) -> Option<Queued> {
    deepest(case).filter(|queued| queued.what.gives() == Some(gives))
}

/// Calls that take this many times as long as one at a time: more of them would only wait.
const GROWS: f64 = 2.0;

/// Whether those past the queue wait for a service that is full itself, on a connection each: more of them would wait
/// there, too. It is false for rates, which nobody holds.
fn is_before_a_full_service(case: &Case, queued: &Queued) -> bool {
    let is_held = queued.what.gives().is_some_and(|gives| gives != Gives::Rate);
    let upstream = case.connections(holding(case, queued)).and_then(|_| case.upstream());
    let is_full = upstream.is_some_and(|upstream| {
        upstream.grows() >= Some(GROWS) && !case.answers_as_quickly(&upstream) && !case.lacks_cores()
    });
    is_held && is_full
}

/// The number of threads that queue for a turn to call a service that is full itself.
pub(super) fn before_a_full_service(case: &Case) -> f64 {
    let queued = deepest(case).filter(|queued| is_before_a_full_service(case, queued));
    queued.map_or(0.0, |queued| queued.waiting)
}

/// The verdict if threads queue for what a pool hands out: `what` is the pool, `one` is what each of them waits for.
pub(super) fn for_pool(case: &Case, gives: Gives, what: &str, one: &str) -> Option<Verdict> {
    let queued = for_what(case, gives)?;
    let name = match &queued.what {
        Activity::Wants(library) => library.name,
        Activity::WantsOwn(_, class) => class,
        _ => return None,
    };
    if is_before_a_full_service(case, &queued) {
        return None;
    }
    if is_leaked(case, &queued) {
        let mut all = vec![evidence(case, &queued, one)];
        let nobody = "no request goes on with one: they were not given back, background work has them, or those that wait \
                      have one each";
        all.push(nobody.to_owned());
        all.extend(sites(case, &queued));
        all.push(growth(case));
        return Some(Verdict { says: format!("{what} ({name})"), evidence: all, change: give_back(gives) });
    }
    let holding = holding(case, &queued);
    // If nobody has one, it is a queue out of which answers are taken, and no pool.
    if holding < 0.5 && matches!(queued.what, Activity::WantsOwn(given, _) if given != Gives::Rate) {
        return None;
    }
    let past = past(case, &queued).map_or_else(String::new, |past| format!(": {past}"));
    let connections = case.connections(holding).filter(|_| gives == Gives::ClientConnections).zip(case.upstream());
    let says = match connections {
        Some((size, upstream)) => {
            format!("connections to {} ({name}, {})", upstream.peer.name(), number(size.round()))
        }
        None => format!("{what} ({name})"),
    };
    let mut all = vec![evidence(case, &queued, one)];
    all.extend(in_objects(&queued));
    all.push(format!("{} have one{past}", number(holding.round())));
    // A rate is held by nobody.
    match gives {
        Gives::Rate => all.push(growth(case)),
        _ => all.extend(ceiling::of(case, size(case, &queued))),
    }
    Some(Verdict { says, evidence: all, change: format!("Raise {}.", setting_of(case, &queued).text) })
}

/// Whether nobody goes on with what threads wait for, and none of them gets it: it was taken and is not given back, or
/// threads that have one wait for another one.
fn is_leaked(case: &Case, queued: &Queued) -> bool {
    let is_known = matches!(&queued.what, Activity::Wants(library) if library.gives != Gives::Rate);
    is_known && !queued.is_in_objects && case.view.full.carries_nothing() && queued.past < 0.5
}

fn give_back(gives: Gives) -> String {
    let (nested, how) = match gives {
        Gives::DatabaseConnections => (
            " (REQUIRES_NEW does)",
            " leakDetectionThreshold of HikariCP and logAbandoned of Tomcat JDBC log who took one.",
        ),
        Gives::ClientConnections => ("", " A response that is not closed keeps its connection."),
        Gives::Permits | Gives::Rate => ("", ""),
    };
    format!(
        "Give each back on every path (finally, try-with-resources), and take no second one while holding the \
         first{nested}. More of them only put it off.{how}"
    )
}

/// `they wait in app.Audit.log (10) and app.Orders.save (54)`, if it is more than one place.
fn sites(case: &Case, queued: &Queued) -> Option<String> {
    let mut sites: BTreeMap<String, f64> = BTreeMap::new();
    for doing in case.served().into_iter().filter(|doing| doing.what == queued.what) {
        *sites.entry(doing.place_in_full()?).or_default() += doing.count;
    }
    let each: Vec<String> = sites.iter().map(|(site, count)| format!("{site} ({})", number(count.round()))).collect();
    (each.len() > 1).then(|| format!("they wait in {}", and_more(&each)))
}

/// The size of the resource: connections to the peer, else the number of those that hold one.
fn size(case: &Case, queued: &Queued) -> f64 {
    let holding = holding(case, queued);
    let is_pool = matches!(&queued.what, Activity::Wants(library) if library.gives == Gives::ClientConnections);
    case.connections(holding).filter(|_| is_pool).unwrap_or(holding).round().max(1.0)
}

/// Requests that wait, as a multiple of those in flight, from which on callers have given some of them up.
const GIVEN_UP: f64 = 1.2;

/// `299 requests wait for one in OrderClient.find, 0.51 s each, 67 % of the response time`.
pub(super) fn evidence(case: &Case, queued: &Queued, one: &str) -> String {
    // Requests in flight are known from answers in the window; those that are answered later are missing.
    let users = case.view.full.users.map_or(queued.waiting, f64::from);
    let in_flight = if queued.waiting > case.in_flight() { users } else { case.in_flight() };
    let share = queued.waiting / in_flight;
    let requests = counted(queued.waiting.round() as u64, "request");
    let in_flight = number(in_flight.round());
    let site = queued.site.as_ref().map_or_else(String::new, |site| format!(", called from {site}"));
    let place = queued.place.as_ref().map_or_else(String::new, |place| format!(" in {place}"));
    if case.view.full.is_stuck() {
        return format!(
            "{requests} wait for {one}{place}, and none got it in {} s{site}",
            number(case.view.full.seconds.round())
        );
    }
    let ms = number(each_ms(case, queued));
    if share > GIVEN_UP {
        return format!("{requests} wait for {one}{place}, of which callers await {in_flight}; {ms} ms each{site}");
    }
    let percent = number((share * 100.0).min(100.0).round());
    format!(
        "{requests} of {in_flight} in flight wait for {one}{place}, {ms} ms each, {percent} % of the response time{site}"
    )
}

/// A sentence on how the queue is known though no thread stands in it.
pub(super) fn in_objects(queued: &Queued) -> Option<String> {
    let said = "no thread was seen to wait: these are counted as objects of the heap";
    queued.is_in_objects.then(|| said.to_owned())
}

/// `54 more requests wait before these: database pool`: in queues before this one.
pub(super) fn before(case: &Case, queued: &Queued) -> Option<String> {
    if queued.is_in_objects {
        return None;
    }
    let chain = case.queues(&case.threads_at(queued));
    let before: Vec<&Queued> = chain.iter().take_while(|it| it.what != queued.what).collect();
    let waiting: f64 = before.iter().map(|it| it.waiting).sum();
    let names: Vec<String> = before.iter().map(|it| account::name(&it.what)).collect();
    let requests = plural(waiting.round() as u64, "more request waits", "more requests wait");
    (!names.is_empty()).then(|| format!("{requests} before these: {}", names.join(", ")))
}

/// How long each request waits, in milliseconds. While a queue grows, those in it wait longer than those that ended.
fn each_ms(case: &Case, queued: &Queued) -> f64 {
    let full = &case.view.full;
    match full.open {
        Some(_) => queued.waiting / full.throughput_per_s.max(1e-9) * 1e3,
        None => queued.waiting / case.in_flight() * full.response_ms,
    }
}

/// `397/s with 64 users, 760 ms on average; one request at a time takes 252 ms`, or `397/s of 500/s that are offered,
/// …`.
pub(super) fn growth(case: &Case) -> String {
    let light = &case.view.light;
    match light.carries_nothing() {
        true => format!("{}, nor one at a time", measured(case)),
        false => format!("{}; one request at a time takes {} ms", measured(case), number(light.response_ms)),
    }
}

/// `397/s with 64 users, 760 ms on average`.
pub(super) fn measured(case: &Case) -> String {
    let full = &case.view.full;
    let load = match (full.users, full.open) {
        (Some(users), _) => format!("with {}", counted(users.into(), "user")),
        (None, open) => format!("of {}/s that are offered", number(open.map_or(0.0, |open| open.rate_per_s))),
    };
    match full.carries_nothing() {
        true => format!("no request succeeded {load} in {} s", number(full.seconds.round())),
        false => format!("{}/s {load}, {} ms on average", number(full.throughput_per_s), number(full.response_ms)),
    }
}

/// The number of those that hold the resource: they are past the queue.
pub(super) fn holding(case: &Case, queued: &Queued) -> f64 {
    match queued.pool {
        _ if queued.is_in_objects => queued.past,
        Some(_) => queued.past.max(0.0),
        None => (case.in_threads() - queued.waiting).max(0.0),
    }
}

/// `, called from app.Orders.find`: the site of most threads that serve requests and do what is meant.
pub(super) fn from(case: &Case, is_meant: impl Fn(&Activity) -> bool) -> String {
    let meant = case.served().into_iter().filter(|doing| is_meant(&doing.what) && doing.site.is_some());
    let most = meant.max_by(|a, b| a.count.total_cmp(&b.count));
    most.and_then(Doing::place_in_full).map_or_else(String::new, |place| format!(", called from {place}"))
}

/// The activity of most of those that are past the queue.
pub(super) fn past(case: &Case, queued: &Queued) -> Option<String> {
    let mut others: Vec<_> = case.threads_at(queued).into_iter().filter(|doing| doing.what != queued.what).collect();
    others.sort_by(|a, b| b.count.total_cmp(&a.count));
    others.first().map(|doing| match &doing.site {
        Some(site) => format!("{} in {site}", account::name(&doing.what)),
        None => account::name(&doing.what),
    })
}

/// The knob of the resource: its size is the number of those that hold it; enough for those that wait, too, would do.
pub(super) fn knob(case: &Case, queued: &Queued) -> Option<Knob> {
    if is_leaked(case, queued) {
        return None;
    }
    let size = size(case, queued);
    Some(Knob::sized(setting_of(case, queued).names, size, holding(case, queued) + queued.waiting))
}
