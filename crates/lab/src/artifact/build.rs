//! Builds a subject with Maven, in a copy of its sources, and extracts jars.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::AtomicBool,
    time::Duration,
};

use plimsoll_record::Making;

use super::{PrepareError, Said, Say, Subject, flags, key::Key, progress::Progress, sources::Sources, tool};
use crate::{
    jdk::{Jdk, Toolchain},
    packaging::Packaging,
};

/// File name of a built jar.
pub(super) const JAR: &str = "app.jar";
/// File name of a built native image.
pub(super) const NATIVE_IMAGE: &str = "app";
/// Value of [`Order::product`] for a native image.
const NATIVE: &str = "native";

/// On first use Maven downloads some hundred files, and a native image takes minutes.
const BUILD_AT_MOST: Duration = Duration::from_secs(60 * 60);
const EXTRACT_AT_MOST: Duration = Duration::from_secs(120);

/// An artifact to be built, and its tools.
#[derive(Debug)]
pub(super) struct Order {
    /// Name of the program whose sources are built.
    pub(super) name: String,
    /// Folder of its Maven module, and the file name of the jar in the module's `target`.
    pub(super) module: PathBuf,
    jar: String,
    pub(super) maven: Option<PathBuf>,
    /// The JDK that builds.
    pub(super) jdk: Jdk,
    /// `jar` or `native`, for names.
    pub(super) product: &'static str,
    /// Arguments of Maven that make a difference to what is built.
    pub(super) arguments: Vec<String>,
    /// Arguments of `native-image`, beside those of the POM.
    native_flags: Vec<String>,
}

impl Order {
    /// # Errors
    /// If it is a native image, and there is nothing to make one with.
    pub(super) fn of(subject: &Subject, toolchain: &Toolchain) -> Result<Self, PrepareError> {
        let is_native = subject.packaging == Packaging::Native;
        let profile = if is_native { Some("native") } else { subject.spring_aot.then_some("spring-aot") };
        let mut arguments = vec!["--projects".to_owned(), format!("subjects/{}", subject.name)];
        if let Some(profile) = profile {
            arguments.extend([format!("-P{profile}"), aot_settings(subject.properties)]);
        }
        Ok(Self {
            name: subject.name.to_owned(),
            module: Path::new("subjects").join(subject.name),
            jar: format!("{}.jar", subject.name),
            maven: toolchain.maven.clone(),
            jdk: if is_native { super::graalvm(toolchain)?.clone() } else { toolchain.jdk.clone() },
            product: if is_native { NATIVE } else { "jar" },
            arguments,
            native_flags: subject.native_flags.to_vec(),
        })
    }

    /// Its name in the cache.
    pub(super) fn artifact(&self) -> String {
        format!("{}-{}", self.name, self.product)
    }

    /// The key of its content.
    pub(super) fn key(&self, sources: &Sources) -> Key {
        let key = sources.key_of(&self.module).and(&self.jdk.release).and_all(&self.arguments);
        if self.native_flags.is_empty() { key } else { key.and_all(&self.native_flags) }
    }

    /// Whether this is a plain jar: no setting changes what is built from given sources.
    pub(super) fn is_plain(&self) -> bool {
        self.product == "jar" && self.arguments[..] == ["--projects".to_owned(), self.module.display().to_string()]
    }

    /// Says what to install.
    pub(super) fn no_maven(&self) -> PrepareError {
        PrepareError::Unavailable(format!(
            "Maven is needed to build {}, and `mvn` is neither on PATH nor in MAVEN_HOME: install it with `apt install maven`, \
             `brew install maven` or `sdk install maven`",
            self.name
        ))
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
            native_flags: Vec::new(),
        }
    }
}

/// Ahead-of-time processing decides conditions such as `spring.threads.virtual.enabled` when it builds: it must know
/// the settings.
fn aot_settings(properties: &BTreeMap<String, String>) -> String {
    let settings: Vec<_> = flags::public(properties).map(|(name, value)| format!("\"-D{name}={value}\"")).collect();
    format!("-Dspring-boot.aot.jvmArguments={}", settings.join(" "))
}

