//! Standstills of this side: meanwhile it hears nobody, and that is no sign that the others are silent.

use plimsoll_record::Nanos;

/// Looks are less than this apart, unless this side stands still: it is stopped, or gets no processor.
const BETWEEN_LOOKS: Nanos = Nanos::from_secs(1);

/// When this side looked last at what has become due.
#[derive(Debug, Default)]
pub struct Attention {
    looked: Option<Nanos>,
}

impl Attention {
    /// Looks at `now`. Returns for how long this side had stood still before.
    pub fn look(&mut self, now: Nanos) -> Nanos {
        let since = self.looked.replace(now).map_or(Nanos::ZERO, |last| now - last);
        if since > BETWEEN_LOOKS { since } else { Nanos::ZERO }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_longer_than_usual_is_a_standstill() {
        let mut attention = Attention::default();
        let looks = [0, 500, 1_500, 1_520, 9_520, 9_540].map(Nanos::from_millis);
        let still = looks.map(|now| attention.look(now));
        assert_eq!(still.map(|it| it.0 / 1_000_000), [0, 0, 0, 0, 8_000, 0]);
    }
}
