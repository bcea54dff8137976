//! Golden files: samples as imported, and errors of faulty samples. `INSTA_UPDATE=always cargo test -p plimsoll-import`
//! writes the goldens anew: look at the difference before you commit it.

use insta::assert_snapshot;
use plimsoll_import::{
    curl, har,
    http_file::{self, HttpFile},
    openapi::{self, OpenApi},
};

use crate::render::render;

fn files(path: &str) -> Result<Vec<u8>, String> {
    match path {
        "schemas/named.yaml" => Ok(b"Named: {type: object, properties: {name: {type: string, example: Rex}}}".to_vec()),
        "missing" | "./missing" => Err("no such file".to_owned()),
        path => Ok(format!("<the content of {path}>\n").into_bytes()),
    }
}

fn curl(text: &str) -> String {
    render(curl::import(text, &files))
}

#[test]
fn curl_as_browsers_copy_it() {
    assert_snapshot!("curl-chrome", curl(include_str!("samples/chrome.curl")));
    assert_snapshot!("curl-chrome-windows", curl(include_str!("samples/chrome-windows.curl")));
    assert_snapshot!("curl-firefox", curl(include_str!("samples/firefox.curl")));
}

#[test]
fn curl_as_people_write_it() {
    assert_snapshot!("curl-manual", curl(include_str!("samples/manual.curl")));
    assert_snapshot!("curl-query", curl(include_str!("samples/query.curl")));
    assert_snapshot!("curl-several", curl(include_str!("samples/several.curl")));
}

#[test]
fn a_load_has_one_set_of_options_for_all_parts() {
    let found = curl::import("curl -k -L -m 5 http://h/a --next http://h/b", &files).expect("two requests");
    assert!(found.options.insecure && found.options.max_redirects.is_some() && found.options.max_time.is_some());
    assert!(found.notes.iter().any(|note| note.contains("apply to all of them")), "{:?}", found.notes);
    let taken = curl::import("curl http://h/ -b b=2 -H 'Cookie: a=1'", &files).expect("a request");
    assert_eq!(taken.requests[0].headers, [("Cookie".to_owned(), "a=1".to_owned())]);
}

