//! Reports of made-up results: every text format against its golden file, and what holds for all of them.

mod comparisons;
mod digest;
mod formats;
mod golden;
mod packagings;
mod poisoned;
mod sample;
mod searches;
