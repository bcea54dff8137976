//! Paths that a program's own classes have, by their annotations or as texts: they are asked for where no document
//! tells which there are.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use super::{
    class::Class,
    jar::{Jar, classes},
    mapped,
};

/// Classes that are looked into.
const CLASSES_MOST: usize = 2_000;
/// Texts of one class that are put together, as a prefix of the class and a path of a method are.
const TEXTS_MOST: usize = 8;
const PATHS_MOST: usize = 60;
const LONGEST: usize = 100;

/// Folders in which Spring Boot packs a program's own classes, in a jar and in a war.
const PACKED: [&str; 2] = ["BOOT-INF/classes/", "WEB-INF/classes/"];
/// Packages of libraries in a jar of all, also of those that have a main class for the programs of others.
const LIBRARIES: &[&str] = &[
    "META-INF/",
    "akka/",
    "ch/qos/",
    "com/codahale/",
    "com/fasterxml/",
    "com/google/",
    "com/sun/",
    "com/typesafe/",
    "io/github/",
    "io/grpc/",
    "io/helidon/",
    "io/ktor/",
    "io/micrometer/",
    "io/micronaut/",
    "io/netty/",
    "io/opentelemetry/",
    "io/smallrye/",
    "io/vertx/",
    "jakarta/",
    "javax/",
    "kotlin/",
    "kotlinx/",
    "net/bytebuddy/",
    "okhttp3/",
    "okio/",
    "org/apache/",
    "org/eclipse/",
    "org/fusesource/",
    "org/jboss/",
    "org/jetbrains/",
    "org/reactivestreams/",
    "org/slf4j/",
    "org/yaml/",
    "reactor/",
    "scala/",
    "tools/jackson/",
];

/// Paths in the program's own classes, with values for their variables: those that annotations map, then texts that
/// look like paths. Own classes are those that Spring Boot packs as such; else those in the package of the main class;
/// else, if a library's launcher is the main class, all but those of known libraries.
pub fn of(path: &Path) -> Vec<String> {
    let Ok(jar) = Jar::read(path) else { return Vec::new() };
    let packed = PACKED.into_iter().find(|folder| jar.has(folder));
    // Vert.x names the program's own class beside its launcher.
    let main = jar.attribute("Main-Verticle").filter(|name| !name.is_empty()).or(jar.attribute("Main-Class"));
    let main = main.unwrap_or_default().replace('.', "/");
    let package = main.rsplit_once('/').map_or("", |(package, _)| package);
    let is_of_library = |name: &str| LIBRARIES.iter().any(|library| name.starts_with(library));
    let is_launched_by_library = is_launcher(&main);
    let is_own = |name: &str| match packed {
        Some(folder) => name.starts_with(folder),
        None if is_launched_by_library => !is_of_library(name),
        None => name.starts_with(package),
    };
    let (mut mapped, mut application) = (BTreeSet::new(), None);
    let (mut singles, mut pairs) = (BTreeSet::new(), BTreeSet::new());
    let mut left = CLASSES_MOST;
    let mut look = |class: &[u8]| {
        let class = Class::of(class);
        mapped.extend(mapped::paths(&class).iter().map(|path| with_values(path)).filter(|path| is_path(path)));
        application = application.take().or_else(|| mapped::application(&class));
        let texts = class.texts.into_iter().map(|text| with_values(&text)).filter(|text| is_path(text));
        let texts: Vec<String> = texts.take(TEXTS_MOST).collect();
        for first in &texts {
            pairs.extend(texts.iter().filter(|second| *second != first).map(|second| format!("{first}{second}")));
        }
        singles.extend(texts);
    };
    let mut is_left = || left.checked_sub(1).map(|less| left = less).is_some();
    classes(path, &mut |name| is_own(name) && is_left(), &mut look);
    for jar in of_quarkus(path, &main) {
        classes(&jar, &mut |name| !is_of_library(name) && is_left(), &mut look);
    }
    let below = application.unwrap_or_default();
    let mapped: Vec<String> = mapped.iter().map(|path| mapped::joined(&below, path)).collect();
    let mut known = BTreeSet::new();
    let mut all: Vec<String> = mapped.into_iter().chain(singles).chain(pairs).collect();
    all.retain(|path| known.insert(path.clone()));
    all.truncate(PATHS_MOST);
    all
}

/// Jars with a program's own classes, which Quarkus lays beside the jar that is started.
fn of_quarkus(jar: &Path, main: &str) -> Vec<PathBuf> {
    let folder = jar.parent().filter(|_| main.starts_with("io/quarkus/")).map(|folder| folder.join("app"));
    let entries = folder.and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten();
    let mut jars: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    jars.retain(|path| path.extension().is_some_and(|extension| extension == "jar"));
    jars.sort();
    jars
}

/// Whether a main class, as a path, is that of a framework, which finds the program by its settings.
fn is_launcher(main: &str) -> bool {
    ["io/ktor/", "io/vertx/", "io/helidon/", "io/micronaut/", "io/quarkus/"].iter().any(|it| main.starts_with(it))
}

