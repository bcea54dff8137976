//! A service of the user's own: what a jar is made with, and what follows for launching it.

mod base_path;
mod class;
mod framework;
mod jar;
mod launching;
mod mapped;
pub mod paths;

use std::path::{Path, PathBuf};

pub use framework::{Framework, Given};
pub use jar::Content;
use jar::{Jar, files_below};
pub use launching::{Launching, Problem};

/// A service, as its jar tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    /// Made with this.
    pub framework: Framework,
    /// The framework's version, as far as the jar tells.
    pub version: Option<String>,
    /// Whether it answers at its framework's path for health.
    pub has_health: bool,
    /// Whether its actuator is there, which knows its paths.
    pub has_actuator: bool,
    /// Whether the jar can extract itself (`-Djarmode=tools`).
    pub extracts_itself: bool,
    /// Whether Spring's ahead-of-time processing was applied when it was built.
    pub is_ahead_of_time: bool,
    /// Whether requests are served by Netty's event loops, which `threads` does not reach.
    pub is_reactive: bool,
    /// The path below which all of its paths are, as far as its own settings say.
    pub base_path: Option<String>,
    /// Library that the program is made with, for people, if its framework is none of the known ones.
    pub kit: Option<&'static str>,
    /// Files that it runs beside the jar.
    pub beside: Vec<PathBuf>,
}

impl Service {
    /// Looks into the jar at `path`.
    ///
    /// # Errors
    /// Why it cannot be read, or cannot be started.
    pub fn read(path: &Path) -> Result<Self, String> {
        let jar = Jar::read(path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let is_fast_jar = jar.attribute("Main-Class").is_some_and(|class| class.starts_with("io.quarkus.bootstrap."));
        let beside = if is_fast_jar {
            files_below(folder, path)
        } else {
            jar.class_path().map(|file| folder.join(file)).filter(|file| file.is_file()).collect()
        };
        if jar.attribute("Main-Class").is_none() {
            return Err(no_main_class(path));
        }
        Ok(Self { beside, ..classified(&jar, &Libraries::of(&jar, is_fast_jar.then_some(folder))) })
    }

    /// `Spring Boot 3.5.7`.
    pub fn description(&self) -> String {
        let name = self.kit.unwrap_or_else(|| self.framework.name());
        self.version.as_ref().map_or_else(|| name.to_owned(), |version| format!("{name} {version}"))
    }

    /// Where it answers once it serves, if it has health checks.
    pub fn health_path(&self) -> Option<String> {
        let path = match self.framework {
            _ if !self.has_health => None,
            Framework::SpringBoot => Some("/actuator/health"),
            Framework::Quarkus => Some("/q/health"),
            Framework::Micronaut => Some("/health"),
            Framework::Helidon => Some("/observe/health"),
            Framework::Plain => None,
        };
        path.map(|path| format!("{}{path}", self.base_path.as_deref().unwrap_or_default()))
    }

    /// Whether its jar serves only if it is told to, by a word before its configuration.
    pub fn is_told_to_serve(&self) -> bool {
        self.kit == Some(DROPWIZARD)
    }

    /// Whether its version is at least this one; not if that is unknown.
    pub fn is_at_least(&self, major: u32, minor: u32) -> bool {
        let numbers = self.version.as_deref().unwrap_or_default().split(['.', '-']);
        let mut numbers = numbers.map_while(|part| part.parse::<u32>().ok());
        numbers.next().is_some_and(|found| (found, numbers.next().unwrap_or(0)) >= (major, minor))
    }
}

const DROPWIZARD: &str = "Dropwizard";

/// Libraries that make no difference for launching: name for people, artifact, and folder of its classes in a shaded
/// jar. A library that is made with another one comes before that.
const KITS: &[(&str, &str, &str)] = &[
    (DROPWIZARD, "dropwizard-core", "io/dropwizard/"),
    ("http4k", "http4k-core", "org/http4k/"),
    ("Ktor", "ktor-server-core-jvm", "io/ktor/server/"),
    ("Javalin", "javalin", "io/javalin/"),
    ("Spark", "spark-core", "spark/Spark.class"),
    ("Armeria", "armeria", "com/linecorp/armeria/server/"),
    ("Vert.x", "vertx-core", "io/vertx/core/"),
];

fn no_main_class(path: &Path) -> String {
    let advice = "it is a library, or a build's intermediate: name the jar that `java -jar` starts (Spring Boot: not \
                  `…-plain.jar` and not `….jar.original`; Quarkus: `target/quarkus-app/quarkus-run.jar`)";
    format!("{} cannot be started: its manifest has no Main-Class; {advice}", path.display())
}

/// The jars that a program has, within its own or beside it.
struct Libraries<'a> {
    jar: &'a Jar,
    files: Vec<String>,
}

