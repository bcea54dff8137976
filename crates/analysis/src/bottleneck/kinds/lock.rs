//! Threads queue for a lock.

use super::{
    super::{Limit, Verdict, account, activity::Activity, case::Case, doing::count},
    event_loop, pinned, queue,
};
use crate::text::number;

pub(super) static LIMIT: Limit =
    Limit { id: "lock", means: "a monitor or a lock, with its holder", find, cleared, knob: super::no_knob };

const CHANGE: &str = "Hold it for less: no calls, no sleep and no long computation within; or have more locks (one \
                      for each key), or a structure without.";

const NOT_LET_GO: &str = "Find what keeps it: a path on which it is not let go (unlock in finally), a call without a \
                          time-out, or two locks that are taken in either order.";

/// The share of those that wait for a lock which are most of them.
const MOST: f64 = 0.5;

fn find(case: &Case) -> Option<Verdict> {
    deadlock(case).or_else(|| of_queue(case)).or_else(|| of_carriers(case))
}

/// Threads that wait for each other, while requests wait for a lock of theirs.
fn deadlock(case: &Case) -> Option<Verdict> {
    let deadlock = case.view.full.deadlock.as_ref()?;
    let waiters = &deadlock.waiters;
    let queued = queue::deepest(case).filter(|queued| deadlock.held_up >= MOST * queued.waiting)?;
    let Activity::Lock { class } = &queued.what else { return None };
    let each: Vec<String> = waiters.iter().map(|it| format!("{}{}", it.class, in_site(&it.site))).collect();
    let seen = format!("{} threads wait for each other’s locks, for ever: for {}", each.len(), each.join(", for "));
    Some(Verdict {
        says: format!("a deadlock ({class}){}", in_site(&queued.site)),
        evidence: vec![seen, queue::evidence(case, &queued, "one of these"), queue::growth(case)],
        change: "Restart the service: what these threads hold is lost. Take the locks in one order everywhere, or one \
                 lock in place of them; or ask for the second one by tryLock, and let go of the first without it."
            .to_owned(),
    })
}

/// A lock for which virtual threads wait that keep their carriers: all others wait for a carrier.
fn of_carriers(case: &Case) -> Option<Verdict> {
    let waiting = pinned::at_a_lock(case)?;
    let Activity::Lock { class } = &waiting.what else { return None };
    let evidence = format!(
        "{} of {} carriers of virtual threads wait for it, so that none is free; {} requests are in flight",
        number(waiting.count),
        number(count(&case.view.full.threads, |doing| doing.is_carrying)),
        number(case.in_flight().round())
    );
    Some(Verdict {
        says: a_lock(class, &waiting.site),
        evidence: vec![evidence, queue::growth(case)],
        change: CHANGE.to_owned(),
    })
}

/// `a lock (java.lang.Object) in app.Orders.find`; JDK 21 does not tell the class of one that virtual threads wait for.
fn a_lock(class: &str, site: &Option<String>) -> String {
    let place = in_site(site);
    if class.is_empty() { format!("a lock{place}") } else { format!("a lock ({class}){place}") }
}

/// ` in app.Orders.find`, where it is known.
fn in_site(site: &Option<String>) -> String {
    site.as_ref().map_or_else(String::new, |site| format!(" in {site}"))
}

fn of_queue(case: &Case) -> Option<Verdict> {
    let queued = queue::deepest(case).or_else(|| event_loop::locked(case))?;
    let Activity::Lock { class } = &queued.what else { return None };
    let holder = queued.holder.as_ref().map(|(what, site)| match site {
        Some(site) => format!("its holder: {} in {site}", account::name(what)),
        None => format!("its holder: {}", account::name(what)),
    });
    let mut evidence = vec![queue::evidence(case, &queued, "it")];
    evidence.extend(queue::in_objects(&queued));
    evidence.extend(holder);
    evidence.extend(queue::before(case, &queued));
    evidence.push(queue::growth(case));
    let is_lost = case.view.full.is_stuck() && queued.holder.is_none();
    let change = if is_lost { NOT_LET_GO } else { CHANGE };
    Some(Verdict { says: a_lock(class, &queued.site), evidence, change: change.to_owned() })
}

fn cleared(case: &Case) -> Option<String> {
    let waiting = case.serving(|what| matches!(what, Activity::Lock { .. }));
    (case.view.full.dumps > 0 && waiting < 0.1 * case.in_threads()).then(|| "locks".to_owned())
}
