//! One seed, and who draws from it.

/// The seed of a stream of random numbers of its own for `purpose`. Two that drew from the same seed would draw the
/// same numbers: where a load's gaps and a server's times come from one stream, the long times go with the long gaps,
/// and the queue is shorter than it should be.
pub const fn seed_for(purpose: &str, seed: u64) -> u64 {
    // FNV-1a (<http://www.isthe.com/chongo/tech/comp/fnv/>); what is seeded with it mixes it further.
    let mut hash = 0xcbf2_9ce4_8422_2325 ^ seed;
    let (bytes, mut at) = (purpose.as_bytes(), 0);
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        at += 1;
    }
    hash
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_purpose_and_seed_has_a_stream_of_its_own() {
        let purposes = ["arrivals", "choices", "values", "upstream", "network"];
        let all: HashSet<u64> =
            purposes.iter().flat_map(|purpose| (0..1_000).map(|seed| seed_for(purpose, seed))).collect();
        assert_eq!(all.len(), 5_000);
        assert_eq!(seed_for("arrivals", 7), seed_for("arrivals", 7));
    }
}
