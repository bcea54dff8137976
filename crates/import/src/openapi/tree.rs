//! JSON or YAML as a tree that keeps the order of its keys, so that bodies look as their author wrote them.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, MapAccess, SeqAccess},
    ser::SerializeMap,
};
use serde_json::Number;

use crate::error::{ImportError, Place, Source};

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tree {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Tree>),
    Map(Vec<(String, Tree)>),
}

impl Tree {
    /// The value under `key`, if this is a mapping that has it.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.entries().iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The entries of a mapping; none for anything else.
    pub fn entries(&self) -> &[(String, Self)] {
        match self {
            Self::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The items of a list; none for anything else.
    pub fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// About as many bytes as it takes when it is written.
    pub fn size(&self) -> usize {
        match self {
            Self::Null | Self::Bool(_) | Self::Number(_) => 8,
            Self::Text(text) => text.len(),
            Self::List(items) => items.iter().map(Self::size).sum(),
            Self::Map(entries) => entries.iter().map(|(key, value)| key.len() + value.size()).sum(),
        }
    }

    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => number.as_f64(),
            _ => None,
        }
    }

    pub fn is_true(&self) -> bool {
        *self == Self::Bool(true)
    }

    /// A text as it is, anything else as JSON.
    pub fn to_plain(&self) -> String {
        self.as_text().map_or_else(|| self.to_json(), str::to_owned)
    }

    /// As JSON on one line.
    pub fn to_json(&self) -> String {
        // Keys are texts and numbers are finite, so that nothing can fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Reads JSON, which begins with a brace, or YAML.
pub(super) fn read(source: Source<'_>) -> Result<Tree, ImportError> {
    let text = source.text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with('{') {
        let read = serde_json::from_str(text);
        return read.map_err(|error| source.json_error("expected JSON that can be read", &error));
    }
    let options = serde_saphyr::options! {
        // Far above the largest published documents.
        budget: serde_saphyr::budget! {
            max_depth: 64,
            max_nodes: 4_000_000,
            max_events: 8_000_000,
            max_aliases: 10_000,
            max_documents: 1,
            max_total_scalar_bytes: 256 << 20,
        },
        strict_booleans: true,
        with_snippet: false,
    };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let message = error.render_with_formatter(&serde_saphyr::UserMessageFormatter);
        let first = message.lines().next().unwrap_or_default();
        let without_place = first.split(" at line ").next().unwrap_or_default();
        let message = format!("expected JSON or YAML that can be read: {without_place}");
        let narrow = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        match error.location() {
            Some(at) => source.error_in_yaml(Place { line: narrow(at.line()), column: narrow(at.column()) }, message),
            None => source.whole(message),
        }
    })
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(number) => number.serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => items.serialize(serializer),
            Self::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Visitor)
    }
}

struct Visitor;

impl<'de> de::Visitor<'de> for Visitor {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_none<E: de::Error>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::Number(value.into()))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Tree, E> {
        Ok(Tree::Number(value.into()))
    }

    fn visit_i128<E: de::Error>(self, value: i128) -> Result<Tree, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u128<E: de::Error>(self, value: u128) -> Result<Tree, E> {
        self.visit_f64(value as f64)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Tree, E> {
        Ok(Number::from_f64(value).map_or(Tree::Null, Tree::Number))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Tree, E> {
        Ok(Tree::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Tree, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Tree::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Tree, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = access.next_entry()? {
            entries.push(entry);
        }
        Ok(Tree::Map(entries))
    }
}
