//! How long an execution will still take.

use plimsoll_record::Nanos;

/// Until the end of `runs_left` runs, of which the first has been under way for `elapsed`. Runs take as long as those
/// that were done, `took`; before there is one, as long as their load is `planned` to take. None if neither is known.
pub fn remaining(took: &[Nanos], planned: Option<Nanos>, runs_left: u32, elapsed: Nanos) -> Option<Nanos> {
    let mean = (!took.is_empty()).then(|| took.iter().map(|took| took.as_secs_f64()).sum::<f64>() / took.len() as f64);
    let one_run_s = mean.or_else(|| planned.map(Nanos::as_secs_f64))?;
    // The run under way may take longer than the others did, but that does not shorten them.
    let this_run_s = (one_run_s - elapsed.as_secs_f64()).max(0.0);
    let others = f64::from(runs_left.saturating_sub(1));
    Some(Nanos::from_secs_f64(others.mul_add(one_run_s, this_run_s)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Nanos {
        Nanos::from_secs(seconds)
    }

    #[test]
    fn runs_take_as_long_as_those_before() {
        assert_eq!(remaining(&[s(10), s(20)], Some(s(99)), 3, s(5)), Some(s(40)));
        assert_eq!(remaining(&[s(10)], None, 2, s(60)), Some(s(10)), "one that is late does not shorten the next");
    }

    #[test]
    fn the_first_takes_as_long_as_planned() {
        assert_eq!(remaining(&[], Some(s(30)), 2, s(10)), Some(s(50)));
        assert_eq!(remaining(&[], None, 2, s(10)), None);
    }
}
