//! Rules for lines of code.

use crate::{Breaches, tree::Tree};

const CODE: &[&str] = &["rs", "java", "js", "mjs", "ts", "css", "sh", "sql"];
const MAX_LINES: usize = 500;
const MAX_WIDTH: usize = 120;

pub fn files_are_short(tree: &Tree) -> Breaches {
    tree.ours(CODE)
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|&(_, lines)| lines > MAX_LINES)
        .map(|(path, lines)| format!("{path}: {lines} lines, at most {MAX_LINES}: cut it at an idea"))
        .collect()
}

/// But for strings, which rustfmt leaves whole too: messages can be found when they are in one piece.
pub fn lines_are_narrow(tree: &Tree) -> Breaches {
    lines(tree.ours(&["rs", "sh", "yaml", "yml"]).chain(tree.scripts()))
        .filter(|(_, _, line)| line.chars().count() > MAX_WIDTH && !is_string_at(line, MAX_WIDTH))
        .map(|(path, number, line)| {
            format!("{path}:{number}: {} characters wide, at most {MAX_WIDTH}", line.chars().count())
        })
        .collect()
}

fn is_string_at(line: &str, column: usize) -> bool {
    let before = line.chars().take(column).collect::<String>().replace("\\\"", "").replace("'\"'", "");
    !line.trim_start().starts_with("//") && before.matches('"').count() % 2 == 1
}

pub fn nothing_is_left_over(tree: &Tree) -> Breaches {
    // Put together here, or this file would break its own rule.
    let left_over = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("unimple", "mented!"), concat!("to", "do!(")];
    containing(tree, &left_over, "finish it or delete it")
}

/// `./test` runs none: each would be a program to be linked. A module beside the code tests the same sooner.
pub fn documentation_has_no_tests(tree: &Tree) -> Breaches {
    let mut breaches = Breaches::new();
    for (path, text) in tree.ours(&["rs"]) {
        let numbered = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim_start()));
        let fences = numbered.filter(|(_, line)| line.starts_with("/// ```") || line.starts_with("//! ```"));
        // Every second one closes.
        let tests = fences.step_by(2).filter(|(_, line)| !line.ends_with("text"));
        breaches.extend(tests.map(|(number, _)| {
            format!("{path}:{number}: code in documentation is not tested: make it a test, or `text`")
        }));
    }
    breaches
}

pub fn no_path_is_of_one_machine(tree: &Tree) -> Breaches {
    let paths = [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/fa", "rm/"), concat!("/home/", "user")];
    containing(tree, &paths, "nobody else has that path")
}

fn containing(tree: &Tree, unwanted: &[&str], remedy: &str) -> Breaches {
    let extensions = [CODE, &["md", "yaml", "yml", "toml", "xml", "json", "html"]].concat();
    let mut breaches = Breaches::new();
    for (path, number, line) in lines(tree.ours(&extensions).chain(tree.scripts())) {
        let found = unwanted.iter().filter(|word| line.contains(**word));
        breaches.extend(found.map(|word| format!("{path}:{number}: has `{word}`: {remedy}")));
    }
    breaches
}

/// Every line with its file and its number.
fn lines<'a>(files: impl Iterator<Item = (&'a str, &'a str)>) -> impl Iterator<Item = (&'a str, usize, &'a str)> {
    files.flat_map(|(path, text)| text.lines().enumerate().map(move |(index, line)| (path, index + 1, line)))
}

#[test]
fn long_files_are_found() {
    let tree = Tree::with(&[("a.rs", &"x\n".repeat(500)), ("b.rs", &"x\n".repeat(501)), ("c.md", &"x\n".repeat(501))]);
    assert_eq!(files_are_short(&tree), ["b.rs: 501 lines, at most 500: cut it at an idea"]);
}

#[test]
fn wide_lines_are_found() {
    let tree = Tree::with(&[("a.rs", &"ü".repeat(120)), ("b.yaml", &format!("x\n{}", "ü".repeat(121)))]);
    assert_eq!(lines_are_narrow(&tree), ["b.yaml:2: 121 characters wide, at most 120"]);

    let (message, comment) = (format!("x(\"{}\")", "m".repeat(121)), format!("// \"{}", "c".repeat(121)));
    let tree = Tree::with(&[("a.rs", &message), ("b.rs", &comment), ("c.rs", &format!("f(\"\", {}", "x".repeat(121)))]);
    assert_eq!(lines_are_narrow(&tree).len(), 2, "the comment, and the code after a short string");
}

#[test]
fn left_overs_are_found() {
    let comment = concat!("ok\n// TO", "DO later");
    let tree = Tree::with(&[("a.rs", comment), ("run", concat!("#!/bin/sh\n# FIX", "ME"))]);
    assert_eq!(nothing_is_left_over(&tree).len(), 2);
    assert!(nothing_is_left_over(&tree)[0].starts_with("a.rs:2: has "));
}

#[test]
fn tests_in_documentation_are_found() {
    let (code, text) = ("//! ```text\n//! a\n//! ```\n\n/// ```\n/// x();\n/// ```\nfn x() {}", "// ```\n\"```\"");
    let tree = Tree::with(&[("a.rs", code), ("b.rs", text)]);
    assert_eq!(
        documentation_has_no_tests(&tree),
        ["a.rs:5: code in documentation is not tested: make it a test, or `text`"]
    );
}

#[test]
fn paths_of_one_machine_are_found() {
    let tree = Tree::with(&[("a.md", concat!("see /wo", "rk/main")), ("b.md", concat!("see ./wo", "rk/main"))]);
    assert_eq!(no_path_is_of_one_machine(&tree).len(), 2, "a relative one is odd enough");
    assert!(no_path_is_of_one_machine(&Tree::with(&[("a.md", "a network/main")])).is_empty());
}