impl<'a> Libraries<'a> {
    fn of(jar: &'a Jar, fast_jar: Option<&Path>) -> Self {
        let file_name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
        let within = jar.names().filter(|name| name.ends_with(".jar")).chain(jar.class_path()).map(file_name);
        let main = fast_jar.map(|folder| files_below(&folder.join("lib/main"), Path::new(""))).unwrap_or_default();
        let main = main.iter().filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
        Self { jar, files: within.chain(main).collect() }
    }

    /// The version of a library; Quarkus puts the group before its name.
    fn version(&self, artifact: &str) -> Option<String> {
        let of_file = |file: &String| {
            let stem = file.strip_suffix(".jar")?;
            let at = stem.find(&format!("{artifact}-"))?;
            let is_whole = at == 0 || stem[..at].ends_with('.');
            let version = &stem[at + artifact.len() + 1..];
            (is_whole && version.starts_with(|char: char| char.is_ascii_digit())).then(|| version.to_owned())
        };
        self.files.iter().find_map(of_file).or_else(|| self.jar.version_of(artifact).map(str::to_owned))
    }

    fn has(&self, artifact: &str) -> bool {
        self.version(artifact).is_some()
    }
}

fn classified(jar: &Jar, libraries: &Libraries<'_>) -> Service {
    let of = |framework, version: Option<String>, has_health| Service {
        framework,
        version,
        has_health,
        has_actuator: false,
        extracts_itself: false,
        is_ahead_of_time: false,
        is_reactive: false,
        base_path: jar.base_path().map(str::to_owned),
        kit: None,
        beside: Vec::new(),
    };
    let spring_boot =
        jar.attribute("Spring-Boot-Version").map(str::to_owned).or_else(|| libraries.version("spring-boot"));
    if spring_boot.is_some() {
        let has_actuator = libraries.has("spring-boot-actuator");
        let is_on_netty = libraries.has("reactor-netty-http");
        let has_servlets = ["tomcat-embed-core", "jetty-server", "undertow-core"].iter().any(|it| libraries.has(it));
        return Service {
            has_actuator,
            extracts_itself: libraries.has("spring-boot-jarmode-tools"),
            is_ahead_of_time: jar.names().any(|name| name.ends_with("__ApplicationContextInitializer.class")),
            is_reactive: is_on_netty && !has_servlets,
            ..of(Framework::SpringBoot, spring_boot, has_actuator)
        };
    }
    if libraries.has("quarkus-core") || jar.has("io/quarkus/runner/") || jar.has("io/quarkus/runtime/Application.class")
    {
        return of(Framework::Quarkus, libraries.version("quarkus-core"), libraries.has("smallrye-health"));
    }
    if libraries.has("micronaut-http-server") || jar.has("io/micronaut/runtime/Micronaut.class") {
        let version = libraries.version("micronaut-http-server").or_else(|| libraries.version("micronaut-runtime"));
        let has_health = libraries.has("micronaut-management") || jar.has("io/micronaut/management/");
        return of(Framework::Micronaut, version, has_health);
    }
    if libraries.has("helidon-webserver") || jar.has("io/helidon/webserver/") {
        let has_health = libraries.has("helidon-webserver-observe-health");
        return of(Framework::Helidon, libraries.version("helidon-webserver"), has_health);
    }
    let kit = KITS.iter().find(|(_, artifact, classes)| libraries.has(artifact) || jar.has(classes));
    let version = kit.and_then(|(_, artifact, _)| libraries.version(artifact));
    Service { kit: kit.map(|(name, ..)| *name), ..of(Framework::Plain, version, false) }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{jar::tests::write_jar, *};

    fn service(entries: &[(&str, &str)]) -> Result<Service, String> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("app.jar");
        write_jar(&path, entries);
        Service::read(&path)
    }

    const MANIFEST: &str = "META-INF/MANIFEST.MF";

    #[test]
    fn spring_boot_is_known_by_its_manifest_and_its_abilities_by_its_libraries() {
        let manifest = "Main-Class: org.springframework.boot.loader.launch.JarLauncher\nSpring-Boot-Version: 3.5.7\n";
        let lib = |name: &str| format!("BOOT-INF/lib/{name}.jar");
        let [actuator, tomcat, tools] =
            ["spring-boot-actuator-3.5.7", "tomcat-embed-core-10.1.48", "spring-boot-jarmode-tools-3.5.7"].map(lib);
        let found = service(&[(MANIFEST, manifest), (&actuator, ""), (&tomcat, ""), (&tools, "")]).unwrap();
        assert_eq!((found.framework, found.description().as_str()), (Framework::SpringBoot, "Spring Boot 3.5.7"));
        assert_eq!(found.health_path().as_deref(), Some("/actuator/health"));
        assert!(found.extracts_itself && !found.is_ahead_of_time && !found.is_reactive);
        assert!(found.is_at_least(3, 2) && !found.is_at_least(3, 6) && !found.is_at_least(4, 0));
        let netty = lib("reactor-netty-http-1.2.11");
        assert!(service(&[(MANIFEST, manifest), (&netty, "")]).unwrap().is_reactive);
    }

    #[test]
    fn quarkus_is_known_as_a_fast_jar_by_what_lies_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        let main = dir.path().join("lib/main");
        fs::create_dir_all(&main).unwrap();
        for name in ["io.quarkus.quarkus-core-3.33.2.jar", "io.smallrye.smallrye-health-4.3.0.jar"] {
            fs::write(main.join(name), "").unwrap();
        }
        let path = dir.path().join("quarkus-run.jar");
        write_jar(&path, &[(MANIFEST, "Main-Class: io.quarkus.bootstrap.runner.QuarkusEntryPoint\n")]);
        let found = Service::read(&path).unwrap();
        assert_eq!(found.description(), "Quarkus 3.33.2");
        assert_eq!((found.health_path().as_deref(), found.beside.len()), (Some("/q/health"), 2));
    }

    #[test]
    fn the_others_are_known_by_libraries_within_or_beside_them() {
        let pom = "META-INF/maven/io.micronaut/micronaut-http-server/pom.properties";
        let micronaut = service(&[(MANIFEST, "Main-Class: a.B\n"), (pom, "version=4.10.15\n")]).unwrap();
        assert_eq!((micronaut.description().as_str(), micronaut.health_path()), ("Micronaut 4.10.15", None));
        let manifest = "Main-Class: a.B\nClass-Path: libs/helidon-webserver-4.2.0.jar libs/helidon-webserver-observe-heal\n th-4.2.0.jar\n";
        let helidon = service(&[(MANIFEST, manifest)]).unwrap();
        assert_eq!(helidon.description(), "Helidon 4.2.0");
        assert_eq!(helidon.health_path().as_deref(), Some("/observe/health"));
        let plain = service(&[(MANIFEST, "Main-Class: a.B\n")]).unwrap();
        assert_eq!((plain.framework, plain.version), (Framework::Plain, None));
    }

    #[test]
    fn libraries_that_change_nothing_are_told_all_the_same() {
        let pom = "META-INF/maven/io.dropwizard/dropwizard-core/pom.properties";
        let dropwizard = service(&[(MANIFEST, "Main-Class: a.B\n"), (pom, "version=5.0.1\n")]).unwrap();
        assert_eq!((dropwizard.framework, dropwizard.description().as_str()), (Framework::Plain, "Dropwizard 5.0.1"));
        assert!(dropwizard.is_told_to_serve());
        // Gradle leaves no version.
        let ktor = service(&[(MANIFEST, "Main-Class: a.B\n"), ("io/ktor/server/netty/EngineMain.class", "")]).unwrap();
        assert_eq!((ktor.description().as_str(), ktor.is_told_to_serve()), ("Ktor", false));
    }

    #[test]
    fn paths_lie_below_the_context_path() {
        let war = "Main-Class: org.springframework.boot.loader.launch.WarLauncher\nSpring-Boot-Version: 3.5.7\n";
        let actuator = "WEB-INF/lib/spring-boot-actuator-3.5.7.jar";
        let settings = ("WEB-INF/classes/application.properties", "server.servlet.context-path=/shop\n");
        let found = service(&[(MANIFEST, war), (actuator, ""), settings]).unwrap();
        assert_eq!(found.health_path().as_deref(), Some("/shop/actuator/health"));
    }

    #[test]
    fn a_jar_that_nothing_starts_is_an_error_that_names_the_one_to_take() {
        let error = service(&[(MANIFEST, "Manifest-Version: 1.0\n")]).unwrap_err();
        assert!(error.contains("has no Main-Class") && error.contains("quarkus-run.jar"), "{error}");
    }
}
