//! Paths that a program's own classes have as texts: they are asked for where no document tells which there are.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use super::jar::{Jar, classes};

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

/// Texts that look like paths, with values for their variables, in classes of the program's own: those that Spring Boot
/// packs as such, else those in the package of its main class, or of all but known libraries where that is of one.
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
    let (mut singles, mut pairs) = (BTreeSet::new(), BTreeSet::new());
    let mut left = CLASSES_MOST;
    let mut look = |class: &[u8]| {
        let texts = texts(class).into_iter().map(|text| with_values(&text)).filter(|text| is_path(text));
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
    singles.into_iter().chain(pairs).take(PATHS_MOST).collect()
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

/// The texts in the constant pool of a class (JVM Specification, 4.4). One that is cut off has told what it has.
fn texts(class: &[u8]) -> Vec<String> {
    read_texts(class).0
}

fn read_texts(class: &[u8]) -> (Vec<String>, Option<()>) {
    let mut texts = Vec::new();
    let mut read = || -> Option<()> {
        let (magic, rest) = class.split_at_checked(4)?;
        let (_, mut rest) = rest.split_at_checked(4)?;
        if magic != [0xca, 0xfe, 0xba, 0xbe] {
            return None;
        }
        let count = number(&mut rest)?;
        let mut index = 1;
        while index < count {
            let (tag, after) = rest.split_first()?;
            rest = after;
            let length = match tag {
                1 => {
                    let length = usize::from(number(&mut rest)?);
                    texts.extend(std::str::from_utf8(rest.get(..length)?).ok().map(str::to_owned));
                    length
                }
                7 | 8 | 16 | 19 | 20 => 2,
                15 => 3,
                3 | 4 | 9..=12 | 17 | 18 => 4,
                // These take two places in the pool.
                5 | 6 => {
                    index += 1;
                    8
                }
                _ => return None,
            };
            rest = rest.get(length..)?;
            index += 1;
        }
        Some(())
    };
    let whole = read();
    (texts, whole)
}

fn number(bytes: &mut &[u8]) -> Option<u16> {
    let (number, rest) = bytes.split_first_chunk::<2>()?;
    *bytes = rest;
    Some(u16::from_be_bytes(*number))
}

#[cfg(test)]
mod tests {
    use super::{super::jar::tests::write_jar, *};

    /// A class with a long, a text, and a reference to it in its pool.
    fn class(text: &str) -> Vec<u8> {
        let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 65, 0, 5, 5, 0, 0, 0, 0, 0, 0, 0, 9, 1];
        bytes.extend((text.len() as u16).to_be_bytes());
        bytes.extend(text.as_bytes());
        bytes.extend([8, 0, 3, 0, 33]);
        bytes
    }

    #[test]
    fn texts_of_the_constant_pool_are_read() {
        assert_eq!(read_texts(&class("/items")), (vec!["/items".to_owned()], Some(())));
        let cut = class("/items");
        assert_eq!(read_texts(&cut[..22]), (Vec::new(), None));
        assert_eq!(texts(b"no class"), Vec::<String>::new());
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
