//! Finds the JDK that subjects run on, a GraalVM for native images, and Maven, on this machine.

mod places;
#[cfg(test)]
mod tests;
mod wanted;

use std::{
    fmt, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

pub use places::Places;
pub use wanted::Jdks;

/// The oldest feature release that the subjects run on.
pub const OLDEST_FEATURE: u32 = 21;
/// The oldest GraalVM that Spring Boot 4 makes native images with (its system requirements).
pub const OLDEST_GRAALVM: u32 = 25;

/// A JDK on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    /// Its directory, symbolic links resolved.
    pub home: PathBuf,
    /// E.g. `[25, 0, 3]`.
    pub version: Vec<u32>,
    /// Vendor and full version, e.g. `Temurin 25.0.3+9`.
    pub description: String,
    /// The text of its `release` file, which differs between any two builds.
    pub release: String,
}

/// The JDK that subjects are built and run with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolchain {
    /// The newest JDK found: the one that builds jars, and runs them.
    pub jdk: Jdk,
    /// A JDK with `bin/native-image`, which makes native images and nothing else; or why there is none.
    pub graalvm: Result<Jdk, NoGraalvm>,
    /// The program `mvn`, if there is one.
    pub maven: Option<PathBuf>,
}

/// Why there is no JDK to use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JdkError {
    /// None at all.
    #[error("no JDK found (looked at {looked}); {REMEDY}")]
    None {
        /// Where it was looked for, in words.
        looked: String,
    },
    /// None that is new enough.
    #[error("JDK {OLDEST_FEATURE} or newer needed, the newest found is {newest} in {}; {REMEDY}", home.display())]
    TooOld {
        /// Its description.
        newest: String,
        /// Its directory.
        home: PathBuf,
    },
    /// `PLIMSOLL_JAVA_HOME` does not name a JDK.
    #[error("PLIMSOLL_JAVA_HOME is {}, which is no JDK: expected bin/javac and a release file there", home.display())]
    NotAJdk {
        /// The directory that it names.
        home: PathBuf,
    },
}

/// Why there is nothing to make native images with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoGraalvm {
    /// None at all.
    #[error("a native image needs GraalVM, a JDK with bin/native-image, and none was found: {GRAALVM_REMEDY}")]
    None,
    /// `GRAALVM_HOME` names something else.
    #[error("GRAALVM_HOME is {}, which has no bin/native-image: {GRAALVM_REMEDY}", home.display())]
    NotOne {
        /// The directory that it names.
        home: PathBuf,
    },
    /// None that is new enough.
    #[error(
        "a native image needs GraalVM {OLDEST_GRAALVM} or newer, and this one is {found} in {}: {GRAALVM_REMEDY}",
        home.display()
    )]
    TooOld {
        /// Its description.
        found: String,
        /// Its directory.
        home: PathBuf,
    },
}

const GRAALVM_REMEDY: &str = "install GraalVM or Mandrel, e.g. with `sdk install java 25-graalce` or from https://www.graalvm.org/downloads, \
     and name it with GRAALVM_HOME";

const REMEDY: &str = "install JDK 25, e.g. from https://adoptium.net or with `sdk install java 25-tem`, or name one with PLIMSOLL_JAVA_HOME";

impl Toolchain {
    /// The newest JDK of these places (the first of several equals), and what else is there.
    ///
    /// # Errors
    /// When there is no JDK of [`OLDEST_FEATURE`] or newer.
    pub fn find(places: &Places) -> Result<Self, JdkError> {
        let jdks = places.jdks();
        let jdk = match &places.plimsoll_java_home {
            Some(home) => Jdk::at(home).ok_or_else(|| JdkError::NotAJdk { home: home.clone() })?,
            None => newest_to_run_on(&jdks).ok_or_else(|| JdkError::None { looked: places.in_words() })?,
        };
        if jdk.feature() < OLDEST_FEATURE {
            return Err(JdkError::TooOld { newest: jdk.description, home: jdk.home });
        }
        let graalvm = places.graalvm(&jdks);
        Ok(Self { jdk, graalvm, maven: places.maven() })
    }
}

fn newest(jdks: &[Jdk]) -> Option<Jdk> {
    // `max_by` would take the last of several equals.
    jdks.iter().rev().max_by(|a, b| a.version.cmp(&b.version)).cloned()
}

/// The JDK to run programs on: the newest feature release. Of its JDKs one that is no GraalVM is preferred, because
/// GraalVM has another JIT compiler.
fn newest_to_run_on(jdks: &[Jdk]) -> Option<Jdk> {
    let rank = |jdk: &Jdk| (jdk.feature(), !jdk.has_native_image(), jdk.version.clone());
    jdks.iter().rev().max_by_key(|jdk| rank(jdk)).cloned()
}

impl Jdk {
    /// The JDK in a directory; none if there is no compiler (a mere runtime) or no readable `release` file.
    pub fn at(home: &Path) -> Option<Self> {
        let home = fs::canonicalize(home).ok()?;
        let release = fs::read_to_string(home.join("release")).ok()?;
        let version = numbers(value(&release, "JAVA_VERSION")?);
        if version.is_empty() || !home.join("bin/javac").is_file() {
            return None;
        }
        Some(Self { home, version, description: describe(&release), release })
    }

    /// The feature release, e.g. 25.
    pub fn feature(&self) -> u32 {
        self.version[0]
    }

    /// A program of this JDK, e.g. `java`.
    pub fn program(&self, name: &str) -> PathBuf {
        self.home.join("bin").join(name)
    }

    fn has_native_image(&self) -> bool {
        self.program("native-image").is_file()
    }

    /// Name of its builder of native images, e.g. `native-image 25.0.1 (GraalVM CE 25.0.1)`: the builder's version may
    /// differ from the JDK's. The JDK's name alone if the builder does not answer.
    pub fn native_image(&self) -> String {
        let output = Command::new(self.program("native-image")).arg("--version").stdin(Stdio::null()).output();
        let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
        // E.g. `native-image 25.0.1 2025-10-21`; before GraalVM 22.3 `GraalVM 22.2.0 Java 17`.
        let version = text.lines().next().and_then(|line| line.strip_prefix("native-image ")?.split(' ').next());
        version.map_or_else(|| self.description.clone(), |version| format!("native-image {version} ({self})"))
    }
}

impl fmt::Display for Jdk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.description)
    }
}

/// The value of one line `NAME="value"` of a `release` file.
fn value<'a>(release: &'a str, name: &str) -> Option<&'a str> {
    let found = release.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='))?.trim().trim_matches('"');
    (!found.is_empty()).then_some(found)
}

/// The numbers of a version up to the first part that is none: `26-ea` is `[26]`.
fn numbers(version: &str) -> Vec<u32> {
    version.split(['.', '-', '+']).map_while(|part| part.parse().ok()).collect()
}

/// `Temurin 25.0.3+9`, from whatever of it the `release` file tells.
fn describe(release: &str) -> String {
    let product =
        value(release, "IMPLEMENTOR_VERSION").and_then(|version| version.split(|c: char| c.is_ascii_digit()).next());
    let product = product.map(|name| name.trim_end_matches([' ', '-', '_'])).filter(|name| !name.is_empty());
    let vendor = product.or_else(|| value(release, "IMPLEMENTOR")).unwrap_or("JDK");
    let full = value(release, "JAVA_RUNTIME_VERSION").or_else(|| value(release, "JAVA_VERSION")).unwrap_or("?");
    format!("{vendor} {}", full.trim_end_matches("-LTS"))
}
