//! IntelliJ's `.http` files ("HTTP Request in Editor": github.com/JetBrains/http-request-in-editor-spec).

mod block;
mod body;
mod directives;
mod environment;
mod request_line;
mod variables;

use crate::{
    Files, Imported, ImportedRequest, TransferOptions,
    error::{ImportError, Source},
    headers, placeholders, target,
};
use block::Block;
use plimsoll_text::nearest_first;
use variables::Variables;

/// A `.http` file and what belongs to it.
#[derive(Clone, Copy, Debug, Default)]
pub struct HttpFile<'a> {
    /// As the user named it.
    pub name: &'a str,
    /// Its content.
    pub text: &'a str,
    /// Names and contents of the environment files beside it that are there: `http-client.env.json`, then
    /// `http-client.private.env.json`, whose values win.
    pub environments: &'a [(String, String)],
    /// The environment to take variables from.
    pub environment: Option<&'a str>,
    /// The one request to take, by name or as `#2`; all if none.
    pub request: Option<&'a str>,
}

/// The requests of the file, in its order. `files` reads what `< ./file` names, relative to the file.
///
/// # Errors
///
/// If the file is not of the format, or names a file, an environment or a request that is not there.
pub fn import(file: &HttpFile<'_>, files: &Files<'_>) -> Result<Imported, ImportError> {
    let source = Source { name: file.name, text: file.text };
    let mut imported = Imported::default();
    let blocks = block::split(source)?;
    let blocks = chosen(source, blocks, file.request)?;
    let environment = environment::read(file.environments, file.environment)?;
    let mut variables = Variables::new(environment, block::declarations(source.text).collect());
    for block in &blocks {
        let request = request(source, block, &mut variables, files, &mut imported)?;
        imported.requests.push(request);
        imported.notes.extend_from_slice(&block.notes);
    }
    imported.variables = variables.kept();
    Ok(imported)
}

fn chosen<'a>(
    source: Source<'_>,
    mut blocks: Vec<Block<'a>>,
    wanted: Option<&str>,
) -> Result<Vec<Block<'a>>, ImportError> {
    if blocks.is_empty() {
        return Err(source.whole("expected requests such as `GET http://localhost:8080/`, found none"));
    }
    let Some(wanted) = wanted else { return Ok(blocks) };
    let by_number = wanted.strip_prefix('#').and_then(|number| number.parse::<usize>().ok());
    let index = by_number.and_then(|number| number.checked_sub(1)).filter(|&index| index < blocks.len());
    match index.or_else(|| blocks.iter().position(|block| block.directives.name.as_deref() == Some(wanted))) {
        Some(index) => Ok(vec![blocks.swap_remove(index)]),
        None => {
            let named = blocks.iter().filter_map(|block| block.directives.name.as_deref());
            let names = nearest_first(named, wanted);
            let count = blocks.len();
            let message = format!("no request `{wanted}`: expected `#1` to `#{count}`, or a name: {names}");
            Err(source.whole(message.trim_end_matches([':', ' '])))
        }
    }
}

fn request(
    source: Source<'_>,
    block: &Block<'_>,
    variables: &mut Variables,
    files: &Files<'_>,
    imported: &mut Imported,
) -> Result<ImportedRequest, ImportError> {
    let line = request_line::read(source, block)?;
    let mut fields = headers::Headers::new();
    for (name, value, at) in &block.headers {
        let (name, value) = (variables.replace(name), variables.replace(value));
        let value =
            if name.eq_ignore_ascii_case("Authorization") { authorization(source, &value, *at)? } else { value };
        headers::check(&name, &value).map_err(|why| source.error(*at, why))?;
        fields.push((name, value));
    }
    let mut written = variables.replace(&line.target);
    if written.starts_with('/') {
        let host = headers::find(&fields, "Host").map(str::to_owned).ok_or_else(|| {
            source.error(line.at, "a path alone needs a `Host` header: add it, or write the whole URL")
        })?;
        written = if host.contains("://") { format!("{host}{written}") } else { format!("http://{host}{written}") };
    }
    let url = target::absolute(&written, &mut fields).map_err(|why| source.error(line.at, why))?;
    let body = body::read(source, block, &fields, variables, files)?;
    headers::drop_derived(&mut fields);
    merge(&mut imported.options, &line, block);
    let name = block.directives.name.clone().unwrap_or_else(|| target::name(&line.method, &url));
    Ok(ImportedRequest { name, method: line.method, url, headers: fields, body, pause: None })
}

/// The longest time-out is that of all requests, since a load has one.
fn merge(options: &mut TransferOptions, line: &request_line::RequestLine, block: &Block<'_>) {
    options.http = options.http.or(line.http);
    options.max_time = options.max_time.max(block.directives.max_time);
    options.connect_timeout = options.connect_timeout.max(block.directives.connect_timeout);
}

/// IntelliJ encodes `Basic user password` and `Basic user:password` itself.
fn authorization(source: Source<'_>, value: &str, at: usize) -> Result<String, ImportError> {
    let Some((scheme, credentials)) = value.split_once(' ').map(|(scheme, rest)| (scheme, rest.trim())) else {
        return Ok(value.to_owned());
    };
    if scheme.eq_ignore_ascii_case("Digest") {
        let message =
            "Digest authentication takes two requests for each one, which a load does not make: use Basic or Bearer";
        return Err(source.error(at, message));
    }
    if !scheme.eq_ignore_ascii_case("Basic") || placeholders::names(credentials).next().is_some() {
        return Ok(value.to_owned());
    }
    let pair = credentials.split_once(':').or_else(|| credentials.split_once(char::is_whitespace));
    Ok(pair.map_or_else(|| value.to_owned(), |(user, password)| headers::basic(user, password.trim())))
}
