//! Finds the JDK that subjects run on, a GraalVM for native images, and Maven, on this machine.

mod wanted;

use std::{
    collections::BTreeSet,
    env,
    ffi::OsString,
    fmt, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

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

/// Where to look, as the environment names it.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// `PLIMSOLL_JAVA_HOME`: the one JDK to use.
    pub plimsoll_java_home: Option<PathBuf>,
    /// `JAVA_HOME`: one candidate among others.
    pub java_home: Option<PathBuf>,
    /// `GRAALVM_HOME`: what makes native images. Nothing runs on it.
    pub graalvm_home: Option<PathBuf>,
    /// `MAVEN_HOME`.
    pub maven_home: Option<PathBuf>,
    /// `PATH`.
    pub path: OsString,
    /// Directories that hold JDKs side by side.
    pub jdk_folders: Vec<PathBuf>,
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

impl Places {
    /// As this process' environment names them.
    pub fn from_environment() -> Self {
        let named = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let mut jdk_folders = vec![PathBuf::from("/usr/lib/jvm"), PathBuf::from("/Library/Java/JavaVirtualMachines")];
        jdk_folders.extend(env::home_dir().map(|home| home.join(".sdkman/candidates/java")));
        Self {
            plimsoll_java_home: named("PLIMSOLL_JAVA_HOME"),
            java_home: named("JAVA_HOME"),
            graalvm_home: named("GRAALVM_HOME"),
            maven_home: named("MAVEN_HOME"),
            path: env::var_os("PATH").unwrap_or_default(),
            jdk_folders,
        }
    }

    /// Every JDK in these places, those that the environment names first. `GRAALVM_HOME` is none of them, though it may
    /// lie in a folder of JDKs: programs on the JVM would else run on its compiler.
    fn jdks(&self) -> Vec<Jdk> {
        let on_path =
            self.program("java").and_then(|java| Some(fs::canonicalize(java).ok()?.parent()?.parent()?.to_owned()));
        let named = [&self.java_home, &on_path].into_iter().flatten().cloned();
        let graalvm = self.graalvm_home.as_ref().and_then(|home| fs::canonicalize(home).ok());
        let mut seen: BTreeSet<PathBuf> = graalvm.into_iter().collect();
        named
            .chain(self.jdk_folders.iter().flat_map(|folder| homes_in(folder)))
            .filter_map(|home| Jdk::at(&home))
            .filter(|jdk| seen.insert(jdk.home.clone()))
            .collect()
    }

    /// The compiler of native images: the one that the environment names, else the newest of `jdks`.
    fn graalvm(&self, jdks: &[Jdk]) -> Result<Jdk, NoGraalvm> {
        let found = match &self.graalvm_home {
            Some(home) => {
                let jdk = Jdk::at(home).filter(Jdk::has_native_image);
                jdk.ok_or_else(|| NoGraalvm::NotOne { home: home.clone() })?
            }
            None => {
                let with_native_image: Vec<_> = jdks.iter().filter(|jdk| jdk.has_native_image()).cloned().collect();
                newest(&with_native_image).ok_or(NoGraalvm::None)?
            }
        };
        if found.feature() < OLDEST_GRAALVM {
            return Err(NoGraalvm::TooOld { found: found.description, home: found.home });
        }
        Ok(found)
    }

    /// The first program of this name on `PATH`.
    fn program(&self, name: &str) -> Option<PathBuf> {
        env::split_paths(&self.path).map(|folder| folder.join(name)).find(|file| file.is_file())
    }

    fn maven(&self) -> Option<PathBuf> {
        let at_home = self.maven_home.iter().map(|home| home.join("bin/mvn")).find(|file| file.is_file());
        at_home.or_else(|| self.program("mvn"))
    }

    fn in_words(&self) -> String {
        let folders: Vec<_> = self.jdk_folders.iter().map(|folder| folder.display().to_string()).collect();
        format!("JAVA_HOME, PATH, {}", folders.join(", "))
    }
}

/// Directories that may be JDKs in a folder of JDKs; on macOS they lie two levels deeper.
fn homes_in(folder: &Path) -> Vec<PathBuf> {
    let mut homes: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .flat_map(|entry| [entry.path().join("Contents/Home"), entry.path()])
        .collect();
    homes.sort();
    homes
}

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

/// The one to run programs on: of the newest feature release, and of those one that is no GraalVM, as far as there is
/// one, for its compiler is another.
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

    /// The builder of native images that is part of it, e.g. `native-image 25.0.1 (GraalVM CE 25.0.1)`: its version may
    /// be another than the JDK's. Without an answer it is the JDK alone.
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

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    const TEMURIN: &str = "IMPLEMENTOR=\"Eclipse Adoptium\"\nIMPLEMENTOR_VERSION=\"Temurin-25.0.3+9\"\n\
                           JAVA_RUNTIME_VERSION=\"25.0.3+9-LTS\"\nJAVA_VERSION=\"25.0.3\"\n";

    fn release(version: &str) -> String {
        format!("IMPLEMENTOR=\"Debian\"\nJAVA_RUNTIME_VERSION=\"{version}+7\"\nJAVA_VERSION=\"{version}\"\n")
    }

    /// Puts a directory that looks like a JDK somewhere.
    fn fake(home: PathBuf, release: &str, programs: &[&str]) -> PathBuf {
        fs::create_dir_all(home.join("bin")).unwrap();
        fs::write(home.join("release"), release).unwrap();
        for program in programs {
            fs::write(home.join("bin").join(program), "").unwrap();
        }
        home.canonicalize().unwrap()
    }

    fn jdk(home: PathBuf, version: &str) -> PathBuf {
        fake(home, &release(version), &["java", "javac"])
    }

    #[test]
    fn the_newest_wins_wherever_it_lies() {
        let dir = tempfile::tempdir().unwrap();
        let old = jdk(dir.path().join("named"), "21.0.9");
        let folder = dir.path().join("jvm");
        jdk(folder.join("17"), "17.0.1");
        let new = jdk(folder.join("25.jdk/Contents/Home"), "25.0.10");
        jdk(folder.join("25-older"), "25.0.9");
        fake(folder.join("runtime-only"), &release("26"), &["java"]);
        let places = Places { java_home: Some(old), jdk_folders: vec![folder], ..Places::default() };
        let found = Toolchain::find(&places).unwrap();
        assert_eq!(found.jdk.home, new);
        assert_eq!((found.graalvm, found.maven), (Err(NoGraalvm::None), None));
    }

    #[test]
    fn java_on_the_path_is_followed_to_its_jdk() {
        let dir = tempfile::tempdir().unwrap();
        let home = jdk(dir.path().join("jdk"), "22");
        let bin = dir.path().join("bin");
        fs::create_dir(&bin).unwrap();
        symlink(home.join("bin/java"), bin.join("java")).unwrap();
        fs::write(bin.join("mvn"), "").unwrap();
        let found = Toolchain::find(&Places { path: bin.clone().into(), ..Places::default() }).unwrap();
        assert_eq!(found.jdk.home, home);
        assert_eq!(found.maven, Some(bin.join("mvn")));
    }

    #[test]
    fn the_one_named_for_plimsoll_wins_over_newer_ones() {
        let dir = tempfile::tempdir().unwrap();
        let named = jdk(dir.path().join("21"), "21");
        let newer = jdk(dir.path().join("25"), "25");
        let mut places =
            Places { plimsoll_java_home: Some(named.clone()), java_home: Some(newer), ..Places::default() };
        assert_eq!(Toolchain::find(&places).unwrap().jdk.home, named);
        places.plimsoll_java_home = Some(dir.path().join("nowhere"));
        let error = Toolchain::find(&places).unwrap_err().to_string();
        assert!(error.starts_with("PLIMSOLL_JAVA_HOME is "), "{error}");
    }

    fn graalvm(home: PathBuf, version: &str) -> PathBuf {
        fake(home, &release(version), &["java", "javac", "native-image"])
    }

    #[test]
    fn graalvm_is_a_jdk_with_native_image() {
        let dir = tempfile::tempdir().unwrap();
        jdk(dir.path().join("jvm/26"), "26");
        let found_there = graalvm(dir.path().join("jvm/graal"), "25.0.1");
        let named = graalvm(dir.path().join("named"), "25");
        let mut places = Places { jdk_folders: vec![dir.path().join("jvm")], ..Places::default() };
        let found = Toolchain::find(&places).unwrap();
        assert_eq!((found.jdk.feature(), found.graalvm.unwrap().home), (26, found_there));
        places.graalvm_home = Some(named.clone());
        assert_eq!(Toolchain::find(&places).unwrap().graalvm.unwrap().home, named);
    }

    #[test]
    fn what_makes_native_images_runs_no_jars() {
        let dir = tempfile::tempdir().unwrap();
        let plain = jdk(dir.path().join("jvm/temurin"), "25.0.3");
        let graal = graalvm(dir.path().join("graal"), "25.0.3");
        let newer = graalvm(dir.path().join("jvm/a-graal"), "25.0.4");
        let mut places = Places {
            graalvm_home: Some(graal.clone()),
            jdk_folders: vec![dir.path().join("jvm")],
            ..Places::default()
        };
        let found = Toolchain::find(&places).unwrap();
        assert_eq!((&found.jdk.home, found.graalvm.unwrap().home), (&plain, graal));
        places.java_home = Some(newer.clone());
        assert_eq!(
            Toolchain::find(&places).unwrap().jdk.home,
            plain,
            "of one feature release the one that is no GraalVM"
        );
        let of_graalvms = Places { java_home: Some(newer.clone()), ..Places::default() };
        assert_eq!(Toolchain::find(&of_graalvms).unwrap().jdk.home, newer, "it is all there is");
    }

    #[test]
    fn a_graalvm_home_alone_is_no_jdk_to_run_on() {
        let dir = tempfile::tempdir().unwrap();
        let places = Places { graalvm_home: Some(graalvm(dir.path().join("graal"), "25")), ..Places::default() };
        let error = Toolchain::find(&places).unwrap_err().to_string();
        assert!(
            error.starts_with("no JDK found (looked at JAVA_HOME, PATH") && error.contains("PLIMSOLL_JAVA_HOME"),
            "{error}"
        );
    }

    #[test]
    fn a_graalvm_that_does_not_fit_is_named() {
        let dir = tempfile::tempdir().unwrap();
        jdk(dir.path().join("jvm/25"), "25");
        let home = jdk(dir.path().join("no-graalvm"), "25");
        let mut places =
            Places { graalvm_home: Some(home.clone()), jdk_folders: vec![dir.path().join("jvm")], ..Places::default() };
        let why = |places: &Places| Toolchain::find(places).unwrap().graalvm.unwrap_err().to_string();
        let not_one = why(&places);
        assert!(not_one.starts_with(&format!("GRAALVM_HOME is {}, which has no bin/native-image", home.display())));
        places.graalvm_home = Some(graalvm(dir.path().join("old"), "24.0.1"));
        let old = why(&places);
        assert!(
            old.starts_with("a native image needs GraalVM 25 or newer, and this one is Debian 24.0.1+7 in "),
            "{old}"
        );
    }

    #[test]
    fn the_builder_is_named_beside_its_jdk() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let home = graalvm(dir.path().join("graal"), "25.0.3");
        let program = home.join("bin/native-image");
        assert_eq!(Jdk::at(&home).unwrap().native_image(), "Debian 25.0.3+7", "it says nothing");
        fs::write(&program, "#!/bin/sh\necho native-image 25.0.1 2025-10-21\necho more\n").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(Jdk::at(&home).unwrap().native_image(), "native-image 25.0.1 (Debian 25.0.3+7)");
    }

    #[test]
    fn none_or_an_old_one_says_what_to_install() {
        let dir = tempfile::tempdir().unwrap();
        let places = Places { jdk_folders: vec![dir.path().to_owned()], ..Places::default() };
        let error = Toolchain::find(&places).unwrap_err().to_string();
        assert!(
            error.starts_with("no JDK found (looked at JAVA_HOME, PATH, ") && error.contains("adoptium"),
            "{error}"
        );
        jdk(dir.path().join("17"), "17.0.15");
        let error = Toolchain::find(&places).unwrap_err().to_string();
        assert!(error.contains("JDK 21 or newer needed, the newest found is Debian 17.0.15+7 in "), "{error}");
        assert!(error.contains("PLIMSOLL_JAVA_HOME"), "{error}");
    }

    #[test]
    fn descriptions_name_the_product_and_its_full_version() {
        assert_eq!(describe(TEMURIN), "Temurin 25.0.3+9");
        assert_eq!(describe(&release("17.0.15")), "Debian 17.0.15+7");
        assert_eq!(
            describe("IMPLEMENTOR_VERSION=\"GraalVM CE 25.0.1+8.1\"\nJAVA_VERSION=\"25.0.1\"\n"),
            "GraalVM CE 25.0.1"
        );
        assert_eq!(describe("IMPLEMENTOR_VERSION=\"\"\nJAVA_VERSION=\"26-ea\"\n"), "JDK 26-ea");
        assert_eq!(numbers("26-ea"), [26]);
        assert!(numbers("25.0.10") > numbers("25.0.9") && numbers("25.0.1") > numbers("25"));
    }
}
