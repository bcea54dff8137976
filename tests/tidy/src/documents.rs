//! Rules for what people read.

use crate::{
    Breaches,
    comments::{WORDS, first_word},
    tree::Tree,
};

const EXPECTED: &[&str] = &[
    "README.md",
    "README.ko.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "LICENSE",
    "docs/glossary.md",
    "docs/guide.md",
    "docs/record-format.md",
    "plimsoll",
    "test",
    ".ci/run",
];

pub fn what_a_reader_expects_is_there(tree: &Tree) -> Breaches {
    EXPECTED.iter().filter(|path| !tree.has(path)).map(|path| format!("{path}: missing")).collect()
}

pub fn links_resolve(tree: &Tree) -> Breaches {
    tree.ours(&["md"])
        .flat_map(|(path, text)| links(text).map(move |link| (path, link)))
        .filter(|(path, link)| !tree.has(&resolve(path, link)))
        .map(|(path, link)| format!("{path}: links to {link}, which is not there"))
        .collect()
}

/// Only the first word of each paragraph and of each point of a list is seen. Headings ask questions, and tables have
/// their rows of notes.
pub fn paragraphs_begin_with_the_thing(tree: &Tree) -> Breaches {
    let prose = |path: &str| !path.contains('/') || path.starts_with("docs/");
    let documents = tree.ours(&["md"]).filter(|(path, _)| prose(path));
    documents.flat_map(|(path, text)| paragraph_breaches(path, text)).collect()
}

fn paragraph_breaches(path: &str, text: &str) -> Breaches {
    let (mut breaches, mut is_fenced, mut begins) = (Vec::new(), false, true);
    for (index, line) in text.lines().enumerate() {
        let trimmed = line.trim_start();
        if trimmed.starts_with("```") {
            is_fenced = !is_fenced;
        }
        let point = trimmed.strip_prefix("- ");
        let word = first_word(point.unwrap_or(trimmed));
        if !is_fenced && (begins || point.is_some()) && WORDS.contains(&word) {
            let number = index + 1;
            let rule = "begin with the thing itself, or with a verb";
            breaches.push(format!("{path}:{number}: a paragraph begins with `{word}`: {rule}"));
        }
        begins = trimmed.is_empty() || trimmed.starts_with('#');
    }
    breaches
}

/// Targets of inline links within the repository, without their fragments.
fn links(markdown: &str) -> impl Iterator<Item = &str> {
    outside_fences(markdown)
        .flat_map(|line| line.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next()))
        .filter(|link| !link.contains(':') && !link.starts_with('#'))
        .filter_map(|link| link.split('#').next())
}

