//! Secrets in trees of JSON.

use serde_json::Value;

use crate::{MASK, forms, value::of_value};

/// Finds the secrets of a text, if it is JSON; those within a text of it by `of_text`.
pub(crate) fn secrets(text: &str, of_text: &dyn Fn(&str) -> Vec<String>) -> Vec<String> {
    let mut found = Vec::new();
    if text.trim_start().starts_with(['{', '['])
        && let Ok(value) = serde_json::from_str(text)
    {
        collect("", &value, of_text, &mut found);
    }
    found
}

/// `name`: under which `value` stands, arrays between them left aside.
fn collect(name: &str, value: &Value, of_text: &dyn Fn(&str) -> Vec<String>, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(name, item, of_text, found)),
        Value::Object(entries) => entries.iter().for_each(|(name, value)| collect(name, value, of_text, found)),
        Value::String(text) => found.extend(of_value(name, text).unwrap_or_else(|| of_text(text))),
        Value::Number(number) => found.extend(of_value(name, &number.to_string()).unwrap_or_default()),
        Value::Null | Value::Bool(_) => {}
    }
}

/// Masks every text of `value`, names included: by `mask` wherever it appears, and whole under the name of a secret.
/// Words and names of the record's own are left: it could not be read without them.
pub(crate) fn mask(value: &mut Value, mask_text: &dyn Fn(&str) -> String) {
    match value {
        Value::String(text) if forms::is_common(text) => {}
        Value::String(text) => *text = mask_text(text),
        Value::Array(items) => items.iter_mut().for_each(|item| mask(item, mask_text)),
        Value::Object(entries) => {
            for (name, mut value) in std::mem::take(entries) {
                match &mut value {
                    Value::String(text) if of_value(&name, text).is_some() => *text = MASK.to_owned(),
                    value => mask(value, mask_text),
                }
                let mut masked = if forms::is_name(&name) { name } else { mask_text(&name) };
                // Two names may differ in their secrets alone.
                while entries.contains_key(&masked) {
                    masked.push('\'');
                }
                entries.insert(masked, value);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
