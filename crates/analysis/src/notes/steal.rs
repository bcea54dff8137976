//! The hypervisor gave time of this machine to others.

use plimsoll_record::metric::STEAL_PERCENT;

use super::warning;
use crate::{
    measured::Measured,
    results::{Note, Results},
};

/// Of one core.
const LEAST_PERCENT: f64 = 5.0;
/// A single hiccup says little about a run; one sample in twenty does.
const LEAST_SHARE: f64 = 0.05;

pub(super) fn find(measured: &Measured, _: &Results) -> Vec<Note> {
    let samples = measured.data.runs.iter().flat_map(|it| &it.samples);
    let steal: Vec<f64> = samples.filter(|it| it.metric == STEAL_PERCENT.name).map(|it| it.value).collect();
    let stolen = steal.iter().filter(|&&value| value > LEAST_PERCENT).count();
    let most = steal.iter().copied().fold(0.0, f64::max);
    let note = || {
        warning(format!(
            "Steal time was above {LEAST_PERCENT:.0} % of one core in {stolen} of {} samples, at most {most:.0} %: \
             the hypervisor gave this \
             machine's cores to others. Repeat on a machine of your own, or with more rounds.",
            steal.len()
        ))
    };
    (stolen as f64 > steal.len() as f64 * LEAST_SHARE).then(note).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{analyse, testing::greetings};

    #[test]
    fn a_hiccup_is_no_finding() {
        let mut data = greetings();
        let results = analyse(&data);
        let set = |value: f64, every: usize, data: &mut plimsoll_record::ExecutionData| {
            let samples = data.runs.iter_mut().flat_map(|it| &mut it.samples);
            samples.filter(|it| it.metric == STEAL_PERCENT.name).step_by(every).for_each(|it| it.value = value);
        };
        set(30.0, 50, &mut data);
        assert!(find(&Measured::of(&data), &results).is_empty());
        set(30.0, 10, &mut data);
        assert!(find(&Measured::of(&data), &results)[0].text.contains("at most 30 %"));
    }
}
