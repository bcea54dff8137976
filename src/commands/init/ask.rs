//! Asks a service that runs for its paths: by its OpenAPI document, else by its actuator, else at `/`.

use plimsoll_import::openapi::{self, OpenApi};
use plimsoll_lab::service::paths::with_values;
use serde_json::Value;
use url::{Position, Url};

use super::get::{Answer, Asker};

/// Where frameworks serve their OpenAPI documents: Spring by springdoc, Quarkus, Helidon and others.
const DOCUMENTS: [&str; 4] = ["/v3/api-docs", "/q/openapi?format=json", "/openapi", "/openapi.json"];
const MAPPINGS: &str = "/actuator/mappings";
/// Paths that are tried out: a service may have hundreds.
const TRIED_MOST: usize = 40;
/// Paths that are loaded; the others are comments.
const LOADED_MOST: usize = 8;

/// Paths of a service.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Paths {
    /// The page that told them; none if nothing did.
    pub told_by: Option<String>,
    /// Paths that answered a GET with 2xx, with their queries.
    pub good: Vec<String>,
    /// The others that were tried, with what they answered.
    pub others: Vec<(String, String)>,
    /// Whether they were asked by TLS with a certificate that is not trusted here.
    pub is_insecure: bool,
}

impl Asker {
    /// Asks the service at `base`, whose path is one to try, too; so is the path of its health checks. Pages that tell
    /// paths lie below `prefix`. Where none does, `guessed` are tried.
    pub fn paths(&self, base: &Url, prefix: &str, health: Option<&str>, guessed: &[String]) -> Paths {
        let (told_by, told) = told(self, base, prefix);
        let guessed: Vec<String> = guessed.iter().map(|path| below(prefix, path)).collect();
        let own = base[Position::BeforePath..Position::AfterQuery].to_owned();
        let is_named = own != "/";
        let mut paths = Paths { told_by, ..Paths::default() };
        for path in is_named.then(|| own.clone()).into_iter().chain(told).take(TRIED_MOST) {
            paths.try_out(self, base, path);
        }
        if paths.told_by.is_none() {
            guessed.iter().cloned().for_each(|path| paths.try_out(self, base, path));
            // Guesses that turn out to be no paths are not worth a mention.
            paths.others.retain(|(path, status)| !guessed.contains(path) || !matches!(status.as_str(), "404" | "405"));
        }
        paths.put_checks_aside();
        for path in [Some(own), health.map(str::to_owned)].into_iter().flatten() {
            if paths.good.is_empty() {
                paths.try_out(self, base, path);
            }
        }
        paths.is_insecure = self.is_insecure();
        paths
    }
}

/// A path below a prefix, where it is not there already.
fn below(prefix: &str, path: &str) -> String {
    let is_there = path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    if is_there { path.to_owned() } else { format!("{prefix}{path}") }
}

impl Paths {
    /// A load of health checks measures little: they are left to the others, unless there is nothing else.
    fn put_checks_aside(&mut self) {
        let (checks, good): (Vec<String>, Vec<String>) = self.good.drain(..).partition(|path| is_check(path));
        if good.is_empty() {
            self.good = checks;
        } else {
            self.good = good;
            self.others.extend(checks.into_iter().map(|path| (path, "a health check".to_owned())));
        }
    }

    /// Paths that the experiment loads.
    pub fn loaded(&self) -> &[String] {
        &self.good[..self.good.len().min(LOADED_MOST)]
    }

    /// Why there was no answer at all, if so.
    pub fn silence(&self) -> Option<&str> {
        let is_silent = |(_, why): &(String, String)| why.parse::<u16>().is_err();
        let is_all = self.good.is_empty() && self.others.iter().all(is_silent);
        self.others.first().filter(|_| is_all).map(|(_, why)| why.as_str())
    }

    /// Whether every answer was 400, as a TLS server gives to clients that speak without TLS.
    pub fn are_all_bad_requests(&self) -> bool {
        self.good.is_empty() && !self.others.is_empty() && self.others.iter().all(|(_, status)| status == "400")
    }

