//! Documents are made from declarations: that of findings as a whole, the table of kinds within `docs/explain.md`.

use std::{env, fs, path::Path};

/// `UPDATE_DOCS=1 cargo test -p plimsoll-analysis` writes the file anew.
fn assert_current(name: &str, make: impl FnOnce(&str) -> String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    let committed = fs::read_to_string(&path).unwrap_or_default();
    let expected = make(&committed);
    if env::var_os("UPDATE_DOCS").is_some() {
        return fs::write(&path, &expected).unwrap();
    }
    assert!(committed == expected, "docs/{name} is not current: run UPDATE_DOCS=1 cargo test -p plimsoll-analysis");
}

#[test]
fn the_document_of_findings_is_current() {
    assert_current("findings.md", |_| plimsoll_analysis::findings::document());
}

#[test]
fn the_table_of_kinds_is_current() {
    const HEAD: &str = "| kind | the limit is |\n";
    assert_current("explain.md", |page| {
        let (before, rest) = page.split_once(HEAD).expect("a table of kinds");
        let (_, after) = rest.split_once("\n\n").expect("text after the table");
        format!("{before}{}\n{after}", plimsoll_analysis::kinds_of_limits())
    });
}
