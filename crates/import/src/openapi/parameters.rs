//! Parameters in paths, queries, headers and cookies.

use url::form_urlencoded::byte_serialize;

use super::{documents::Node, media, operation::Operation, schema, schema::Maker, tree::Tree};
use crate::headers::Headers;

/// The parameters of an operation with values.
#[derive(Default)]
pub(super) struct Parameters {
    /// The path with its values in place.
    pub path: String,
    /// `a=1&b=2`, encoded.
    pub query: String,
    pub headers: Headers,
    /// The names of those that need not be there and have no example.
    pub left_out: Vec<String>,
}

/// Fills in all that have to be there, and those for which the author gives a value.
pub(super) fn read<'a>(operation: &Operation<'a>, maker: &mut Maker<'a>) -> Result<Parameters, String> {
    let mut read = Parameters { path: operation.path.to_owned(), ..Parameters::default() };
    let (mut query, mut cookies) = (Vec::new(), Vec::new());
    for parameter in declared(operation)? {
        let (name, place) = (parameter.text("name").unwrap_or_default(), parameter.text("in").unwrap_or_default());
        let in_words = |why| format!("parameter `{name}`: {why}");
        let is_required = place == "path" || parameter.tree.get("required").is_some_and(Tree::is_true);
        let Some(value) = value(parameter, is_required, maker).map_err(in_words)? else {
            read.left_out.push(name.to_owned());
            continue;
        };
        match place {
            "path" => read.path = read.path.replace(&format!("{{{name}}}"), &encoded(&joined(&value, ","))),
            "query" => query.extend(query_fields(parameter, name, &value)),
            "cookie" => cookies.push(format!("{name}={}", joined(&value, ","))),
            // The document says these three elsewhere, as the standard has it.
            "header" if ["accept", "content-type", "authorization"].contains(&name.to_lowercase().as_str()) => {}
            "header" => read.headers.push((name.to_owned(), joined(&value, ","))),
            other => return Err(in_words(format!("expected `in` path, query, header or cookie, found `{other}`"))),
        }
    }
    if let Some(open) = read.path.split('{').nth(1).and_then(|rest| rest.split('}').next()) {
        return Err(format!("`{{{open}}}` in `{}` has no parameter with `in: path`", operation.path));
    }
    read.query = query.join("&");
    if !cookies.is_empty() {
        read.headers.push(("Cookie".to_owned(), cookies.join("; ")));
    }
    Ok(read)
}

/// Parameters of the operation, and of its path where the operation does not override them.
fn declared<'a>(operation: &Operation<'a>) -> Result<Vec<Node<'a>>, String> {
    let mut declared = operation.path_item.list("parameters")?;
    for parameter in operation.node.list("parameters")? {
        let is_same = |other: &Node<'_>| ["name", "in"].iter().all(|key| other.text(key) == parameter.text(key));
        match declared.iter_mut().find(|other| is_same(other)) {
            Some(other) => *other = parameter,
            None => declared.push(parameter),
        }
    }
    Ok(declared)
}

fn value<'a>(parameter: Node<'a>, is_required: bool, maker: &mut Maker<'a>) -> Result<Option<Tree>, String> {
    if let Some(given) = media::example(parameter)? {
        return Ok(Some(given));
    }
    if let Some((_, content)) = parameter.map("content")?.into_iter().next() {
        let value = if is_required { media::value(content, maker)? } else { media::example(content)? };
        return Ok(value.map(|value| Tree::Text(value.to_json())));
    }
    match parameter.get("schema")? {
        Some(schema) if is_required => maker.value(schema),
        Some(schema) => Ok(schema::given(schema).filter(|_| schema.tree.get("enum").is_none())),
        None if is_required => Ok(Some(Tree::Text("string".to_owned()))),
        None => Ok(None),
    }
}

/// `a,b` for a list, `k,v,k,v` for a mapping.
fn joined(value: &Tree, separator: &str) -> String {
    match value {
        Tree::List(items) => items.iter().map(Tree::to_plain).collect::<Vec<_>>().join(separator),
        Tree::Map(entries) => {
            let pairs = entries.iter().flat_map(|(key, value)| [key.clone(), value.to_plain()]);
            pairs.collect::<Vec<_>>().join(separator)
        }
        scalar => scalar.to_plain(),
    }
}

fn query_fields(parameter: Node<'_>, name: &str, value: &Tree) -> Vec<String> {
    let style = parameter.text("style").unwrap_or("form");
    let explodes = parameter.tree.get("explode").map_or(style == "form", Tree::is_true);
    let field = |name: &str, value: &str| format!("{}={}", encoded(name), encoded(value));
    match value {
        Tree::Map(entries) if style == "deepObject" => {
            entries.iter().map(|(key, value)| field(&format!("{name}[{key}]"), &value.to_plain())).collect()
        }
        Tree::Map(entries) if explodes => entries.iter().map(|(key, value)| field(key, &value.to_plain())).collect(),
        Tree::List(items) if explodes => items.iter().map(|item| field(name, &item.to_plain())).collect(),
        _ => {
            let separator = match style {
                "spaceDelimited" => " ",
                "pipeDelimited" => "|",
                _ => ",",
            };
            vec![field(name, &joined(value, separator))]
        }
    }
}

/// The text for a path or a query; what the load is to replace stays as it is.
fn encoded(text: &str) -> String {
    if text.contains("{{") {
        text.to_owned()
    } else {
        byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
    }
}
