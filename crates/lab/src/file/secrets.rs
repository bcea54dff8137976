//! The secrets of experiment files: found by the names of keys, learned before anything is done with the file, and
//! left out of the text that the record keeps.

use plimsoll_drive::{
    ScriptText,
    script::{Auth, Body, PartContent, StepText, Table},
};
use plimsoll_secrets::{
    Hidden, hide, learn,
    name::{Promise, promise},
};

use super::node::{self, Node, Value};

/// Larger bodies are files of data, not logins.
const BODY_BYTES_MAX: usize = 1 << 20;
/// Under these names there are expressions, names and paths, whatever keys they have.
const NO_SECRETS: [&str; 6] = ["captures", "claims", "description", "keep", "key", "title"];
/// Under these names there are the words of a command.
const COMMANDS: [&str; 9] =
    ["after-run", "args", "arguments", "before-level", "before-run", "command", "jvm-flags", "native-flags", "ready"];

/// A value of the file that has secrets in it.
struct Found<'a> {
    node: &'a Node,
    hidden: Hidden,
}

/// Learns the secrets of a file that was read.
pub(super) fn learn_tree(root: &Node) {
    let mut found = Vec::new();
    collect("", root, &mut found);
    learn(found.into_iter().flat_map(|found| found.hidden.secrets));
}

/// Learns what is secret in a file that cannot be read, for the error shows some of it.
pub(super) fn learn_text(text: &str) {
    learn(hide::command_line(text).secrets);
}

/// Learns the secrets of what is requested: headers, parameters, fields of bodies, variables, columns of data.
pub fn learn_script(script: &ScriptText) {
    let steps = script.steps().flat_map(of_step);
    let variables = script.variables.iter().flat_map(|(name, value)| hide::under(name, value).secrets);
    learn(steps.chain(variables).chain(script.feeders.iter().flat_map(|feeder| of_table(&feeder.table))));
}

fn of_table(table: &Table) -> impl Iterator<Item = String> {
    let columns = table.columns.iter().enumerate().filter(|(_, name)| promise(name) != Promise::None);
    columns.flat_map(|(index, name)| {
        let cells = table.rows.iter().filter_map(move |row| row.get(index));
        cells.flat_map(|value| hide::under(name, value).secrets)
    })
}

fn of_step(step: &StepText) -> Vec<String> {
    let headers = step.headers.iter().map(|(name, value)| hide::under(name, value));
    let checks = step.checks.iter().map(|check| hide::pairs(check));
    let auth = step.auth.as_ref().map(|auth| match auth {
        Auth::Basic { user, password } if user.contains("{{") || password.contains("{{") => {
            hide::under("password", password)
        }
        Auth::Basic { user, password } => hide::user(&format!("{user}:{password}")),
        Auth::Bearer(token) => hide::under("bearer", token),
    });
    let all = headers.chain(checks).chain(auth).chain([hide::text(&step.url)]).chain(of_body(&step.body));
    all.flat_map(|hidden| hidden.secrets).collect()
}

fn of_body(body: &Body) -> Vec<Hidden> {
    let of_bytes = |bytes: &[u8]| match std::str::from_utf8(bytes) {
        Ok(text) if text.len() <= BODY_BYTES_MAX => vec![hide::pairs(text)],
        _ => Vec::new(),
    };
    match body {
        Body::None => Vec::new(),
        Body::Text(text) | Body::Json(text) => of_bytes(text.as_bytes()),
        Body::Bytes(bytes) => of_bytes(bytes),
        Body::Form(fields) => fields.iter().map(|(name, value)| hide::under(name, value)).collect(),
        Body::Multipart(parts) => {
            let parts = parts.iter().flat_map(|part| match &part.content {
                PartContent::Text(text) => vec![hide::under(&part.name, text)],
                PartContent::File { bytes, .. } => of_bytes(bytes),
            });
            parts.collect()
        }
    }
}

/// The text without what `root`, which was read from it, has under the names of secrets. A value that is only filled in
/// (`{{…}}`) is none.
pub(super) fn masked(text: &str, root: &Node) -> String {
    let mut found = Vec::new();
    collect("", root, &mut found);
    found.retain(|found| found.node.scalar() != Some(&found.hidden.text));
    // An alias is read as what it stands for, which has one place.
    found.sort_by_key(|found| std::cmp::Reverse((found.node.place.line, found.node.place.column)));
    found.dedup_by_key(|found| (found.node.place.line, found.node.place.column));
    let mut masked = text.to_owned();
    for Found { node, hidden } in found {
        let from = node::offset(text, &node.place);
        let line_end = text[from..].find('\n').map_or(text.len(), |length| from + length);
        let value = node.scalar().unwrap_or_default();
        let (at, shown) = match text[from..line_end].find(value) {
            Some(at) => (from + at..from + at + value.len(), hidden.text.as_str()),
            None => (from..block_end(text, from, line_end), plimsoll_secrets::MASK),
        };
        // Claims are told by their lines.
        let lines = text[at.clone()].matches('\n').count();
        masked.replace_range(at, &format!("{shown}{}", "\n".repeat(lines)));
    }
    // Settings that were tried, and put aside. Prose stands there, too: nothing of it is learned.
    let without = |line: &str| match comment(line) {
        Some((before, comment)) => format!("{before}{}", hide::command_line(comment).text),
        None => line.to_owned(),
    };
    masked.split_inclusive('\n').map(without).collect()
}

