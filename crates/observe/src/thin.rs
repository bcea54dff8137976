//! Keeps of many samples those that say something: of a row of equal ones the first and the last.

use std::collections::BTreeMap;

use plimsoll_record::Sample;

/// Thins the samples of any number of metrics. Samples that it leaves out lie on the line between those that it keeps.
#[derive(Debug, Default)]
pub struct Thin(BTreeMap<String, Row>);

/// Equal samples in a row.
#[derive(Debug)]
struct Row {
    value: f64,
    /// The last of them, unless it is the first, which has been kept.
    last: Option<Sample>,
}

impl Thin {
    /// Takes the next sample of its metric; adds to `kept` what is to be kept now.
    pub fn take(&mut self, sample: Sample, kept: &mut Vec<Sample>) {
        let row = match self.0.get_mut(&sample.metric) {
            Some(row) if row.value == sample.value => return row.last = Some(sample),
            Some(row) => row,
            None => self.0.entry(sample.metric.clone()).or_insert(Row { value: sample.value, last: None }),
        };
        kept.extend(row.last.take());
        row.value = sample.value;
        kept.push(sample);
    }

    /// The last sample of each metric, unless it has been kept.
    pub fn finish(&mut self) -> Vec<Sample> {
        self.0.values_mut().filter_map(|row| row.last.take()).collect()
    }
}

#[cfg(test)]
mod tests {
    use plimsoll_record::Nanos;
    use proptest::prelude::*;

    use super::*;

    fn kept_of(values: &[u8]) -> Vec<(u64, u8)> {
        let mut thin = Thin::default();
        let mut kept = Vec::new();
        for (at, value) in (0..).zip(values) {
            let sample = Sample { at: Nanos(at), metric: "m".to_owned(), value: f64::from(*value) };
            thin.take(sample, &mut kept);
        }
        kept.extend(thin.finish());
        kept.into_iter().map(|sample| (sample.at.0, sample.value as u8)).collect()
    }

    #[test]
    fn the_first_and_the_last_of_equal_samples_are_kept() {
        assert_eq!(kept_of(&[0, 0, 0, 0, 7, 7, 3, 3, 3]), [(0, 0), (3, 0), (4, 7), (5, 7), (6, 3), (8, 3)]);
        assert_eq!(kept_of(&[5]), [(0, 5)]);
        assert_eq!(kept_of(&[]), []);
    }

    proptest! {
        #[test]
        fn every_sample_can_be_had_back(values in prop::collection::vec(0..3_u8, 1..60)) {
            let kept = kept_of(&values);
            prop_assert!(kept.is_sorted_by(|a, b| a.0 < b.0));
            for (at, value) in (0..).zip(&values) {
                let before = kept.iter().rfind(|it| it.0 <= at).unwrap();
                let after = kept.iter().find(|it| it.0 >= at).unwrap();
                prop_assert_eq!((before.1, after.1), (*value, *value));
            }
        }
    }
}