    /// Whether the service answers only with credentials: no path is good, and some answered 401 or 403.
    pub fn want_credentials(&self) -> bool {
        self.good.is_empty() && self.others.iter().any(|(_, status)| matches!(status.as_str(), "401" | "403"))
    }

    /// Tries a path, and the one that it redirects to, if that is within the service.
    fn try_out(&mut self, asker: &Asker, base: &Url, path: String) {
        if let Some(to) = self.answer(asker, base, path) {
            self.answer(asker, base, to);
        }
    }

    /// Keeps what a path answers; tells where it redirects to.
    fn answer(&mut self, asker: &Asker, base: &Url, path: String) -> Option<String> {
        if self.good.contains(&path) || self.others.iter().any(|(other, _)| *other == path) {
            return None;
        }
        let answer = base.join(&path).map_err(|error| error.to_string()).and_then(|url| asker.head_of(&url));
        let Answer { status, location, .. } = match answer {
            Ok(answer) => answer,
            Err(why) => {
                self.others.push((path, why));
                return None;
            }
        };
        if (200..300).contains(&status) {
            self.good.push(path);
            return None;
        }
        let location = location.filter(|_| (300..400).contains(&status));
        let to = location.and_then(|location| base.join(&path).ok()?.join(&location).ok());
        self.others.push((path, status.to_string()));
        let to = to.filter(|to| to.origin() == base.origin())?;
        Some(to[Position::BeforePath..Position::AfterQuery].to_owned())
    }
}

fn is_check(path: &str) -> bool {
    const NAMES: [&str; 8] = ["health", "healthz", "live", "livez", "liveness", "ready", "readyz", "readiness"];
    path.split('/').any(|part| NAMES.contains(&part) || part == "actuator")
}

/// The page that tells paths, and those that are to be got.
fn told(asker: &Asker, base: &Url, prefix: &str) -> (Option<String>, Vec<String>) {
    let get = |page: &str| asker.page(&base.join(page).ok()?);
    for page in DOCUMENTS {
        let page = below(prefix, page);
        if let Some(paths) = get(&page).and_then(|text| of_document(&text, base)) {
            return (Some(page), paths);
        }
    }
    // Services that answer every path have JSON here, too.
    let is_of_actuator = |mappings: &Value| mappings.get("contexts").is_some();
    let page = below(prefix, MAPPINGS);
    match get(&page).and_then(|text| serde_json::from_str(&text).ok()).filter(is_of_actuator) {
        Some(mappings) => (Some(page), of_mappings(&mappings).iter().map(|path| below(prefix, path)).collect()),
        None => (None, Vec::new()),
    }
}

/// GET operations of a document with values for their parameters, as far as these can be made up.
fn of_document(text: &str, base: &Url) -> Option<Vec<String>> {
    let alone = |name: &str| Err(format!("`{name}` is another document"));
    let base = base.join("/").ok()?;
    let document = OpenApi { name: "openapi", text, base: Some(base.as_str()), ..OpenApi::default() };
    let operations = openapi::operations(&document, &alone).ok()?;
    let path = |operation: String| {
        let imported = openapi::import(&OpenApi { operations: &[operation], ..document }, &alone).ok()?;
        let url: Url = imported.requests.first()?.url.parse().ok()?;
        Some(url[Position::BeforePath..Position::AfterQuery].to_owned())
    };
    Some(operations.into_iter().filter(|operation| operation.starts_with("GET ")).filter_map(path).collect())
}

/// Patterns that a GET may have, with values for their variables, but for those of the framework itself.
fn of_mappings(mappings: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect(mappings, &mut found);
    found.iter_mut().for_each(|path| *path = with_values(path));
    found.retain(|path| !path.contains(['{', '*']) && path != "/error" && !path.starts_with("/actuator"));
    found.sort();
    found.dedup();
    found
}

