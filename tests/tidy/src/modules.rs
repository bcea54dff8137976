//! No dead files: every Rust file is reached from a crate's root by `mod`.

use std::collections::BTreeSet;

use crate::{Breaches, tree::Tree};

pub fn every_source_file_is_compiled(tree: &Tree) -> Breaches {
    let mut reached = BTreeSet::new();
    let sources = || tree.ours(&["rs"]).map(|(path, _)| path);
    sources().filter(|path| is_root(path)).for_each(|root| reach(tree, root, true, &mut reached));
    sources()
        .filter(|path| !reached.contains(*path))
        .map(|path| format!("{path}: no `mod` leads to it: declare it or delete it"))
        .collect()
}

/// Files that Cargo compiles by itself.
fn is_root(path: &str) -> bool {
    let (directory, file) = path.rsplit_once('/').unwrap_or(("", path));
    let mut folders = directory.rsplit('/');
    let (folder, parent) = (folders.next().unwrap_or_default(), folders.next().unwrap_or_default());
    let of_targets = |folder: &str| ["bin", "tests", "benches", "examples", "fuzz_targets"].contains(&folder);
    let is_below_source = directory.split('/').any(|part| part == "src") && folder != "bin";
    match file {
        "build.rs" => true,
        "lib.rs" | "main.rs" if folder == "src" => true,
        "main.rs" => of_targets(parent),
        _ => of_targets(folder) && !is_below_source,
    }
}

fn reach(tree: &Tree, path: &str, is_root: bool, reached: &mut BTreeSet<String>) {
    let Some(text) = tree.files.get(path) else { return };
    reached.insert(path.to_owned());
    let below = folder_of_modules(path, is_root);
    for name in text.lines().filter_map(declared_module) {
        reach(tree, &format!("{below}/{name}.rs"), false, reached);
        reach(tree, &format!("{below}/{name}/mod.rs"), false, reached);
    }
}

/// Where the modules lie that this file declares.
fn folder_of_modules(path: &str, is_root: bool) -> &str {
    let (directory, file) = path.rsplit_once('/').unwrap_or(("", path));
    if is_root || file == "mod.rs" { directory } else { path.trim_end_matches(".rs") }
}

/// Files that are compiled for tests only: modules declared under `#[cfg(test)]`.
pub fn test_modules(tree: &Tree) -> BTreeSet<String> {
    let of_file = |(path, text): (&str, &str)| -> Vec<String> {
        let folder = folder_of_modules(path, is_root(path));
        let declared = text.split("#[cfg(test)]\n").skip(1).filter_map(|rest| declared_module(rest.lines().next()?));
        declared.map(|name| format!("{folder}/{name}.rs")).collect()
    };
    tree.ours(&["rs"]).flat_map(of_file).collect()
}

/// The name in `mod name;`, whatever its visibility.
fn declared_module(line: &str) -> Option<&str> {
    let (before, after) = line.trim().split_once("mod ")?;
    (before.is_empty() || before.starts_with("pub")).then_some(after.strip_suffix(';')?)
}

#[test]
fn a_dead_file_is_found() {
    let tree = Tree::with(&[
        ("crates/a/src/lib.rs", "pub mod b;\n    pub(crate) mod c;\n// mod dead;\n"),
        ("crates/a/src/b.rs", "mod e;"),
        ("crates/a/src/b/e.rs", ""),
        ("crates/a/src/c/mod.rs", "#[cfg(test)]\nmod tests;\n"),
        ("crates/a/src/c/tests.rs", ""),
        ("crates/a/src/dead.rs", ""),
        ("crates/a/src/e.rs", ""),
        ("crates/a/tests/one.rs", "mod common;"),
        ("crates/a/tests/common/mod.rs", ""),
        ("crates/a/tests/two/main.rs", "mod part;"),
        ("crates/a/tests/two/part.rs", ""),
        ("fuzz/fuzz_targets/five.rs", ""),
        ("src/main.rs", "mod cli;"),
        ("src/cli.rs", ""),
    ]);
    let dead = |path: &str| format!("{path}: no `mod` leads to it: declare it or delete it");
    assert_eq!(every_source_file_is_compiled(&tree), [dead("crates/a/src/dead.rs"), dead("crates/a/src/e.rs")]);
}
