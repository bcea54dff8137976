//! The document of findings is made from their declarations.

use std::{env, fs, path::Path};

/// `UPDATE_DOCS=1 cargo test -p plimsoll-analysis` writes the file anew.
#[test]
fn the_document_of_findings_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/findings.md");
    let expected = plimsoll_analysis::findings::document();
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == expected,
        "docs/findings.md is not current: run UPDATE_DOCS=1 cargo test -p plimsoll-analysis"
    );
}
