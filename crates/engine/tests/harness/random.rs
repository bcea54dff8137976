//! Lengths that depend on the data alone, so that what fails once fails again.

/// Numbers by Vigna's splitmix64.
pub struct Random(u64);

impl Random {
    /// Seeded with the data's FNV-1a hash.
    pub fn of(data: &[u8]) -> Self {
        let hash = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Self(data.iter().fold(0xcbf2_9ce4_8422_2325, hash))
    }

    /// From 1 to `most`.
    pub fn up_to(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        1 + ((mixed ^ (mixed >> 31)) % most as u64) as usize
    }
}
