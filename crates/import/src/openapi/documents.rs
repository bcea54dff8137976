//! The document and those it refers to, and how a `$ref` leads from one to another.

use plimsoll_text::nearest_first;
use std::{collections::BTreeMap, ptr};

use super::tree::{self, Tree};
use crate::{Files, error::ImportError, error::Source};

/// Documents by their paths, relative to the first, whose path is empty.
pub(super) struct Documents {
    by_path: BTreeMap<String, Result<Tree, String>>,
}

/// Bytes of all documents, the first included.
const DOCUMENTS_BYTES_MAX: usize = 64 << 20;

/// A value in one of the documents; never a `$ref`.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    documents: &'a Documents,
    document: &'a str,
    pub tree: &'a Tree,
}

impl Documents {
    /// Reads the document and all files that it leads to. A file that cannot be read matters only to who needs it.
    pub fn read(source: Source<'_>, files: &Files<'_>) -> Result<Self, ImportError> {
        const MOST: usize = 1_000;
        let mut left = DOCUMENTS_BYTES_MAX.saturating_sub(source.text.len());
        let mut wanted = Vec::new();
        let root = tree::read(source)?;
        collect_files(&root, "", &mut wanted);
        let mut by_path = BTreeMap::from([(String::new(), Ok(root))]);
        while let Some(path) = wanted.pop() {
            if by_path.len() < MOST && !by_path.contains_key(&path) {
                let document = read_file(&path, files, &mut left);
                document.iter().for_each(|tree| collect_files(tree, &path, &mut wanted));
                by_path.insert(path, document);
            }
        }
        Ok(Self { by_path })
    }

    /// The first document.
    pub fn root(&self) -> Node<'_> {
        const NOTHING: &Tree = &Tree::Null;
        let tree = self.by_path.get("").and_then(|tree| tree.as_ref().ok()).unwrap_or(NOTHING);
        Node { documents: self, document: "", tree }
    }

    /// Resolves a `$ref` in `document`.
    fn target<'a>(&'a self, document: &str, reference: &str) -> Result<Node<'a>, String> {
        let failed = |why: String| format!("`$ref: {reference}` leads nowhere: {why}");
        let (file, pointer) = reference.split_once('#').unwrap_or((reference, ""));
        let path = if file.is_empty() { document.to_owned() } else { joined(document, &decoded(file)) };
        let Some((document, tree)) = self.by_path.get_key_value(&path) else {
            return Err(failed("expected a file, found an address: save it beside the document".to_owned()));
        };
        let mut tree = tree.as_ref().map_err(|why| failed(why.clone()))?;
        if !pointer.is_empty() && !pointer.starts_with('/') {
            return Err(failed("expected `#/`, names of anchors are not supported".to_owned()));
        }
        for step in pointer.split('/').skip(1) {
            let key = decoded(step).replace("~1", "/").replace("~0", "~");
            let item = key.parse::<usize>().ok().and_then(|index| tree.items().get(index));
            tree = tree.get(&key).or(item).ok_or_else(|| {
                let keys = nearest_first(tree.entries().iter().map(|(key, _)| key.as_str()), &key);
                failed(format!("there is no `{key}`, only {keys}").replace(", only ``", ""))
            })?;
        }
        Ok(Node { documents: self, document, tree })
    }
}

impl<'a> Node<'a> {
    /// The value under `key`, after all its `$ref`.
    pub fn get(&self, key: &str) -> Result<Option<Self>, String> {
        self.tree.get(key).map(|tree| self.at(tree)).transpose()
    }

    /// The items of the list under `key`.
    pub fn list(&self, key: &str) -> Result<Vec<Self>, String> {
        let Some(list) = self.get(key)? else { return Ok(Vec::new()) };
        list.tree.items().iter().map(|tree| list.at(tree)).collect()
    }

    /// The entries of the mapping under `key`.
    pub fn map(&self, key: &str) -> Result<Vec<(&'a str, Self)>, String> {
        let Some(map) = self.get(key)? else { return Ok(Vec::new()) };
        map.tree.entries().iter().map(|(key, tree)| Ok((key.as_str(), map.at(tree)?))).collect()
    }

    /// The text under `key`.
    pub fn text(&self, key: &str) -> Option<&'a str> {
        self.tree.get(key)?.as_text()
    }

    /// Whether both are the same place of the same document.
    pub fn is(&self, other: &Node<'_>) -> bool {
        ptr::eq(self.tree, other.tree)
    }

    fn at(&self, tree: &'a Tree) -> Result<Self, String> {
        const LONGEST: usize = 32;
        let mut node = Self { tree, ..*self };
        for _ in 0..LONGEST {
            let Some(reference) = node.text("$ref") else { return Ok(node) };
            node = self.documents.target(node.document, reference)?;
        }
        Err(format!("`$ref: {}` leads back to itself", node.text("$ref").unwrap_or_default()))
    }
}

fn read_file(path: &str, files: &Files<'_>, left: &mut usize) -> Result<Tree, String> {
    let bytes = files(path)?;
    *left = left.checked_sub(bytes.len()).ok_or("expected at most 64 MiB of documents in all, found more")?;
    let text = String::from_utf8(bytes).map_err(|_| "expected text in UTF-8".to_owned())?;
    tree::read(Source { name: path, text: &text }).map_err(|error| error.to_string())
}

fn collect_files(tree: &Tree, document: &str, found: &mut Vec<String>) {
    if let Some(file) = tree.get("$ref").and_then(Tree::as_text).and_then(|reference| reference.split('#').next())
        && !file.is_empty()
        && !file.contains("://")
    {
        found.push(joined(document, &decoded(file)));
    }
    tree.items().iter().for_each(|item| collect_files(item, document, found));
    tree.entries().iter().for_each(|(_, value)| collect_files(value, document, found));
}

/// The path of `file` as seen from the first document, if it is named in `document`.
fn joined(document: &str, file: &str) -> String {
    if file.starts_with('/') || file.contains("://") {
        return file.to_owned();
    }
    let folder = document.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(file.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    let root = if document.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

/// The text with `%20` and its like decoded.
fn decoded(text: &str) -> String {
    let pair = text.replace('+', "%2B").replace('&', "%26").replace('=', "%3D");
    url::form_urlencoded::parse(pair.as_bytes()).map(|(name, _)| name.into_owned()).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_lead_through_files() {
        let text =
            "a: {$ref: 'd/b.yaml#/x~1y'}\nloop: {$ref: '#/loop'}\nlost: {$ref: '#/lots'}\nweb: {$ref: 'http://h/x'}";
        let files = |path: &str| match path {
            "d/b.yaml" => Ok(b"x/y: {$ref: '../c.json#/0'}".to_vec()),
            "c.json" => Ok(b"- found".to_vec()),
            _ => Err("no such file".to_owned()),
        };
        let documents = Documents::read(Source { name: "a.yaml", text }, &files).unwrap();
        let get = |key| documents.root().get(key).map(|node| node.unwrap().tree.clone());
        assert_eq!(get("a"), Ok(Tree::Text("found".to_owned())));
        assert!(get("loop").unwrap_err().contains("leads back to itself"));
        assert!(get("lost").unwrap_err().contains("there is no `lots`, only `lost`"));
        assert!(get("web").unwrap_err().contains("found an address"));
        assert_eq!((joined("", "./a"), joined("x/y", "../../a")), ("a".to_owned(), "../a".to_owned()));
    }
}
