//! The files of `tests/corpus/`, put through what `fuzz/` puts made-up bytes through.

#[path = "../../engine/tests/files/mod.rs"]
mod files;
mod harness;

fn assert_as_named(directory: &str, accepts: impl Fn(&[u8]) -> bool) {
    files::assert_as_named(env!("CARGO_MANIFEST_DIR"), directory, accepts);
}

#[test]
fn curl_commands_of_the_corpus_are_read_as_their_names_say() {
    assert_as_named("curl", harness::curl);
}

#[test]
fn http_files_of_the_corpus_are_read_as_their_names_say() {
    assert_as_named("http", harness::http);
}

#[test]
fn recordings_of_the_corpus_are_read_as_their_names_say() {
    assert_as_named("har", harness::har);
}

#[test]
fn openapi_documents_of_the_corpus_are_read_as_their_names_say() {
    assert_as_named("openapi", harness::openapi);
}
