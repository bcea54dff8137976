//! Responses of an HTTP/1.1 server, in the pieces that a network may cut them into.
#![no_main]

use plimsoll_fuzz as _;

#[allow(dead_code, reason = "each target calls a part of it")]
#[path = "../../crates/engine/tests/harness/mod.rs"]
mod harness;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    harness::http1::responses(data, harness::random::Cuts::Drawn);
});
