//! Threads wait for a rate limiter.

use plimsoll_text::counted;

use super::{
    super::{
        Knob, Limit, Verdict,
        case::Case,
        known::Gives,
        refused::Refused,
        settings::{self, Named},
    },
    queue, silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit {
    id: "rate-limiter",
    means: "the permits a second of Resilience4j, Guava or Bucket4j; a pace of the service's own; or whatever \
            answers 429 to what is beyond it",
    find,
    cleared: silent,
    knob,
};

/// “Too Many Requests”, RFC 6585.
const TOO_MANY: u16 = 429;
/// The share of refused requests from which on the rate is the limit.
const SHARE: f64 = 0.2;

/// Limiters by their jars.
const LIMITERS: &[(&str, &str)] = &[
    ("resilience4j-ratelimiter", "Resilience4j’s rate limiter"),
    ("bucket4j-core", "Bucket4j"),
    ("bucket4j_jdk17-core", "Bucket4j"),
];

fn find(case: &Case) -> Option<Verdict> {
    queue::for_pool(case, Gives::Rate, "a rate limiter", "the next permit")
}

/// The share of looks at which a request was served, up to which the others wait for time to pass.
const SERVED_MOST: f64 = 0.4;
/// The same if many requests go on together, and are answered together.
const SERVED_TOGETHER: f64 = 0.7;
/// The share of the requests in threads that wait for others, if these let them go on by time.
const FOR_OTHERS: f64 = 0.8;
/// Looks that it takes to tell whether requests are served.
const LOOKS_LEAST: usize = 5;
/// A request must take this many times as long as one alone.
const LONGER: f64 = 1.5;
/// Questions to other services per request, from which on all of them are seen.
const ASKED: f64 = 0.8;

/// The verdict on asynchronous code of the service’s own that takes turns by time. It is asked last, since it is known
/// only by exclusion.
pub(super) fn paces(case: &Case) -> Option<Verdict> {
    let served = paced(case)?;
    let for_others = for_others(case).unwrap_or(0.0);
    let mut evidence = vec![format!(
        "{} of {} requests in flight wait in no thread{}; at {} % of the looks none of them was served",
        number((case.outside() + for_others).round()),
        number(case.in_flight().round()),
        if for_others > 0.0 { ", or in one for others to go on" } else { "" },
        number(((1.0 - served) * 100.0).round())
    )];
    evidence.extend(together(case).map(|many| {
        format!(
            "{} requests go on at a time: other services are asked as often as under light load",
            number(many.round())
        )
    }));
    evidence.extend(few_at_once(case).map(|at_once| {
        let alone = number(case.view.light.response_ms);
        let at_once = counted(at_once as u64, "request");
        format!("or {at_once} at a time, each for the {alone} ms of one alone: these look the same")
    }));
    evidence.extend(case.own_objects(case.outside()));
    evidence.push(queue::growth(case));
    let place = case.suspended().map_or_else(String::new, |place| format!(" in {place}"));
    Some(Verdict {
        says: format!("turns that come by time{place} ({}/s)", number(case.view.full.throughput_per_s)),
        evidence,
        change:
            "Raise how many requests may go on in a second, where the service’s own asynchronous code has them wait \
                 for their turn."
                .to_owned(),
    })
}

/// The numbers of requests at once that throughput tells from those beside them, and how near it must come to one.
const FEW: std::ops::RangeInclusive<f64> = 1.0..=8.0;
const NEAR: f64 = 0.2;

/// How many requests go on at once, if throughput is as if it were a fixed number of them.
fn few_at_once(case: &Case) -> Option<f64> {
    let at_once = case.at_once();
    let whole = at_once.round();
    (FEW.contains(&whole) && (at_once - whole).abs() <= NEAR).then_some(whole)
}

/// Questions per second count as equally many up to this many times those under light load.
const AS_OFTEN: f64 = 1.2;
/// Requests that go on together, at least, if they are collected for that.
const TOGETHER_LEAST: f64 = 2.0;

/// How many requests go on together, if they are collected: other services are asked as often as under light load, and
/// each question is for this many requests.
fn together(case: &Case) -> Option<f64> {
    let (light, full) = (&case.view.light, &case.view.full);
    let (asked_light, asked_full) = (light.asked_per_s(), full.asked_per_s());
    let is_as_often = asked_full > 0.0 && asked_full <= AS_OFTEN * asked_light;
    let many = full.throughput_per_s / light.throughput_per_s.max(1e-9) * asked_light / asked_full.max(1e-9);
    (is_as_often && many >= TOGETHER_LEAST).then_some(many)
}

/// The share of looks at which a request was served, if that is small: all requests wait in no thread, and take longer
/// the more there are.
pub(crate) fn paced(case: &Case) -> Option<f64> {
    let (light, full) = (&case.view.light, &case.view.full);
    let looks = full.open_at.len();
    // Questions that are open for ever are nobody's request.
    let at_rest: f64 = case.view.rest.outbound().iter().map(|peer| peer.open).sum();
    let called = full.open_at.iter().filter(|&&open| f64::from(open) > at_rest.round()).count();
    let called = called as f64 / looks.max(1) as f64;
    let for_others = for_others(case);
    let served = called + case.in_threads() - for_others.unwrap_or(0.0) + for_others.map_or(0.0, |_| elsewhere(case));
    // Another service may have the requests if it is asked in another way, as by messages, or many times at once on
    // a connection.
    let is_shared = case.upstream().is_some_and(|upstream| case.shares_connections(&upstream));
    let is_together = together(case).is_some();
    let are_all_seen = full.asked_per_s() >= ASKED * full.throughput_per_s && !is_shared;
    let is_told = full.outbound().is_empty() || are_all_seen || is_together;
    let served_most = if is_together { SERVED_TOGETHER } else { SERVED_MOST };
    let is_longer = light.response_ms > 0.0 && full.response_ms >= LONGER * light.response_ms;
    let is_paced = (super::is_held(case) || for_others.is_some())
        && looks >= LOOKS_LEAST
        && served <= served_most
        && is_told
        && is_longer
        && !case.do_some_let_time_pass();
    is_paced.then_some(served)
}

/// Requests whose threads wait for other threads, if nearly all that have a thread do.
pub(super) fn for_others(case: &Case) -> Option<f64> {
    let waiting = case.waiting_for_others();
    (waiting >= 1.0 && waiting >= FOR_OTHERS * case.in_threads()).then_some(waiting)
}

/// Threads with work that serve no requests: they may do the work of those that do.
fn elsewhere(case: &Case) -> f64 {
    let others = case.pools.values().filter(|pool| !case.is_front(pool));
    others.map(|pool| pool.busy).fold(0.0, |sum, busy| sum + busy)
}

/// The verdict on refusals by a rate limit. They come before whatever else is full: by their number they keep the
/// generator and cores busy.
pub(super) fn refuses(case: &Case) -> Option<Verdict> {
    let refused = case.view.full.refused.filter(|it| it.status == TOO_MANY && it.share >= SHARE)?;
    let setting = setting(case).map_or_else(|| "the limit, where it is made".to_owned(), |setting| setting.text);
    Some(Verdict {
        says: format!("a rate limiter, which refuses ({TOO_MANY})"),
        evidence: vec![said(&refused), queue::growth(case)],
        change: format!(
            "Raise {setting}; or let callers come less often. It may be meant: then the load is more than is allowed."
        ),
    })
}

/// `62 % of the requests were answered 429, 1.2 ms after they had been sent`.
pub(super) fn said(refused: &Refused) -> String {
    let Refused { status, share, response_ms } = refused;
    format!(
        "{} % of the requests were answered {status}, on average after {} ms",
        number(share * 100.0),
        number(*response_ms)
    )
}

fn setting(case: &Case) -> Option<Named> {
    let framework = case.framework();
    let (_, name) = LIMITERS.iter().find(|(jar, _)| framework.version(jar).is_some())?;
    settings::of(name, framework)
}

fn names(case: &Case) -> Vec<String> {
    let queued = queue::for_what(case, Gives::Rate).map(|queued| queue::setting_of(case, &queued));
    queued.or_else(|| setting(case)).map(|setting| setting.names).unwrap_or_default()
}

/// The knob of the rate: the limiter hands out the throughput that was measured.
fn knob(case: &Case) -> Option<Knob> {
    let rate = case.view.full.throughput_per_s;
    Some(Knob::sized(names(case), rate, 4.0 * rate))
}
