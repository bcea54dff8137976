//! The memory of a fuzzed target is bounded, with and without a sanitizer: an input that makes it need more ends the
//! process, as a panic does.

use std::alloc::System;

use cap::Cap;

/// More than anything that is read here may need, all of it together.
const MEMORY_BYTES_MAX: usize = 64 << 20;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, MEMORY_BYTES_MAX);