fn resolve(from: &str, link: &str) -> String {
    let directory = from.rsplit_once('/').map_or("", |(directory, _)| directory);
    let mut parts = Vec::new();
    for part in directory.split('/').chain(link.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}

fn outside_fences(markdown: &str) -> impl Iterator<Item = &str> {
    markdown.split("\n```").step_by(2).flat_map(str::lines)
}

pub fn the_changelog_has_this_version(tree: &Tree) -> Breaches {
    let version = tree.files.get("Cargo.toml").and_then(|text| text.split("version = \"").nth(1)?.split('"').next());
    let version = version.unwrap_or("no version in Cargo.toml");
    let changelog = tree.files.get("CHANGELOG.md").map_or("", String::as_str);
    let is_there = changelog.lines().any(|line| line.starts_with("## ") && line.contains(version));
    if is_there { vec![] } else { vec![format!("CHANGELOG.md: no heading `## {version}`: say what is new in it")] }
}

pub fn the_readme_lists_every_experiment(tree: &Tree) -> Breaches {
    let readme = tree.files.get("README.md").map_or("", String::as_str);
    let experiments = tree.files.keys().filter(|path| path.starts_with("experiments/") && path.ends_with(".yaml"));
    experiments
        .filter(|path| !readme.contains(path.as_str()))
        .map(|path| format!("README.md: does not name {path}"))
        .collect()
}

pub fn both_readmes_have_the_same_shape(tree: &Tree) -> Breaches {
    let (Some(english), Some(korean)) = (tree.files.get("README.md"), tree.files.get("README.ko.md")) else {
        return vec!["README.md and README.ko.md: both are needed".to_owned()];
    };
    let headings = |text: &str| outside_fences(text).filter_map(heading_level).collect::<Vec<_>>();
    let mut breaches = Vec::new();
    if headings(english) != headings(korean) {
        breaches.push("README.ko.md: its headings are not those of README.md, level by level".to_owned());
    }
    if commands(english) != commands(korean) {
        breaches.push("README.ko.md: its ```sh blocks are not those of README.md".to_owned());
    }
    breaches
}

fn heading_level(line: &str) -> Option<usize> {
    let level = line.bytes().take_while(|&byte| byte == b'#').count();
    (level > 0 && line[level..].starts_with(' ')).then_some(level)
}

/// The commands of all ```sh blocks; comments may differ.
fn commands(markdown: &str) -> Vec<&str> {
    let blocks = markdown.split("\n```sh\n").skip(1).filter_map(|rest| rest.split("\n```").next());
    blocks.flat_map(str::lines).map(|line| line.split(" #").next().unwrap_or(line).trim_end()).collect()
}

#[test]
fn a_missing_document_is_found() {
    let tree = Tree::with(&EXPECTED[1..].iter().map(|path| (*path, "")).collect::<Vec<_>>());
    assert_eq!(what_a_reader_expects_is_there(&tree), ["README.md: missing"]);
}

#[test]
fn paragraphs_that_begin_with_their_exception_are_found() {
    let text =
        "# What is it\nWhich is so.\nThat goes on.\n\nThose do.\n\n- Whoever\n  Of it\n\n```\n\nWhat\n```\n| What |\n";
    let tree = Tree::with(&[("docs/a.md", text), ("java/b.md", "Which.\n"), ("C.md", "That\n")]);
    let found = paragraphs_begin_with_the_thing(&tree);
    let places: Vec<_> = found.iter().filter_map(|breach| breach.split(": ").next()).collect();
    assert_eq!(places, ["C.md:1", "docs/a.md:2", "docs/a.md:5", "docs/a.md:7"]);
}

#[test]
fn a_dead_link_is_found() {
    let text =
        "[a](b.md#part) [c](../README.md) [d](https://x.org) [e](#f) [g](gone.md \"title\")\n```\n[x](y)\n```\n[z](zz)";
    let tree = Tree::with(&[("docs/a.md", text), ("docs/b.md", ""), ("README.md", "[dir](docs/)")]);
    let dead = |link: &str| format!("docs/a.md: links to {link}, which is not there");
    assert_eq!(links_resolve(&tree), [dead("gone.md"), dead("zz")]);
}

#[test]
fn a_version_without_an_entry_is_found() {
    let manifest = ("Cargo.toml", "[workspace.package]\nversion = \"0.2.0\"\n");
    let tree = |changelog| Tree::with(&[manifest, ("CHANGELOG.md", changelog)]);
    assert_eq!(the_changelog_has_this_version(&tree("# Changes\n\n## 0.2.0\n")), Breaches::new());
    assert_eq!(the_changelog_has_this_version(&tree("## 0.1.0\nnot 0.2.0\n")).len(), 1);
}

#[test]
fn an_experiment_that_the_readme_leaves_out_is_found() {
    let tree =
        Tree::with(&[("experiments/a.yaml", ""), ("experiments/b.yaml", ""), ("README.md", "experiments/a.yaml")]);
    assert_eq!(the_readme_lists_every_experiment(&tree), ["README.md: does not name experiments/b.yaml"]);
}

#[test]
fn readmes_that_differ_are_found() {
    let english = "# A\n\n```sh\nrun x   # runs\n```\n\n## B\n\n```\n# no heading\n```\n";
    let found =
        |korean| both_readmes_have_the_same_shape(&Tree::with(&[("README.md", english), ("README.ko.md", korean)]));
    assert_eq!(found("# 가\n\n```sh\nrun x # 실행\n```\n\n## 나\n"), Breaches::new());
    assert_eq!(found("# 가\n\n```sh\nrun x\n```\n\n### 나\n").len(), 1);
    assert_eq!(found("# 가\n\n```sh\nrun y\n```\n\n## 나\n").len(), 1);
    assert_eq!(both_readmes_have_the_same_shape(&Tree::with(&[("README.md", "")])).len(), 1);
}
