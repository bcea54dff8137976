//! Programs of the JVM: bundled subjects, and services of the user's own.

use std::{
    collections::BTreeMap,
    env, fmt,
    path::{Path, PathBuf},
};

use crate::packaging::Packaging;

/// A program that a JVM runs, or that a native image was made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Jvm {
    /// Where its jar comes from.
    pub source: Source,
    /// The JDK that runs it; none: the newest that is found.
    pub jdk: Option<WantedJdk>,
    /// How it is packaged.
    pub packaging: Packaging,
    /// Whether Spring's ahead-of-time processing is applied (with every packaging; a native image always has it).
    pub spring_aot: bool,
    /// Options of the JVM, or of the native image when it runs, before ours.
    pub jvm_flags: Vec<String>,
    /// Properties, given as the framework takes them.
    pub properties: BTreeMap<String, String>,
}

/// The origin of a jar.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A bundled subject.
    Subject {
        /// Its folder under `java/subjects`, e.g. `greetings-web`.
        name: String,
        /// Options of `native-image` when it builds.
        native_flags: Vec<String>,
    },
    /// A service of the user's own.
    Service(OwnService),
}

/// The variable in which Spring Boot looks for properties, too: unlike arguments, nobody else can read it.
pub const SPRING_JSON: &str = "SPRING_APPLICATION_JSON";

/// Properties by name, as that variable, with those that it has in our own environment.
pub fn in_spring_json<'a>(properties: impl IntoIterator<Item = (&'a String, &'a String)>) -> (String, String) {
    (SPRING_JSON.to_owned(), spring_json(env::var(SPRING_JSON).ok().as_deref(), properties))
}

/// The text of the variable. What is `inherited` stays as far as it is a mapping, and is not given anew.
fn spring_json<'a>(inherited: Option<&str>, properties: impl IntoIterator<Item = (&'a String, &'a String)>) -> String {
    let mut all: serde_json::Map<String, serde_json::Value> =
        inherited.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    all.extend(properties.into_iter().map(|(name, value)| (name.clone(), value.as_str().into())));
    serde_json::Value::Object(all).to_string()
}

/// A service of the user's own, as far as the file tells.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnService {
    /// The jar that `java -jar` starts.
    pub jar: JarOrigin,
    /// The threads that serve requests, if the file chooses.
    pub threads: Option<Threads>,
    /// Arguments of the program, before properties that are given as arguments.
    pub arguments: Vec<String>,
    /// Where it is started.
    pub workdir: PathBuf,
    /// A fixed port, if the user named one; it must be free.
    pub port: Option<u16>,
    /// Path of the first request, by which its readiness is asked if it has no health checks.
    pub request_path: String,
}

/// The way to a jar.
#[derive(Clone, Debug, PartialEq)]
pub enum JarOrigin {
    /// It lies there.
    File(PathBuf),
    /// It is built first.
    Built(Build),
}

/// A build of the user's own: a command, and the jar that it leaves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Build {
    /// Program and arguments, without a shell.
    pub command: Vec<String>,
    /// Where it is started.
    pub folder: PathBuf,
    /// The jar, seen from the folder.
    pub jar: PathBuf,
    /// The revision of git that is built, in a work tree of its own; none: what is there.
    pub revision: Option<String>,
}

/// The threads that serve requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// A pool of threads of the operating system.
    Platform,
    /// A virtual thread per request.
    Virtual,
}

/// A JDK that a variant asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WantedJdk {
    /// The newest of a feature release.
    Feature(u32),
    /// The one in this directory.
    At(PathBuf),
}

impl fmt::Display for WantedJdk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Feature(feature) => write!(f, "{feature}"),
            Self::At(home) => write!(f, "{}", home.display()),
        }
    }
}

impl Jvm {
    /// A bundled subject, as it is without settings.
    pub fn of_subject(name: &str, packaging: Packaging) -> Self {
        Self {
            source: Source::Subject { name: name.to_owned(), native_flags: Vec::new() },
            jdk: None,
            packaging,
            spring_aot: false,
            jvm_flags: Vec::new(),
            properties: BTreeMap::new(),
        }
    }

    /// The bundled subject that it is, by name.
    pub fn subject(&self) -> Option<&str> {
        match &self.source {
            Source::Subject { name, .. } => Some(name),
            Source::Service(_) => None,
        }
    }

    /// The service of the user's own that it is.
    pub fn service(&self) -> Option<&OwnService> {
        match &self.source {
            Source::Service(service) => Some(service),
            Source::Subject { .. } => None,
        }
    }
}

impl OwnService {
    /// The jar, or where it will be.
    pub fn jar_path(&self) -> PathBuf {
        match &self.jar {
            JarOrigin::File(jar) => jar.clone(),
            JarOrigin::Built(build) => build.folder.join(&build.jar),
        }
    }

    /// The jar's name without `.jar`.
    pub fn name(&self) -> String {
        let path = self.jar_path();
        let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        stem(&path).unwrap_or_else(|| "app".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_of_spring_that_are_inherited_stay() {
        let properties = BTreeMap::from([("a".to_owned(), "1".to_owned())]);
        let json = |inherited| spring_json(inherited, &properties);
        assert_eq!(json(None), r#"{"a":"1"}"#);
        assert_eq!(json(Some(r#"{"a": 7, "b": {"c": true}}"#)), r#"{"a":"1","b":{"c":true}}"#);
        assert_eq!(json(Some("[]")), r#"{"a":"1"}"#);
    }
}
