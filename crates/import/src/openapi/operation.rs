//! The operations of a document, and the one that is wanted.

use plimsoll_text::nearest_first;

use super::documents::Node;

const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/// A method of a path.
#[derive(Clone, Copy)]
pub(super) struct Operation<'a> {
    pub path: &'a str,
    pub method: &'a str,
    pub path_item: Node<'a>,
    pub node: Node<'a>,
}

impl Operation<'_> {
    /// Its `operationId`, or method and path.
    pub fn name(&self) -> String {
        self.node.text("operationId").map_or_else(|| self.method_and_path(), str::to_owned)
    }

    /// `GET /items/{id}`.
    pub fn method_and_path(&self) -> String {
        format!("{} {}", self.method.to_ascii_uppercase(), self.path)
    }

    /// Whether it is meant: by `operationId`, by `GET /path`, or by the path, if it has one method.
    fn matches(&self, wanted: &str) -> bool {
        let method_and_path = wanted.split_once(char::is_whitespace).map(|(method, path)| (method, path.trim()));
        let is_this = |(method, path): (&str, &str)| method.eq_ignore_ascii_case(self.method) && path == self.path;
        self.node.text("operationId") == Some(wanted) || method_and_path.is_some_and(is_this)
    }
}

/// All of them, in the document's order.
pub(super) fn all(root: Node<'_>) -> Result<Vec<Operation<'_>>, String> {
    let mut operations = Vec::new();
    for (path, path_item) in root.map("paths")? {
        for (method, _) in path_item.tree.entries() {
            if METHODS.contains(&method.as_str())
                && let Some(node) = path_item.get(method)?
            {
                operations.push(Operation { path, method, path_item, node });
            }
        }
    }
    Ok(operations)
}

/// The one that is wanted, or what there is.
pub(super) fn find<'a>(operations: &[Operation<'a>], wanted: &str) -> Result<Operation<'a>, String> {
    let wanted = wanted.trim();
    let of_path: Vec<_> = operations.iter().copied().filter(|operation| operation.path == wanted).collect();
    let found = operations.iter().copied().find(|operation| operation.matches(wanted));
    match (found, of_path.as_slice()) {
        (Some(operation), _) | (None, &[operation]) => Ok(operation),
        _ => Err(format!("no operation `{wanted}`; {}", listed(operations, wanted))),
    }
}

/// "there is `a`, `b`", the nearest to `wanted` first.
pub(super) fn listed(operations: &[Operation<'_>], wanted: &str) -> String {
    if operations.is_empty() {
        return "the document has none under `paths`".to_owned();
    }
    let names: Vec<String> = operations
        .iter()
        .map(|operation| if wanted.contains('/') { operation.method_and_path() } else { operation.name() })
        .collect();
    format!("there is {}", nearest_first(names.iter().map(String::as_str), wanted))
}