#[test]
fn what_a_browser_had_in_its_cache_is_no_request() {
    let entry = |more: &str| format!(r#"{{"request": {{"method": "GET", "url": "http://h/a"}}{more}}}"#);
    let text = format!(r#"{{"log": {{"entries": [{}, {}]}}}}"#, entry(""), entry(r#", "_fromCache": "disk""#));
    let found = har::import("a.har", &text, None).expect("a request");
    assert_eq!(found.requests.len(), 1);
    assert!(found.notes.iter().any(|note| note.contains("the browser's cache")), "{:?}", found.notes);
}

#[test]
fn versions_of_http_are_no_part_of_a_url() {
    for version in ["HTTP/1.0", "http/1.1", "HTTP/3"] {
        let text = format!("GET http://h/a {version}\n");
        let file = HttpFile { name: "a.http", text: &text, ..HttpFile::default() };
        let found = http_file::import(&file, &files).expect("a request");
        assert_eq!(found.requests[0].url, "http://h/a");
    }
}

#[test]
fn curl_that_cannot_be_kept() {
    let wrong = [
        "curl",
        "wget http://h/",
        "curl -X",
        "curl -H 'Accept: */*'",
        "curl http://h/ -H 'no colon'",
        "curl http://h/ -H \"Authorization: Bearer $TOKEN\"",
        "curl http://h/ -d @missing",
        "curl http://h/ -d @-",
        "curl http://h/ -u me",
        "curl http://h/ -b cookies.txt",
        "curl http://h/ -m soon",
        "curl 'http://h/{a,b}'",
        "curl 'http://h/[1-9]'",
        "curl http://h/ -d a -F b=c",
        "curl ftp://h/",
        "curl http://h/ --data-rw x",
        "curl http://h/ -X 'G T'",
        "curl http://h/ < body.json",
    ];
    assert_snapshot!("curl-wrong", wrong.map(curl).join("\n\n"));
}

fn http(environment: Option<&str>, request: Option<&str>) -> String {
    let environments = [("environment.json".to_owned(), include_str!("samples/environment.json").to_owned())];
    let text = include_str!("samples/examples.http");
    let file = HttpFile { name: "examples.http", text, environments: &environments, environment, request };
    render(http_file::import(&file, &files))
}

#[test]
fn http_files() {
    assert_snapshot!("http-examples", http(Some("dev"), None));
    assert_snapshot!("http-one", http(Some("prod"), Some("Form")));
    assert_snapshot!("http-no-environment", http(None, Some("#5")));
}

#[test]
fn http_files_that_are_wrong() {
    let read = |text| render(http_file::import(&HttpFile { name: "a.http", text, ..HttpFile::default() }, &files));
    let wrong = [
        "",
        "# only a comment\n",
        "GET\n",
        "GET http://h/\nno colon here\n",
        "GET http://h/\nBad Name: x\n",
        "GET /path\n",
        "WEBSOCKET ws://h/\n",
        "POST http://h/\n\n< ./missing\n",
        "POST http://h/\n\nx\n\n> {%\n never closed",
        "GET http://h/\nAuthorization: Digest me secret\n",
        "GET http://h:99999/\n",
        "@no equals\nGET http://h/\n",
    ];
    let mut shown: Vec<String> = wrong.into_iter().map(read).collect();
    shown.push(http(Some("dve"), None));
    shown.push(http(None, Some("form")));
    shown.push(http(None, Some("#9")));
    assert_snapshot!("http-wrong", shown.join("\n\n"));
}

#[test]
fn har_recordings() {
    let import = |host| render(har::import("chrome.har", include_str!("samples/chrome.har"), host));
    assert_snapshot!("har-chrome", import(None));
    assert_snapshot!("har-other-host", import(Some("CDN.example.com:443")));
    let read = |text| render(har::import("a.har", text, None));
    let wrong =
        ["", "{}", "{\"log\": {\"entries\": [{\"request\": {\"method\": 1}}]}}", "{\"log\": {\"entries\": []}}"];
    assert_snapshot!("har-wrong", [wrong.map(read).join("\n\n"), import(Some("shop.example"))].join("\n\n"));
}

fn openapi(text: &str, operations: &[&str], base: Option<&str>) -> String {
    let operations: Vec<String> = operations.iter().map(|id| (*id).to_owned()).collect();
    render(openapi::import(&OpenApi { name: "api", text, operations: &operations, base }, &files))
}

const PETSTORE: &str = include_str!("samples/petstore.yaml");
const MODERN: &str = include_str!("samples/modern.json");

#[test]
fn openapi_operations() {
    let ids = ["listPets", "createPet", "showPetById", "put /pets/{petId}", "uploadPhoto", "/login"];
    assert_snapshot!("openapi-petstore", openapi(PETSTORE, &ids, None));
    let modern = |base| openapi(MODERN, &["editNote"], Some(base));
    assert_snapshot!("openapi-modern", ["http://localhost:8080", "http://localhost:8080/v2/"].map(modern).join("\n"));
}

#[test]
fn openapi_that_is_wrong() {
    let open_path = "openapi: 3.0.0\nservers: [{url: 'http://h'}]\npaths: {'/a/{b}': {get: {}}}";
    let wrong = [
        openapi(PETSTORE, &[], None),
        openapi(PETSTORE, &["shwPetById"], None),
        openapi(PETSTORE, &["GET /pet"], None),
        openapi(MODERN, &["editNote"], None),
        openapi("swagger: '2.0'", &["x"], None),
        openapi("openapi: 4.0.0", &["x"], None),
        openapi("a: [", &["x"], None),
        openapi("{\n \"a\": }", &["x"], None),
        openapi("hello", &["x"], None),
        openapi("openapi: 3.0.0", &["x"], None),
        openapi(open_path, &["/a/{b}"], None),
        openapi(
            &PETSTORE.replace("#/components/requestBodies/Pet", "#/components/requestBody/Pet"),
            &["createPet"],
            None,
        ),
        openapi(&PETSTORE.replace("schemas/named.yaml", "missing"), &["createPet"], None),
    ];
    assert_snapshot!("openapi-wrong", wrong.join("\n\n"));
}
