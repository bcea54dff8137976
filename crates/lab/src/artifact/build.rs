//! Builds a subject with Maven, in a copy of its sources, and extracts jars.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use super::{PrepareError, Say, Subject, flags, sources::Sources, tool};
use crate::{
    experiment::Packaging,
    jdk::{Jdk, Toolchain},
};

/// File name of a built jar.
pub(super) const JAR: &str = "app.jar";
/// File name of a built native image.
pub(super) const NATIVE_IMAGE: &str = "app";

/// On first use Maven downloads some hundred files, and a native image takes minutes.
const BUILD_AT_MOST: Duration = Duration::from_secs(60 * 60);
const EXTRACT_AT_MOST: Duration = Duration::from_secs(120);

/// An artifact to be built, and its tools.
#[derive(Debug)]
pub(super) struct Order {
    /// Sources of the program.
    pub(super) name: String,
    /// Its module's folder, and the jar in its `target`.
    module: PathBuf,
    jar: String,
    maven: Option<PathBuf>,
    /// The JDK that builds.
    pub(super) jdk: Jdk,
    /// `jar` or `native`, for names.
    pub(super) product: &'static str,
    /// Arguments of Maven that make a difference to what is built.
    pub(super) arguments: Vec<String>,
}

impl Order {
    pub(super) fn of(subject: &Subject, toolchain: &Toolchain) -> Self {
        let native = toolchain.graalvm.as_ref().filter(|_| subject.packaging == Packaging::Native);
        let profile = match native {
            Some(_) => Some("native"),
            None => subject.spring_aot.then_some("spring-aot"),
        };
        let mut arguments = vec!["--projects".to_owned(), format!("subjects/{}", subject.name)];
        if let Some(profile) = profile {
            arguments.extend([format!("-P{profile}"), aot_settings(subject.properties)]);
        }
        Self {
            name: subject.name.to_owned(),
            module: Path::new("subjects").join(subject.name),
            jar: format!("{}.jar", subject.name),
            maven: toolchain.maven.clone(),
            jdk: native.unwrap_or(&toolchain.jdk).clone(),
            product: if native.is_some() { "native" } else { "jar" },
            arguments,
        }
    }
}

impl Order {
    /// Whether every build of these sources to this order gives the same jar.
    pub(super) fn is_plain(&self) -> bool {
        self.product == "jar" && self.arguments[..] == ["--projects".to_owned(), self.module.display().to_string()]
    }

    /// The benchmarks that Plimsoll brings.
    pub(super) fn of_benchmarks(toolchain: &Toolchain) -> Self {
        Self {
            name: "jmh".to_owned(),
            module: PathBuf::from("jmh"),
            jar: "benchmarks.jar".to_owned(),
            maven: toolchain.maven.clone(),
            jdk: toolchain.jdk.clone(),
            product: "jar",
            arguments: vec!["--projects".to_owned(), "jmh".to_owned()],
        }
    }
}

/// Ahead-of-time processing decides conditions such as `spring.threads.virtual.enabled` when it builds: it must know
/// the settings.
fn aot_settings(properties: &BTreeMap<String, String>) -> String {
    let settings: Vec<_> = flags::public(properties).map(|(name, value)| format!("\"-D{name}={value}\"")).collect();
    format!("-Dspring-boot.aot.jvmArguments={}", settings.join(" "))
}

/// Builds the order in `dir`, an empty directory, and leaves nothing but the product there.
pub(super) fn build(order: &Order, sources: &Sources, dir: &Path, say: Say) -> Result<(), PrepareError> {
    let maven = order.maven.as_ref().ok_or_else(|| PrepareError::Unavailable(no_maven(&order.name)))?;
    say(&format!("building {} with Maven (once; the first time it downloads what it needs)…", order.name));
    let source = dir.join("source");
    sources.write_to(&source).map_err(|error| PrepareError::io("copy the Java sources to", &source, &error))?;
    let mut command = Command::new(maven);
    command
        .current_dir(&source)
        .env("JAVA_HOME", &order.jdk.home)
        .args(["--batch-mode", "--quiet", "--also-make", "-Dmaven.test.skip=true"])
        .args(&order.arguments)
        .arg("package");
    if order.product == "native" {
        command.env("GRAALVM_HOME", &order.jdk.home);
    }
    tool::run(&mut command, &format!("building {}", order.name), BUILD_AT_MOST)?;
    keep_product(order, &source, dir).map_err(|error| PrepareError::io("take the product from", &source, &error))
}

