//! Rows of data for iterations: which row an iteration takes.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use rand::{RngExt, rngs::Xoshiro256PlusPlus};
use serde::{Deserialize, Serialize};

use super::sent;
use crate::schedule::Segment;

/// Data with the way in which iterations take its rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feeder {
    /// Unique in its script.
    pub name: String,
    /// Shared by all workers.
    #[serde(with = "sent::shared")]
    pub table: Arc<Table>,
    /// Order in which rows are taken.
    pub order: Order,
}

/// Rows of text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// Their names.
    pub columns: Vec<String>,
    /// At least one; each as long as `columns`.
    pub rows: Vec<Vec<String>>,
}

/// Order in which iterations take rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// One after the other, over the whole load: no two iterations take the same before all are taken, then from the
    /// beginning. Parts of a load take rows in turn, so that one that takes more than the others begins again sooner.
    #[default]
    Sequential,
    /// Any, each as likely; seeded.
    Random,
    /// Each virtual user has a row of its own, always the same.
    Unique,
}

/// Rows that the workers of a part of a load have taken, by feeder.
#[derive(Debug)]
pub(super) struct Turns {
    pub part: Segment,
    pub taken: Vec<AtomicU64>,
}

impl Turns {
    /// How often a row of the feeder was taken before.
    pub fn next(&self, feeder: usize) -> u64 {
        self.taken[feeder].fetch_add(1, Relaxed)
    }
}

impl Feeder {
    /// The index of the row for the `taken`-th time (from 0) that `segment` takes one, for its virtual user of this
    /// number (from 0, in the whole load).
    pub(crate) fn row(&self, taken: u64, segment: Segment, vu: u64, rng: &mut Xoshiro256PlusPlus) -> usize {
        let rows = self.table.rows.len() as u64;
        let row = match self.order {
            Order::Sequential => taken * u64::from(segment.count) + u64::from(segment.index),
            Order::Random => rng.random_range(0..rows),
            Order::Unique => vu,
        };
        (row % rows) as usize
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::SeedableRng;

    use super::*;

    fn feeder(rows: usize, order: Order) -> Feeder {
        let rows = (0..rows).map(|row| vec![row.to_string()]).collect();
        let table = Table { columns: vec!["a".to_owned()], rows };
        Feeder { name: "f".to_owned(), table: Arc::new(table), order }
    }

    proptest! {
        #[test]
        fn segments_take_disjoint_rows_and_together_all(segments in 1_u32..9, each in 1_u64..50) {
            let feeder = feeder((each * u64::from(segments)) as usize, Order::Sequential);
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
            let mut taken: Vec<usize> = (0..segments)
                .flat_map(|index| (0..each).map(move |k| (index, k)))
                .map(|(index, k)| feeder.row(k, Segment { index, count: segments }, 0, &mut rng))
                .collect();
            taken.sort_unstable();
            prop_assert!(taken.into_iter().eq(0..feeder.table.rows.len()));
        }

        #[test]
        fn every_row_is_one_that_there_is(rows in 1_usize..20, taken: u32, vu: u32, seed: u64) {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            for order in [Order::Sequential, Order::Random, Order::Unique] {
                let segment = Segment { index: 2, count: 5 };
                prop_assert!(feeder(rows, order).row(u64::from(taken), segment, u64::from(vu), &mut rng) < rows);
            }
        }
    }

    #[test]
    fn random_rows_are_all_taken() {
        let feeder = feeder(10, Order::Random);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut counts = [0; 10];
        (0..10_000).for_each(|taken| counts[feeder.row(taken, Segment::WHOLE, 0, &mut rng)] += 1);
        assert!(counts.iter().all(|count| (850..1_150).contains(count)), "{counts:?}");
    }
}
