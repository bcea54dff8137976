//! The JSON Schema that editors use, and the reference made from it. Both are committed, under `docs/`.

use std::fmt::Write;

use schemars::{Schema, generate::SchemaSettings, transform::transform_subschemas};
use serde_json::Value;

use super::document::Document;

/// The JSON Schema (draft 7, which editors know best) of experiment files.
pub fn schema() -> Value {
    let settings = SchemaSettings::draft07().with_transform(without_null as fn(&mut Schema));
    let mut schema = settings.into_generator().into_root_schema_for::<Document>().to_value();
    schema["title"] = "Plimsoll experiment file".into();
    schema
}

/// A key is absent or has a value; it is never null.
fn without_null(schema: &mut Schema) {
    transform_subschemas(&mut without_null, schema);
    let is_null = |value: &Value| value == "null" || value["type"] == "null";
    for keyword in ["type", "anyOf"] {
        let Some(Value::Array(choices)) = schema.get_mut(keyword) else { continue };
        choices.retain(|choice| !is_null(choice));
        if let [only] = choices.as_slice() {
            let only = only.clone();
            replace_with_only(schema, keyword, only);
        }
    }
}

/// Puts the only choice that is left in the place of the choices. In draft 7 nothing may stand beside a
/// reference, hence `allOf`.
fn replace_with_only(schema: &mut Schema, keyword: &str, only: Value) {
    schema.remove(keyword);
    match only {
        Value::Object(keywords) if keywords.contains_key("$ref") => {
            schema.insert("allOf".to_owned(), vec![Value::Object(keywords)].into());
        }
        Value::Object(keywords) => {
            for (name, value) in keywords {
                schema.insert(name, value);
            }
        }
        name => {
            schema.insert(keyword.to_owned(), name);
        }
    }
}

/// The reference of experiment files, in Markdown.
pub fn reference_markdown() -> String {
    let schema = schema();
    let mut text = String::from(
        "# The experiment file\n\n\
         Made from the same declarations that read the file, as is its JSON Schema,\n\
         [experiment.schema.json](experiment.schema.json). Put this into the first line of a file in `experiments/`,\n\
         and editors complete and check it:\n\n\
         ```yaml\n\
         # yaml-language-server: $schema=../docs/experiment.schema.json\n\
         ```\n\n\
         `plimsoll check FILE` checks a file without running it; `plimsoll schema` prints the schema.\n\n\
         Durations, sizes, rates and shares carry their unit: `30s`, `250 ms`, `1m 30s`; `1 GiB`, `512 MB`; `200/s`;\n\
         `50 %`. A key that is not listed here is an error.\n\n",
    );
    write_mapping("experiment", &schema, &mut text);
    for name in in_order_of_use(&schema) {
        let definition = &schema["definitions"][&name];
        match definition["properties"].is_object() {
            true => write_mapping(&name, definition, &mut text),
            false => write_words(&name, definition, &mut text),
        }
    }
    text.truncate(text.trim_end().len());
    text + "\n"
}

/// Definitions as a reader going down from the file's keys meets them.
fn in_order_of_use(schema: &Value) -> Vec<String> {
    let mut names = Vec::new();
    let mut open = vec![schema];
    while let Some(next) = open.pop() {
        for name in references(next) {
            if !names.contains(&name) {
                names.push(name.clone());
                open.insert(0, &schema["definitions"][&name]);
            }
        }
    }
    names
}

/// The definitions that a mapping's keys refer to, in the keys' order.
fn references(mapping: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for key in keys(mapping) {
        collect_references(&mapping["properties"][key], &mut found);
    }
    found
}

fn collect_references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            let reference = map.get("$ref").and_then(Value::as_str).filter(|reference| *reference != "#");
            found.extend(reference.map(definition_name));
            map.values().for_each(|value| collect_references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_references(item, found)),
        _ => {}
    }
}

/// The root of the schema is the experiment.
fn definition_name(reference: &str) -> String {
    if reference == "#" { "experiment" } else { reference.rsplit('/').next().unwrap_or_default() }.to_owned()
}

fn keys(mapping: &Value) -> Vec<&str> {
    mapping["x-order"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn write_mapping(name: &str, mapping: &Value, text: &mut String) {
    let required: Vec<&str> = mapping["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let _ = writeln!(text, "## {name}\n\n{}\n\n| key | value | |\n|---|---|---|", description(mapping));
    for key in keys(mapping) {
        let property = &mapping["properties"][key];
        let needed = if required.contains(&key) { "**Required.** " } else { "" };
        let _ = writeln!(
            text,
            "| `{key}` | {} | {needed}{} |",
            words_of(property),
            description(property).replace('|', "\\|")
        );
    }
    text.push('\n');
}

fn write_words(name: &str, definition: &Value, text: &mut String) {
    let _ = writeln!(text, "## {name}\n\n{} One of:\n", description(definition));
    for word in definition["oneOf"].as_array().into_iter().flatten() {
        let _ = writeln!(text, "- `{}`: {}", word["const"].as_str().unwrap_or_default(), description(word));
    }
    text.push('\n');
}

fn description(schema: &Value) -> String {
    schema["description"].as_str().unwrap_or_default().replace('\n', " ")
}

/// The type of a value, in words.
fn words_of(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = definition_name(reference);
        return format!("[{name}](#{name})");
    }
    for keyword in ["anyOf", "allOf"] {
        if let Some(choices) = schema[keyword].as_array() {
            return choices.iter().map(words_of).collect::<Vec<_>>().join(", or ");
        }
    }
    if let Some(what) = schema["x-what"].as_str() {
        return what.trim_start_matches("a ").trim_start_matches("an ").to_owned();
    }
    match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).map(type_word).collect::<Vec<_>>().join(" or "),
        Value::String(name) if name == "array" => format!("list of {}", words_of(&schema["items"])),
        Value::String(name) if name == "object" => {
            format!("mapping of names to {}", words_of(&schema["additionalProperties"]))
        }
        Value::String(name) => type_word(name).to_owned(),
        _ => String::new(),
    }
}

fn type_word(json_type: &str) -> &str {
    match json_type {
        "string" => "text",
        "integer" => "whole number",
        "boolean" => "`true` or `false`",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::{env, fs, path::PathBuf};

    use super::*;

    /// `UPDATE_DOCS=1 cargo test -p plimsoll-lab` writes the file anew.
    fn assert_current(name: &str, expected: &str) {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
        if env::var_os("UPDATE_DOCS").is_some() {
            fs::write(&path, expected).unwrap();
        }
        let committed = fs::read_to_string(&path).unwrap_or_default();
        assert!(committed == expected, "docs/{name} is not current: run UPDATE_DOCS=1 cargo test -p plimsoll-lab");
    }

    #[test]
    fn the_committed_schema_is_current() {
        assert_current("experiment.schema.json", &(serde_json::to_string_pretty(&schema()).unwrap() + "\n"));
    }

    #[test]
    fn the_committed_reference_is_current() {
        assert_current("experiment-file.md", &reference_markdown());
    }

    #[test]
    fn every_key_has_an_example() {
        let schema = schema();
        for mapping in schema["definitions"].as_object().unwrap().values().chain([&schema]) {
            for key in keys(mapping) {
                let text = description(&mapping["properties"][key]);
                assert!(text.contains("Example"), "`{key}` has no example: {text}");
            }
        }
    }
}
