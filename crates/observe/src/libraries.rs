//! Libraries that a process has open, by the names of their jars: which framework it is, and which version of it.

use std::{
    fs::{self, File},
    path::Path,
};

use rawzip::{RECOMMENDED_BUFFER_SIZE, ZipArchive};

use crate::read::open_of_target;

/// Libraries whose settings are known, by the names of their jars before the version.
const NOTED: &[&str] = &[
    "HikariCP",
    "bucket4j-core",
    "bucket4j_jdk17-core",
    "helidon-webserver",
    "httpclient",
    "httpclient5",
    "jetty-server",
    "micronaut-core",
    "micronaut-http-server-netty",
    "okhttp",
    "quarkus-core",
    "io.quarkus.quarkus-core",
    "r2dbc-pool",
    "reactor-netty-http",
    "resilience4j-ratelimiter",
    "spring-boot",
    "spring-cloud-openfeign-core",
    "tomcat-embed-core",
    "undertow-core",
    "vertx-core",
];
/// Jars of a class path are open one by one; a process with fewer may have others within them.
const FEW_JARS: usize = 8;
const DESCRIPTORS_MOST: usize = 20_000;
const ENTRIES_MOST: usize = 100_000;

/// `spring-boot-3.5.7`, `HikariCP-6.3.3`, each once, in order; empty where the process may not be looked into.
pub fn of(pid: i32) -> Vec<String> {
    let Ok(descriptors) = fs::read_dir(format!("/proc/{pid}/fd")) else { return Vec::new() };
    let jars: Vec<_> = descriptors
        .flatten()
        .take(DESCRIPTORS_MOST)
        .filter_map(|entry| Some((entry.path(), fs::read_link(entry.path()).ok()?)))
        .filter(|(_, target)| target.extension().is_some_and(|extension| extension == "jar"))
        .collect();
    let mut found: Vec<String> = jars.iter().filter_map(|(_, target)| noted(target)).collect();
    if jars.len() < FEW_JARS {
        // Opened through the descriptor: its path may be one of another namespace.
        found.extend(jars.iter().flat_map(|(descriptor, _)| within(descriptor)));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Jars within a jar, as Spring Boot packs them.
fn within(jar: &Path) -> Vec<String> {
    let mut found = Vec::new();
    // A jar that is none, or ends in the middle, has told what it has.
    let _ = open_of_target(jar).map(|file| read(file, &mut found));
    found
}

fn read(jar: File, found: &mut Vec<String>) -> Result<(), rawzip::Error> {
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_file(jar, &mut buffer)?;
    let mut entries = archive.entries(&mut buffer);
    for _ in 0..ENTRIES_MOST {
        let Some(entry) = entries.next_entry()? else { break };
        let name = std::str::from_utf8(entry.file_path().as_bytes()).unwrap_or_default();
        found.extend(Some(name).filter(|name| name.ends_with(".jar")).and_then(|name| noted(Path::new(name))));
    }
    Ok(())
}

/// Its name with its version, if it is noted.
fn noted(jar: &Path) -> Option<String> {
    let name = jar.file_stem()?.to_str()?;
    let is_noted = |known: &&&str| {
        let rest = name.strip_prefix(**known).and_then(|rest| rest.strip_prefix('-'));
        rest.is_some_and(|version| version.starts_with(|char: char| char.is_ascii_digit()))
    };
    NOTED.iter().find(is_noted).map(|_| name.to_owned())
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
        assert_eq!(of("app.jar"), None);
    }

    #[test]
    fn jars_within_an_open_jar_are_found() {
        let folder = tempfile::tempdir().expect("a directory");
        let path = folder.path().join("app.jar");
        let mut jar = ZipArchiveWriter::new(File::create(&path).expect("a file"));
        for name in ["BOOT-INF/lib/spring-boot-4.1.0.jar", "BOOT-INF/lib/HikariCP-7.0.2.jar", "BOOT-INF/lib/app-1.jar"]
        {
            jar.new_dir(format!("{name}/")).create().expect("a folder, which is no jar");
            let (mut entry, config) = jar.new_file(name).start().expect("an entry");
            let (_, descriptor) = config.wrap(&mut entry).finish().expect("nothing in it");
            entry.finish(descriptor).expect("an entry");
        }
        jar.finish().expect("a jar");
        let open = File::open(&path).expect("the jar");
        let found = of(i32::try_from(std::process::id()).expect("a pid fits"));
        let found: Vec<_> = found.iter().filter(|it| !it.starts_with("helidon")).collect();
        assert_eq!(found, ["HikariCP-7.0.2", "spring-boot-4.1.0"]);
        drop(open);
    }
}
