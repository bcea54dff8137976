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

/// Ways to cut data into pieces that are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cuts {
    /// Each one whose work is bearable.
    All,
    /// One that depends on the data, and is cheap: a fuzzer has ten million inputs, and time for one each.
    #[allow(dead_code, reason = "the fuzzer's alone")]
    Drawn,
}

impl Cuts {
    /// The greatest lengths of pieces, of which some are chosen.
    const LONGEST: [usize; 5] = [1, 7, 100, 1_000, 20_000];
    /// Bytes that are read again and again as they come in pieces, in all: [`Cuts::All`] has more time.
    const WORK_BYTES_MAX: usize = 100_000;

    /// The greatest lengths of pieces that `data` is cut into. What came before may be read anew with each piece.
    pub fn of(self, data: &[u8], random: &mut Random) -> Vec<usize> {
        let is_cheap = |longest: &usize| data.len() * data.len() / longest <= Self::WORK_BYTES_MAX;
        let is_bearable = |longest: &usize| data.len() <= 1_000 * longest;
        match self {
            Self::All => Self::LONGEST.into_iter().filter(is_bearable).collect(),
            Self::Drawn => {
                let cheap: Vec<usize> = Self::LONGEST.into_iter().filter(is_cheap).collect();
                if cheap.is_empty() { cheap } else { vec![cheap[random.up_to(cheap.len()) - 1]] }
            }
        }
    }
}
