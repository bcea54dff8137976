//! High percentiles, and whether enough was seen to know them.

/// Responses beyond a percentile that it takes to know it: with one, it is simply the greatest of all.
const BEYOND_LEAST: u64 = 10;

/// A high percentile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tail {
    /// The name in claims, e.g. `p999`.
    pub name: &'static str,
    /// The name in sentences, e.g. `p99.9`.
    shown: &'static str,
    /// Responses beyond it, per million.
    beyond_ppm: u64,
}

impl Tail {
    pub(crate) const P90: Self = Self { name: "p90", shown: "p90", beyond_ppm: 100_000 };
    pub(crate) const P95: Self = Self { name: "p95", shown: "p95", beyond_ppm: 50_000 };
    pub(crate) const P99: Self = Self { name: "p99", shown: "p99", beyond_ppm: 10_000 };
    pub(crate) const P999: Self = Self { name: "p999", shown: "p99.9", beyond_ppm: 1_000 };
    pub(crate) const P9999: Self = Self { name: "p9999", shown: "p99.99", beyond_ppm: 100 };
    const ALL: [Self; 5] = [Self::P90, Self::P95, Self::P99, Self::P999, Self::P9999];

    /// The percentile of this name in claims, also of service times; none for another statistic.
    pub(crate) fn named(metric: &str) -> Option<Self> {
        let name = metric.strip_prefix("service_").unwrap_or(metric);
        Self::ALL.into_iter().find(|tail| tail.name == name)
    }

    /// True if it is known from so many responses.
    pub(crate) fn is_known_of(self, responses: u64) -> bool {
        responses.saturating_mul(self.beyond_ppm) / 1_000_000 >= BEYOND_LEAST
    }

    /// Why it is known in none of these rounds, by their numbers of responses.
    pub(crate) fn why_unknown(self, responses: impl Iterator<Item = u64> + Clone) -> String {
        let most = responses.clone().max().unwrap_or_default();
        if most == 0 {
            return "no request succeeded".to_owned();
        }
        let (all, of_round) = if responses.count() > 1 { ("the ", " of a round") } else { ("", "") };
        let most = plimsoll_text::count(most);
        format!("fewer than {BEYOND_LEAST} of {all}{most} responses{of_round} lie beyond {}", self.shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_responses_must_lie_beyond_it() {
        assert_eq!([999, 1_000].map(|responses| Tail::P99.is_known_of(responses)), [false, true]);
        assert_eq!([99, 100].map(|responses| Tail::P90.is_known_of(responses)), [false, true]);
        assert_eq!([99_999, 100_000].map(|responses| Tail::P9999.is_known_of(responses)), [false, true]);
        assert_eq!((Tail::named("service_p99"), Tail::named("mean")), (Some(Tail::P99), None));
    }

    #[test]
    fn the_reason_counts_the_responses() {
        let why = |responses: &[u64]| Tail::P999.why_unknown(responses.iter().copied());
        assert_eq!(why(&[2_400]), "fewer than 10 of 2,400 responses lie beyond p99.9");
        assert_eq!(why(&[240, 250]), "fewer than 10 of the 250 responses of a round lie beyond p99.9");
        assert_eq!(why(&[0]), "no request succeeded");
    }
}
