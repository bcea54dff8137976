//! The files of `tests/corpus/`, put through what `fuzz/` puts made-up bytes through.

#[path = "../../engine/tests/files/mod.rs"]
mod files;
mod harness;

#[test]
fn records_with_the_edits_of_the_corpus_are_read_as_their_names_say() {
    files::assert_as_named(env!("CARGO_MANIFEST_DIR"), "record_reader", harness::file::record_reader);
}

#[test]
fn values_of_columns_of_the_corpus_are_read_as_their_names_say() {
    files::assert_as_named(env!("CARGO_MANIFEST_DIR"), "record_values", harness::values::record_values);
}
