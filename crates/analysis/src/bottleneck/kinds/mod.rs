//! The kinds of limits: one file each, and the order in which they are asked.

mod accept_limit;
mod carriers;
mod ceiling;
mod client_pool;
mod common_pool;
mod cpu;
mod cpu_quota;
mod database_pool;
mod delayed_ack;
mod descriptors;
mod disk;
mod dns;
mod event_loop;
mod executor;
mod foreign_cpu;
mod gc;
mod generator;
mod listen_queue;
mod lock;
mod logging;
mod n_plus_one;
mod offered_load;
mod pinned;
mod ports;
mod queue;
mod rate_limiter;
mod semaphore;
mod server_threads;
mod swap;
mod upstream_latency;
mod upstream_slow;

pub(super) use self::{
    client_pool::has_no_pool, common_pool::COMMON_POOL, database_pool::is_reactive, executor::full as full_executor,
    rate_limiter::paced, semaphore::lets_in,
};
use super::{Knob, Limit, Verdict, case::Case, refused::Refused};
use crate::{results::unseen_threads, text::number};

/// All kinds, in the order in which they are asked: lack of something that all need; queues; the pools whose threads
/// stand in them; other services last.
const LIMITS: &[&Limit] = &[
    &generator::LIMIT,
    &descriptors::LIMIT,
    &ports::LIMIT,
    &swap::LIMIT,
    &cpu_quota::LIMIT,
    &gc::LIMIT,
    &foreign_cpu::LIMIT,
    &logging::LIMIT,
    &cpu::LIMIT,
    &pinned::LIMIT,
    &carriers::LIMIT,
    &dns::LIMIT,
    &disk::LIMIT,
    &database_pool::LIMIT,
    &client_pool::LIMIT,
    &rate_limiter::LIMIT,
    &semaphore::LIMIT,
    &lock::LIMIT,
    &event_loop::LIMIT,
    &common_pool::LIMIT,
    &executor::LIMIT,
    &delayed_ack::LIMIT,
    &upstream_slow::LIMIT,
    &n_plus_one::LIMIT,
    &accept_limit::LIMIT,
    &server_threads::LIMIT,
    &listen_queue::LIMIT,
    &upstream_latency::LIMIT,
    &offered_load::LIMIT,
];

/// Kinds in front of which requests queue, so that each takes longer than one alone.
const QUEUES: [&str; 9] = [
    database_pool::LIMIT.id,
    client_pool::LIMIT.id,
    rate_limiter::LIMIT.id,
    semaphore::LIMIT.id,
    lock::LIMIT.id,
    event_loop::LIMIT.id,
    common_pool::LIMIT.id,
    executor::LIMIT.id,
    server_threads::LIMIT.id,
];

/// Kinds that tell of another service.
const UPSTREAM: [&str; 3] = [upstream_slow::LIMIT.id, n_plus_one::LIMIT.id, upstream_latency::LIMIT.id];

/// Unique and never renamed.
pub(super) fn ids() -> impl Iterator<Item = &'static str> {
    LIMITS.iter().map(|limit| limit.id)
}

/// Every kind in the order in which they are asked, as a table in Markdown for `docs/explain.md`.
pub(super) fn table() -> String {
    let rows = LIMITS.iter().map(|limit| format!("| `{}` | {} |\n", limit.id, limit.means));
    format!("| kind | the limit is |\n|---|---|\n{}| `unknown` | not seen |\n", rows.collect::<String>())
}

/// The limit, and what there is to say of it.
pub(super) fn decide(case: &Case) -> (&'static str, Verdict) {
    // A queue in front of a resource that carries its load does not grow.
    let (carries, is_at_ease) = (case.carries(), case.is_at_ease());
    let is_ruled_out = |id: &str| {
        carries && ![generator::LIMIT.id, offered_load::LIMIT.id].contains(&id) || is_at_ease && QUEUES.contains(&id)
    };
    let is_asked = |limit: &&&Limit| !is_ruled_out(limit.id);
    let lets_few_in = || {
        let in_order = executor::runs_in_order(case).or_else(|| executor::limits_parallelism(case));
        let in_order = in_order.or_else(|| executor::runs_few(case));
        let in_order = in_order.map(|verdict| (executor::LIMIT.id, verdict));
        let few = || semaphore::lets_few_in(case).or_else(|| semaphore::lets_few_call(case));
        let paces = || rate_limiter::paces(case).map(|verdict| (rate_limiter::LIMIT.id, verdict));
        let few = || Some((semaphore::LIMIT.id, few().or_else(|| semaphore::lets_few_wait(case))?));
        let found = match rate_limiter::for_others(case) {
            // Threads that wait for their turn are as many as there are, and not let in.
            Some(_) => in_order.or_else(paces).or_else(few),
            None => in_order.or_else(few).or_else(paces),
        };
        found.filter(|(id, _)| !is_ruled_out(id))
    };
    let refuses = || rate_limiter::refuses(case).map(|verdict| (rate_limiter::LIMIT.id, verdict));
    let refuses_more = || semaphore::refuses(case, &refused(case)?).map(|verdict| (semaphore::LIMIT.id, verdict));
    // All queues end at another service that does not answer.
    let unanswered = upstream_slow::silent(case).map(|verdict| (upstream_slow::LIMIT.id, verdict));
    let found =
        unanswered.or_else(|| LIMITS.iter().filter(is_asked).find_map(|limit| Some((limit.id, (limit.find)(case)?))));
    match found {
        Some(found) if is_why_requests_fail(found.0) => found,
        Some(found) if carries => found,
        found => refuses()
            .or_else(|| found.or_else(lets_few_in).filter(|_| refused(case).is_none()))
            .or_else(refuses_more)
            .unwrap_or_else(|| ("unknown", unknown(case))),
    }
}

