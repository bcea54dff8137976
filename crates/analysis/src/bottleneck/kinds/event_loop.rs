//! A thread that runs many requests waits or computes, and all of its requests wait for it.

use std::collections::BTreeMap;

use super::{
    super::{
        Knob, Limit, Verdict, account,
        activity::Activity,
        case::{Case, Queued},
        doing::Doing,
        hot, settings,
    },
    queue, silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit {
    id: "event-loop",
    means: "threads of Netty, Reactor, Vert.x or XNIO that wait, or that compute while a core is left which none of them can use",
    find,
    cleared: silent,
    knob,
};

/// The least share of the dumps in which a busy loop has work.
const BUSY: f64 = 0.6;
/// Share of a core that a loop takes, or waits for, if it computes all the time.
const FULL: f64 = 0.9;

/// Advice where loops are idle.
const MORE_SERVE: &str = "; or let the idle loops have connections, too (in Vert.x instances of the verticle)";

/// Event loops of one name.
#[derive(Debug, Default)]
struct Loops<'a> {
    group: &'a str,
    waits: f64,
    runs: f64,
    idle: f64,
}

impl Loops<'_> {
    fn busy(&self) -> f64 {
        self.waits + self.runs
    }

    fn all(&self) -> f64 {
        self.busy() + self.idle
    }

    fn are_blocked(&self, case: &Case) -> bool {
        let is_queued = case.in_flight() >= 1.2 * self.busy();
        let serving = self.serving(case);
        is_queued && self.busy() >= BUSY * serving && (self.waits >= 0.5 * serving || self.fill_cores(case, serving))
    }

    /// The number of loops that have the connections: all of them, unless requests wait to be read while some loops are
    /// always at work and the others never.
    fn serving(&self, case: &Case) -> f64 {
        let at_work = self.busy().round();
        let is_unread = case.view.full.inbound().unread >= 0.5 * case.in_flight();
        let are_some = at_work >= 1.0 && (self.busy() - at_work).abs() <= (1.0 - FULL) * at_work;
        if is_unread && are_some { at_work } else { self.all() }
    }

    fn are_some_idle(&self, case: &Case) -> bool {
        self.serving(case) < FULL * self.all()
    }

    /// Whether so many could run all the time, and there are cores that none of them can use.
    fn fill_cores(&self, case: &Case, serving: f64) -> bool {
        let full = &case.view.full;
        let tasks = full.tasks.iter().filter(|tasks| hot::is_of(&tasks.group, self.group));
        let want: f64 = tasks.map(|tasks| tasks.cores + tasks.waiting).sum();
        want >= FULL * serving && serving <= full.cores - 1.0
    }
}

fn find(case: &Case) -> Option<Verdict> {
    let loops = blocked(case)?;
    let most = most(case, &loops)?;
    let are_some_idle = loops.are_some_idle(case);
    let mut all = vec![evidence(&loops, most, &account::name(&most.what))];
    all.extend(are_some_idle.then(|| "the other threads have no request, though some have not been read".to_owned()));
    all.push(queue::growth(case));
    let more = if are_some_idle { MORE_SERVE } else { "" };
    Some(Verdict {
        says: format!("event loops “{}”: blocked", loops.group),
        evidence: all,
        change: format!(
            "Move what waits or computes there to other threads ({}), or use a client that does not block{more}.",
            case.framework().off_the_loop()
        ),
    })
}

/// The activity of most of these loops' threads.
fn most<'a>(case: &'a Case, loops: &Loops) -> Option<&'a Doing> {
    let of_loops = case.busy.iter().filter(|doing| doing.group == loops.group);
    of_loops.max_by(|a, b| a.count.total_cmp(&b.count))
}

fn evidence(loops: &Loops, most: &Doing, does: &str) -> String {
    let site = most.place_in_full().map_or_else(String::new, |site| format!(" in {site}"));
    format!(
        "{} of {} threads of the event loop are not at their selector: {does}{site}",
        number(loops.busy()),
        number(loops.all())
    )
}

/// Evidence that event loops are blocked because they log.
pub(super) fn logs(case: &Case) -> Option<String> {
    let loops = blocked(case)?;
    let most = most(case, &loops).filter(|doing| doing.what == Activity::Logs)?;
    let place = most.place.as_ref().map_or_else(String::new, |place| format!(" by {place}"));
    Some(evidence(&loops, most, &format!("{}{place}", account::name(&most.what))))
}

/// The lock that event loops wait for, if most of those that stand wait for one and somebody holds it.
pub(super) fn locked(case: &Case) -> Option<Queued> {
    let loops = blocked(case)?;
    let queued = case.queued_in(loops.group)?;
    let is_held = matches!(queued.what, Activity::Lock { .. }) && queued.holder.is_some();
    (is_held && queued.waiting >= 0.5 * loops.waits).then_some(queued)
}

/// Event loops of most threads, while requests queue for them.
fn blocked<'a>(case: &'a Case) -> Option<Loops<'a>> {
    let mut groups: BTreeMap<&str, Loops<'a>> = BTreeMap::new();
    let threads = case.view.full.threads.iter().filter(|doing| doing.is_loop);
    for Doing { group, what, count, .. } in threads {
        let loops = groups.entry(group).or_insert_with(|| Loops { group, ..Loops::default() });
        match what {
            Activity::Idle => loops.idle += count,
            Activity::Runs => loops.runs += count,
            _ => loops.waits += count,
        }
    }
    let blocked = groups.into_values().filter(|loops| !case.fills_its_cores() && loops.are_blocked(case));
    blocked.max_by(|a, b| a.busy().total_cmp(&b.busy()))
}

fn knob(case: &Case) -> Option<Knob> {
    let loops = blocked(case)?;
    // If some loops have no connections, more of them would not help.
    let setting = settings::of_threads(loops.group, case.framework()).filter(|_| !loops.are_some_idle(case));
    let names = setting.map(|setting| setting.names).unwrap_or_default();
    Some(Knob::sized(names, loops.serving(case), case.in_flight()))
}
