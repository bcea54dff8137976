//! A thread that runs many requests waits, or computes, and all others wait for it.

use super::{
    super::{
        Knob, Limit, Verdict, account,
        activity::Activity,
        case::{Case, is_event_loop},
    },
    queue, silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit { id: "event-loop", look, cleared: silent, knob };

/// Of the dumps, in which a loop had work.
const BUSY: f64 = 0.6;

fn look(case: &Case) -> Option<Verdict> {
    let (mut busy, mut idle) = (0.0, 0.0);
    for doing in case.view.full.threads.iter().filter(|doing| is_event_loop(&doing.group)) {
        match doing.what {
            Activity::Idle => idle += doing.count,
            _ => busy += doing.count,
        }
    }
    let all = busy + idle;
    if all <= 0.0 || busy < BUSY * all || case.is_cpu_full() {
        return None;
    }
    let loops = || case.busy.iter().filter(|doing| is_event_loop(&doing.group));
    let most = loops().max_by(|a, b| a.count.total_cmp(&b.count))?;
    let site = most.site.as_ref().map_or_else(String::new, |site| format!(" in {site}"));
    Some(Verdict {
        says: format!("event loops “{}”: blocked", most.group),
        evidence: vec![
            format!(
                "{} of {} threads of the event loop are not at their selector: {}{site}",
                number(busy),
                number(all),
                account::name(&most.what)
            ),
            queue::growth(case),
        ],
        change: "Move what waits or computes there to another scheduler (subscribeOn(Schedulers.boundedElastic()), \
                 executeBlocking), or use a client that does not block."
            .to_owned(),
    })
}

fn knob(case: &Case) -> Option<Knob> {
    let loops = case.view.full.threads.iter().filter(|doing| is_event_loop(&doing.group));
    let threads = loops.map(|doing| doing.count).sum();
    Some(Knob::sized(&["-Dreactor.netty.ioWorkerCount"], threads, case.in_flight()))
}
