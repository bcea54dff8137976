//! Claims of experiments.
#![no_main]

use plimsoll_fuzz as _;

#[allow(dead_code, reason = "each target calls a part of it")]
#[path = "../../crates/analysis/tests/harness/mod.rs"]
mod harness;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    harness::claim(data);
});
