//! OpenAPI 3.0 and 3.1: one request for each operation that is asked for, made of its examples, or of its schemas.

mod documents;
mod media;
mod operation;
mod parameters;
mod schema;
mod security;
mod server;
mod tree;

use crate::{
    Files, Imported, ImportedRequest,
    error::{ImportError, Source},
    headers, target,
};
use documents::{Documents, Node};
use operation::Operation;
use schema::Maker;

/// A document, and what is wanted of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenApi<'a> {
    /// As the user named it.
    pub name: &'a str,
    /// Its content, JSON or YAML.
    pub text: &'a str,
    /// By `operationId` or `GET /path`, in the order in which they are to be sent.
    pub operations: &'a [String],
    /// Replaces scheme and host of the document's server, and its path too if it has one itself.
    pub base: Option<&'a str>,
}

/// The requests of the operations. `files` reads what `$ref` names, relative to the document.
///
/// # Errors
///
/// If the document is not OpenAPI 3, has no such operation, or leaves a value open that cannot be made up.
pub fn import(document: &OpenApi<'_>, files: &Files<'_>) -> Result<Imported, ImportError> {
    let source = Source { name: document.name, text: document.text };
    let documents = Documents::read(source, files)?;
    let root = documents.root();
    check_version(root).map_err(|why| source.whole(why))?;
    let operations = operation::all(root).map_err(|why| source.whole(why))?;
    if document.operations.is_empty() {
        let listed = operation::listed(&operations, "");
        return Err(source.whole(format!("expected --operation with an id or `GET /path`; {listed}")));
    }
    let mut imported = Imported::default();
    for wanted in document.operations {
        let operation = operation::find(&operations, wanted).map_err(|why| source.whole(why))?;
        let request = request(root, &operation, document.base, &mut imported.notes)
            .map_err(|why| source.whole(format!("{}: {why}", operation.name())))?;
        imported.requests.push(request);
    }
    Ok(imported)
}

/// The operations of a document, as [`OpenApi::operations`] names them, e.g. `GET /items/{id}`.
///
/// # Errors
///
/// If the document is not OpenAPI 3.
pub fn operations(document: &OpenApi<'_>, files: &Files<'_>) -> Result<Vec<String>, ImportError> {
    let source = Source { name: document.name, text: document.text };
    let documents = Documents::read(source, files)?;
    let root = documents.root();
    check_version(root).map_err(|why| source.whole(why))?;
    let operations = operation::all(root).map_err(|why| source.whole(why))?;
    Ok(operations.iter().map(Operation::method_and_path).collect())
}

fn check_version(root: Node<'_>) -> Result<(), String> {
    let version = |key: &str| root.tree.get(key).map(tree::Tree::to_plain);
    match (version("openapi"), version("swagger")) {
        (Some(version), _) if version.starts_with("3.") => Ok(()),
        (None, Some(version)) => Err(format!(
            "expected OpenAPI 3, found Swagger {version}: convert it first, e.g. with converter.swagger.io"
        )),
        (Some(version), _) => Err(format!("expected OpenAPI 3, found `openapi: {version}`")),
        (None, None) => Err("expected an OpenAPI document, found no `openapi: 3.…` in it".to_owned()),
    }
}

fn request(
    root: Node<'_>,
    operation: &Operation<'_>,
    base: Option<&str>,
    notes: &mut Vec<String>,
) -> Result<ImportedRequest, String> {
    let name = operation.name();
    let mut maker = Maker::default();
    let parameters = parameters::read(operation, &mut maker)?;
    let mut fields = parameters.headers;
    let body = media::body(operation, &mut maker)?;
    if let Some(body) = &body {
        headers::set_default(&mut fields, "Content-Type", &body.content_type);
    }
    let server = server::url(root, operation, base)?;
    let url = target::with_query(&format!("{server}{}", parameters.path), &parameters.query);
    let url = target::absolute(&url, &mut fields)?;
    for (header, value) in &fields {
        headers::check(header, value)?;
    }
    if !parameters.left_out.is_empty() {
        let names = parameters.left_out.join(", ");
        notes.push(format!(
            "`{name}`: parameters that it can do without and that have no example are left out: {names}"
        ));
    }
    for pattern in &maker.patterns {
        notes.push(format!("`{name}`: a made-up text may not match the pattern `{pattern}`: give it an `example`"));
    }
    if body.as_ref().is_some_and(|body| body.has_files) {
        notes.push(format!("`{name}`: its files are made up"));
    }
    notes.extend(security::notes(root, operation)?);
    let body = body.map(|body| body.bytes).unwrap_or_default();
    Ok(ImportedRequest { name, method: operation.method.to_ascii_uppercase(), url, headers: fields, body, pause: None })
}
