//! The instant from which on no request of a level succeeded, though the load went on.

use plimsoll_record::{ErrorKind, Interval, Nanos};

/// Fewer failures are no silence: a single hiccup may have hit the last requests of a load.
const FAILED_LEAST: u64 = 10;

/// The rest of a level after its last success: everything failed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Silence {
    /// Time from the first request intended to the silence, in whole intervals.
    pub after: Nanos,
    /// Requests that succeeded before it.
    pub succeeded: u64,
    /// Requests that failed since.
    pub failed: u64,
    /// The most frequent error among those.
    pub kind: ErrorKind,
}

impl Silence {
    /// The silence of a level; none if requests succeeded up to the end, or never.
    pub(crate) fn of<'a>(intervals: impl Iterator<Item = &'a Interval> + Clone) -> Option<Self> {
        let start = intervals.clone().map(|it| it.start).min()?;
        let succeeding = intervals.clone().filter(|it| it.counts.succeeded > 0);
        let last = succeeding.clone().map(|it| it.start + it.duration).max()?;
        let mut since = Interval::default();
        intervals.filter(|it| it.start >= last).for_each(|it| since.merge(it));
        let kind = *since.errors.iter().max_by_key(|(_, error)| error.count)?.0;
        (since.counts.failed >= FAILED_LEAST).then(|| Self {
            after: last - start,
            succeeded: succeeding.map(|it| it.counts.succeeded).sum(),
            failed: since.counts.failed,
            kind,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Request, burst, level};

    #[test]
    fn success_to_the_end_or_never_is_no_silence() {
        let ms = Nanos::from_millis;
        let of = |succeed: &[u64], fail: &[u64]| {
            let succeed = succeed.iter().map(|&at| Request::ok(ms(at), ms(at + 1)));
            let fail = fail.iter().map(|&at| Request::failed(ms(at), ms(at + 1), ErrorKind::Refused));
            Silence::of(level(&burst(1), ms(0), &succeed.chain(fail).collect::<Vec<_>>()).intervals.iter())
        };
        let later: Vec<u64> = (0..20).map(|k| 3_000 + k * 100).collect();
        let found = of(&[100, 2_100], &later).unwrap();
        assert_eq!((found.after, found.succeeded, found.failed, found.kind), (ms(3_000), 2, 20, ErrorKind::Refused));
        assert_eq!(of(&[100, 4_990], &later), None);
        assert_eq!(of(&[], &later), None);
        assert_eq!(of(&[100], &later[..9]), None);
    }
}
