//! Security requirements of an operation, as advice: credentials are not in the document.

use super::{documents::Node, operation::Operation};

/// One line for each scheme that is needed.
pub(super) fn notes(root: Node<'_>, operation: &Operation<'_>) -> Result<Vec<String>, String> {
    let is_own = operation.node.tree.get("security").is_some();
    let requirements = if is_own { operation.node.list("security")? } else { root.list("security")? };
    // Any one of them is enough, and an empty one means that none is needed.
    let is_optional = requirements.iter().any(|requirement| requirement.tree.entries().is_empty());
    let Some(requirement) = requirements.first().filter(|_| !is_optional) else { return Ok(Vec::new()) };
    let components = root.get("components")?;
    let schemes = components.map(|components| components.map("securitySchemes")).transpose()?.unwrap_or_default();
    let needed = requirement.tree.entries().iter().map(|(name, _)| {
        let scheme = schemes.iter().find(|(known, _)| known == name).map(|(_, scheme)| *scheme);
        format!("`{}` needs `{name}`: {}", operation.name(), advice(scheme))
    });
    Ok(needed.collect())
}

fn advice(scheme: Option<Node<'_>>) -> String {
    let text = |key: &str| scheme.and_then(|scheme| scheme.text(key)).unwrap_or_default();
    match (text("type"), text("scheme").to_lowercase().as_str(), text("in")) {
        ("http", "basic", _) => "add -H 'Authorization: Basic …'".to_owned(),
        ("http", "bearer", _) | ("oauth2" | "openIdConnect", ..) => "add -H 'Authorization: Bearer …'".to_owned(),
        ("apiKey", _, "header") => format!("add -H '{}: …'", text("name")),
        ("apiKey", _, "cookie") => format!("add -H 'Cookie: {}=…'", text("name")),
        ("apiKey", _, "query") => {
            format!("it goes into the query as `{}`: write the URL out instead of --openapi", text("name"))
        }
        ("mutualTLS", ..) => "a client certificate".to_owned(),
        _ => "see the API's documentation for the header to add with -H".to_owned(),
    }
}
