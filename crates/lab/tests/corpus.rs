//! The files of `tests/corpus/`, put through what `fuzz/` puts made-up bytes through.

#[path = "../../engine/tests/files/mod.rs"]
mod files;
mod harness;

#[test]
fn experiment_files_of_the_corpus_are_read_as_their_names_say() {
    files::assert_as_named(env!("CARGO_MANIFEST_DIR"), "experiment_file", harness::experiment_file);
}
