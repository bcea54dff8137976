//! Names are looked up, slowly or one after the other.

use super::{
    super::{Knob, Limit, Verdict, activity::Activity, case::Case, settings},
    queue, silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit { id: "dns", means: "name resolution", find, cleared: silent, knob };

fn find(case: &Case) -> Option<Verdict> {
    let in_threads = case.serving(is_lookup);
    let is_in_threads = in_threads >= 0.4 * case.in_threads() && in_threads >= 0.5;
    let in_objects = case.queued_in_objects().filter(|queued| !is_in_threads && is_lookup(&queued.what));
    let resolving = if is_in_threads { in_threads } else { in_objects.as_ref()?.waiting };
    let is_reverse = is_reverse(case);
    let mut evidence = vec![format!(
        "{} of {} requests in flight look up {}, {} % of the response time{}",
        number(resolving.round()),
        number(case.in_flight().max(resolving).round()),
        if is_reverse { "the name of an address" } else { "a name" },
        number((resolving / case.in_flight() * 100.0).min(100.0)),
        asked_by(case)
    )];
    evidence.extend(in_objects.as_ref().and_then(queue::in_objects));
    evidence.push(queue::growth(case));
    let change = match is_reverse {
        true => {
            "Do without names of addresses: call getHostAddress, not getHostName; for those of callers leave \
             enableLookups of Tomcat’s connector and host names in access logs off. Or use a name server that answers \
             at once."
        }
        false => {
            "Keep connections open, so that a name is looked up once; let the JVM keep answers longer \
             (networkaddress.cache.ttl, or -Dsun.net.inetaddr.ttl, in seconds; cacheMinTimeToLive of Netty’s \
             resolver), or use a resolver that caches."
        }
    };
    Some(Verdict { says: "name resolution".to_owned(), evidence, change: change.to_owned() })
}

fn is_lookup(what: &Activity) -> bool {
    matches!(what, Activity::Resolves { .. })
}

/// Whether most lookups are those of names of addresses, which the JVM does not keep.
fn is_reverse(case: &Case) -> bool {
    let reverse = case.serving(|what| *what == Activity::Resolves { is_reverse: true });
    reverse > 0.5 * case.serving(is_lookup)
}

/// The service's own code that asks, and the library's if it is for the name of an address, or without any.
fn asked_by(case: &Case) -> String {
    let from = queue::from(case, is_lookup);
    let mut lookups = case.served().into_iter().filter(|doing| is_lookup(&doing.what));
    let by_library = lookups.find_map(|doing| doing.place.clone()).filter(|_| from.is_empty() || is_reverse(case));
    by_library.map_or_else(String::new, |place| format!(", called from {place}")) + &from
}

/// Seconds for which the JDK shall keep an answer: longer than a comparison takes, but not for ever.
const KEPT_S: &str = "300";

fn knob(case: &Case) -> Option<Knob> {
    if is_reverse(case) {
        return None;
    }
    let setting = settings::of("answers of name servers", case.framework())?;
    Some(Knob::other(setting.names, KEPT_S))
}
