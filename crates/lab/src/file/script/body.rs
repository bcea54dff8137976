//! Bodies of requests: texts, files, JSON, forms.

use std::{path::Path, sync::Arc};

use plimsoll_drive::{
    files,
    script::{Body, Part, PartContent},
};

use super::SharedParts;
use crate::file::{
    decode::{Checked, Entries, Scalar},
    errors::{At, Errors, Place},
    node::{Node, Value},
    requests::{PartValue, RequestSection},
};

impl SharedParts<'_> {
    pub(super) fn body(&self, section: &RequestSection, place: &mut Place, errors: &mut Errors) -> Body {
        let mut bodies = Vec::new();
        if let Some(At { value, place }) = &section.body {
            bodies.push((Body::Text(value.clone()), place));
        }
        if let Some(file) = &section.body_file {
            bodies.push((self.file(file, errors).map_or(Body::None, Body::Bytes), &file.place));
        }
        if let Some(Checked { node, .. }) = &section.json {
            let mut text = String::new();
            write_json(node, &mut text, errors);
            bodies.push((Body::Json(text), &node.place));
        }
        if let Some(Checked { value: Entries(fields), node }) = &section.form {
            let field = |(name, value): &(At<String>, Scalar)| (name.value.clone(), value.0.clone());
            bodies.push((Body::Form(fields.iter().map(field).collect()), &node.place));
        }
        if let Some(Checked { value: Entries(parts), node }) = &section.multipart {
            let parts = parts.iter().filter_map(|(name, value)| self.part(&name.value, value, errors)).collect();
            bodies.push((Body::Multipart(parts), &node.place));
        }
        if let [(_, first), (_, second), ..] = bodies.as_slice() {
            let message = "a request has one body: keep one of `body`, `body-file`, `json`, `form` and `multipart`";
            errors.push_related(second, message, first, "the first is here");
        }
        let Some((body, at)) = bodies.into_iter().next() else { return Body::None };
        *place = at.clone();
        body
    }

    fn part(&self, name: &str, value: &PartValue, errors: &mut Errors) -> Option<Part> {
        let (content, content_type) = match value {
            PartValue::Text(text) => (PartContent::Text(text.0.clone()), None),
            PartValue::File(part) => {
                let file = Path::new(&part.file.value).file_name().unwrap_or_default();
                let bytes = self.file(&part.file, errors)?;
                (PartContent::File { name: file.to_string_lossy().into_owned(), bytes }, part.content_type.clone())
            }
        };
        Some(Part { name: name.to_owned(), content, content_type })
    }

    fn file(&self, path: &At<String>, errors: &mut Errors) -> Option<Arc<[u8]>> {
        let full = self.folder.join(&path.value);
        let read = files::read(&full, files::BODY_BYTES_MAX)
            .map_err(|why| format!("cannot read {}: {why}; check the path", full.display()));
        read.map_err(|problem| errors.push(&path.place, problem)).ok().map(Into::into)
    }
}

/// YAML as JSON, keys in the file's order.
fn write_json(node: &Node, text: &mut String, errors: &mut Errors) {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    match &node.value {
        Value::Nothing => text.push_str("null"),
        Value::Bool(word) => text.push_str(&word.to_lowercase()),
        Value::Number(number) => {
            if serde_json::from_str::<serde_json::Number>(number).is_err() {
                errors
                    .push(&node.place, format!("`{number}` is not a number of JSON: put it in quotes if it is meant"));
            }
            text.push_str(number);
        }
        Value::Text(words) => text.push_str(&quoted(words)),
        Value::List(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                text.push_str(if index > 0 { "," } else { "" });
                write_json(item, text, errors);
            }
            text.push(']');
        }
        Value::Map(entries) => {
            text.push('{');
            for (index, entry) in entries.iter().enumerate() {
                text.push_str(if index > 0 { "," } else { "" });
                text.push_str(&quoted(&entry.key.value));
                text.push(':');
                write_json(&entry.value, text, errors);
            }
            text.push('}');
        }
    }
}
