//! A value that a schema allows: the one its author gives as an example, else one that is made up.

use serde_json::Number;

use super::{documents::Node, tree::Tree};

/// Makes values; counts what it makes, since small schemas can stand for endless values.
#[derive(Default)]
pub(super) struct Maker<'a> {
    within: Vec<Node<'a>>,
    made: usize,
    /// Size of all examples, which `$ref` may take in again and again.
    bytes: usize,
    /// Patterns that a made-up text may not match.
    pub patterns: Vec<String>,
}

/// Most bytes of the examples in one request.
const BYTES_MAX: usize = 16 << 20;

fn too_large() -> String {
    "its schema stands for too large a value to make one up: give it an `example` of at most 16 MiB".to_owned()
}

/// The value that the author gives: of an example, a default, or the first of an enumeration.
pub(super) fn given(schema: Node<'_>) -> Option<Tree> {
    let first = |key: &str| schema.tree.get(key).and_then(|list| list.items().first());
    let single = |key: &str| schema.tree.get(key);
    let found = single("example").or_else(|| first("examples")).or_else(|| single("default"));
    found.or_else(|| single("const")).or_else(|| first("enum")).cloned()
}

impl<'a> Maker<'a> {
    /// A value of the schema; none if it contains itself and so can only be left out.
    pub fn value(&mut self, schema: Node<'a>) -> Result<Option<Tree>, String> {
        const MOST: usize = 5_000;
        const DEEPEST: usize = 40;
        self.made += 1;
        if self.made > MOST {
            return Err(too_large());
        }
        if let Some(value) = given(schema) {
            self.bytes += value.size();
            return if self.bytes > BYTES_MAX { Err(too_large()) } else { Ok(Some(value)) };
        }
        if self.within.len() > DEEPEST || self.within.iter().any(|outer| outer.is(&schema)) {
            return Ok(None);
        }
        self.within.push(schema);
        let value = self.made_up(schema);
        self.within.pop();
        value
    }

    fn made_up(&mut self, schema: Node<'a>) -> Result<Option<Tree>, String> {
        let mut parts = schema.list("allOf")?;
        for choices in ["oneOf", "anyOf"] {
            let is_null = |choice: &Node<'_>| choice.text("type") == Some("null");
            parts.extend(schema.list(choices)?.into_iter().find(|choice| !is_null(choice)));
        }
        if parts.is_empty() {
            return self.of_type(schema);
        }
        let mut merged = Vec::new();
        let mut other = None;
        let own = if schema.tree.get("properties").is_some() { self.object(schema)? } else { None };
        for part in parts {
            match self.value(part)? {
                Some(Tree::Map(entries)) => entries.into_iter().for_each(|entry| put(&mut merged, entry)),
                value => other = other.or(value),
            }
        }
        own.iter().flat_map(Tree::entries).cloned().for_each(|entry| put(&mut merged, entry));
        discriminator(schema).into_iter().for_each(|entry| put(&mut merged, entry));
        Ok(if merged.is_empty() { other.or(Some(Tree::Map(merged))) } else { Some(Tree::Map(merged)) })
    }

    fn of_type(&mut self, schema: Node<'a>) -> Result<Option<Tree>, String> {
        match kind(schema) {
            "object" => self.object(schema),
            "array" => self.array(schema),
            "string" => Ok(Some(Tree::Text(self.text(schema)))),
            "integer" | "number" => Ok(Some(number(schema))),
            "boolean" => Ok(Some(Tree::Bool(true))),
            "null" => Ok(Some(Tree::Null)),
            other => Err(format!("expected a type such as `string` or `object` in its schema, found `{other}`")),
        }
    }

    /// An object with all its properties but those that only responses have.
    fn object(&mut self, schema: Node<'a>) -> Result<Option<Tree>, String> {
        let mut entries = Vec::new();
        for (name, property) in schema.map("properties")? {
            let is_of_responses = property.tree.get("readOnly").is_some_and(Tree::is_true);
            if !is_of_responses && let Some(value) = self.value(property)? {
                entries.push((name.to_owned(), value));
            }
        }
        let additional = schema.get("additionalProperties")?.filter(|node| matches!(node.tree, Tree::Map(_)));
        if let Some(additional) = additional.filter(|_| entries.is_empty())
            && let Some(value) = self.value(additional)?
        {
            entries.push(("key".to_owned(), value));
        }
        Ok(Some(Tree::Map(entries)))
    }

