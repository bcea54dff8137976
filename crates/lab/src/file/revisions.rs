//! Revisions of git as an axis of variants.

use super::{
    decode::Scalar,
    document::Document,
    errors::{At, Errors},
    merge::{self, Draft},
    node::{Entry, Node, Value},
};

const KEY: &str = "revision";

/// Each draft that has a build, once for each revision; the others as they are.
pub(super) fn expand(file: &Document, root: &Node, drafts: Vec<Draft>, errors: &mut Errors) -> Vec<Draft> {
    let Some(revisions) = &file.revisions else { return drafts };
    if revisions.value.is_empty() {
        errors.push(&revisions.place, "expected at least one revision, e.g. `[main, HEAD]`, found an empty list");
        return drafts;
    }
    let base = file.base.as_ref().map(|base| &base.node);
    if drafts.is_empty() && root.get("matrix").is_none() {
        if base.is_none_or(|base| base.get("build").is_none()) {
            let message = "revisions are built, and nothing says how: add e.g. `base: {build: {command: [mvn, -q, package], \
                           jar: target/app.jar}}`";
            errors.push(&revisions.place, message);
            return Vec::new();
        }
        return revisions.value.iter().map(|revision| draft(None, revision)).collect();
    }
    let settings = |index| {
        // Whatever is wrong with it is told when it is resolved.
        let settings = merge::settings(&drafts, index, base, &mut Errors::default())?;
        settings.get("build").is_some().then_some(settings)
    };
    let settings: Vec<Option<Node>> = (0..drafts.len()).map(settings).collect();
    if settings.iter().all(Option::is_none) {
        let message = "no variant has a `build`, which is run on each revision: add one, e.g. to `base`";
        errors.push(&revisions.place, message);
    }
    let of = |(variant, settings): (Draft, Option<Node>)| match settings {
        Some(settings) => revisions.value.iter().map(|revision| draft(Some((&variant, &settings)), revision)).collect(),
        None => vec![variant],
    };
    drafts.into_iter().zip(settings).flat_map(of).collect()
}

/// A variant with all its settings, or nothing, of one revision.
fn draft(variant: Option<(&Draft, &Node)>, revision: &At<Scalar>) -> Draft {
    let (text, place) = (&revision.value.0, &revision.place);
    let label = name_of(text);
    let name = variant.map_or_else(|| label.clone(), |(draft, _)| format!("{}-{label}", draft.name.value));
    let key = At { value: KEY.to_owned(), place: place.clone() };
    let value = Node { place: place.clone(), value: Value::Text(text.clone()) };
    let own = Node { place: place.clone(), value: Value::Map(vec![Entry { key, value }]) };
    let node = variant.map_or_else(|| own.clone(), |(_, settings)| merge::overlay(&without_extends(settings), &own));
    Draft { name: At { value: name, place: place.clone() }, node }
}

/// The settings of what it extends are among its own, and that has another name by now.
fn without_extends(settings: &Node) -> Node {
    let entries = settings.entries().iter().filter(|entry| entry.key.value != "extends");
    Node { place: settings.place.clone(), value: Value::Map(entries.cloned().collect()) }
}

/// Names have letters, digits, `.`, `_` and `-`: `HEAD~1` is called `HEAD-1`.
fn name_of(revision: &str) -> String {
    revision.chars().map(|char| if char.is_alphanumeric() || "._-".contains(char) { char } else { '-' }).collect()
}
