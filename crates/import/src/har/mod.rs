//! HAR 1.2, the recordings of browsers' developer tools (w3c.github.io/web-performance/specs/HAR/Overview.html).

mod model;
mod pauses;

use std::collections::BTreeMap;

use url::{Origin, Url, form_urlencoded};

use crate::{
    Imported, ImportedRequest,
    error::{ImportError, Source},
    headers::{self, Headers},
    multipart::{self, Part},
    target,
};
use model::{Entry, PostData};
use plimsoll_text::{count, nearest_first, plural};

/// The recorded requests to one host, in the order of the recording: to `host` (`example.com` or `example.com:8443`),
/// or to that of the first request. `name` is the file's, as the user named it.
///
/// # Errors
///
/// If the text is not a HAR, or has no request to that host.
pub fn import(name: &str, text: &str, host: Option<&str>) -> Result<Imported, ImportError> {
    let source = Source { name, text };
    // Some tools write a byte order mark, which JSON has no place for.
    let json = text.strip_prefix('\u{feff}').unwrap_or(text);
    let har: model::Har = serde_json::from_str(json).map_err(|error| {
        source.json_error("expected a HAR, as developer tools save it (\"Save all as HAR\")", &error)
    })?;
    select(source, &har.log.entries, host)
}

fn select(source: Source<'_>, entries: &[Entry], host: Option<&str>) -> Result<Imported, ImportError> {
    let targets: Vec<(usize, &Entry, Url)> = entries
        .iter()
        .enumerate()
        .filter_map(|(index, entry)| Some((index, entry, http_url(&entry.request.url)?)))
        .collect();
    let first = targets.first().map(|(_, _, url)| host_of(url));
    let wanted = host.map(str::to_ascii_lowercase).or(first).ok_or_else(|| {
        source
            .whole("expected requests over HTTP in `log.entries`, found none: record again with the network panel open")
    })?;
    let origin = busiest_origin(&targets, &wanted);
    let mut imported = Imported::default();
    let mut others = BTreeMap::<String, usize>::new();
    let mut clock = pauses::Clock::default();
    for (index, entry, url) in &targets {
        if origin.as_ref() != Some(&url.origin()) {
            let host = if is_host(url, &wanted) { url.origin().ascii_serialization() } else { host_of(url) };
            *others.entry(host).or_default() += 1;
            continue;
        }
        let pause = clock.pause_before(&entry.started, entry.time_ms);
        match request(entry, url) {
            Ok(request) => imported.requests.push(ImportedRequest { pause, ..request }),
            Err(why) => imported.notes.push(format!("log.entries[{index}] is left out: {why}")),
        }
    }
    if imported.requests.is_empty() {
        let hosts = nearest_first(others.keys().map(String::as_str), &wanted);
        let message = format!("expected requests to `{wanted}`, found none: there are some to {hosts}");
        return Err(source.whole(message.trim_end_matches(": there are some to ")));
    }
    imported.notes.extend(note_of_others(&others));
    let skipped = entries.len() - targets.len();
    if skipped > 0 {
        let what = plural(skipped as u64, "entry is", "entries are");
        imported.notes.push(format!("{what} left out: not over HTTP (web sockets, data:, extensions)"));
    }
    Ok(imported)
}

