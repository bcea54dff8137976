//! Where an API is.

use url::Url;

use super::{documents::Node, operation::Operation, tree::Tree};

/// The URL that paths are appended to, without a slash at its end.
///
/// `base` replaces scheme and host of the document's server, and its path too if it has one itself.
pub(super) fn url(root: Node<'_>, operation: &Operation<'_>, base: Option<&str>) -> Result<String, String> {
    let server = declared(root, operation)?;
    let base = base.map(|base| parse_base(base).map(|url| (base, url))).transpose()?;
    let url = match (base, server) {
        (Some((_, base)), _) if base.path() != "/" => base.to_string(),
        (Some((_, base)), Some(server)) => {
            let path = Url::parse(&server).map_or(server, |url| url.path().to_owned());
            base.join(&path).map_err(|why| format!("servers: `{path}` is not a path: {why}"))?.to_string()
        }
        (Some((_, base)), None) => base.to_string(),
        (None, Some(server)) if server.contains("://") => server,
        (None, server) => {
            let found = server.map_or("no server".to_owned(), |server| format!("`{server}`"));
            return Err(format!("servers: expected a URL with a host, found {found}: give the URL to load as well"));
        }
    };
    Ok(url.trim_end_matches('/').to_owned())
}

fn parse_base(base: &str) -> Result<Url, String> {
    let url = Url::parse(base).map_err(|why| format!("`{base}` is not a URL: {why}"))?;
    if url.has_host() { Ok(url) } else { Err(format!("`{base}` is a URL without a host")) }
}

/// The first server of the operation, of its path, or of the document, its variables at their defaults.
fn declared(root: Node<'_>, operation: &Operation<'_>) -> Result<Option<String>, String> {
    for node in [operation.node, operation.path_item, root] {
        let Some(server) = node.list("servers")?.into_iter().next() else { continue };
        let mut url = server.text("url").unwrap_or_default().to_owned();
        for (name, variable) in server.map("variables")? {
            let default = variable.tree.get("default").map(Tree::to_plain).unwrap_or_default();
            url = url.replace(&format!("{{{name}}}"), &default);
        }
        return Ok(Some(url));
    }
    Ok(None)
}