/// Builds the order in `dir`, an empty directory, and leaves only the product there. The output of the tools goes to
/// `log`, and they end once `stop` is set; `last_time` is the cost of the previous build.
pub(super) fn build(
    order: &Order,
    sources: &Sources,
    dir: &Path,
    (log, stop): (&Path, &AtomicBool),
    last_time: Option<Making>,
    say: Say,
) -> Result<(), PrepareError> {
    let maven = order.maven.as_ref().ok_or_else(|| order.no_maven())?;
    let progress = Progress::new(&order.name, order.product == NATIVE, last_time);
    say(Said::Step(&progress.beginning()));
    let source = dir.join("source");
    let written = sources.write_to(&source).and_then(|()| write_native_flags(order, &source));
    written.map_err(|error| PrepareError::io("copy the Java sources to", &source, &error))?;
    let mut command = Command::new(maven);
    command
        .current_dir(&source)
        .env("JAVA_HOME", &order.jdk.home)
        .args(["--batch-mode", "--quiet", "--also-make", "-Dmaven.test.skip=true"])
        .args(&order.arguments)
        .arg("package");
    if order.product == NATIVE {
        command.env("GRAALVM_HOME", &order.jdk.home);
    }
    let mut output = String::new();
    let mut watch = |elapsed: Duration, more: &str| {
        output.push_str(more);
        say(Said::Progress(&progress.line(elapsed, &output)));
    };
    let doing = format!("building {}", order.artifact());
    tool::run_logged(&mut command, &doing, BUILD_AT_MOST, (log, stop), &mut watch)?;
    keep_product(order, &source, dir).map_err(|error| PrepareError::io("take the product from", &source, &error))
}

/// Writes arguments of `native-image` to the class path, where it finds them. Maven's own parameter splits at commas.
fn write_native_flags(order: &Order, source: &Path) -> io::Result<()> {
    if order.native_flags.is_empty() {
        return Ok(());
    }
    let folder = format!("src/main/resources/META-INF/native-image/plimsoll/{}", order.name);
    let folder = source.join(&order.module).join(folder);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("native-image.properties"), flags::native_image_properties(&order.native_flags))
}

fn keep_product(order: &Order, source: &Path, dir: &Path) -> io::Result<()> {
    let target = source.join(&order.module).join("target");
    match order.product {
        NATIVE => fs::rename(target.join(&order.name), dir.join(NATIVE_IMAGE))?,
        _ => fs::rename(target.join(&order.jar), dir.join(JAR))?,
    }
    fs::remove_dir_all(source)
}

/// Extracts a jar into an empty directory: a jar of the same name with a thin class path, and `lib/`.
pub(super) fn extract(java: &Path, jar: &Path, dir: &Path) -> Result<(), PrepareError> {
    let mut command = Command::new(java);
    // The directory is there already, if empty: hence `--force`.
    command.args(["-Djarmode=tools", "-jar"]).arg(jar).args(["extract", "--force", "--destination"]).arg(dir);
    tool::run(&mut command, "extracting the jar", EXTRACT_AT_MOST).map(drop)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::{experiment::Limits, jvm::Jvm};

    fn toolchain() -> Toolchain {
        let jdk = |description: &str| Jdk {
            home: PathBuf::from("/jdk"),
            version: vec![25],
            description: description.to_owned(),
            release: String::new(),
        };
        Toolchain { jdk: jdk("Temurin 25"), graalvm: Ok(jdk("GraalVM 25")), maven: None }
    }

    pub fn order(packaging: Packaging, spring_aot: bool) -> Order {
        let properties = BTreeMap::from([("spring.threads.virtual.enabled".to_owned(), "true".to_owned())]);
        let limits = Limits::default();
        let jvm = Jvm::of_subject("greetings-web", packaging);
        let subject = Subject {
            name: "greetings-web",
            packaging,
            spring_aot,
            jvm_flags: &[],
            native_flags: &[],
            properties: &properties,
            limits: &limits,
            jvm: &jvm,
        };
        Order::of(&subject, &toolchain()).unwrap()
    }

    fn with_flags(flags: &[&str]) -> Order {
        let native_flags = flags.iter().map(|flag| (*flag).to_owned()).collect();
        Order { native_flags, ..order(Packaging::Native, false) }
    }

    #[test]
    fn flags_of_an_image_make_another_one_and_lie_where_native_image_looks() {
        let dir = tempfile::tempdir().unwrap();
        let sources = Sources::read(dir.path()).unwrap();
        let key = |flags: &[&str]| with_flags(flags).key(&sources).to_string();
        assert_eq!(key(&[]), order(Packaging::Native, false).key(&sources).to_string());
        assert_ne!(key(&["-O1"]), key(&[]));
        assert_ne!(key(&["-O1"]), key(&["-O2"]));
        write_native_flags(&with_flags(&["--initialize-at-build-time=a,b", "-J-Xmx3g"]), dir.path()).unwrap();
        let file = "subjects/greetings-web/src/main/resources/META-INF/native-image/plimsoll/greetings-web/\
                    native-image.properties";
        let text = fs::read_to_string(dir.path().join(file)).unwrap();
        assert_eq!(text, "Args = --initialize-at-build-time=a,b\nJavaArgs = -Xmx3g\n");
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
        let log = dir.path().join("log");
        let into = (log.as_path(), &AtomicBool::new(false));
        let error = build(&order(Packaging::Jar, false), &sources, dir.path(), into, None, &mut |_| {}).unwrap_err();
        let PrepareError::Unavailable(text) = error else { panic!("{error}") };
        assert!(text.contains("apt install maven") && text.contains("greetings-web"), "{text}");
    }
}