/// The comment of a line, after what stands before it. A `#` within quotes may begin one as well: too much is looked at
/// then, and nothing lost.
fn comment(line: &str) -> Option<(&str, &str)> {
    let is_start = |&(at, _): &(usize, &str)| line[..at].chars().next_back().is_none_or(char::is_whitespace);
    let (at, _) = line.match_indices('#').find(is_start)?;
    Some(line.split_at(at))
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

/// Collects the secrets in `node`, which stands under `name`.
fn collect<'a>(name: &str, node: &'a Node, found: &mut Vec<Found<'a>>) {
    match &node.value {
        _ if NO_SECRETS.contains(&name) => {}
        Value::List(items) if COMMANDS.contains(&name) => {
            let words: Vec<String> = items.iter().map(|item| item.scalar().unwrap_or_default().to_owned()).collect();
            let hidden = hide::arguments(&words);
            found.extend(items.iter().zip(hidden).map(|(node, hidden)| Found { node, hidden }));
        }
        Value::List(items) => items.iter().for_each(|item| collect(name, item, found)),
        Value::Map(entries) => {
            entries.iter().for_each(|entry| collect(&entry.key.value, &entry.value, found));
            let part = |key| node.get(key).and_then(Node::scalar).filter(|text| !text.contains("{{"));
            if let (Some(user), Some(password)) = (part("user"), part("password")) {
                let Hidden { secrets, .. } = hide::user(&format!("{user}:{password}"));
                let text = node.scalar().unwrap_or_default().to_owned();
                found.push(Found { node, hidden: Hidden { text, secrets } });
            }
        }
        _ => found.extend(node.scalar().map(|text| Found { node, hidden: of_scalar(name, text) })),
    }
}

fn of_scalar(name: &str, text: &str) -> Hidden {
    match name {
        "body" | "checks" => hide::pairs(text),
        // It ought to be a list, as an error will say.
        name if COMMANDS.contains(&name) => hide::argument(None, text),
        name => hide::under(name, text),
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
            "base: {env: {DB_PASSWORD: pw, A: b}, command: [x, --token, t, -Da.secret=s, \"http://u:p@h\"]}",
            "connection: {proxy: \"http://u:p@h:1\", key: client-key.pem}",
            "request: {checks: [\"header X-Token == h\"], captures: {token: json $.token}, body: 'password=b&c=d'}",
            "variables: {api-key: k, x: &same v, token: *same}",
            "# old: {DB_PASSWORD: commented}, was: run --token t2 -v",
            "pace: a#b # password: \"s\"",
            "command: [sh, -c, \"exec svc --db-password pw2 -v\"]",
        ];
        let text = &text.join("\n");
        let root = node::read(text, &mut Errors::default()).unwrap();
        let masked = super::masked(text, &root);
        assert!(masked.contains("{user: ann, password: \"(masked)\"}"), "{masked}");
        assert!(masked.contains("{X-Api-Key: (masked), A: abc}"), "{masked}");
        assert!(masked.contains("{password: \"{{password}}\"}, token: (masked)}"), "{masked}");
        assert!(masked.contains("      bearer: >-\n        (masked)\n\n\nrounds: 3"), "{masked}");
        assert!(masked.starts_with("title: password\n"), "{masked}");
        assert!(
            masked.contains("{env: {DB_PASSWORD: (masked), A: b}, command: [x, --token, (masked), -Da.secret=(masked)")
        );
        assert!(masked.contains("\"http://(masked)@h\"]}"), "{masked}");
        assert!(masked.contains("{proxy: \"http://(masked)@h:1\", key: client-key.pem}"), "{masked}");
        assert!(masked.contains("[\"header X-Token == (masked)\"], captures: {token: json $.token}"), "{masked}");
        assert!(masked.contains("body: 'password=(masked)&c=d'"), "{masked}");
        assert!(masked.contains("{api-key: (masked), x: &same (masked), token: *same}"), "{masked}");
        assert!(masked.contains("# old: {DB_PASSWORD: (masked)}, was: run --token (masked) -v\n"), "{masked}");
        assert!(masked.contains("pace: a#b # password: \"(masked)\"\n"), "{masked}");
        assert!(masked.ends_with("[sh, -c, \"exec svc --db-password (masked) -v\"]"), "{masked}");
    }
}
