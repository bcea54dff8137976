//! The corpora of the crates: `tests/corpus/` of each.

use std::{fs, path::Path};

/// Every file of a directory of the corpus of the crate with this manifest: its name and its bytes.
pub fn files(manifest_directory: &str, directory: &str) -> Vec<(String, Vec<u8>)> {
    let path = Path::new(manifest_directory).join("tests/corpus").join(directory);
    let entries = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries
        .filter(|path| path.extension().is_none_or(|extension| extension != "md"))
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

/// Reads every file of a directory with `accepts`: those that begin with `valid-` are accepted, those that begin with
/// `wrong-` are not, and those that begin with `found-` may be either.
///
/// # Panics
///
/// If a file is read otherwise, or there are none.
#[allow(dead_code, reason = "the corpus of responses has more words")]
pub fn assert_as_named(manifest_directory: &str, directory: &str, accepts: impl Fn(&[u8]) -> bool) {
    let files = files(manifest_directory, directory);
    assert!(files.len() >= 3, "{directory}: {} files", files.len());
    for (name, data) in files {
        let expected = match name.split('-').next() {
            Some("valid") => Some(true),
            Some("wrong") => Some(false),
            Some("found") => None,
            _ => panic!("{directory}/{name}: names of the corpus begin with valid-, wrong- or found-"),
        };
        let is_accepted = accepts(&data);
        assert!(expected.is_none_or(|expected| expected == is_accepted), "{directory}/{name}: accepted: {is_accepted}");
    }
}
