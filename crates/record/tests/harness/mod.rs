//! Rules that hold whatever has happened to a record: called by `fuzz/` with what a fuzzer makes up, and by `./test`
//! with the files of `tests/corpus/`.

mod file;
mod values;

pub use file::record_reader;
pub use values::record_values;
