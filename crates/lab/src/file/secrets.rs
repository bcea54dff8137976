//! Experiment files with their secrets left out: the record and its reports are made to be shared.

use super::node::{self, Node, Value};

/// Ends of names whose values are not to be told.
const SECRET: [&str; 7] = ["password", "bearer", "authorization", "cookie", "token", "api-key", "secret"];
/// Where names and values are those of a request.
const SECTIONS: [&str; 5] = ["auth", "headers", "form", "json", "multipart"];

/// The text without what `root`, which was read from it, has under the names of secrets. A value that is only filled in
/// (`{{…}}`) is none.
pub(super) fn masked(text: &str, root: &Node) -> String {
    let mut found = Vec::new();
    collect(root, false, &mut found);
    found.sort_by_key(|(offset, _)| std::cmp::Reverse(*offset));
    let mut masked = text.to_owned();
    for (_, secret) in found {
        let from = node::offset(text, &secret.place);
        let line_end = text[from..].find('\n').map_or(text.len(), |length| from + length);
        let value = secret.scalar().unwrap_or_default();
        let at = match text[from..line_end].find(value) {
            Some(at) => from + at..from + at + value.len(),
            None => from..block_end(text, from, line_end),
        };
        // Claims are told by their lines.
        let lines = text[at.clone()].matches('\n').count();
        masked.replace_range(at, &format!("(masked){}", "\n".repeat(lines)));
    }
    masked
}

/// The end of a text that YAML folds or escapes, and that goes on in the lines below that are indented deeper.
fn block_end(text: &str, from: usize, line_end: usize) -> usize {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let line_start = text[..from].rfind('\n').map_or(0, |newline| newline + 1);
    let own = indent(&text[line_start..]);
    // Either its lines are all alike, or those below are deeper than the key before it.
    let least = if from == line_start + own { own } else { own + 1 };
    let below = text[line_end..].split_inclusive('\n').skip(1);
    let of_block = below.take_while(|line| line.trim().is_empty() || indent(line) >= least);
    let length: usize = of_block.map(str::len).sum();
    let end = (line_end + length + usize::from(length > 0)).min(text.len());
    text[..end].trim_end().len().max(from)
}

fn collect<'a>(node: &'a Node, is_of_request: bool, found: &mut Vec<((u32, u32), &'a Node)>) {
    if let Value::List(items) = &node.value {
        items.iter().for_each(|item| collect(item, is_of_request, found));
    }
    for entry in node.entries() {
        let name = entry.key.value.to_lowercase();
        let is_secret = is_of_request && SECRET.iter().any(|secret| name.ends_with(secret));
        match entry.value.scalar() {
            Some(text) if is_secret && !text.contains("{{") && !text.is_empty() => {
                let place = &entry.value.place;
                found.push(((place.line, place.column), &entry.value));
            }
            _ => collect(&entry.value, is_of_request || SECTIONS.contains(&name.as_str()), found),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::errors::Errors;

    #[test]
    fn secrets_are_left_out_and_nothing_else() {
        let text = [
            "title: password",
            "steps:",
            "  - auth: {user: ann, password: \"s3 cret\"}",
            "    headers: {X-Api-Key: abc, A: abc}",
            "  - json: {login: {password: \"{{password}}\"}, token: 5}",
            "    auth:",
            "      bearer: >-",
            "        folded",
            "        text",
            "        and more",
            "rounds: 3",
        ];
        let text = &text.join("\n");
        let root = node::read(text, &mut Errors::default()).unwrap();
        let masked = super::masked(text, &root);
        assert!(masked.contains("{user: ann, password: \"(masked)\"}"), "{masked}");
        assert!(masked.contains("{X-Api-Key: (masked), A: abc}"), "{masked}");
        assert!(masked.contains("{password: \"{{password}}\"}, token: (masked)}"), "{masked}");
        assert!(masked.contains("      bearer: >-\n        (masked)\n\n\nrounds: 3"), "{masked}");
        assert!(masked.starts_with("title: password\n"), "{masked}");
    }
}
