//! The one place that knows what a secret is. [`hide`] finds passwords and tokens in what users write and leaves them
//! out in place; [`learn`] remembers them for the rest of the process; [`mask`] leaves them out wherever they appear
//! afterwards. Everything that goes into the record, to the terminal or to a monitoring system passes through it.
//!
//! Pure but for the values that a process has learned.

mod forms;
pub mod hide;
mod json;
mod known;
pub mod name;
mod scan;
mod set;
mod value;

pub use hide::Hidden;
#[cfg(any(test, feature = "testing"))]
pub use known::forget;
pub use known::{learn, mask, mask_bytes, mask_json, mask_name};
pub use set::Secrets;

/// Stands in the place of a secret.
pub const MASK: &str = "(masked)";
