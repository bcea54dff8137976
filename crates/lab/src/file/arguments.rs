//! A program and its arguments.

use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::{
    decode::{FromNode, Scalar},
    errors::Errors,
    node::{Node, Value},
};

/// A list of words, never a line for a shell.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Arguments(pub Vec<Scalar>);

impl FromNode for Arguments {
    fn from_node(node: &Node, errors: &mut Errors) -> Option<Self> {
        if let Value::Text(line) = &node.value {
            let message = "expected a list of the program and its arguments, found a text: write";
            errors.push(&node.place, format!("{message} `{}`", as_list(line)));
            return None;
        }
        Vec::from_node(node, errors).map(Self)
    }
}

/// The list that does what the line would.
fn as_list(line: &str) -> String {
    let is_of_a_shell = |c: char| "'\"\\`$|&;<>()*?~#".contains(c);
    if line.contains(is_of_a_shell) {
        return format!("[sh, -c, \"{}\"]", line.replace('\\', r"\\").replace('"', "\\\""));
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+@".contains(c);
    let words = line.split_whitespace();
    let quoted = words.map(|word| if word.chars().all(is_plain) { word.to_owned() } else { format!("\"{word}\"") });
    format!("[{}]", quoted.collect::<Vec<_>>().join(", "))
}

impl JsonSchema for Arguments {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        Vec::<Scalar>::schema_name()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Vec::<Scalar>::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_shown_as_a_list() {
        for (line, list) in [
            ("java -jar app.jar", "[java, -jar, app.jar]"),
            ("java  --server.port={port}", "[java, \"--server.port={port}\"]"),
            ("cd x && ./serve \"a b\"", r#"[sh, -c, "cd x && ./serve \"a b\""]"#),
        ] {
            assert_eq!(as_list(line), list);
        }
    }
}
