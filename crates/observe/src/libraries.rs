//! Libraries that a process has open, by the names of their jars: which framework it is, and which version of it.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    path::Path,
};

use rawzip::{RECOMMENDED_BUFFER_SIZE, ZipArchive};

use crate::read::open_of_target;

/// Libraries whose settings are known: the name of the jar before its version, and a folder of its classes, by which it
/// is found in a shaded jar. No folder where the version decides what the settings are called.
const NOTED: &[(&str, Option<&str>)] = &[
    ("HikariCP", Some("com/zaxxer/hikari/")),
    ("armeria", Some("com/linecorp/armeria/server/")),
    ("bucket4j-core", Some("io/github/bucket4j/")),
    ("bucket4j_jdk17-core", None),
    ("dropwizard-core", Some("io/dropwizard/core/server/")),
    ("helidon-webserver", Some("io/helidon/webserver/")),
    ("httpclient", Some("org/apache/http/impl/client/")),
    ("httpclient5", Some("org/apache/hc/client5/")),
    ("jetty-server", Some("org/eclipse/jetty/server/")),
    ("ktor-server-netty-jvm", Some("io/ktor/server/netty/")),
    ("micronaut-core", Some("io/micronaut/core/")),
    ("micronaut-http-server-netty", Some("io/micronaut/http/server/netty/")),
    ("okhttp", Some("okhttp3/")),
    ("quarkus-core", Some("io/quarkus/runtime/")),
    ("io.quarkus.quarkus-core", None),
    // Quarkus closes the jars of its `lib/main` that it has not used for a while; this one, of `lib/boot`, stays open.
    ("io.quarkus.quarkus-bootstrap-runner", None),
    ("r2dbc-pool", Some("io/r2dbc/pool/")),
    ("reactor-netty-http", Some("reactor/netty/http/")),
    ("resilience4j-ratelimiter", Some("io/github/resilience4j/ratelimiter/")),
    ("spring-boot", None),
    ("spring-cloud-openfeign-core", None),
    ("tomcat-embed-core", Some("org/apache/catalina/")),
    ("undertow-core", Some("io/undertow/")),
    ("vertx-core", Some("io/vertx/core/")),
    ("vertx-sql-client", Some("io/vertx/sqlclient/")),
    ("vertx-web-client", Some("io/vertx/ext/web/client/")),
];
/// Files that a JVM runs programs from.
const ARCHIVES: [&str; 2] = ["jar", "war"];
/// Jars of a class path are open one by one; a process with fewer may have others within them.
const FEW_JARS: usize = 8;
const DESCRIPTORS_MOST: usize = 20_000;
const ENTRIES_MOST: usize = 100_000;

