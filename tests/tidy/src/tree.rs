//! The files that the rules look at.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
};

/// Directories with nothing that was written here: built, fetched or recorded.
const SKIPPED: &[&str] = &["target", "node_modules", ".git", ".plimsoll", ".idea", ".vscode"];

/// Text files by their path from the root of the repository.
#[derive(Default)]
pub struct Tree {
    pub files: BTreeMap<String, String>,
    executables: BTreeSet<String>,
}

impl Tree {
    pub fn of_repository() -> Self {
        let mut tree = Self::default();
        tree.add_directory(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), "");
        tree
    }

    fn add_directory(&mut self, directory: &Path, prefix: &str) {
        for entry in fs::read_dir(directory).unwrap().map(Result::unwrap) {
            let name = entry.file_name().into_string().unwrap();
            let path = format!("{prefix}{name}");
            let is_directory = entry.file_type().unwrap().is_dir();
            if is_directory && !SKIPPED.contains(&name.as_str()) {
                self.add_directory(&entry.path(), &format!("{path}/"));
            } else if !is_directory && let Ok(text) = fs::read_to_string(entry.path()) {
                if entry.metadata().unwrap().permissions().mode() & 0o111 != 0 {
                    self.executables.insert(path.clone());
                }
                self.files.insert(path, text);
            }
        }
    }

    /// For tests of rules.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect();
        Self { files, ..Self::default() }
    }

    /// For tests of rules.
    pub fn executable(mut self, path: &str) -> Self {
        self.executables.insert(path.to_owned());
        self
    }

    pub fn is_executable(&self, path: &str) -> bool {
        self.executables.contains(path)
    }

    /// Whether a file or a directory with files has this path.
    pub fn has(&self, path: &str) -> bool {
        let directory = format!("{}/", path.trim_end_matches('/'));
        path.is_empty() || self.files.contains_key(path) || self.files.keys().any(|file| file.starts_with(&directory))
    }

    /// Files with one of these extensions, and not somebody else's.
    pub fn ours<'a>(&'a self, extensions: &'a [&str]) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .filter(|(path, _)| !path.split('/').any(|part| part == "vendor"))
            .filter(|(path, _)| path.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension)))
    }

    /// Shell scripts to be run: those whose first line says so.
    pub fn scripts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .filter(|(_, text)| text.lines().next().is_some_and(|line| line.starts_with("#!") && line.ends_with("sh")))
    }
}

#[test]
fn a_tree_knows_directories_extensions_and_scripts() {
    let tree =
        Tree::with(&[("a/b.rs", ""), ("a/vendor/c.rs", ""), ("run", "#!/bin/sh\n"), ("x.py", "#!/bin/python\n")]);
    assert!(tree.has("a") && tree.has("a/") && tree.has("a/b.rs") && !tree.has("a/b"));
    assert_eq!(tree.ours(&["rs"]).collect::<Vec<_>>(), [("a/b.rs", "")]);
    assert_eq!(tree.scripts().map(|(path, _)| path).collect::<Vec<_>>(), ["run"]);
}

#[test]
fn the_repository_is_found() {
    let tree = Tree::of_repository();
    assert!(tree.has("Cargo.toml") && tree.has("crates/record/src/lib.rs") && !tree.has("target"));
    assert!(tree.is_executable("plimsoll") && !tree.is_executable("LICENSE"));
}
