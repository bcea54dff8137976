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
    ceiling, queue, rate_limiter, silent,
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

/// By how much requests that succeed at once may differ from a whole number.
const ALIKE: f64 = 0.1;

fn find(case: &Case) -> Option<Verdict> {
    queue::for_pool(case, Gives::Permits, "permits", "a permit")
}

/// A limit in front of the threads, where no thread waits: always as many requests have one, others have been read and
/// have none, though threads are idle. Asked last, since it is known by what is not the limit.
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

/// A limit that answers no to what is beyond it: as many requests as succeed at once stand in threads at nearly each
/// look. Those that are refused only run.
pub(super) fn refuses(case: &Case, refused: &Refused) -> Option<Verdict> {
    let at_once = case.view.full.succeeding();
    let size = at_once.round();
    let is_whole = size >= 1.0 && (at_once - size).abs() <= ALIKE * size;
    let is_always = || case.serves_always(size, |doing| doing.what != Activity::Runs);
    // Requests that are let in queue for nothing behind that.
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

/// As many requests as are let in at once.
fn let_in(case: &Case) -> Option<f64> {
    let at_once = case.in_threads().round();
    let has_threads = case.front().first().is_some_and(|pool| pool.idle >= 1.0 && !pool.is_loop);
    (at_once >= 1.0 && super::is_held(case) && has_threads && case.serves_always(at_once, |_| true)).then_some(at_once)
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
        None => Some(Knob::sized(setting(case).names, let_in(case)?, case.in_flight())),
    }
}
