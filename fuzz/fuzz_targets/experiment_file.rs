//! Experiment files.
#![no_main]

use plimsoll_fuzz as _;

#[allow(dead_code, reason = "each target calls a part of it")]
#[path = "../../crates/lab/tests/harness/mod.rs"]
mod harness;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    harness::experiment_file(data);
    // Each input is a process of its own, as far as secrets go: all of them together would reach the bound of memory.
    plimsoll_secrets::forget();
});
