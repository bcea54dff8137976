//! Bodies in the chunked transfer coding.
#![no_main]

use plimsoll_fuzz as _;

#[allow(dead_code, reason = "each target calls a part of it")]
#[path = "../../crates/engine/tests/harness/mod.rs"]
mod harness;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    harness::http1::chunked(data, harness::random::Cuts::Drawn);
});