/// The path with 1 for each of its variables, `{id}` or `:id`, as something that often is there.
pub fn with_values(pattern: &str) -> String {
    let is_variable = |part: &str| {
        part.strip_prefix(':').is_some_and(|name| name.starts_with(|char: char| char.is_ascii_alphabetic()))
            || part.starts_with('{') && part.ends_with('}') && !part.contains('*')
    };
    let parts: Vec<&str> = pattern.split('/').map(|part| if is_variable(part) { "1" } else { part }).collect();
    parts.join("/")
}

fn is_path(text: &str) -> bool {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "/-_.".contains(char);
    let is_file = text.rsplit('/').next().is_some_and(|name| name.contains('.'));
    text.len() > 1
        && text.len() <= LONGEST
        && text.starts_with('/')
        && !text.starts_with("//")
        && text[1..].starts_with(|char: char| char.is_ascii_alphanumeric())
        && text.chars().all(is_plain)
        && !is_file
        && text != "/error"
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            class::tests::{Written, class as annotated},
            jar::tests::write_jar,
        },
        *,
    };

    fn class(text: &str) -> Vec<u8> {
        annotated(&[text], &[], &[])
    }

    #[test]
    fn classes_are_the_programs_own_whoever_launches_it() {
        let of = |manifest: &str, packed: &str| {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("app.jar");
            let classes = [("com/acme/Seats", "/seats"), ("io/vertx/core/Router", "/of-a-library")];
            let mut entries = vec![("META-INF/MANIFEST.MF".to_owned(), manifest.as_bytes().to_vec())];
            entries.extend(classes.map(|(name, text)| (format!("{packed}{name}.class"), class(text))));
            let entries: Vec<(&str, &[u8])> = entries.iter().map(|(name, it)| (name.as_str(), it.as_slice())).collect();
            write_jar(&path, &entries);
            super::of(&path)
        };
        assert_eq!(of("Main-Class: com.acme.Seats\n", ""), ["/seats"]);
        assert_eq!(of("Main-Class: io.vertx.core.Launcher\nMain-Verticle: com.acme.Seats\n", ""), ["/seats"]);
        assert_eq!(of("Main-Class: io.ktor.server.netty.EngineMain\n", ""), ["/seats"]);
        let war = "Main-Class: org.springframework.boot.loader.launch.WarLauncher\n";
        assert_eq!(of(war, "WEB-INF/classes/"), ["/of-a-library", "/seats"], "it packs none of others there");
    }

    #[test]
    fn classes_of_quarkus_lie_beside_its_jar() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("quarkus-run.jar");
        let manifest = b"Main-Class: io.quarkus.bootstrap.runner.QuarkusEntryPoint\n";
        write_jar(&path, &[("META-INF/MANIFEST.MF", manifest.as_slice())]);
        assert_eq!(super::of(&path), Vec::<String>::new());
        fs::create_dir(dir.path().join("app")).unwrap();
        write_jar(&dir.path().join("app/shop-1.0.jar"), &[("com/acme/Seats.class", class("/seats"))]);
        assert_eq!(super::of(&path), ["/seats"]);
    }

    /// Annotated paths need no slash, and lie below that of the application.
    #[test]
    fn paths_that_annotations_map_come_first() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("app.jar");
        let get: Written<'_> = ("Ljakarta/ws/rs/GET;", &[]);
        let orders: &[Written<'_>] = &[("Ljakarta/ws/rs/Path;", &[("value", &["orders"])])];
        let api: &[Written<'_>] = &[("Ljakarta/ws/rs/ApplicationPath;", &[("value", &["api"])])];
        let of_one: &[Written<'_>] = &[get, ("Ljakarta/ws/rs/Path;", &[("value", &["{id}"])])];
        write_jar(
            &path,
            &[
                ("META-INF/MANIFEST.MF", b"Main-Class: com.acme.Main\n".as_slice()),
                ("com/acme/Orders.class", &annotated(&["/audit"], orders, &[&[get], of_one])),
                ("com/acme/Api.class", &annotated(&[], api, &[])),
            ],
        );
        assert_eq!(super::of(&path), ["/api/orders", "/api/orders/1", "/audit"]);
    }

    #[test]
    fn variables_have_a_value() {
        let patterns = ["/items/{id}", "/a/:id/b/{n:[0-9]+}", "/items", "/{*rest}", "/a:b", "/:8080"];
        assert_eq!(patterns.map(with_values), ["/items/1", "/a/1/b/1", "/items", "/{*rest}", "/a:b", "/:8080"]);
    }

    #[test]
    fn texts_that_are_no_paths_to_get_are_left_out() {
        assert!(["/items", "/api/v1/items", "/a-b_c"].into_iter().all(is_path));
        let others = ["/", "//", "items", "/items/{id}", "/**", "/error", "/favicon.ico", "/a b", "/.well-known"];
        for other in others {
            assert!(!is_path(other), "{other}");
        }
    }
}