    fn array(&mut self, schema: Node<'a>) -> Result<Option<Tree>, String> {
        const LONGEST: f64 = 100.0;
        let mut items = Vec::new();
        for item in schema.list("prefixItems")? {
            items.extend(self.value(item)?);
        }
        let least = schema.tree.get("minItems").and_then(Tree::as_number).unwrap_or(1.0).clamp(1.0, LONGEST) as usize;
        while items.len() < least
            && let Some(of_each) = schema.get("items")?
            && let Some(value) = self.value(of_each)?
        {
            items.push(value);
        }
        Ok(Some(Tree::List(items)))
    }

    fn text(&mut self, schema: Node<'a>) -> String {
        const LONGEST: f64 = 10_000.0;
        if let Some(pattern) = schema.text("pattern") {
            self.patterns.push(pattern.to_owned());
        }
        let example = of_format(schema.text("format").unwrap_or_default());
        let limit = |key: &str| schema.tree.get(key).and_then(Tree::as_number).map(|n| n.clamp(0.0, LONGEST) as usize);
        let length = example.len().max(limit("minLength").unwrap_or(0)).min(limit("maxLength").unwrap_or(usize::MAX));
        example.chars().cycle().take(length).collect()
    }
}

/// The property that names which of several schemas a value follows, here the first: by its key in `mapping`, or by the
/// schema's name.
fn discriminator(schema: Node<'_>) -> Option<(String, Tree)> {
    let said = schema.tree.get("discriminator")?;
    let property = said.get("propertyName")?.as_text()?;
    let mut choices = ["oneOf", "anyOf"].into_iter().filter_map(|key| schema.tree.get(key)).flat_map(Tree::items);
    let chosen = choices.find_map(|choice| choice.get("$ref")?.as_text())?;
    let name = chosen.rsplit('/').next().unwrap_or(chosen);
    let is_chosen = |target: &Tree| target.as_text().is_some_and(|target| target == chosen || target == name);
    let mut mapping = said.get("mapping").map(Tree::entries).unwrap_or_default().iter();
    let key = mapping.find(|(_, target)| is_chosen(target)).map_or(name, |(key, _)| key);
    Some((property.to_owned(), Tree::Text(key.to_owned())))
}

/// Adds an entry, in place of one of the same name.
fn put(entries: &mut Vec<(String, Tree)>, entry: (String, Tree)) {
    match entries.iter_mut().find(|(name, _)| *name == entry.0) {
        Some(there) => *there = entry,
        None => entries.push(entry),
    }
}

/// The type, of several the first that is not null; where none is said, what its keywords imply.
fn kind(schema: Node<'_>) -> &str {
    let said = schema.tree.get("type");
    let of_several = said.map(Tree::items).unwrap_or_default().iter().filter_map(Tree::as_text);
    if let Some(kind) = said.and_then(Tree::as_text).or_else(|| of_several.clone().find(|kind| *kind != "null")) {
        return kind;
    }
    let has = |key: &str| schema.tree.get(key).is_some();
    if has("items") || has("prefixItems") {
        "array"
    } else if has("format") || has("pattern") || has("minLength") || has("maxLength") {
        "string"
    } else if has("minimum") || has("maximum") || has("multipleOf") {
        "number"
    } else {
        "object"
    }
}

fn of_format(format: &str) -> &'static str {
    match format {
        "date-time" => "2026-01-01T00:00:00Z",
        "date" => "2026-01-01",
        "time" => "12:00:00Z",
        "duration" => "P1D",
        "uuid" => "3fa85f64-5717-4562-b3fc-2c963f66afa6",
        "email" | "idn-email" => "user@example.com",
        "uri" | "url" | "iri" => "https://example.com/",
        "uri-reference" => "/",
        "hostname" | "idn-hostname" => "example.com",
        "ipv4" => "127.0.0.1",
        "ipv6" => "::1",
        "byte" => "c3RyaW5n",
        _ => "string",
    }
}

