//! Names are looked up, slowly or one after the other.

use super::{
    super::{Knob, Limit, Verdict, activity::Activity, case::Case, settings},
    queue, silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit { id: "dns", means: "name resolution", find, cleared: silent, knob };

fn find(case: &Case) -> Option<Verdict> {
    let in_threads = case.serving(|what| *what == Activity::Resolves);
    let is_in_threads = in_threads >= 0.4 * case.in_threads() && in_threads >= 0.5;
    let in_objects = case.queued_in_objects().filter(|queued| !is_in_threads && queued.what == Activity::Resolves);
    let resolving = if is_in_threads { in_threads } else { in_objects.as_ref()?.waiting };
    let mut evidence = vec![format!(
        "{} of {} requests in flight look up a name, {} % of the response time{}",
        number(resolving.round()),
        number(case.in_flight().round()),
        number(resolving / case.in_flight() * 100.0),
        queue::from(case, |what| *what == Activity::Resolves)
    )];
    evidence.extend(in_objects.as_ref().and_then(queue::in_objects));
    evidence.push(queue::growth(case));
    Some(Verdict {
        says: "name resolution".to_owned(),
        evidence,
        change: "Keep connections open, so that a name is looked up once; let the JVM keep answers longer \
                 (networkaddress.cache.ttl, or -Dsun.net.inetaddr.ttl, in seconds; cacheMinTimeToLive of Netty’s \
                 resolver), or use a resolver that caches."
            .to_owned(),
    })
}

/// Seconds for which the JDK shall keep an answer: longer than a comparison takes, but not for ever.
const KEPT_S: &str = "300";

fn knob(case: &Case) -> Option<Knob> {
    let setting = settings::of("answers of name servers", case.framework())?;
    Some(Knob::other(setting.names, KEPT_S))
}
