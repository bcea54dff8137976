//! Connections that had to be asked for again: the target's accept queue was full, and the kernel dropped the SYN.

use super::{Cell, cells, listed, warning};
use crate::{
    measured::Measured,
    results::{Note, Results},
};

/// After this a SYN without an answer is sent again, then after 3 s and 7 s (RFC 6298, section 2; Linux'
/// `TCP_TIMEOUT_INIT`). A connect that takes as long was not slow: it was dropped.
const RETRANSMIT_MS: f64 = 1_000.0;

pub(super) fn find(measured: &Measured, results: &Results) -> Vec<Note> {
    let (seen, guessed): (Vec<Cell>, Vec<Cell>) = cells(measured, results)
        .filter(|cell| cell.overflows() > 0.0 || cell.has_late_connects())
        .partition(|cell| cell.overflows() > 0.0);
    let mut notes = Vec::new();
    if !seen.is_empty() {
        let names: Vec<String> = seen.iter().map(Cell::with_overflows).collect();
        notes.push(warning(format!("{}: {OVERFLOWED} {ADVICE}", listed(&names))));
    }
    if !guessed.is_empty() {
        let names: Vec<String> = guessed.iter().map(Cell::name).collect();
        notes.push(warning(format!("{}: {LATE_CONNECTS} {ADVICE}", listed(&names))));
    }
    notes
}

const OVERFLOWED: &str = "so many times a connection found the target's accept queue full, by the kernel's count. Its \
     SYN is dropped and sent again after 1 s, 3 s, 7 s; or the client believes it is connected, and nobody answers.";
const LATE_CONNECTS: &str = "connects took 1 s and more, the time after which a SYN that was dropped is sent again: the \
     target's accept queue was full, or the network lost it.";
const ADVICE: &str = "These figures show its listen backlog, not its threads. Raise it (Tomcat: \
     `server.tomcat.accept-count`, 100 by default; `ServerSocket`: the second argument, 50 by default; the kernel's \
     `net.core.somaxconn` caps it), or let users come less suddenly.";

impl Cell<'_> {
    /// Of the round that had most.
    fn overflows(&self) -> f64 {
        self.results.sockets.listen_overflows.as_ref().map_or(0.0, |figure| figure.max)
    }

    fn has_late_connects(&self) -> bool {
        self.results.connect_ms.is_some_and(|connect| connect.p99 >= RETRANSMIT_MS)
    }

    /// `web @ 300 (up to 214 overflows of a queue of 100, 31 failures)`.
    fn with_overflows(&self) -> String {
        let queue = self.results.sockets.accept_queue_max.as_ref();
        let queue = queue.map_or(String::new(), |figure| format!(" of a queue of {}", figure.median));
        let failed = self.results.totals.failed;
        let failures = if failed > 0 { format!(", {failed} requests failed") } else { String::new() };
        format!("{} (up to {:.0} overflows{queue}{failures})", self.name(), self.overflows())
    }
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Load, Nanos, Sample, ThinkTime};

    use super::*;
    use crate::{
        analyse,
        testing::{Request, execution, level, level_plan, plan, run, variant},
    };

    fn found(connect_ms: u64, overflows: &[(u64, f64)]) -> Vec<Note> {
        let load = Load::SharedIterations { vus: 10, iterations: 10, max_duration: None, think: ThinkTime::None };
        let plan_of_level = level_plan("10", load);
        let ms = Nanos::from_millis;
        let request = Request { sent: ms(connect_ms), ..Request::ok(ms(0), ms(connect_ms + 5)) };
        let mut data = level(&plan_of_level, ms(0), &vec![request; 10]);
        data.intervals[0].connect.record(ms(connect_ms));
        let mut data = run(0, 0, ms(0), vec![data]);
        data.samples = overflows
            .iter()
            .map(|&(at, value)| Sample { at: ms(at), metric: "listen_overflows".to_owned(), value })
            .collect();
        let data = execution(plan(vec![variant("a")], vec![plan_of_level], 1), vec![data]);
        find(&Measured::of(&data), &analyse(&data))
    }

    #[test]
    fn a_dropped_syn_is_told_from_a_slow_connect() {
        assert!(found(900, &[]).is_empty());
        let text = &found(1_010, &[(0, 0.0), (1_000, 0.0)])[0].text;
        assert!(text.starts_with("a @ 10: connects took 1 s and more"), "{text}");
    }

    #[test]
    fn the_kernels_count_is_told_instead_of_a_guess() {
        let notes = found(1_010, &[(0, 0.0), (100, 214.0), (1_000, 214.0)]);
        assert_eq!(notes.len(), 1);
        assert!(notes[0].text.starts_with("a @ 10 (up to 214 overflows): so many times"), "{}", notes[0].text);
        assert_eq!(found(5, &[(0, 0.0), (100, 1.0)]).len(), 1, "also where no connect was late");
    }
}
