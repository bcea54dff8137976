//! The crates that each may reach: the table of the design.

use crate::{Breaches, modules::test_modules, tree::Tree};

/// A crate, and those of ours that it may import.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("secrets", &[]),
    ("text", &[]),
    ("times", &["text"]),
    ("record", &["secrets", "text", "times"]),
    ("engine", &["record", "secrets", "text"]),
    ("process", &[]),
    ("drive", &["engine", "process", "record"]),
    ("import", &["record", "secrets", "text"]),
    ("observe", &["record"]),
    ("network", &["record"]),
    ("lab", &["drive", "network", "observe", "record", "analysis", "search", "secrets", "text"]),
    ("search", &[]),
    ("gather", &["record", "text"]),
    ("analysis", &["record", "search", "text"]),
    ("report", &["analysis", "record", "text"]),
    ("serve", &["analysis", "record", "report", "text"]),
    ("upstream", &["process", "record"]),
    // For tests alone.
    ("hostile", &["record"]),
];

/// Crates that compute and nothing else: time is an argument, files and sockets are elsewhere.
const PURE: &[&str] = &["text", "times", "engine", "import", "analysis", "report", "search", "secrets", "gather"];

/// Paths that a pure crate must not reach.
const IMPURE: &[&str] = &[
    "std::time::Instant",
    "std::time::SystemTime",
    "std::net",
    "std::fs",
    "std::process",
    "std::thread",
    "std::env",
    "rusqlite",
    "rustix",
    "socket2",
    "tokio",
];

pub fn dependencies_follow_the_design(tree: &Tree) -> Breaches {
    let manifests = tree.files.iter().filter_map(|(path, text)| {
        let name = path.strip_prefix("crates/")?.strip_suffix("/Cargo.toml")?;
        Some((name, text))
    });
    manifests.flat_map(|(name, manifest)| misplaced_dependencies(name, manifest)).collect()
}

fn misplaced_dependencies(name: &str, manifest: &str) -> Breaches {
    let Some((_, allowed)) = MAY_IMPORT.iter().find(|(known, _)| *known == name) else {
        return vec![format!("crates/{name}: not in the table of tests/tidy: say in MAY_IMPORT what it may import")];
    };
    let section = manifest.split("\n[").find(|section| section.starts_with("dependencies]")).unwrap_or_default();
    let ours = section.lines().filter_map(|line| line.strip_prefix("plimsoll-")?.split([' ', '=', '.']).next());
    ours.filter(|dependency| !allowed.contains(dependency))
        .map(|dependency| format!("crates/{name}/Cargo.toml: {name} must not import {dependency}: see MAY_IMPORT"))
        .collect()
}

pub fn pure_crates_reach_nothing(tree: &Tree) -> Breaches {
    let tests = test_modules(tree);
    let sources = tree.ours(&["rs"]).filter(|(path, _)| {
        PURE.iter().any(|name| path.starts_with(&format!("crates/{name}/src/"))) && !tests.contains(*path)
    });
    sources.flat_map(|(path, text)| impure_paths(path, without_tests(text))).collect()
}

fn impure_paths(path: &str, text: &str) -> Breaches {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join(" ");
    let imported = code.split("use ").skip(1).filter_map(|rest| rest.split(';').next()).flat_map(flatten);
    let reached = imported.chain([code.clone()]).collect::<Vec<_>>().join("\n");
    IMPURE
        .iter()
        .filter(|unwanted| reached.contains(**unwanted))
        .map(|unwanted| format!("{path}: reaches `{unwanted}`: this crate is pure; take what it needs as an argument"))
        .collect()
}

/// `std::{fs, net::{A, B}}` as `std::fs`, `std::net::A`, `std::net::B`.
fn flatten(tree: &str) -> Vec<String> {
    let Some((prefix, rest)) = tree.split_once('{') else {
        return vec![tree.trim().to_owned()];
    };
    let group = rest.rsplit_once('}').map_or(rest, |(group, _)| group);
    let mut depth = 0;
    let parts = group.split(|character| {
        depth += i32::from(character == '{') - i32::from(character == '}');
        character == ',' && depth == 0
    });
    parts.flat_map(flatten).map(|path| format!("{}{path}", prefix.trim())).collect()
}

/// Without the module of tests at the end.
fn without_tests(text: &str) -> &str {
    text.split_once("#[cfg(test)]\nmod tests {").map_or(text, |(code, _)| code)
}

#[test]
fn a_dependency_against_the_design_is_found() {
    let manifest = "[package]\n\n[dependencies]\nplimsoll-record = { workspace = true }\nplimsoll-lab.workspace = true\n\n\
                    [dev-dependencies]\nplimsoll-drive = { workspace = true }\n";
    let tree = Tree::with(&[("crates/report/Cargo.toml", manifest), ("crates/new/Cargo.toml", "")]);
    let breaches = dependencies_follow_the_design(&tree);
    assert_eq!(breaches.len(), 2, "{breaches:?}");
    assert!(breaches[0].starts_with("crates/new: not in the table"));
    assert!(breaches[1].contains("report must not import lab"));
}

#[test]
fn an_impure_path_is_found_in_every_guise() {
    for text in [
        "use std::fs;",
        "use std::{\n    fs::{self, File},\n    io,\n};",
        "use std::{io, time::{Duration, Instant}};",
        "fn f() { std::net::TcpStream::connect(\"\"); }",
    ] {
        let found = pure_crates_reach_nothing(&Tree::with(&[("crates/engine/src/a.rs", text)]));
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert!(pure_crates_reach_nothing(&Tree::with(&[("crates/drive/src/a.rs", text)])).is_empty());
    }
}

#[test]
fn modules_of_tests_are_no_breach() {
    let reaching = "use std::fs;";
    let root = ("crates/engine/src/lib.rs", "mod code;\n#[cfg(test)]\nmod checks;\n");
    let tree = |path| Tree::with(&[root, (path, reaching)]);
    assert_eq!(pure_crates_reach_nothing(&tree("crates/engine/src/checks.rs")), Breaches::new());
    assert_eq!(pure_crates_reach_nothing(&tree("crates/engine/src/code.rs")).len(), 1);
}

#[test]
fn comments_durations_and_tests_are_no_breach() {
    let text = "// not std::fs\nuse std::{fmt, time::Duration};\n#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n";
    assert_eq!(pure_crates_reach_nothing(&Tree::with(&[("crates/report/src/a.rs", text)])), Breaches::new());
}
