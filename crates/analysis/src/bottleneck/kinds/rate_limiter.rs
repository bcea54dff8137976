//! Threads wait for a rate limiter.

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
/// Share of the requests that are refused, from which on the limit is there.
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

/// Refused requests keep generator and cores busy by their number, and are no work: whatever else is full, this is why.
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

/// It hands out so much in a second.
fn knob(case: &Case) -> Option<Knob> {
    let rate = case.view.full.throughput_per_s;
    Some(Knob::sized(names(case), rate, 4.0 * rate))
}
