//! Looking at the claims after each round, and stopping once all are decided.
//!
//! Looking often finds something in the end: with 5 % at each look, an experiment of at most 20 rounds with nothing to
//! find "decides" in 23 % of cases. So each look has the same, smaller error, such that all looks together err in 5 %
//! (Pocock, Biometrika 64, 1977). That holds for any decision at any look, hence also if a run is interrupted, or
//! rounds are missing.

/// The fewest rounds before the first look.
pub const FEWEST: u32 = super::LEAST_ROUNDS as u32;

/// The most rounds that can be looked at.
pub const MOST: u32 = 30;

/// How often an interval may err at each look, if the first one is after `at_least` rounds and the last one after
/// `at_most`. The numbers are brought within the bounds.
pub fn error_per_look(at_least: u32, at_most: u32) -> f64 {
    let at_most = at_most.clamp(FEWEST, MOST);
    let at_least = at_least.clamp(FEWEST, at_most);
    f64::from(PER_LOOK[(at_least - FEWEST) as usize][(at_most - at_least) as usize]) * 1e-5
}

/// Errors per look in 1/100,000: rows by the first look, from 3 rounds on; columns by the last, from the first on. Made
/// from 2,000,000 experiments by `benches/intervals --looks`, rounded down; t does not depend on the spread.
#[rustfmt::skip]
const PER_LOOK: &[&[u16]] = &[
    &[
        5_000, 3_035, 2_282, 1_868, 1_608, 1_431, 1_301, 1_152, 1_074, 1_011, 958, 911, 870, 835, 804, 777, 753,
        726, 707, 690, 674, 659, 645, 632, 620, 608, 598, 587
    ],
    &[
        5_000, 3_254, 2_501, 2_076, 1_798, 1_602, 1_388, 1_281, 1_193, 1_118, 1_056, 1_006, 960, 920, 885, 856, 822,
        798, 777, 757, 739, 721, 705, 691, 677, 664, 650
    ],
    &[
        5_000, 3_411, 2_679, 2_252, 1_959, 1_656, 1_507, 1_390, 1_293, 1_213, 1_146, 1_087, 1_037, 995, 958, 916,
        886, 862, 838, 815, 795, 776, 760, 743, 727, 711
    ],
    &[
        5_000, 3_544, 2_827, 2_395, 1_959, 1_760, 1_607, 1_477, 1_375, 1_292, 1_220, 1_160, 1_107, 1_061, 1_011,
        977, 947, 918, 891, 867, 846, 826, 807, 790, 770
    ],
    &[
        5_000, 3_641, 2_946, 2_311, 2_041, 1_843, 1_680, 1_552, 1_443, 1_357, 1_285, 1_221, 1_167, 1_107, 1_067,
        1_030, 997, 967, 939, 914, 891, 870, 849, 827
    ],
    &[
        5_000, 3_704, 2_724, 2_361, 2_098, 1_895, 1_733, 1_604, 1_499, 1_409, 1_336, 1_273, 1_203, 1_156, 1_113,
        1_074, 1_039, 1_008, 981, 954, 928, 906, 881
    ],
    &[
        5_000, 3_313, 2_765, 2_402, 2_138, 1_933, 1_772, 1_647, 1_542, 1_453, 1_379, 1_300, 1_247, 1_198, 1_153,
        1_113, 1_077, 1_045, 1_016, 988, 963, 934
    ],
    &[
        5_000, 3_550, 2_919, 2_515, 2_231, 2_016, 1_852, 1_718, 1_610, 1_520, 1_421, 1_360, 1_302, 1_250, 1_205,
        1_162, 1_125, 1_091, 1_059, 1_030, 999
    ],
    &[
        5_000, 3_649, 3_024, 2_621, 2_330, 2_117, 1_945, 1_811, 1_698, 1_579, 1_501, 1_431, 1_369, 1_316, 1_268,
        1_225, 1_185, 1_149, 1_116, 1_080
    ],
    &[
        5_000, 3_709, 3_105, 2_708, 2_418, 2_202, 2_035, 1_895, 1_747, 1_655, 1_572, 1_498, 1_434, 1_378, 1_328,
        1_282, 1_241, 1_203, 1_161
    ],
    &[
        5_000, 3_762, 3_176, 2_785, 2_499, 2_280, 2_112, 1_930, 1_817, 1_719, 1_634, 1_560, 1_493, 1_434, 1_383,
        1_335, 1_293, 1_246
    ],
    &[
        5_000, 3_815, 3_239, 2_854, 2_570, 2_351, 2_127, 1_993, 1_877, 1_776, 1_691, 1_614, 1_547, 1_485, 1_430,
        1_383, 1_331
    ],
    &[5_000, 3_866, 3_303, 2_920, 2_638, 2_353, 2_193, 2_057, 1_937, 1_833, 1_745, 1_667, 1_598, 1_534, 1_480, 1_419],
    &[5_000, 3_914, 3_356, 2_975, 2_606, 2_404, 2_241, 2_103, 1_982, 1_879, 1_788, 1_709, 1_639, 1_577, 1_509],
    &[5_000, 3_959, 3_406, 2_908, 2_652, 2_452, 2_283, 2_143, 2_024, 1_919, 1_826, 1_745, 1_678, 1_602],
    &[5_000, 3_994, 3_283, 2_949, 2_687, 2_488, 2_314, 2_178, 2_055, 1_954, 1_861, 1_782, 1_696],
    &[5_000, 3_811, 3_323, 2_990, 2_728, 2_520, 2_353, 2_210, 2_091, 1_988, 1_897, 1_800],
    &[5_000, 3_959, 3_438, 3_077, 2_802, 2_589, 2_410, 2_267, 2_144, 2_039, 1_930],
    &[5_000, 3_995, 3_477, 3_120, 2_854, 2_631, 2_459, 2_314, 2_190, 2_062],
    &[5_000, 4_028, 3_516, 3_158, 2_887, 2_674, 2_498, 2_353, 2_206],
    &[5_000, 4_060, 3_551, 3_194, 2_927, 2_712, 2_540, 2_360],
    &[5_000, 4_080, 3_578, 3_232, 2_965, 2_753, 2_541],
    &[5_000, 4_100, 3_608, 3_260, 3_000, 2_740],
    &[5_000, 4_112, 3_636, 3_295, 2_974],
    &[5_000, 4_135, 3_669, 3_246],
    &[5_000, 4_162, 3_585],
    &[5_000, 4_048],
    &[5_000],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_look_may_err_as_often_as_all() {
        assert!((FEWEST..=MOST).all(|rounds| error_per_look(rounds, rounds) == 0.05));
        assert_eq!(error_per_look(1, 2), 0.05);
        assert_eq!(error_per_look(3, 1_000), error_per_look(3, MOST));
    }

    #[test]
    fn more_looks_leave_less_for_each() {
        for at_least in FEWEST..=MOST {
            assert_eq!(PER_LOOK[(at_least - FEWEST) as usize].len() as u32, MOST - at_least + 1);
            let row: Vec<f64> = (at_least..=MOST).map(|at_most| error_per_look(at_least, at_most)).collect();
            assert!(row.is_sorted_by(|a, b| a > b), "{row:?}");
        }
    }
}
