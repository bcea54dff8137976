//! Paces: what a file says, laid over by a named set of keys, so that one experiment has a quick and a full form.

use std::borrow::Cow;

use plimsoll_text::one_of_but_found;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{
    decode::{FromNode, check_mapping, push_unexpected},
    errors::Errors,
    merge::overlay,
    node::{Entry, Node, Value},
    values::check_name,
};

const KEY: &str = "paces";

/// Keys of the experiment, which win over those of the file. It is read once it is laid over them, by [`all`].
#[derive(Clone, Debug)]
pub(super) struct PaceSection;

impl FromNode for PaceSection {
    fn from_node(_node: &Node, _errors: &mut Errors) -> Option<Self> {
        Some(Self)
    }
}

impl JsonSchema for PaceSection {
    fn schema_name() -> Cow<'static, str> {
        "pace".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"$ref": "#"})
    }
}

/// A file as one of its paces makes it.
#[derive(Debug)]
pub(super) struct Pace {
    /// None in a file without paces.
    pub name: Option<String>,
    /// The whole of it.
    pub root: Node,
}

/// The file in each of its paces, in order; in itself if it has none. `keys` are those of an experiment.
pub(super) fn all(root: &Node, keys: &[String], errors: &mut Errors) -> Vec<Pace> {
    let common = without_paces(root);
    let Some(paces) = root.get(KEY) else { return vec![Pace { name: None, root: common }] };
    let keys: Vec<String> = keys.iter().filter(|key| *key != KEY).cloned().collect();
    if !matches!(paces.value, Value::Map(_)) {
        push_unexpected(paces, "a mapping", errors);
    }
    if paces.entries().is_empty() {
        errors
            .push(&paces.place, "expected at least one pace, e.g. `paces: {quick: {rounds: 1}}`, or none of this key");
        return vec![Pace { name: None, root: common }];
    }
    let pace = |entry: &Entry| {
        check_name(&entry.key, "a pace's name", errors);
        // Keys that no pace can have are reported once, here.
        let found = errors.count();
        let is_right = check_mapping(&entry.value, &keys, errors).is_some() && errors.count() == found;
        let root = if is_right { overlay(&common, &entry.value) } else { common.clone() };
        // Errors that concern the whole are placed where the file begins.
        Pace { name: Some(entry.key.value.clone()), root: Node { place: common.place.clone(), ..root } }
    };
    paces.entries().iter().map(pace).collect()
}

fn without_paces(root: &Node) -> Node {
    let entries = root.entries().iter().filter(|entry| entry.key.value != KEY).cloned().collect();
    Node { place: root.place.clone(), value: Value::Map(entries) }
}

/// The index of the pace that is wanted, or of the first one.
pub(super) fn choose(paces: &[Pace], wanted: Option<&str>) -> Result<usize, String> {
    let Some(wanted) = wanted else { return Ok(0) };
    let names: Vec<&str> = paces.iter().filter_map(|pace| pace.name.as_deref()).collect();
    if names.is_empty() {
        return Err(format!("there is no pace `{wanted}`, for the file has no `paces`: give it some, or name none"));
    }
    let unknown = || format!("expected the name of a pace, {}", one_of_but_found(names.iter().copied(), wanted));
    names.iter().position(|name| *name == wanted).ok_or_else(unknown)
}
