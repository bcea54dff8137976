//! Overflows of accept queues, by whose they are: the kernel counts per network namespace, in which other processes may
//! listen, too.

use plimsoll_record::metric::tcp::{ACCEPT_QUEUE, ACCEPT_QUEUE_DROPS, ACCEPT_QUEUE_MAX, LISTEN_OVERFLOWS};

use super::Watched;

/// Overflows of accept queues in the network namespace of a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Overflows {
    /// The target's own.
    pub own: f64,
    /// Other sockets'.
    pub others: f64,
    /// Whether the target's own sockets told their drops. If not, all overflows are taken for the target's if its queue
    /// was seen full or SYNs to it had to be sent again, and for others' otherwise.
    pub is_told: bool,
}

/// `is_late` says whether a connect to the target took as long as a SYN that is sent again. None without the kernel's
/// count.
pub(crate) fn overflows(watched: &Watched, is_late: bool) -> Option<Overflows> {
    let all = watched.growth(LISTEN_OVERFLOWS.name)?;
    let refused = watched.growth(ACCEPT_QUEUE_DROPS.name);
    let own = match refused {
        Some(refused) => refused.min(all),
        None if is_late || was_full(watched) => all,
        None => 0.0,
    };
    Some(Overflows { own, others: all - own, is_told: refused.is_some() })
}

fn was_full(watched: &Watched) -> bool {
    let peak = |metric: &str| watched.peak(metric).filter(|&peak| peak > 0.0);
    peak(ACCEPT_QUEUE.name).zip(peak(ACCEPT_QUEUE_MAX.name)).is_some_and(|(waiting, most)| waiting >= most)
}

#[cfg(test)]
mod tests {
    use plimsoll_record::Nanos;

    use super::*;
    use crate::{measured::Span, testing::samples};

    fn found(metrics: &[(&str, f64)], is_late: bool) -> Option<Overflows> {
        let of = |&(metric, value): &(&str, f64)| samples(metric, &[(0, 0.0), (500, value)]);
        let all: Vec<_> = metrics.iter().flat_map(of).collect();
        overflows(&Watched::of(&all, Span { start: Nanos::ZERO, end: Nanos::from_secs(1), next: None }), is_late)
    }

    #[test]
    fn the_targets_own_sockets_have_the_word() {
        let of = |refused| found(&[("listen_overflows", 214.0), ("accept_queue_drops", refused)], true);
        assert_eq!(of(0.0), Some(Overflows { own: 0.0, others: 214.0, is_told: true }));
        assert_eq!(of(14.0), Some(Overflows { own: 14.0, others: 200.0, is_told: true }));
        assert_eq!(of(300.0), Some(Overflows { own: 214.0, others: 0.0, is_told: true }), "some for another reason");
        assert_eq!(found(&[("accept_queue_drops", 3.0)], true), None);
    }

    #[test]
    fn where_they_say_nothing_signs_count() {
        let own = |metrics: &[(&str, f64)], is_late| found(metrics, is_late).map(|it| (it.own, it.others));
        let counted = ("listen_overflows", 214.0);
        assert_eq!(own(&[counted], true), Some((214.0, 0.0)));
        assert_eq!(own(&[counted], false), Some((0.0, 214.0)));
        let queue = |waiting| [counted, ("accept_queue", waiting), ("accept_queue_max", 100.0)];
        assert_eq!(own(&queue(100.0), false), Some((214.0, 0.0)));
        assert_eq!(own(&queue(99.0), false), Some((0.0, 214.0)));
    }
}
