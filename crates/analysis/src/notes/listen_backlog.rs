//! Connections that had to be asked for again: the target's accept queue was full, and the kernel dropped the SYN.

use super::{cells, listed, warning};
use crate::{
    measured::Measured,
    results::{Note, Results},
};

/// After this a SYN without an answer is sent again, then after 3 s and 7 s (RFC 6298, section 2; Linux'
/// `TCP_TIMEOUT_INIT`). A connect that takes as long was not slow: it was dropped.
const RETRANSMIT_MS: f64 = 1_000.0;

pub(super) fn find(measured: &Measured, results: &Results) -> Vec<Note> {
    let names: Vec<String> = cells(measured, results)
        .filter(|cell| cell.results.connect_ms.is_some_and(|connect| connect.p99 >= RETRANSMIT_MS))
        .map(|cell| cell.name())
        .collect();
    if names.is_empty() {
        return Vec::new();
    }
    vec![warning(format!(
        "{}: connects took 1 s and more, the time after which a SYN that was dropped is sent again. The target's accept \
         queue was full: these figures show its listen backlog, not its threads. Raise it (Tomcat: \
         `server.tomcat.accept-count`, 100 by default; the kernel's `net.core.somaxconn` caps it), or let users come \
         less suddenly.",
        listed(&names)
    ))]
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Load, Nanos, ThinkTime};

    use super::*;
    use crate::{
        analyse,
        testing::{Request, execution, level, level_plan, plan, run, variant},
    };

    fn found(connect_ms: u64) -> Vec<Note> {
        let load = Load::SharedIterations { vus: 10, iterations: 10, max_duration: None, think: ThinkTime::None };
        let plan_of_level = level_plan("10", load);
        let ms = Nanos::from_millis;
        let request = Request { sent: ms(connect_ms), ..Request::ok(ms(0), ms(connect_ms + 5)) };
        let mut data = level(&plan_of_level, ms(0), &vec![request; 10]);
        data.intervals[0].connect.record(ms(connect_ms));
        let data = run(0, 0, ms(0), vec![data]);
        let data = execution(plan(vec![variant("a")], vec![plan_of_level], 1), vec![data]);
        find(&Measured::of(&data), &analyse(&data))
    }

    #[test]
    fn a_dropped_syn_is_told_from_a_slow_connect() {
        assert!(found(900).is_empty());
        let text = &found(1_010)[0].text;
        assert!(text.starts_with("a @ 10: connects took 1 s and more"), "{text}");
    }
}