/// `spring-boot-3.5.7`, `HikariCP-6.3.3`, each once, in order; version 0 where a shaded jar does not tell it. Empty
/// where the process may not be looked into.
pub fn of(pid: i32) -> Vec<String> {
    let Ok(descriptors) = fs::read_dir(format!("/proc/{pid}/fd")) else { return Vec::new() };
    let jars: Vec<_> = descriptors
        .flatten()
        .take(DESCRIPTORS_MOST)
        .filter_map(|entry| Some((entry.path(), fs::read_link(entry.path()).ok()?)))
        .filter(|(_, target)| target.extension().is_some_and(|extension| ARCHIVES.iter().any(|it| extension == *it)))
        .collect();
    let mut found: Vec<String> = jars.iter().filter_map(|(_, target)| noted(target)).collect();
    if jars.len() < FEW_JARS {
        // Opened through the descriptor: its path may be one of another namespace.
        let within: Vec<Within> = jars.iter().map(|(descriptor, _)| within(descriptor)).collect();
        found.extend(within.iter().flat_map(|it| it.jars.iter().cloned()));
        let of_classes: BTreeSet<&str> = within.into_iter().flat_map(|it| it.of_classes).collect();
        let is_told = |name: &str| found.iter().any(|jar| is_of(jar, name));
        let untold: Vec<String> =
            of_classes.into_iter().filter(|name| !is_told(name)).map(|name| format!("{name}-0")).collect();
        found.extend(untold);
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Libraries within a jar.
#[derive(Debug, Default)]
struct Within {
    /// Jars, as Spring Boot packs them.
    jars: Vec<String>,
    /// By folders of classes in shaded jars.
    of_classes: BTreeSet<&'static str>,
}

fn within(jar: &Path) -> Within {
    let mut found = Within::default();
    // A broken jar, or a file that is none, gives what was read so far.
    let _ = open_of_target(jar).map(|file| read(file, &mut found));
    found
}

fn read(jar: File, found: &mut Within) -> Result<(), rawzip::Error> {
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_file(jar, &mut buffer)?;
    let mut entries = archive.entries(&mut buffer);
    for _ in 0..ENTRIES_MOST {
        let Some(entry) = entries.next_entry()? else { break };
        let name = std::str::from_utf8(entry.file_path().as_bytes()).unwrap_or_default();
        found.jars.extend(Some(name).filter(|name| name.ends_with(".jar")).and_then(|name| noted(Path::new(name))));
        let has = |folder: &Option<&str>| folder.is_some_and(|folder| name.starts_with(folder));
        found.of_classes.extend(NOTED.iter().find(|(_, folder)| has(folder)).map(|(library, _)| *library));
    }
    Ok(())
}

/// Its name with its version, if it is noted.
fn noted(jar: &Path) -> Option<String> {
    let name = jar.file_stem()?.to_str()?;
    NOTED.iter().find(|(known, _)| is_of(name, known)).map(|_| name.to_owned())
}

/// Whether `jar` is the library's, with a version.
fn is_of(jar: &str, library: &str) -> bool {
    let rest = jar.strip_prefix(library).and_then(|rest| rest.strip_prefix('-'));
    rest.is_some_and(|version| version.starts_with(|char: char| char.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use rawzip::ZipArchiveWriter;

    use super::*;

    #[test]
    fn jars_are_noted_by_name_and_version() {
        let of = |path: &str| noted(Path::new(path));
        assert_eq!(of("/app/lib/spring-boot-3.5.7.jar").as_deref(), Some("spring-boot-3.5.7"));
        assert_eq!(of("lib/spring-boot-autoconfigure-3.5.7.jar"), None);
        assert_eq!(of("httpclient5-5.5.1.jar").as_deref(), Some("httpclient5-5.5.1"));
        let runner = "io.quarkus.quarkus-bootstrap-runner-3.33.2";
        assert_eq!(of(&format!("lib/boot/{runner}.jar")).as_deref(), Some(runner));
        assert_eq!(of("app.jar"), None);
    }

    /// Libraries of this process while a file of that name and with these entries is open.
    fn while_open(name: &str, entries: &[&str]) -> Vec<String> {
        let folder = tempfile::tempdir().expect("a directory");
        let path = folder.path().join(name);
        let mut jar = ZipArchiveWriter::new(File::create(&path).expect("a file"));
        for name in entries {
            jar.new_dir(format!("{name}/")).create().expect("a folder, which is no jar");
            let (mut entry, config) = jar.new_file(name).start().expect("an entry");
            let (_, descriptor) = config.wrap(&mut entry).finish().expect("nothing in it");
            entry.finish(descriptor).expect("an entry");
        }
        jar.finish().expect("a jar");
        let _open = File::open(&path).expect("the jar");
        of(i32::try_from(std::process::id()).expect("a pid fits"))
    }

    /// Tests of this process have others open at the same time.
    fn has(found: &[String], names: &[&str]) -> bool {
        names.iter().all(|name| found.iter().any(|it| it == name))
    }

    #[test]
    fn jars_within_an_open_jar_or_war_are_found() {
        let jars = ["BOOT-INF/lib/spring-boot-4.1.0.jar", "BOOT-INF/lib/okhttp-5.1.0.jar", "BOOT-INF/lib/app-1.jar"];
        let found = while_open("app.jar", &jars);
        assert!(has(&found, &["okhttp-5.1.0", "spring-boot-4.1.0"]), "{found:?}");
        assert!(!found.iter().any(|it| it.starts_with("app")), "{found:?}");
        let found = while_open("rooms.war", &["WEB-INF/lib/tomcat-embed-core-11.0.1.jar"]);
        assert!(has(&found, &["tomcat-embed-core-11.0.1"]), "{found:?}");
    }

    #[test]
    fn libraries_of_a_jar_of_all_are_known_by_their_classes() {
        let classes =
            ["io/micronaut/core/io/Readable.class", "com/zaxxer/hikari/HikariConfig.class", "org/acme/Shop.class"];
        let found = while_open("shop-1.0.jar", &classes);
        assert!(has(&found, &["HikariCP-0", "micronaut-core-0"]), "{found:?}");
        // A jar of its own tells its version.
        let found = while_open("undertow-core-2.4.4.Final.jar", &["io/undertow/Undertow.class"]);
        assert!(has(&found, &["undertow-core-2.4.4.Final"]) && !has(&found, &["undertow-core-0"]), "{found:?}");
    }
}
