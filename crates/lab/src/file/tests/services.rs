//! Variants of the user's own services, as they resolve.

use std::path::Path;

use super::{LOAD, plan, read, variant};
use crate::{
    experiment::Program,
    jvm::{Build, JarOrigin, Jvm, OwnService, Source, Threads, WantedJdk},
    packaging::Packaging,
};

fn service(text: &str) -> (Jvm, OwnService) {
    let Program::Jvm(jvm) = variant(text).program else { panic!("no program of the JVM") };
    let Source::Service(own) = jvm.source.clone() else { panic!("no service") };
    (jvm, own)
}

#[test]
fn a_jar_takes_what_subjects_take() {
    let text = "variants:\n  shop: {jar: ../shop/app.jar, jdk: 21, packaging: cds, threads: virtual, jvm-flags: [-Xmx1g], \
                properties: {a.b: 1}, arguments: [serve], env: {A: b}, workdir: run, limits: {cpus: 2}}\n";
    let text = format!("{text}request: {{path: /items}}\n{LOAD}");
    let (jvm, own) = service(&text);
    assert_eq!(own.jar, JarOrigin::File("experiments/../shop/app.jar".into()));
    assert_eq!(
        (jvm.jdk, jvm.packaging, own.threads),
        (Some(WantedJdk::Feature(21)), Packaging::Cds, Some(Threads::Virtual))
    );
    assert_eq!((jvm.jvm_flags, jvm.properties["a.b"].as_str()), (vec!["-Xmx1g".to_owned()], "1"));
    assert_eq!((own.arguments, own.workdir.as_path()), (vec!["serve".to_owned()], Path::new("experiments/run")));
    let variant = variant(&text);
    assert_eq!((variant.url.as_str(), variant.ready_url), ("http://{host}:{port}/items", None));
    assert_eq!((variant.env["A"].as_str(), variant.limits.cpus, own.request_path.as_str()), ("b", Some(2.0), "/items"));
    let settings = &plan(&text).variants[0].settings;
    assert_eq!((settings["jar"].as_str(), settings["jdk"].as_str()), ("../shop/app.jar", "21"));
}

#[test]
fn a_port_that_is_named_may_stand_in_urls() {
    let text = format!(
        "variants: {{shop: {{jar: a.jar, port: 8080, ready: \"http://localhost:8080/up\", url: \"http://localhost:8080/a?b\"}}}}\n{LOAD}"
    );
    let (_, own) = service(&text);
    assert_eq!((own.port, own.request_path.as_str()), (Some(8080), "/a?b"));
    assert_eq!(variant(&text).ready_url.as_deref(), Some("http://localhost:8080/up"));
    let (jvm, own) = service(&format!("variants: {{shop: {{jar: a.jar, jdk: ../jdk}}}}\n{LOAD}"));
    assert_eq!((own.port, jvm.jdk), (None, Some(WantedJdk::At("experiments/../jdk".into()))));
}

/// Its readiness is asked for at the address of the load: by TLS, or at IPv6's loopback.
#[test]
fn a_service_is_asked_where_its_load_goes() {
    let at = |url: &str| {
        let url = if url.is_empty() { String::new() } else { format!(", url: \"{url}\"") };
        variant(&format!("variants: {{shop: {{jar: a.jar{url}}}}}\n{LOAD}")).url_of("/health")
    };
    assert_eq!(at(""), "http://{host}:{port}/health");
    assert_eq!(at("https://{host}:{port}/items?a=//b"), "https://{host}:{port}/health");
    assert_eq!(at("http://[::1]:{port}"), "http://[::1]:{port}/health");
}

#[test]
fn revisions_are_an_axis_over_the_variants_that_are_built() {
    let builds = |text: &str| {
        let file = read(text).unwrap_or_else(|errors| panic!("{errors}"));
        let named = file.experiment.plan.variants.iter().map(|plan| plan.name.clone());
        let revision = |program: &Program| match program {
            Program::Jvm(jvm) => match &jvm.service()?.jar {
                JarOrigin::Built(Build { revision, .. }) => revision.clone(),
                JarOrigin::File(_) => None,
            },
            _ => None,
        };
        let revisions = file.experiment.variants.iter().map(|variant| revision(&variant.program));
        named.zip(revisions).collect::<Vec<_>>()
    };
    let of = |name: &str, revision: Option<&str>| (name.to_owned(), revision.map(str::to_owned));
    let base = "base: {build: {command: [mvn, -q, package], jar: target/app.jar}}\n";
    assert_eq!(
        builds(&format!("{base}revisions: [main, HEAD~1]\n{LOAD}")),
        [of("main", Some("main")), of("HEAD-1", Some("HEAD~1"))]
    );
    let variants = "variants:\n  small: {jvm-flags: [-Xmx64m]}\n  large: {extends: small, jvm-flags: [-Xmx1g]}\n";
    assert_eq!(
        builds(&format!("{base}{variants}revisions: [main]\n{LOAD}")),
        [of("small-main", Some("main")), of("large-main", Some("main"))]
    );
    let beside = "variants:\n  own: {build: {command: [make], jar: a.jar}}\n  there: {url: \"http://localhost:1/\"}\n";
    assert_eq!(
        builds(&format!("{beside}revisions: [v1, v2]\n{LOAD}")),
        [of("own-v1", Some("v1")), of("own-v2", Some("v2")), of("there", None)]
    );
    let by_hand = format!("{base}variants: {{now: {{}}, last: {{revision: main}}}}\n{LOAD}");
    assert_eq!(builds(&by_hand), [of("now", None), of("last", Some("main"))]);
}

#[test]
fn a_url_alone_is_a_service_that_runs() {
    let there = variant(&format!("variants: {{there: {{url: \"http://localhost:8080/items\"}}}}\n{LOAD}"));
    assert_eq!((there.program, there.ready_url), (Program::Running, None));
}

/// A proxy in front of the service, for example.
#[test]
fn a_url_may_have_the_port_of_a_service_beside_the_target() {
    let url = "http://127.0.0.1:{web-port}/";
    let text = format!(
        "variants: {{shop: {{url: \"{url}\", services: {{web: {{command: [proxy, \"{{web-port}}\"]}}}}}}}}\n{LOAD}"
    );
    assert_eq!(variant(&text).url, url);
}
