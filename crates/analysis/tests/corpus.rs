//! The files of `tests/corpus/`, put through what `fuzz/` puts made-up bytes through.

#[path = "../../engine/tests/files/mod.rs"]
mod files;
mod harness;

#[test]
fn claims_of_the_corpus_are_read_as_their_names_say() {
    files::assert_as_named(env!("CARGO_MANIFEST_DIR"), "claims", harness::claim);
}

#[test]
fn thresholds_of_the_corpus_are_read_as_their_names_say() {
    files::assert_as_named(env!("CARGO_MANIFEST_DIR"), "thresholds", harness::threshold);
}
