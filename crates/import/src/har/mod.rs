//! HAR 1.2, the recordings of browsers' developer tools (w3c.github.io/web-performance/specs/HAR/Overview.html).

mod model;
mod pauses;
mod stream;

use std::collections::{BTreeMap, HashMap};

use url::{Origin, Url, form_urlencoded};

use crate::{
    Imported, ImportedRequest,
    error::{ImportError, Source},
    headers::{self, Headers},
    multipart::{self, Part},
    target,
};
use model::{Addressed, Entry, PostData};
use plimsoll_record::REQUESTS_MAX;
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
    let read = |error: serde_json::Error| {
        source.json_error("expected a HAR, as developer tools save it (\"Save all as HAR\")", &error)
    };
    let mut survey = Survey::default();
    let entries = stream::entries(json, |entry: Addressed| survey.add(&entry.request.url)).map_err(read)?;
    let (wanted, origin) = survey.choose(source, host)?;
    let mut selection = Selection { wanted, origin, ..Selection::default() };
    stream::entries(json, |entry: Entry| selection.add(&entry)).map_err(read)?;
    selection.finish(source, entries - survey.over_http)
}

/// Targets of a recording: found first, so that entries of others need not be kept.
#[derive(Default)]
struct Survey {
    over_http: usize,
    first: Option<String>,
    /// Origins in the order of their first requests, with a request to each and their number.
    origins: Vec<(Origin, Url, usize)>,
    known: HashMap<String, usize>,
}

impl Survey {
    fn add(&mut self, url: &str) {
        let Some(url) = http_url(url) else { return };
        self.over_http += 1;
        self.first.get_or_insert_with(|| host_of(&url));
        let origin = url.origin();
        let index = *self.known.entry(origin.ascii_serialization()).or_insert(self.origins.len());
        match self.origins.get_mut(index) {
            Some((.., count)) => *count += 1,
            None => self.origins.push((origin, url, 1)),
        }
    }

    /// The host whose requests are wanted, and their origin.
    fn choose(&self, source: Source<'_>, host: Option<&str>) -> Result<(String, Option<Origin>), ImportError> {
        let wanted = host.map(str::to_ascii_lowercase).or_else(|| self.first.clone()).ok_or_else(|| {
            source.whole(
                "expected requests over HTTP in `log.entries`, found none: record again with the network panel open",
            )
        })?;
        // If a host has `http` and `https`, the one with more requests: the other mostly redirects. The first wins a
        // tie.
        let of_host = self.origins.iter().rev().filter(|(_, url, _)| is_host(url, &wanted));
        let busiest = of_host.max_by_key(|(.., count)| *count);
        match busiest {
            Some((.., found)) if *found > REQUESTS_MAX => {
                let (most, found) = (count(REQUESTS_MAX as u64), count(*found as u64));
                Err(source.whole(format!(
                    "expected at most {most} requests, found {found} to `{wanted}`: choose another host with \
                     --har-host, or record a shorter visit"
                )))
            }
            busiest => Ok((wanted, busiest.map(|(origin, ..)| origin.clone()))),
        }
    }
}

/// Requests that are taken, and notes of the others.
#[derive(Default)]
struct Selection {
    wanted: String,
    origin: Option<Origin>,
    imported: Imported,
    others: BTreeMap<String, usize>,
    clock: pauses::Clock,
    index: usize,
    /// Entries that never left the browser.
    cached: usize,
}

impl Selection {
    fn add(&mut self, entry: &Entry) {
        let index = self.index;
        self.index += 1;
        let Some(url) = http_url(&entry.request.url) else { return };
        if self.origin.as_ref() != Some(&url.origin()) {
            let host = if is_host(&url, &self.wanted) { url.origin().ascii_serialization() } else { host_of(&url) };
            *self.others.entry(host).or_default() += 1;
            return;
        }
        if entry.from_cache.is_string() {
            self.cached += 1;
            return;
        }
        let pause = self.clock.pause_before(&entry.started, entry.time_ms);
        match request(entry, &url) {
            Ok(request) => self.imported.requests.push(ImportedRequest { pause, ..request }),
            Err(why) => self.imported.notes.push(format!("log.entries[{index}] is left out: {why}")),
        }
    }

    fn finish(self, source: Source<'_>, skipped: usize) -> Result<Imported, ImportError> {
        let Self { wanted, mut imported, others, cached, .. } = self;
        if imported.requests.is_empty() {
            let hosts = nearest_first(others.keys().map(String::as_str), &wanted);
            let message = format!("expected requests to `{wanted}`, found none: there are some to {hosts}");
            return Err(source.whole(message.trim_end_matches(": there are some to ")));
        }
        imported.notes.extend(note_of_others(&others));
        let left_out = [
            (cached, "answered from the browser's cache"),
            (skipped, "not over HTTP (web sockets, data:, extensions)"),
        ];
        for (entries, why) in left_out.into_iter().filter(|(entries, _)| *entries > 0) {
            let what = plural(entries as u64, "entry is", "entries are");
            imported.notes.push(format!("{what} left out: {why}"));
        }
        Ok(imported)
    }
}

fn http_url(text: &str) -> Option<Url> {
    Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

fn host_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// Whether this is the host, with or without a port that its scheme implies.
fn is_host(url: &Url, wanted: &str) -> bool {
    let port = url.port_or_known_default().unwrap_or_default();
    host_of(url) == wanted || format!("{}:{port}", url.host_str().unwrap_or_default()) == wanted
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

/// The text of the body, or what its fields make.
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
    fn too_many_requests_are_refused() {
        let entry = r#"{"request": {"method": "GET", "url": "http://h/"}}"#;
        let har = |count| format!(r#"{{"log": {{"entries": [{}]}}}}"#, vec![entry; count].join(","));
        assert_eq!(import("x", &har(1_000), None).unwrap().requests.len(), 1_000);
        let error = import("x", &har(1_001), None).unwrap_err().to_string();
        assert!(error.contains("at most 1,000 requests, found 1,001 to `h`: choose another host"), "{error}");
    }

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
