//! A request makes many calls, one after the other.

use super::{
    super::{Limit, Verdict, case::Case},
    queue, silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit { id: "n-plus-one", look, cleared: silent };

/// Calls of a request, from which on their number is what matters.
const CALLS: f64 = 5.0;
/// Of the response time of one request at a time, that they take together.
const SHARE: f64 = 0.5;

fn look(case: &Case) -> Option<Verdict> {
    let upstream = case.upstream().filter(|it| it.calls >= CALLS)?;
    let light_ms = upstream.light_ms? * upstream.calls;
    (light_ms >= SHARE * case.view.light.response_ms).then(|| Verdict {
        says: format!("calls to {}, one after the other", upstream.peer.name()),
        evidence: vec![
            format!(
                "{} calls for each request, {} ms each, together {} of {} ms",
                number(upstream.calls),
                number(upstream.light_ms.unwrap_or(0.0)),
                number(light_ms.min(case.view.light.response_ms)),
                number(case.view.light.response_ms)
            ),
            queue::growth(case),
        ],
        change: "Ask for all at once (a batch, a join, an entity graph), or side by side.".to_owned(),
    })
}
