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
use plimsoll_record::REQUESTS_MAX;
use plimsoll_text::{count, nearest_first};
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
    let blocks = match file.request {
        None => all(source)?,
        Some(wanted) => vec![chosen(source, wanted)?],
    };
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

fn all(source: Source<'_>) -> Result<Vec<Block<'_>>, ImportError> {
    let (mut blocks, mut found) = (Vec::new(), 0);
    for block in block::split(source) {
        blocks.push(block?);
        found += 1;
        // Requests beyond the limit are only counted.
        blocks.truncate(REQUESTS_MAX);
    }
    match found {
        0 => Err(source.whole("expected requests such as `GET http://localhost:8080/`, found none")),
        1..=REQUESTS_MAX => Ok(blocks),
        _ => {
            let (most, found) = (count(REQUESTS_MAX as u64), count(found as u64));
            Err(source.whole(format!("expected at most {most} requests, found {found}: choose one with --request")))
        }
    }
}

/// The request that is wanted by its number or its name; the number wins.
fn chosen<'a>(source: Source<'a>, wanted: &str) -> Result<Block<'a>, ImportError> {
    let number = wanted.strip_prefix('#').and_then(|number| number.parse::<usize>().ok());
    let (mut by_number, mut by_name) = (None, None);
    let mut names = Vec::new();
    let mut found = 0;
    for block in block::split(source) {
        let block = block?;
        found += 1;
        names.extend(block.directives.name.clone());
        if number == Some(found) {
            by_number = Some(block);
        } else if by_name.is_none() && block.directives.name.as_deref() == Some(wanted) {
            by_name = Some(block);
        }
    }
    by_number.or(by_name).ok_or_else(|| {
        let names = nearest_first(names.iter().map(String::as_str), wanted);
        let message = format!("no request `{wanted}`: expected `#1` to `#{found}`, or a name: {names}");
        source.whole(match found {
            0 => "expected requests such as `GET http://localhost:8080/`, found none",
            _ => message.trim_end_matches([':', ' ']),
        })
    })
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
        let replaced = |variables: &mut Variables, text| variables.replace(text).map_err(|why| source.error(*at, why));
        let (name, value) = (replaced(variables, name)?, replaced(variables, value)?);
        let value =
            if name.eq_ignore_ascii_case("Authorization") { authorization(source, &value, *at)? } else { value };
        headers::check(&name, &value).map_err(|why| source.error(*at, why))?;
        fields.push((name, value));
    }
    let mut written = variables.replace(&line.target).map_err(|why| source.error(line.at, why))?;
    if written.starts_with('/') {
        let host = headers::find(&fields, "Host").map(str::to_owned).ok_or_else(|| {
            source.error(line.at, "a path alone needs a `Host` header: add it, or write the whole URL")
        })?;
        written = if host.contains("://") {
            // A URL's beginning here is no header: the URL has it.
            fields.retain(|(name, _)| !name.eq_ignore_ascii_case("Host"));
            format!("{host}{written}")
        } else {
            format!("http://{host}{written}")
        };
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