/// 1, or the nearest that the limits allow.
fn number(schema: Node<'_>) -> Tree {
    // Whole numbers up to here are exact.
    const LARGEST: f64 = 9e15;
    let is_whole = kind(schema) == "integer";
    let limit = |key: &str| schema.tree.get(key).and_then(Tree::as_number);
    let is_exclusive = |key: &str| schema.tree.get(key).is_some_and(Tree::is_true);
    let (most, below) = (limit("maximum"), limit("exclusiveMaximum"));
    // 3.0 has `exclusiveMinimum: true` beside a minimum, 3.1 has a number of its own.
    let step = if is_whole { 1.0 } else { 0.5 };
    let least = limit("minimum").map(|least| if is_exclusive("exclusiveMinimum") { least + step } else { least });
    let least = least.or(limit("exclusiveMinimum").map(|above| above + step)).unwrap_or(1.0);
    let most = most.map(|most| if is_exclusive("exclusiveMaximum") { most - step } else { most });
    let most = most.or(below.map(|below| below - step)).unwrap_or(f64::MAX);
    let mut value = least.min(most);
    if let Some(multiple) = limit("multipleOf").filter(|multiple| *multiple > 0.0) {
        value = (value / multiple).ceil() * multiple;
    }
    let value = if is_whole { value.ceil() } else { value }.clamp(-LARGEST, LARGEST);
    let number = if value.fract() == 0.0 { Some(Number::from(value as i64)) } else { Number::from_f64(value) };
    number.map_or(Tree::Null, Tree::Number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{error::Source, openapi::documents::Documents};

    fn made(schema: &str) -> String {
        let text = format!("schema: {schema}");
        let files = |_: &str| Err(String::new());
        let documents = Documents::read(Source { name: "x", text: &text }, &files).unwrap();
        let schema = documents.root().get("schema").unwrap().unwrap();
        Maker::default()
            .value(schema)
            .map_or_else(|why| why, |value| value.map_or("nothing".to_owned(), |v| v.to_json()))
    }

    #[test]
    fn what_the_author_gives_comes_first() {
        assert_eq!(made("{type: string, example: a b}"), "\"a b\"");
        assert_eq!(made("{type: [integer, 'null'], examples: [7, 8]}"), "7");
        assert_eq!(made("{type: string, enum: [x, y]}"), "\"x\"");
        assert_eq!(made("{const: 1.5}"), "1.5");
    }

    #[test]
    fn numbers_and_texts_keep_their_limits() {
        assert_eq!(made("{type: integer}"), "1");
        assert_eq!(made("{type: integer, minimum: 5, exclusiveMinimum: true, multipleOf: 4}"), "8");
        assert_eq!(made("{type: number, exclusiveMinimum: 1, maximum: 1.2}"), "1.2");
        assert_eq!(made("{type: integer, maximum: -3}"), "-3");
        assert_eq!(made("{type: string, minLength: 8}"), "\"stringst\"");
        assert_eq!(made("{type: string, maxLength: 3}"), "\"str\"");
        assert_eq!(made("{format: uuid}"), "\"3fa85f64-5717-4562-b3fc-2c963f66afa6\"");
    }

    #[test]
    fn objects_lists_and_their_compositions() {
        let object = "{properties: {id: {type: integer, readOnly: true}, b: {type: boolean}, a: {type: array, items: {type: string}}}}";
        assert_eq!(made(object), r#"{"b":true,"a":["string"]}"#);
        assert_eq!(
            made("{allOf: [{properties: {a: {example: 1}}}, {properties: {b: {example: 2}}}]}"),
            r#"{"a":1,"b":2}"#
        );
        assert_eq!(made("{anyOf: [{type: 'null'}, {type: string}]}"), "\"string\"");
        assert_eq!(made("{additionalProperties: {type: integer}}"), r#"{"key":1}"#);
        assert_eq!(made("{type: array, minItems: 2, items: {type: integer}}"), "[1,1]");
        assert!(made("{type: strong}").contains("found `strong`"));
    }

    #[test]
    fn schemas_that_contain_themselves_come_to_an_end() {
        let node = "{properties: {name: {type: string}, child: {$ref: '#/schema'}, children: {type: array, items: {$ref: '#/schema'}}}}";
        assert_eq!(made(node), r#"{"name":"string","children":[]}"#);
        let item = "{type: array, minItems: 100, items: ";
        let deep = format!("{}{{type: integer}}{}", item.repeat(4), "}".repeat(4));
        assert!(made(&deep).contains("give it an `example`"));
    }
}
