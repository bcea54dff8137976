//! The order in which variants run.

use rand::{SeedableRng, rngs::Xoshiro256PlusPlus, seq::SliceRandom};

use crate::experiment::Order;

/// The order of `variants` variants for each round, as their indices. The same seed gives the same orders.
pub fn orders(order: Order, variants: usize, rounds: u32, seed: u64) -> Vec<Vec<usize>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let one_round = |_| {
        let mut indices: Vec<usize> = (0..variants).collect();
        if order == Order::Random {
            indices.shuffle(&mut random);
        }
        indices
    };
    (0..rounds).map(one_round).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_round_has_every_variant_once() {
        for round in orders(Order::Random, 12, 20, 42) {
            let mut sorted = round.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..12).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_seed_fixes_the_orders_and_rounds_differ() {
        let seven = orders(Order::Random, 12, 3, 7);
        assert_eq!(seven, orders(Order::Random, 12, 3, 7));
        assert_ne!(seven, orders(Order::Random, 12, 3, 8));
        assert_ne!(seven[0], seven[1]);
    }

    #[test]
    fn the_order_of_the_file_is_kept() {
        assert_eq!(orders(Order::File, 3, 2, 7), [[0, 1, 2], [0, 1, 2]]);
    }

    #[test]
    fn no_variant_comes_first_more_often_than_chance_allows() {
        let rounds = 3_000;
        let first = orders(Order::Random, 3, rounds, 1).iter().filter(|order| order[0] == 0).count();
        // A third of 3,000 ± 5 standard deviations.
        assert!((870..=1_130).contains(&first), "{first}");
    }
}
