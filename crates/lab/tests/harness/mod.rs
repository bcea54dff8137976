//! Rules that hold whatever an experiment file says: called by `fuzz/` with what a fuzzer makes up, and by `./test`
//! with the files of `tests/corpus/`.

use std::path::Path;

use plimsoll_lab::file;

/// Whether the text is an experiment. If not, each error has a message, and its place is in the text.
pub fn experiment_file(data: &[u8]) -> bool {
    let text = String::from_utf8_lossy(data);
    match file::parse(&text, Path::new("fuzz.yaml"), None, 7) {
        Ok(file) => {
            assert!(!file.experiment.plan.variants.is_empty(), "an experiment without a variant");
            true
        }
        Err(errors) => {
            assert!(!errors.errors.is_empty() && !errors.to_string().is_empty());
            let lines = text.split(['\n', '\r']).count() as u32;
            for error in &errors.errors {
                assert!(!error.message.is_empty());
                assert!(error.place.as_ref().is_none_or(|place| place.line <= lines + 1), "{error:?}");
            }
            false
        }
    }
}