/// The share of refused requests from which on most of the load is refused.
const REFUSED: f64 = 0.5;

/// Refusals of most requests that come sooner than other responses: something refuses them, but cannot be seen.
fn refused(case: &Case) -> Option<Refused> {
    let full = &case.view.full;
    let is_quick = |it: &Refused| it.response_ms < 0.5 * full.response_ms.max(case.view.light.response_ms);
    full.refused.filter(|it| it.share >= REFUSED && is_quick(it))
}

/// Kinds that make requests fail.
fn is_why_requests_fail(id: &str) -> bool {
    [descriptors::LIMIT.id, ports::LIMIT.id].contains(&id)
}

/// Limits that were ruled out, in a few words each.
pub(super) fn cleared(case: &Case, found: &str) -> Vec<String> {
    // The answer itself then names the other service.
    let is_told = |id: &str| id == found || UPSTREAM.contains(&found) && UPSTREAM.contains(&id);
    LIMITS.iter().filter(|limit| !is_told(limit.id)).filter_map(|limit| (limit.cleared)(case)).collect()
}

/// The setting that moves the limit, if there is one.
pub(super) fn knob(case: &Case, found: &str) -> Option<Knob> {
    let limit = LIMITS.iter().find(|limit| limit.id == found)?;
    (limit.knob)(case)
}

/// The knob of kinds that no setting moves.
fn no_knob(_: &Case) -> Option<Knob> {
    None
}

/// The words for kinds that are not mentioned when they are not the limit.
fn silent(_: &Case) -> Option<String> {
    None
}

/// Whether most requests are within the service, and in no thread.
fn is_held(case: &Case) -> bool {
    let inbound = case.view.full.inbound();
    let is_seen = case.view.full.dumps > 0 && case.view.process.blind.is_none();
    is_seen && case.outside() - inbound.unread - inbound.unaccepted >= 0.5 * case.in_flight()
}

fn unknown(case: &Case) -> Verdict {
    let (light, full) = (&case.view.light, &case.view.full);
    let in_flight = number(case.in_flight().round());
    let mut evidence = vec![match full.looks {
        0 => format!("{in_flight} requests in flight; it ended before the target was looked at under full load"),
        // Requests may be in threads that could not be asked.
        _ if case.view.process.blind.is_some() => format!(
            "{in_flight} requests in flight; none of the resources that are seen from outside is busy all the time and \
             has a queue in front of it"
        ),
        _ => format!(
            "{in_flight} requests in flight: {} in threads, {} in none; none of the resources that are looked at is \
             busy all the time and has a queue in front of it",
            number(case.in_threads().round()),
            number(case.outside().round())
        ),
    }];
    evidence.extend(full.carries_nothing().then(|| queue::measured(case)));
    evidence.extend(is_held(case).then(|| {
        "most of these have been read: they wait in asynchronous code for their turn, or for time to pass, as behind a \
         rate limiter (Jetty’s DoSFilter), a semaphore or a delay"
            .to_owned()
    }));
    evidence.extend(case.own_objects(case.outside()).filter(|_| is_held(case)));
    evidence.extend((case.fails_more() && refused(case).is_none()).then(|| {
        format!(
            "{} % of the requests fail, {} % of one at a time",
            number(full.errors * 100.0),
            number(light.errors * 100.0)
        )
    }));
    evidence.extend(refused(case).map(|refused| {
        format!(
            "{}: something refuses what is beyond a limit; {} requests that succeed are in flight at once, {}/s",
            rate_limiter::said(&refused),
            number(full.succeeding()),
            number(full.throughput_per_s)
        )
    }));
    evidence.extend(case.view.process.blind.as_ref().map(|why| unseen_threads(full.dumps, why)));
    Verdict { says: "unknown".to_owned(), evidence, change: String::new() }
}