fn keep_product(order: &Order, source: &Path, dir: &Path) -> io::Result<()> {
    let target = source.join(&order.module).join("target");
    match order.product {
        "native" => fs::rename(target.join(&order.name), dir.join(NATIVE_IMAGE))?,
        _ => fs::rename(target.join(&order.jar), dir.join(JAR))?,
    }
    fs::remove_dir_all(source)
}

fn no_maven(subject: &str) -> String {
    format!(
        "Maven is needed to build {subject}, and `mvn` is neither on PATH nor in MAVEN_HOME: install it with `apt install maven`, \
         `brew install maven` or `sdk install maven`"
    )
}

/// Extracts the jar of one directory into another, empty one: `app.jar` with a thin class path, and `lib/`.
pub(super) fn extract(java: &Path, built: &Path, dir: &Path) -> Result<(), PrepareError> {
    let mut command = Command::new(java);
    // The directory is there already, if empty: hence `--force`.
    command
        .args(["-Djarmode=tools", "-jar"])
        .arg(built.join(JAR))
        .args(["extract", "--force", "--destination"])
        .arg(dir);
    tool::run(&mut command, "extracting the jar", EXTRACT_AT_MOST).map(drop)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::experiment::Limits;

    fn toolchain() -> Toolchain {
        let jdk = |description: &str| Jdk {
            home: PathBuf::from("/jdk"),
            version: vec![25],
            description: description.to_owned(),
            release: String::new(),
        };
        Toolchain { jdk: jdk("Temurin 25"), graalvm: Some(jdk("GraalVM 25")), maven: None }
    }

    pub fn order(packaging: Packaging, spring_aot: bool) -> Order {
        let properties = BTreeMap::from([("spring.threads.virtual.enabled".to_owned(), "true".to_owned())]);
        let limits = Limits::default();
        let subject = Subject {
            name: "greetings-web",
            packaging,
            spring_aot,
            jvm_flags: &[],
            properties: &properties,
            limits: &limits,
        };
        Order::of(&subject, &toolchain())
    }

    #[test]
    fn one_jar_serves_every_packaging_of_the_jvm() {
        let jar = order(Packaging::Jar, false);
        assert_eq!(jar.arguments, ["--projects", "subjects/greetings-web"]);
        assert_eq!(order(Packaging::Cds, false).arguments, jar.arguments);
        assert_eq!((jar.product, jar.jdk.description.as_str()), ("jar", "Temurin 25"));
    }

    #[test]
    fn only_a_jar_without_settings_is_plain() {
        assert!(order(Packaging::Jar, false).is_plain());
        assert!(Order::of_benchmarks(&toolchain()).is_plain());
        assert!(!order(Packaging::Jar, true).is_plain());
        assert!(!order(Packaging::Native, false).is_plain());
    }

    #[test]
    fn ahead_of_time_processing_is_told_the_settings() {
        let settings = "-Dspring-boot.aot.jvmArguments=\"-Dspring.threads.virtual.enabled=true\"";
        assert_eq!(order(Packaging::Jar, true).arguments[2..], ["-Pspring-aot", settings]);
        let native = order(Packaging::Native, false);
        assert_eq!(native.arguments[2..], ["-Pnative", settings]);
        assert_eq!((native.product, native.jdk.description.as_str()), ("native", "GraalVM 25"));
    }

    #[test]
    fn without_maven_the_error_says_what_to_install() {
        let dir = tempfile::tempdir().unwrap();
        let sources = Sources::read(dir.path()).unwrap();
        let error = build(&order(Packaging::Jar, false), &sources, dir.path(), &mut |_| {}).unwrap_err();
        let PrepareError::Unavailable(text) = error else { panic!("{error}") };
        assert!(text.contains("apt install maven") && text.contains("greetings-web"), "{text}");
    }
}
