//! The hypervisor gave time of this machine to others.

use plimsoll_record::metric::STEAL_PERCENT;
use plimsoll_text::count;

use crate::{
    measured::Measured,
    results::{Finding, Kind, Measure, Results, Weight},
    text::number,
};

pub(super) const KINDS: &[&Kind] = &[&STEAL];

static STEAL: Kind = Kind {
    id: "steal-time",
    title: "steal time",
    weight: Weight::Warning,
    means: "The hypervisor gave this machine's cores to others in more than one sample of twenty.",
    remedy: "Repeat on a machine of your own, or with more rounds.",
    evidence: &[
        Measure { name: "samples_share", unit: "%", about: "of samples with steal time" },
        Measure { name: "steal_max", unit: "%", about: "of one core, the highest sample" },
    ],
};

/// The least steal of a sample that counts, in percent of one core.
const LEAST_PERCENT: f64 = 5.0;
/// The least share of samples with steal: a single one says little about a run.
const LEAST_SHARE: f64 = 0.05;

pub(super) fn find(measured: &Measured, _: &Results) -> Vec<Finding> {
    let samples = measured.data.runs.iter().flat_map(|it| &it.samples);
    let steal: Vec<f64> = samples.filter(|it| it.metric == STEAL_PERCENT.name).map(|it| it.value).collect();
    let stolen = steal.iter().filter(|&&value| value > LEAST_PERCENT).count();
    let share = stolen as f64 / steal.len().max(1) as f64;
    let most = steal.iter().copied().fold(0.0, f64::max);
    let says = || {
        format!(
            "Steal time was above {LEAST_PERCENT} % of one core in {} of {} samples, at most {} %: the hypervisor \
             gave this machine's cores to others.",
            count(stolen as u64),
            count(steal.len() as u64),
            number(most)
        )
    };
    let found = || STEAL.everywhere(says()).with("samples_share", share * 100.0).with("steal_max", most);
    (share > LEAST_SHARE).then(found).into_iter().collect()
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
        assert!(find(&Measured::of(&data), &results)[0].says.contains("at most 30 %"));
    }
}
