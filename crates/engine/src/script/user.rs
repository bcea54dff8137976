//! State of a virtual user: the values of its variables, its cookies, and the response that it has just got.

use super::{cookies::Jar, response::Kept};

/// A virtual user; in open models, one arrival.
#[derive(Debug, Default)]
pub(crate) struct User {
    /// From 1, in the whole load.
    pub number: u64,
    /// Its iterations before this one.
    pub iteration: u64,
    /// Values by variable.
    pub values: Vec<String>,
    pub cookies: Jar,
    /// The `Cookie` that its request has by itself, beside those that it was given.
    pub own_cookies: Option<String>,
    pub kept: Kept,
    /// Why the variables of its iteration have no values, if they are too long.
    pub overfull: Option<String>,
    /// Why its request cannot be sent.
    pub problem: Option<String>,
}
