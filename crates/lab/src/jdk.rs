//! Finds the JDK that subjects run on, a GraalVM for native images, and Maven, on this machine.

use std::{
    collections::BTreeSet,
    env,
    ffi::OsString,
    fmt, fs,
    path::{Path, PathBuf},
};

/// The oldest feature release that the subjects run on.
pub const OLDEST_FEATURE: u32 = 21;

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
    /// The newest JDK found.
    pub jdk: Jdk,
    /// A JDK with `bin/native-image`, if there is one.
    pub graalvm: Option<Jdk>,
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
    /// `GRAALVM_HOME`.
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

    /// Every JDK in these places, those that the environment names first.
    fn jdks(&self) -> Vec<Jdk> {
        let on_path =
            self.program("java").and_then(|java| Some(fs::canonicalize(java).ok()?.parent()?.parent()?.to_owned()));
        let named = [&self.java_home, &on_path, &self.graalvm_home].into_iter().flatten().cloned();
        let mut seen = BTreeSet::new();
        named
            .chain(self.jdk_folders.iter().flat_map(|folder| homes_in(folder)))
            .filter_map(|home| Jdk::at(&home))
            .filter(|jdk| seen.insert(jdk.home.clone()))
            .collect()
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
            None => newest(&jdks).ok_or_else(|| JdkError::None { looked: places.in_words() })?,
        };
        if jdk.feature() < OLDEST_FEATURE {
            return Err(JdkError::TooOld { newest: jdk.description, home: jdk.home });
        }
        let with_native_image: Vec<_> = jdks.into_iter().filter(Jdk::makes_native_images).collect();
        let named = places.graalvm_home.iter().filter_map(|home| Jdk::at(home)).find(Jdk::makes_native_images);
        Ok(Self { jdk, graalvm: named.or_else(|| newest(&with_native_image)), maven: places.maven() })
    }
}

fn newest(jdks: &[Jdk]) -> Option<Jdk> {
    // `max_by` would take the last of several equals.
    jdks.iter().rev().max_by(|a, b| a.version.cmp(&b.version)).cloned()
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

    fn makes_native_images(&self) -> bool {
        self.feature() >= OLDEST_FEATURE && self.program("native-image").is_file()
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
        assert_eq!((found.graalvm, found.maven), (None, None));
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

    #[test]
    fn graalvm_is_a_jdk_with_native_image() {
        let dir = tempfile::tempdir().unwrap();
        jdk(dir.path().join("jvm/25"), "25");
        let graalvm = fake(dir.path().join("jvm/graal"), &release("24.0.1"), &["java", "javac", "native-image"]);
        let named = fake(dir.path().join("named"), &release("21"), &["java", "javac", "native-image"]);
        let mut places = Places { jdk_folders: vec![dir.path().join("jvm")], ..Places::default() };
        let found = Toolchain::find(&places).unwrap();
        assert_eq!((found.jdk.feature(), found.graalvm.unwrap().home), (25, graalvm));
        places.graalvm_home = Some(named.clone());
        assert_eq!(Toolchain::find(&places).unwrap().graalvm.unwrap().home, named);
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
