//! Numbers, lists and suggestions as people read them: every output takes them from here, so that no two differ.
//!
//! A crate of its own, below all others: errors of experiment files, claims, reports and the live line need it, and
//! most of them must not depend on more than each other's types.

pub mod columns;
mod list;
pub mod multipart;
mod names;
pub mod number;
mod printable;
mod token;

pub use list::{and_more, counted, joined, plural};
pub use names::{did_you_mean, nearest_first, one_of_but_found, quoted};
pub use number::count;
pub use printable::{is_obeyed, printable, printable_line};
pub use token::{is_of_token, is_token};
