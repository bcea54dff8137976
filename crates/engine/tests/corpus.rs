//! The files of `tests/corpus/`, put through what `fuzz/` puts made-up bytes through.

mod files;
mod harness;

use harness::{
    http1::{Reading, Rest},
    random::Cuts,
};

/// Every file of a directory of the corpus: its name and its bytes.
fn files(directory: &str) -> Vec<(String, Vec<u8>)> {
    files::files(env!("CARGO_MANIFEST_DIR"), directory)
}

/// Expected result of a file, by the word that its name begins with.
fn assert_as_named(name: &str, reading: &Reading) {
    let expected = match name.split('-').next() {
        Some("valid") => {
            !reading.responses.is_empty() && reading.rest == Rest::Incomplete { is_complete_at_end: false }
        }
        Some("close") => reading.rest == Rest::Incomplete { is_complete_at_end: true },
        Some("short") => reading.responses.is_empty() && reading.rest == Rest::Incomplete { is_complete_at_end: false },
        Some("wrong") => matches!(reading.rest, Rest::Wrong(_)),
        Some("found") => true,
        _ => panic!(
            "{name}: the names of the corpus begin with valid-, close-, short-, wrong- or found-: see its README"
        ),
    };
    assert!(expected, "{name}: {reading:?}");
}

#[test]
fn responses_of_the_corpus_are_read_as_their_names_say() {
    let files = files("http1");
    assert!(files.len() >= 40, "{} files", files.len());
    for (name, data) in files {
        assert_as_named(&name, &harness::http1::responses(&data, Cuts::All));
    }
}

#[test]
fn chunked_bodies_of_the_corpus_are_read_as_their_names_say() {
    let files = files("chunked");
    assert!(files.len() >= 10, "{} files", files.len());
    for (name, data) in files {
        assert_as_named(&name, &harness::http1::chunked(&data, Cuts::All));
    }
}

/// Reads every file of a directory, whose names begin with one of `words`; `holds` says whether a word is true of it.
fn assert_each(directory: &str, words: &[&str], holds: impl Fn(&str, &[u8]) -> bool) {
    let files = files(directory);
    assert!(files.len() >= 10, "{} files", files.len());
    for (name, data) in files {
        let word = name.split('-').next().unwrap_or_default();
        assert!(words.contains(&word) || word == "found", "{name}: expected a name that begins with one of {words:?}");
        let is_true = holds(word, &data);
        assert!(is_true || word == "found", "{directory}/{name}");
    }
}

#[test]
fn header_blocks_of_the_corpus_are_read_as_their_names_say() {
    assert_each("hpack", &["valid", "wrong"], |word, data| harness::hpack::block(data).is_some() == (word == "valid"));
}

#[test]
fn frames_of_the_corpus_are_read_as_their_names_say() {
    assert_each("http2", &["answered", "short", "wrong"], |word, data| {
        let reading = harness::http2::frames(data, Cuts::All);
        match word {
            "answered" => reading.completed() == 3 && reading.error.is_none(),
            "short" => reading.completed() < 3 && reading.error.is_none(),
            _ => reading.error.is_some(),
        }
    });
}

#[test]
fn loads_of_the_corpus_end_as_their_names_say() {
    let holds = |word: &str, succeeded| (succeeded > 0) == (word == "answered");
    let words = ["answered", "failed"];
    assert_each("load_http1", &words, |word, data| holds(word, harness::load::http1(data).succeeded));
    assert_each("load_http2", &words, |word, data| holds(word, harness::load::http2(data).succeeded));
}

#[test]
fn texts_with_gaps_of_the_corpus_are_read_as_their_names_say() {
    files::assert_as_named(env!("CARGO_MANIFEST_DIR"), "template", harness::template::script);
}
