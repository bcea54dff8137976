//! Requests queue for permits: a semaphore, a bulkhead, a limit in front of the server's threads.

use super::{
    super::{
        Knob, Limit, Verdict,
        activity::Activity,
        case::Case,
        known::Gives,
        refused::Refused,
        settings::{self, Named},
    },
    ceiling, client_pool, queue, rate_limiter, silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit {
    id: "semaphore",
    means: "permits of a semaphore, a bulkhead of Resilience4j, Spring's concurrency limit or the service's own; \
            requests at once that Jetty's QoSHandler or Undertow's RequestLimitingHandler lets in, or whatever \
            refuses more than so many",
    find,
    cleared: silent,
    knob,
};

/// The difference up to which the number of requests that succeed at once counts as a whole number.
const ALIKE: f64 = 0.1;

fn find(case: &Case) -> Option<Verdict> {
    queue::for_pool(case, Gives::Permits, "permits", "a permit")
}

/// The verdict on a limit in front of the threads: always the same number of requests have a thread, others have been
/// read but have none, though threads are idle. It is asked last, since it is known only by exclusion.
pub(super) fn lets_few_in(case: &Case) -> Option<Verdict> {
    let at_once = let_in(case)?;
    let front = case.front();
    let pool = front.first()?;
    let mut evidence = vec![format!(
        "{} requests have a thread at nearly each look, {} of {} in flight have none, and {} of {} threads are idle",
        number(at_once),
        number(case.outside().round()),
        number(case.in_flight().round()),
        number(pool.idle.round()),
        number(pool.all().round())
    )];
    evidence.extend(ceiling::of(case, at_once));
    Some(Verdict {
        says: format!("requests that are let in at once ({})", number(at_once)),
        evidence,
        change: format!("Raise {}.", setting(case).text),
    })
}

/// The same for calls in no thread: the same number is under way at each look, though there are more connections.
pub(super) fn lets_few_call(case: &Case) -> Option<Verdict> {
    let at_once = called_at_once(case)?;
    let peer = case.upstream()?.peer;
    let seen = format!(
        "{} calls to {} are under way at nearly each look, on {} connections; {} requests are in flight",
        number(at_once),
        peer.name(),
        number(peer.established.round()),
        number(case.in_flight().round())
    );
    let change = "Raise what lets so few requests call at once, in asynchronous code: a semaphore, the concurrency of \
                  flatMap, the consumers of a queue; or hold no lock while another service is called.";
    Some(lets_in_asynchronously(case, at_once, seen, change))
}

/// The same for requests that let time pass in no thread, as those do which are let in.
pub(super) fn lets_few_wait(case: &Case) -> Option<Verdict> {
    let at_once = waiting_at_once(case)?;
    let seen = format!(
        "{} requests let time pass at each look, in no thread; {} requests are in flight, and take longer the more \
         there are",
        number(at_once),
        number(case.in_flight().round())
    );
    let change = "Raise what lets so few requests go on at once, in asynchronous code: a semaphore, the concurrency of \
                  flatMap, the parallelism of mapAsync, the consumers of a queue.";
    Some(lets_in_asynchronously(case, at_once, seen, change))
}

/// The verdict on asynchronous code that lets `at_once` requests in, of which this was `seen`.
fn lets_in_asynchronously(case: &Case, at_once: f64, seen: String, change: &str) -> Verdict {
    let mut evidence = vec![seen];
    evidence.extend(case.own_objects(case.in_flight() - at_once));
    evidence.extend(ceiling::of(case, at_once));
    let says = format!("requests that are let in at once ({})", number(at_once));
    Verdict { says, evidence, change: change.to_owned() }
}

/// The verdict on a limit that refuses requests beyond it: at nearly each look as many requests stand in threads as
/// succeed at once. Refused ones only run.
pub(super) fn refuses(case: &Case, refused: &Refused) -> Option<Verdict> {
    let at_once = case.view.full.succeeding();
    let size = at_once.round();
    let is_whole = size >= 1.0 && (at_once - size).abs() <= ALIKE * size;
    let is_always = || case.serves_always(size, |doing| doing.what != Activity::Runs);
    // Requests that are let in must not queue for anything else.
    (is_whole && case.takes_no_longer() && is_always()).then(|| Verdict {
        says: format!("requests that are let in at once ({}), others are refused ({})", number(size), refused.status),
        evidence: vec![
            format!("{} requests wait in threads at nearly each look, as many as succeed at once", number(size)),
            rate_limiter::said(refused),
        ],
        change: "Raise the permits of the bulkhead, where it is made (of MicroProfile’s fault tolerance \
                 @Bulkhead(value)); or let callers wait for one. It may be meant: then the load is more than is let in."
            .to_owned(),
    })
}

/// The number of requests that are let in at once.
pub(super) fn let_in(case: &Case) -> Option<f64> {
    let at_once = case.in_threads().round();
    let has_threads = case.front().first().is_some_and(|pool| pool.idle >= 1.0 && !pool.is_loop);
    (at_once >= 1.0 && super::is_held(case) && has_threads && case.serves_always(at_once, |_| true)).then_some(at_once)
}

/// The least mean of calls under way, as a share of the most, if that is a limit.
const STEADY: f64 = 0.85;
/// The least share of them that looks see.
const SEEN: f64 = 0.6;
/// Looks that it takes to tell whether calls are always equally many.
const LOOKS_LEAST: u64 = 3;
/// Looks from which on one of them may be wrong.
const LOOKS_MANY: u64 = 5;

/// Calls that are under way at once, if something in the service lets no more be made.
fn called_at_once(case: &Case) -> Option<f64> {
    let established = || case.upstream().map(|upstream| upstream.peer.established.round());
    // One call at a time may also be that of a thread which holds a lock, if threads were not asked.
    let is_meant = |calls: &f64| *calls > 1.0 || case.view.process.blind.is_none();
    let is_full = || client_pool::has_no_pool(case) && case.is_full_of_calls();
    let of_client = || established().filter(|calls| is_meant(calls) && is_full());
    calls_always(case).or_else(of_client).or_else(|| case.few_at_calls())
}

/// The number of calls, if it is the same at each look, and there are more connections.
fn calls_always(case: &Case) -> Option<f64> {
    let upstream = case.upstream()?;
    let (peer, looks) = (upstream.peer, case.view.full.looks);
    // An idle connection may look as if its question were open, now and then.
    let most = if looks >= LOOKS_MANY { peer.open_most_twice } else { peer.open_most };
    let most = f64::from(most);
    // Looks between two calls under one permit see none: then throughput × calls × their time must give the number.
    let carried = case.view.full.throughput_per_s * upstream.calls * upstream.light_ms.unwrap_or(0.0) / 1e3;
    let is_kept_up = (carried - most).abs() <= (1.0 - STEADY) * most && peer.open >= SEEN * most;
    let is_always = peer.open >= STEADY * most || is_kept_up;
    let is_steady = looks >= LOOKS_LEAST && most >= 1.0 && is_always;
    let is_few = most <= 0.5 * case.in_flight() && peer.established > most;
    let is_as_fast = case.answers_as_quickly(&upstream);
    (super::is_held(case) && is_steady && is_few && is_as_fast).then_some(most)
}

/// The number of requests that let time pass, if it is always the same few.
fn waiting_at_once(case: &Case) -> Option<f64> {
    let calls = case.upstream().is_some_and(|upstream| upstream.peer.open >= 0.5);
    case.few_let_time_pass().filter(|_| !calls && super::is_held(case) && !case.takes_no_longer())
}

/// The number of requests that are let in at once, if none is seen to wait for a permit: they have a thread, call, or
/// let time pass.
pub(crate) fn lets_in(case: &Case) -> Option<f64> {
    let_in(case).or_else(|| called_at_once(case)).or_else(|| waiting_at_once(case))
}

fn setting(case: &Case) -> Named {
    let server = case.threads_of_server().unwrap_or_default();
    let of_server = ["Jetty", "Undertow"].into_iter().find(|name| server.starts_with(name));
    let of = of_server.map_or_else(|| "requests".to_owned(), |name| format!("requests of {name}"));
    settings::of(&of, case.framework()).unwrap_or_default()
}

fn knob(case: &Case) -> Option<Knob> {
    match queue::for_what(case, Gives::Permits) {
        Some(queued) => queue::knob(case, &queued),
        None => {
            let names = let_in(case).map_or_else(Vec::new, |_| setting(case).names);
            Some(Knob::sized(names, lets_in(case)?, case.in_flight()))
        }
    }
}