fn http_url(text: &str) -> Option<Url> {
    Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

fn host_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// With or without a port that its scheme implies.
fn is_host(url: &Url, wanted: &str) -> bool {
    let port = url.port_or_known_default().unwrap_or_default();
    host_of(url) == wanted || format!("{}:{port}", url.host_str().unwrap_or_default()) == wanted
}

/// The origin with more requests, if a host has both `http` and `https`: the other one redirects to it.
fn busiest_origin(targets: &[(usize, &Entry, Url)], wanted: &str) -> Option<Origin> {
    let origins = targets.iter().filter(|(_, _, url)| is_host(url, wanted)).map(|(_, _, url)| url.origin());
    let mut counts = Vec::<(Origin, usize)>::new();
    for origin in origins {
        match counts.iter_mut().find(|(known, _)| *known == origin) {
            Some((_, count)) => *count += 1,
            None => counts.push((origin, 1)),
        }
    }
    // The first one wins a tie.
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map(|(origin, _)| origin)
}

/// "12 requests to other hosts are left out: cdn.example.com (9), …".
fn note_of_others(others: &BTreeMap<String, usize>) -> Option<String> {
    const MOST: usize = 5;
    let mut hosts: Vec<(&String, &usize)> = others.iter().collect();
    hosts.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let shown: Vec<String> =
        hosts.iter().take(MOST).map(|(host, times)| format!("{host} ({})", count(**times as u64))).collect();
    let more = if hosts.len() > MOST { ", …" } else { "" };
    let total = others.values().sum::<usize>() as u64;
    let what = plural(total, "request to another host is", "requests to other hosts are");
    (total > 0).then(|| format!("{what} left out: {}{more}; choose another with --har-host", shown.join(", ")))
}

fn request(entry: &Entry, url: &Url) -> Result<ImportedRequest, String> {
    let recorded = &entry.request;
    let method = recorded.method.to_ascii_uppercase();
    if method.is_empty()
        || method == "CONNECT"
        || !method.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-')
    {
        return Err(format!("expected a method such as GET, found `{}`", recorded.method));
    }
    let mut fields: Headers = recorded.headers.iter().map(|field| (field.name.clone(), field.value.clone())).collect();
    headers::drop_derived(&mut fields);
    let host = host_of(url);
    fields.retain(|(name, value)| !name.eq_ignore_ascii_case("host") || *value != host);
    for (name, value) in &fields {
        headers::check(name, value)?;
    }
    let body = recorded.post_data.as_ref().map(|data| body(data, &mut fields)).transpose()?.unwrap_or_default();
    let url = target::absolute(url.as_str(), &mut fields)?;
    let name = target::name(&method, &url);
    Ok(ImportedRequest { name, method, url, headers: fields, body, pause: None })
}

/// The text, or what its fields make.
fn body(data: &PostData, fields: &mut Headers) -> Result<Vec<u8>, String> {
    if data.encoding.as_deref() == Some("base64") {
        return Err("its body is in base64, which HAR 1.2 does not know: record it with another tool".to_owned());
    }
    let text = data.text.as_deref().unwrap_or_default();
    if !text.is_empty() || data.params.is_empty() {
        if !text.is_empty() && !data.mime_type.is_empty() {
            headers::set_default(fields, "Content-Type", &data.mime_type);
        }
        return Ok(text.as_bytes().to_vec());
    }
    if data.mime_type.to_ascii_lowercase().starts_with("multipart/") {
        let parts: Vec<Part> = data.params.iter().map(part).collect();
        let (content_type, body) = multipart::encode(&parts);
        // The boundary that was recorded is not the one that is sent.
        fields.retain(|(name, _)| !name.eq_ignore_ascii_case("Content-Type"));
        fields.push(("Content-Type".to_owned(), content_type));
        return Ok(body);
    }
    headers::set_default(fields, "Content-Type", "application/x-www-form-urlencoded");
    Ok(form(data))
}

/// Chrome records fields as they were sent, encoded; others as they were typed.
fn form(data: &PostData) -> Vec<u8> {
    let mut form = form_urlencoded::Serializer::new(String::new());
    for param in &data.params {
        let pair = format!("{}={}", param.name, param.value.as_deref().unwrap_or_default());
        let is_encoded = pair.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'&') && pair.contains('%');
        if is_encoded {
            form.extend_pairs(form_urlencoded::parse(pair.as_bytes()));
        } else {
            form.append_pair(&param.name, param.value.as_deref().unwrap_or_default());
        }
    }
    form.finish().into_bytes()
}

fn part(param: &model::Param) -> Part {
    Part {
        name: param.name.clone(),
        file_name: param.file_name.clone(),
        content_type: param.content_type.clone(),
        content: param.value.clone().unwrap_or_default().into_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_to_https_does_not_decide_the_scheme() {
        let entry = |url: &str| format!(r#"{{"request": {{"method": "GET", "url": "{url}"}}}}"#);
        let entries = ["http://h/", "https://h/", "https://h/a"].map(entry).join(",");
        let imported = import("x", &format!(r#"{{"log": {{"entries": [{entries}]}}}}"#), None).unwrap();
        let urls: Vec<&str> = imported.requests.iter().map(|request| request.url.as_str()).collect();
        assert_eq!(urls, ["https://h/", "https://h/a"]);
        assert!(imported.notes[0].contains("left out: http://h (1)"), "{:?}", imported.notes);
    }
}
