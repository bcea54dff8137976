//! One seed, and who draws from it.

/// The seed for a stream of random numbers of `purpose` alone. Streams of one seed draw the same numbers: if a load's
/// gaps and a server's times did, long times would go with long gaps, and the queue would be shorter than it should be.
pub fn seed_for(purpose: &str, seed: u64) -> u64 {
    // FNV-1a (<http://www.isthe.com/chongo/tech/comp/fnv/>) of the name and the seed; what is seeded mixes further.
    let seed = seed.to_le_bytes();
    let bytes = purpose.bytes().chain(seed);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_purpose_and_seed_has_a_stream_of_its_own() {
        let purposes = ["arrivals", "choices", "values", "upstream", "network", "", "100", "300", "500"];
        let all: HashSet<u64> =
            purposes.iter().flat_map(|purpose| (0..1_000).map(|seed| seed_for(purpose, seed))).collect();
        assert_eq!(all.len(), purposes.len() * 1_000);
        assert_eq!(seed_for("arrivals", 7), seed_for("arrivals", 7));
    }
}
