//! Values that hold: a metric that does not change is not sampled again, so that its last sample may lie before the
//! window that is shown of a run.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Mutex, PoisonError},
};

use plimsoll_analysis::{RunResults, results::SamplePoint};
use plimsoll_record::{Nanos, Store, StoreError};

/// Values by metric.
pub type Values = BTreeMap<String, f64>;

/// The most runs whose values are kept: the least recently used one gives way to another.
const RUNS_MOST: usize = 16;

/// Values before the window that is shown of live runs. Each look reads only samples since the last one.
#[derive(Default)]
pub struct Held(Mutex<HashMap<(String, i64), Known>>);

#[derive(Clone, Default)]
struct Known {
    values: Values,
    /// The newest sample that was looked at.
    newest: i64,
    /// The number of the last look.
    looked: u64,
}

impl Held {
    /// The value of each metric of a run just before `from`; `key` is that of its execution.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the record cannot be read.
    pub fn before(&self, store: &Store, key: &str, run: i64, from: Nanos) -> Result<Values, StoreError> {
        let mut runs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let look = runs.values().map(|known| known.looked).max().unwrap_or_default() + 1;
        if runs.len() >= RUNS_MOST
            && let Some(oldest) = runs.iter().min_by_key(|(_, known)| known.looked).map(|(run, _)| run.clone())
        {
            runs.remove(&oldest);
        }
        let known = runs.entry((key.to_owned(), run)).or_default();
        known.looked = look;
        for (id, sample) in store.held_before(run, known.newest, from)? {
            known.newest = known.newest.max(id);
            known.values.insert(sample.metric, sample.value);
        }
        Ok(known.values.clone())
    }
}

/// Extends values to both ends of the window that is shown: from those before it, and to its end.
pub fn draw_out(run: &mut RunResults, before: Values, from_s: f64) {
    let ends = run.spans.iter().map(|span| span.end_s).chain(run.load.iter().map(|point| point.at_s));
    let ends = ends.chain(run.samples.values().flatten().map(|sample| sample.at_s));
    let end_s = ends.fold(from_s, f64::max);
    for (metric, value) in before {
        run.samples.entry(metric).or_default().insert(0, SamplePoint { at_s: from_s, value });
    }
    for points in run.samples.values_mut() {
        if let Some(last) = points.last().copied().filter(|last| last.at_s < end_s) {
            points.push(SamplePoint { at_s: end_s, ..last });
        }
    }
}

#[cfg(test)]
mod tests {
    use plimsoll_analysis::{
        testing::{burst, plan, run, variant},
        time_line,
    };
    use plimsoll_record::{Environment, Plan, Sample};

    use super::*;

    fn sample(at_s: u64, metric: &str, value: f64) -> Sample {
        Sample { at: Nanos::from_secs(at_s), metric: metric.to_owned(), value }
    }

    #[test]
    fn a_value_that_does_not_change_is_drawn_over_all_that_is_shown() {
        let mut data = run(0, 0, Nanos::ZERO, Vec::new());
        data.samples = vec![sample(100, "threads", 7.0), sample(110, "rss_bytes", 1.0)];
        let mut results = time_line(&plan(vec![variant("a")], vec![burst(1)], 1), &data);
        let before = Values::from([("inbound_established".to_owned(), 3.0), ("threads".to_owned(), 5.0)]);
        draw_out(&mut results, before, 90.0);
        let of = |metric: &str| results.samples[metric].iter().map(|it| (it.at_s, it.value)).collect::<Vec<_>>();
        assert_eq!(of("inbound_established"), [(90.0, 3.0), (110.0, 3.0)]);
        assert_eq!(of("threads"), [(90.0, 5.0), (100.0, 7.0), (110.0, 7.0)]);
        assert_eq!(of("rss_bytes"), [(110.0, 1.0)]);
    }

    #[test]
    fn each_look_goes_on_where_the_last_one_ended() {
        let directory = tempfile::tempdir().unwrap();
        let mut store = Store::open(&directory.path().join("a.db")).unwrap();
        let execution = store.begin_execution(&Plan::default(), &Environment::default(), "").unwrap();
        let run = store.begin_run(execution, 0, 0, 0).unwrap().id;
        let held = Held::default();
        let before = |store: &Store, at_s| held.before(store, "a", run, Nanos::from_secs(at_s)).unwrap();
        store.add_samples(run, &[sample(1, "a", 1.0), sample(2, "b", 2.0), sample(3, "a", 3.0)]).unwrap();
        assert_eq!(before(&store, 3), Values::from([("a".to_owned(), 1.0), ("b".to_owned(), 2.0)]));
        store.add_samples(run, &[sample(4, "b", 4.0)]).unwrap();
        assert_eq!(before(&store, 9), Values::from([("a".to_owned(), 3.0), ("b".to_owned(), 4.0)]));
        let newest = held.0.lock().unwrap()[&("a".to_owned(), run)].newest;
        assert_eq!(newest, 4, "the next look begins after the fourth sample");
        for other in 0..40 {
            assert_eq!(held.before(&store, "b", other + 100, Nanos::from_secs(9)).unwrap(), Values::new());
        }
        assert!(held.0.lock().unwrap().len() <= RUNS_MOST);
        assert_eq!(before(&store, 9).len(), 2, "read again once it was forgotten");
    }
}
