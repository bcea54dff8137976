//! Files are read or written to the disk, which is the slower the more it is asked.

use super::{
    super::{Limit, Verdict, activity::Activity, case::Case, doing::count},
    queue, silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit {
    id: "disk",
    means: "a disk, which is the slower the more it is asked",
    find,
    cleared: silent,
    knob: super::no_knob,
};

/// The share of the threads with a request that wait for it.
const SHARE: f64 = 0.5;
/// The time of a request at the disk, as a multiple of all that one alone takes: more threads would only wait longer.
const GROWS: f64 = 1.6;

fn find(case: &Case) -> Option<Verdict> {
    let (light, full) = (&case.view.light, &case.view.full);
    let threads = || case.busy.iter().filter(|doing| !doing.is_loop);
    let waiting = count(threads(), |doing| doing.what == Activity::Disk);
    // Requests that do not end have waited for as long as they were looked at.
    let ms = if full.carries_nothing() { full.seconds } else { waiting / full.throughput_per_s.max(1e-9) } * 1e3;
    let with_a_request = case.in_threads().max(1.0);
    let grows = light.response_ms > 0.0 && ms >= GROWS * light.response_ms;
    let most = threads().filter(|doing| doing.what == Activity::Disk).max_by(|a, b| a.count.total_cmp(&b.count))?;
    (waiting >= SHARE * with_a_request && grows).then(|| {
        let place = most.place_in_full().map_or_else(String::new, |place| format!(" in {place}"));
        Verdict {
            says: "the disk".to_owned(),
            evidence: vec![
                format!(
                    "{} requests wait for it{place}, {} ms each, though the CPU is free: a request alone takes {} ms in \
                     all",
                    number(waiting.min(case.in_flight()).round()),
                    number(ms),
                    number(light.response_ms)
                ),
                queue::growth(case),
            ],
            change: "Ask it less: write several requests’ data at once (group commit), leave out what need not be on \
                     the disk before the answer (fsync, force), keep what is read in memory; or take a faster disk. \
                     More threads would only wait longer."
                .to_owned(),
        }
    })
}
