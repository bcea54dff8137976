//! Rules that hold whatever is imported: called by `fuzz/` with what a fuzzer makes up, and by `./test` with the files
//! of `tests/corpus/`. Each says whether the text became requests.

use plimsoll_import::{
    ImportError, Imported, curl as curl_command, har as har_recording,
    http_file::{self, HttpFile},
    openapi::{self as open_api, OpenApi},
};

pub fn curl(data: &[u8]) -> bool {
    let text = String::from_utf8_lossy(data);
    curl_command::outline(&text);
    are_requests(&text, curl_command::import(&text, &files))
}

pub fn http(data: &[u8]) -> bool {
    let text = String::from_utf8_lossy(data);
    let file = HttpFile { name: "fuzz", text: &text, ..HttpFile::default() };
    are_requests(&text, http_file::import(&file, &files))
}

pub fn har(data: &[u8]) -> bool {
    let text = String::from_utf8_lossy(data);
    are_requests(&text, har_recording::import("fuzz", &text, None))
}

/// The operation that is asked for is `op`.
pub fn openapi(data: &[u8]) -> bool {
    let text = String::from_utf8_lossy(data);
    let operations = ["op".to_owned()];
    let document = OpenApi { name: "fuzz", text: &text, operations: &operations, base: Some("http://h/") };
    are_requests(&text, open_api::import(&document, &files))
}

/// Texts name files; there is one.
fn files(path: &str) -> Result<Vec<u8>, String> {
    if path == "a" { Ok(b"content".to_vec()) } else { Err("no such file".to_owned()) }
}

/// There is a request, or the error has a place that is in the text.
fn are_requests(text: &str, result: Result<Imported, ImportError>) -> bool {
    match result {
        Ok(imported) => {
            imported.open_placeholders();
            assert!(!imported.requests.is_empty(), "neither requests nor an error");
            for request in &imported.requests {
                assert!(!request.method.is_empty() && !request.url.is_empty(), "{request:?}");
            }
            true
        }
        Err(error) => {
            assert!(!error.message.is_empty() && !error.to_string().is_empty());
            let lines = text.matches('\n').count() + 1;
            assert!(error.place.is_none_or(|place| (1..=lines + 1).contains(&place.line)), "{error:?}");
            false
        }
    }
}
