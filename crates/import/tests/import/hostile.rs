//! Whatever is pasted, and however a sample is mangled: an error or requests, never a panic, never an endless loop.

use plimsoll_import::{
    curl, har,
    http_file::{self, HttpFile},
    openapi::{self, OpenApi},
};
use proptest::{prelude::*, sample::Index};

const CURL: [&str; 6] = [
    include_str!("samples/chrome.curl"),
    include_str!("samples/chrome-windows.curl"),
    include_str!("samples/firefox.curl"),
    include_str!("samples/manual.curl"),
    include_str!("samples/query.curl"),
    include_str!("samples/several.curl"),
];
const HTTP: [&str; 2] = [include_str!("samples/examples.http"), "GET h"];
const HAR: [&str; 2] = [include_str!("samples/chrome.har"), "{\"log\":{\"entries\":[]}}"];
const OPENAPI: [&str; 2] = [include_str!("samples/petstore.yaml"), include_str!("samples/modern.json")];

fn files(path: &str) -> Result<Vec<u8>, String> {
    if path.len().is_multiple_of(2) { Ok(path.as_bytes().to_vec()) } else { Err("no such file".to_owned()) }
}

fn import_all(text: &str) {
    let _ = curl::import(text, &files).map_err(|error| error.to_string());
    let _ = curl::import(&format!("curl {text}"), &files).map_err(|error| error.to_string());
    let environments = [("env".to_owned(), text.to_owned())];
    for environments in [&environments[..], &[]] {
        let file = HttpFile { name: "a", text, environments, ..HttpFile::default() };
        let _ = http_file::import(&file, &files).map(|imported| imported.open_placeholders());
    }
    let _ = har::import("a", text, None).map_err(|error| error.to_string());
    for operation in ["createPet", "listPets", "editNote", "uploadPhoto"] {
        let operations = [operation.to_owned()];
        let document = OpenApi { name: "a", text, operations: &operations, base: Some("http://h/") };
        let _ = openapi::import(&document, &files).map_err(|error| error.to_string());
    }
}

/// A sample with some of its bytes replaced, removed or doubled.
fn mangled(samples: &'static [&'static str]) -> impl Strategy<Value = String> {
    let edit = (any::<Index>(), 0_u8..3, prop::sample::select(b"'\"\\{}[]<>|&;$@#:=?/ \n\r\t0a-^%\xff\xc3".to_vec()));
    (prop::sample::select(samples), prop::collection::vec(edit, 1..8)).prop_map(|(sample, edits)| {
        let mut bytes = sample.as_bytes().to_vec();
        for (index, kind, byte) in edits {
            let at = index.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => drop(bytes.drain(at..(at + 5).min(bytes.len()))),
                _ => bytes.insert(at, byte),
            }
            if bytes.is_empty() {
                break;
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

proptest! {
    #[test]
    fn bytes_that_mean_nothing(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        import_all(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn text_of_signs(text in "[-'\"\\\\{}\\[\\]<>|&;$@#:=?/ \n\ra-c0-9^%é]{0,80}") {
        import_all(&text);
    }

    #[test]
    fn curl_mangled(text in mangled(&CURL)) {
        import_all(&text);
    }

    #[test]
    fn http_mangled(text in mangled(&HTTP)) {
        import_all(&text);
    }

    #[test]
    fn har_mangled(text in mangled(&HAR)) {
        import_all(&text);
    }

    #[test]
    fn openapi_mangled(text in mangled(&OPENAPI)) {
        import_all(&text);
    }

    /// A text that is quoted for a shell reads back as the text.
    #[test]
    fn quoted_words_survive(word in "[^\0]{1,40}") {
        let quoted = format!("'{}'", word.replace('\'', r"'\''"));
        let imported = curl::import(&format!("curl http://h/ --data-raw {quoted}"), &files).unwrap();
        prop_assert_eq!(&imported.requests[0].body, word.as_bytes());
    }
}

#[test]
fn deep_nesting_is_an_error_and_not_a_stack_overflow() {
    for deep in [("[", "]"), ("{\"a\":", "}"), ("- ", ""), ("{{", "}}")] {
        import_all(&format!("{}1{}", deep.0.repeat(100_000), deep.1.repeat(100_000)));
    }
    import_all(&format!("{{\"openapi\":\"3.0.0\",\"paths\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000)));
}
