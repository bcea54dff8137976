//! Reasons why this parser and llhttp differ: each is one line of the table, with the rule of HTTP that allows it.

use super::events::Event;

/// Bytes, and the first events in which the parsers differ.
pub struct Case<'a> {
    pub data: &'a [u8],
    pub ours: &'a Event,
    pub theirs: &'a Event,
}

/// A kind of difference.
pub struct Class {
    pub name: &'static str,
    /// Why it is right, or allowed, to differ.
    pub reason: &'static str,
    pub has: fn(&Case<'_>) -> bool,
}

/// Every kind of difference; the first that has a case explains it.
pub const CLASSES: &[Class] = &[];
