//! A whole load over HTTP/1.1 against a server that does what the data says.
#![no_main]

use plimsoll_fuzz as _;

#[allow(dead_code, reason = "each target calls a part of it")]
#[path = "../../crates/engine/tests/harness/mod.rs"]
mod harness;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    harness::load::http1(data);
});
