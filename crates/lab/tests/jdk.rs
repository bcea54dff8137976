//! The JDK of this machine, for tests that need one.

use plimsoll_lab::jdk::{Places, Toolchain};

/// None, and a word about it, without a JDK.
pub fn toolchain() -> Option<Toolchain> {
    match Toolchain::find(&Places::from_environment()) {
        Ok(toolchain) => return Some(toolchain),
        Err(error) => println!("skipped: {error}"),
    }
    None
}
