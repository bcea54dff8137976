//! Rules that hold whatever has happened to a record: called by `fuzz/` with what a fuzzer makes up, and by `./test`
//! with the files of `tests/corpus/`.

pub mod file;
pub mod values;
