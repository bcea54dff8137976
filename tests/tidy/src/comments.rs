//! Rules for comments.

use crate::{Breaches, tree::Tree};

/// Words that no sentence begins with.
pub const WORDS: &[&str] = &["What", "Of", "Who", "Whose", "Whom", "That", "Which", "Those", "Whoever"];

/// Only the first sentence of a block is seen.
pub fn comments_begin_with_the_thing(tree: &Tree) -> Breaches {
    let slashes: &[&str] = &["///", "//!", "//", "/**", "/*", "*"];
    let hashes: &[&str] = &["#"];
    let with_slashes = tree.ours(&["rs", "java", "js", "mjs", "ts", "css"]).map(|file| (file, slashes));
    let with_hashes = tree.ours(&["yaml", "yml", "toml"]).chain(tree.scripts()).map(|file| (file, hashes));
    let sourced = tree.ours(&["sh"]).filter(|(_, text)| !text.starts_with("#!")).map(|file| (file, hashes));
    let files = with_slashes.chain(with_hashes).chain(sourced);
    files.flat_map(|((path, text), marks)| breaches(path, text, marks)).collect()
}

fn breaches(path: &str, text: &str, marks: &[&str]) -> Breaches {
    let comments: Vec<&str> = text.lines().map(|line| comment(line, marks)).collect();
    let begins = |index: usize| index == 0 || comments[index - 1].is_empty();
    let first_lines = comments.iter().enumerate().filter(|&(index, _)| begins(index));
    let first_words = first_lines.map(|(index, text)| (index + 1, first_word(text)));
    let unwanted = first_words.filter(|(_, word)| WORDS.contains(word));
    let breach = |(number, word)| {
        format!("{path}:{number}: a comment begins with `{word}`: begin with the thing itself, or with a verb")
    };
    unwanted.map(breach).collect()
}

/// The text of a comment; empty where the line is none, or has nothing to say.
fn comment<'a>(line: &'a str, marks: &[&str]) -> &'a str {
    let text = marks.iter().find_map(|mark| line.trim_start().strip_prefix(mark)).unwrap_or_default();
    if text.starts_with(' ') { text.trim() } else { "" }
}

pub fn first_word(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default()
}

#[test]
fn comments_that_begin_with_their_exception_are_found() {
    let tree = Tree::with(&[
        ("a.rs", "//! What a.\n\n/// The sum\n/// That follows.\n///\n/// Of b.\nfn f() {\n    // Whose c.\n}\n"),
        ("b.java", "/**\n * Who asks.\n */\n    /** What is sent. */\n"),
        ("c.yaml", "a: 1\n  # That d.\n"),
        ("d", "#!/usr/bin/env bash\n# What e.\n"),
        ("e.sh", "# Of f.\n"),
        ("g.rs", "/// Which.\nfn g() {}\n\n// Those.\n\n/// Whoever.\n"),
        ("f.rs", "// Whatever\nlet of = \"// What\";\n// Offers.\n\n//What\n"),
    ]);
    let found = comments_begin_with_the_thing(&tree);
    let place = |breach: &String| breach.split(": ").next().unwrap_or_default().to_owned();
    let places = [
        "a.rs:1", "a.rs:6", "a.rs:8", "b.java:2", "b.java:4", "g.rs:1", "g.rs:4", "g.rs:6", "c.yaml:2", "d:2", "e.sh:1",
    ];
    assert_eq!(found.iter().map(place).collect::<Vec<_>>(), places);
    assert_eq!(found[1], "a.rs:6: a comment begins with `Of`: begin with the thing itself, or with a verb");
}