/// Conditions are found wherever they are: servlets and handlers nest them differently.
fn collect(value: &Value, found: &mut Vec<String>) {
    if let Some(conditions) = value.get("requestMappingConditions") {
        let words = |key: &str| conditions[key].as_array().into_iter().flatten().filter_map(Value::as_str);
        if words("methods").next().is_none() || words("methods").any(|method| method == "GET") {
            found.extend(words("patterns").map(str::to_owned));
        }
    }
    match value {
        Value::Object(entries) => entries.values().for_each(|value| collect(value, found)),
        Value::Array(items) => items.iter().for_each(|value| collect(value, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_tells_what_to_get_with_values_that_it_has() {
        let text = r#"{"openapi": "3.1.0", "info": {"title": "x", "version": "1"}, "paths": {
            "/items": {"get": {}, "post": {}},
            "/items/{id}": {"get": {"parameters": [
                {"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}, "example": 7}]}},
            "/search": {"get": {"parameters": [
                {"name": "name", "in": "query", "required": true, "schema": {"type": "string"}, "example": "a b"}]}}}}"#;
        let paths = of_document(text, &"http://127.0.0.1:1/".parse().unwrap()).unwrap();
        assert_eq!(paths, ["/items", "/items/7", "/search?name=a%20b"]);
        assert_eq!(of_document("<html>", &"http://127.0.0.1:1/".parse().unwrap()), None);
    }

    #[test]
    fn paths_are_put_below_a_prefix_once() {
        let of = |path| below("/shop", path);
        assert_eq!(
            [of("/items"), of("/shop/items"), of("/shopping"), of("/shop")],
            ["/shop/items", "/shop/items", "/shop/shopping", "/shop"]
        );
        assert_eq!(below("", "/items"), "/items");
    }

    #[test]
    fn a_server_of_tls_refuses_all_that_is_said_without() {
        let others = |statuses: &[&str]| statuses.iter().map(|status| ("/".to_owned(), (*status).to_owned())).collect();
        let of = |statuses: &[&str]| Paths { others: others(statuses), ..Paths::default() }.are_all_bad_requests();
        assert!(of(&["400", "400"]) && !of(&["400", "404"]) && !of(&[]));
    }

    #[test]
    fn a_service_is_silent_if_no_path_was_answered() {
        let others = |said: &[&str]| said.iter().map(|said| ("/".to_owned(), (*said).to_owned())).collect();
        let of = |said: &[&str]| Paths { others: others(said), ..Paths::default() }.silence().map(str::to_owned);
        assert_eq!(of(&["timeout: global", "connection refused"]).as_deref(), Some("timeout: global"));
        assert_eq!([of(&["timeout: global", "404"]), of(&[])], [None, None]);
    }

    #[test]
    fn a_service_that_wants_credentials_is_told_from_one_without_paths() {
        let others = |status: &str| vec![("/items".to_owned(), status.to_owned())];
        let of = |status| Paths { others: others(status), ..Paths::default() }.want_credentials();
        assert_eq!([of("401"), of("403"), of("404")], [true, true, false]);
        assert!(!Paths { good: vec!["/".to_owned()], others: others("401"), ..Paths::default() }.want_credentials());
    }

    #[test]
    fn health_checks_are_loaded_only_where_there_is_nothing_else() {
        let of = |good: &[&str]| {
            let good = good.iter().map(|path| (*path).to_owned()).collect();
            let mut paths = Paths { good, ..Paths::default() };
            paths.put_checks_aside();
            (paths.good, paths.others.len())
        };
        assert_eq!(of(&["/ready", "/items", "/q/health/live"]), (vec!["/items".to_owned()], 2));
        assert_eq!(of(&["/ready"]), (vec!["/ready".to_owned()], 0));
        assert!(!is_check("/alive") && is_check("/actuator/info"));
    }

    #[test]
    fn mappings_tell_patterns_of_get() {
        let mappings = serde_json::json!({"contexts": {"app": {"mappings": {"dispatcherServlets": {"it": [
            {"details": {"requestMappingConditions": {"methods": ["GET"], "patterns": ["/vets", "/owners/{id}"]}}},
            {"details": {"requestMappingConditions": {"methods": ["POST"], "patterns": ["/owners/new"]}}},
            {"details": {"requestMappingConditions": {"methods": [], "patterns": ["/", "/error"]}}},
            {"predicate": "/webjars/**"}]}}}}});
        assert_eq!(of_mappings(&mappings), ["/", "/owners/1", "/vets"]);
    }
}
