//! Places where JDKs, GraalVM and Maven may be on a machine.

use std::{
    collections::BTreeSet,
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use super::{Jdk, NoGraalvm, OLDEST_GRAALVM, newest};

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

impl Places {
    /// The places that this process' environment names.
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

    /// Every JDK in these places, those that the environment names first. Leaves out `GRAALVM_HOME` even if it lies in
    /// a folder of JDKs: programs on the JVM would run with GraalVM's JIT compiler.
    pub(super) fn jdks(&self) -> Vec<Jdk> {
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
    pub(super) fn graalvm(&self, jdks: &[Jdk]) -> Result<Jdk, NoGraalvm> {
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

    pub(super) fn maven(&self) -> Option<PathBuf> {
        let at_home = self.maven_home.iter().map(|home| home.join("bin/mvn")).find(|file| file.is_file());
        at_home.or_else(|| self.program("mvn"))
    }

    pub(super) fn in_words(&self) -> String {
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
