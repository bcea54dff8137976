//! YAML text as a tree in which every key and value knows its place. Variants are merged as trees (see
//! `merge.rs`), so a value that is wrong is reported where it was written, whichever variant it ended up in.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{self, MapAccess, SeqAccess},
};
use serde_saphyr::{
    Error, Location, Spanned, UserMessageFormatter,
    budget::BudgetBreach,
    options::{DuplicateKeyPolicy, NonFiniteFloatPolicy},
};

use super::{
    brackets,
    errors::{At, Errors, Place},
};

/// A value with its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub place: Place,
    pub value: Value,
}

/// The kind of a value, as far as YAML knows.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Nothing,
    Bool(String),
    /// As it was written, e.g. `1.50`.
    Number(String),
    Text(String),
    List(Vec<Node>),
    Map(Vec<Entry>),
}

/// One key of a mapping with its value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub key: At<String>,
    pub value: Node,
}

impl Node {
    /// The value under `key`, if this is a mapping that has it.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.entries().iter().find(|entry| entry.key.value == key).map(|entry| &entry.value)
    }

    /// The entries of a mapping; none for anything else.
    pub fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Map(entries) => entries,
            _ => &[],
        }
    }

    /// Whether it is an empty list or mapping.
    pub fn has_no_entries(&self) -> bool {
        match &self.value {
            Value::List(items) => items.is_empty(),
            Value::Map(entries) => entries.is_empty(),
            _ => false,
        }
    }

    /// A text, number or boolean as it was written.
    pub fn scalar(&self) -> Option<&str> {
        match &self.value {
            Value::Bool(text) | Value::Number(text) | Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Hands over every text, number and boolean in it, with its place.
    pub fn for_each_text(&self, act: &mut dyn FnMut(&str, &Place)) {
        match &self.value {
            Value::List(items) => items.iter().for_each(|item| item.for_each_text(act)),
            Value::Map(entries) => entries.iter().for_each(|entry| entry.value.for_each_text(act)),
            _ => self.scalar().into_iter().for_each(|text| act(text, &self.place)),
        }
    }

    /// The value in the words of an error: "found …".
    pub fn found(&self) -> String {
        match &self.value {
            Value::Nothing => "nothing".to_owned(),
            Value::Bool(text) | Value::Number(text) | Value::Text(text) => format!("`{text}`"),
            Value::List(_) => "a list".to_owned(),
            Value::Map(_) => "a mapping".to_owned(),
        }
    }
}

/// Reads YAML. Errors of syntax end the reading; a key that is there twice does not.
pub(super) fn read(text: &str, errors: &mut Errors) -> Option<Node> {
    match read_with(text, DuplicateKeyPolicy::Error) {
        Ok(node) => Some(node),
        Err(Error::DuplicateMappingKey { key, location }) => {
            let read = read_with(text, DuplicateKeyPolicy::FirstWins);
            let node = read.map_err(|error| push_unreadable(text, &error, errors)).ok()?;
            push_duplicate(&node, &key.unwrap_or_default(), location, errors);
            Some(node)
        }
        Err(error) => {
            push_unreadable(text, &error, errors);
            None
        }
    }
}

fn push_unreadable(text: &str, error: &Error, errors: &mut Errors) {
    let at = error.location().map(|location| place(location, String::new())).unwrap_or_default();
    let bracket = brackets::never_closed(text, offset(text, &at)).map(|opened| line_and_column(text, opened));
    match bracket.filter(|(line, _)| *line < at.line) {
        Some((line, column)) => {
            let opened = Place { line, column, field: String::new() };
            let message = format!("expected the bracket to be closed, found no end of it before line {}", at.line);
            errors.push_related(&opened, message, &at, "this cannot be within it".to_owned());
        }
        None => errors.push(&at, unreadable(error)),
    }
}

/// Why YAML cannot be read, without the place, which is printed before it anyway.
fn unreadable(error: &Error) -> String {
    match error {
        Error::AliasError { error, .. } => unreadable(error),
        Error::Budget { breach: BudgetBreach::Documents { .. }, .. } => {
            "expected one document, found a second one: remove the line `---`".to_owned()
        }
        Error::Budget { .. } => {
            "this is nested deeper, or has more values or aliases, than an experiment can need: simplify it".to_owned()
        }
        _ => {
            let message = error.render_with_formatter(&UserMessageFormatter);
            let first = message.lines().next().unwrap_or_default();
            let cut = first.rfind(" at line ").unwrap_or(first.len());
            format!("this is not YAML that can be read: {}", first[..cut].trim_end_matches([':', ',', ' ']))
        }
    }
}

fn read_with(text: &str, duplicate_keys: DuplicateKeyPolicy) -> Result<Node, Error> {
    let options = serde_saphyr::options! {
        // Far above what an experiment needs, far below what would hurt.
        budget: serde_saphyr::budget! {
            max_depth: 32,
            max_nodes: 100_000,
            max_events: 200_000,
            max_aliases: 1_000,
            max_documents: 1,
        },
        duplicate_keys: duplicate_keys,
        strict_booleans: true,
        reject_unsupported_tags: true,
        non_finite_float_policy: NonFiniteFloatPolicy::AsString,
        with_snippet: false,
    };
    let raw: Spanned<Raw> = serde_saphyr::from_str_with_options(text, options)?;
    Ok(node(raw, String::new(), text))
}

/// `tree` holds the first of the two entries; siblings stand in the same column, or, in `{a: 1, a: 2}`, before it.
fn push_duplicate(tree: &Node, key: &str, location: Location, errors: &mut Errors) {
    let second = place(location, String::new());
    let mut earlier = Vec::new();
    collect_keys(tree, key, &mut earlier);
    earlier.retain(|place| (place.line, place.column) < (second.line, second.column));
    earlier.sort();
    let sibling = earlier.iter().rfind(|place| place.column == second.column || place.line == second.line);
    let message = format!("`{key}` is there twice: remove one of the two, or rename it");
    match sibling.or(earlier.last()) {
        Some(first) => {
            let here = Place { field: first.field.clone(), ..second };
            errors.push_related(&here, message, first, format!("`{key}` is here first"));
        }
        None => errors.push(&second, message),
    }
}

fn collect_keys(node: &Node, key: &str, places: &mut Vec<Place>) {
    if let Value::List(items) = &node.value {
        items.iter().for_each(|item| collect_keys(item, key, places));
    }
    for entry in node.entries() {
        if entry.key.value == key {
            places.push(entry.key.place.clone());
        }
        collect_keys(&entry.value, key, places);
    }
}

/// The byte at which `place` is.
pub(super) fn offset(text: &str, place: &Place) -> usize {
    let line_start: usize = text.split_inclusive('\n').take(place.line.saturating_sub(1) as usize).map(str::len).sum();
    let columns = text[line_start..].chars().take(place.column.saturating_sub(1) as usize);
    line_start + columns.map(char::len_utf8).sum::<usize>()
}

/// The 1-based line and column (in characters) of a byte.
pub(super) fn line_and_column(text: &str, offset: usize) -> (u32, u32) {
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let narrow = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    (narrow(before.matches('\n').count() + 1), narrow(before[line_start..].chars().count() + 1))
}

fn place(location: Location, field: String) -> Place {
    let narrow = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    Place { line: narrow(location.line()), column: narrow(location.column()), field }
}

/// Gives the tree its field names, and numbers and booleans the spelling they have in `source`.
fn node(raw: Spanned<Raw>, field: String, source: &str) -> Node {
    let spelling = || written(raw.defined, source).to_owned();
    let value = match raw.value {
        Raw::Nothing => Value::Nothing,
        Raw::Bool => Value::Bool(spelling()),
        Raw::Number => Value::Number(spelling()),
        Raw::Text(text) => Value::Text(text),
        Raw::List(items) => Value::List(
            items
                .into_iter()
                .enumerate()
                .map(|(index, item)| node(item, format!("{field}[{index}]"), source))
                .collect(),
        ),
        Raw::Map(entries) => Value::Map(
            entries
                .into_iter()
                .map(|(key, value)| {
                    let field = if field.is_empty() { key.value.clone() } else { format!("{field}.{}", key.value) };
                    let key_place = place(key.defined, field.clone());
                    Entry { key: At { value: key.value, place: key_place }, value: node(value, field, source) }
                })
                .collect(),
        ),
    };
    Node { place: place(raw.defined, field), value }
}

fn written(location: Location, source: &str) -> &str {
    let span = location.span();
    let (Some(from), Some(length)) = (span.byte_offset(), span.byte_len()) else { return "" };
    source.get(from as usize..(from + length) as usize).unwrap_or_default().trim()
}

/// A value as the YAML reader hands it over, before places are attached.
enum Raw {
    Nothing,
    Bool,
    Number,
    Text(String),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<String>, Spanned<Raw>)>),
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Visitor)
    }
}

struct Visitor;

impl<'de> de::Visitor<'de> for Visitor {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Raw, E> {
        Ok(Raw::Nothing)
    }

    fn visit_none<E: de::Error>(self) -> Result<Raw, E> {
        Ok(Raw::Nothing)
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<Raw, E> {
        Ok(Raw::Bool)
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_i128<E: de::Error>(self, _: i128) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_u128<E: de::Error>(self, _: u128) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Raw, E> {
        Ok(Raw::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Raw, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Raw::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Raw, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = access.next_entry()? {
            entries.push(entry);
        }
        Ok(Raw::Map(entries))
    }
}
