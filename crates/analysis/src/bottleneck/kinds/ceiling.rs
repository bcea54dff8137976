//! The ceiling of a limited resource: its size ÷ the time for which a request alone holds one; beside it the throughput
//! that was measured.

use super::{
    super::{activity::Activity, case::Case},
    queue,
};
use crate::text::number;

/// A call takes as long as under light load if it takes no more than this many times as long.
const ALIKE: f64 = 1.3;
/// Throughput as a share of the ceiling, if one is held for about as long as a request takes.
const REACHED: std::ops::RangeInclusive<f64> = 0.75..=1.15;

/// Sentences on how long a call takes, the ceiling of `size` that are all in use, and the measured throughput.
pub(super) fn of(case: &Case, size: f64) -> Vec<String> {
    call(case).into_iter().chain(ceiling(case, size)).collect()
}

/// `a call takes 252 ms, as under light load`, where those who hold it wait for an answer.
fn call(case: &Case) -> Option<String> {
    let upstream = case.upstream()?;
    let (ms, grows) = (upstream.full_ms?, upstream.grows()?);
    let calling = case.working(|what| matches!(what, Activity::Calls { .. }));
    (calling.max(upstream.peer.open) >= 0.5).then(|| match grows < ALIKE {
        true => format!("a call takes {} ms, as under light load", number(ms)),
        false => format!("a call takes {} ms, {} times as long as under light load", number(ms), number(grows)),
    })
}

/// `ceiling 100 ÷ 252 ms (a request alone) = 397/s, measured 394/s with 500 users, …`; or for how long each is
/// held, where that is another time than a whole request takes.
fn ceiling(case: &Case, size: f64) -> Vec<String> {
    let (alone_ms, measured) = (case.view.light.response_ms, case.view.full.throughput_per_s);
    if alone_ms <= 0.0 || measured <= 0.0 {
        return vec![queue::growth(case)];
    }
    let ceiling = size / alone_ms * 1e3;
    let size_in_words = number(size);
    if REACHED.contains(&(measured / ceiling)) {
        return vec![format!(
            "ceiling {size_in_words} ÷ {} ms (a request alone) = {}/s, measured {}",
            number(alone_ms),
            number(ceiling),
            queue::measured(case)
        )];
    }
    let held = number(size / measured * 1e3);
    vec![format!("a request holds one for {held} ms ({size_in_words} ÷ {}/s)", number(measured)), queue::growth(case)]
}
