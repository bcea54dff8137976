//! Prepares what a variant launches: builds a bundled subject, packages it, trains its class-data archive, and keeps
//! the result in a cache by content, so that each is made once.

mod archive;
mod around;
mod build;
mod cache;
mod error;
mod flags;
mod key;
mod launchable;
mod making;
mod own_build;
mod prebuilt;
mod progress;
mod service;
mod sources;
mod stage;
mod subject;
mod text;
mod tool;

use std::{
    collections::BTreeMap,
    env,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool},
};

use plimsoll_record::Making;

use self::{around::Say, cache::Cache, key::Key, own_build::Built, sources::Sources, subject::Subject};
pub use self::{
    around::{Around, Beside, Said, Trainer, Training},
    error::PrepareError,
    launchable::{Artifact, CommandLine},
};
use crate::{
    experiment::{Limits, Program},
    jdk::{Jdk, JdkError, Jdks, Toolchain},
    jvm::{Build, Jvm, Source},
    packaging::Packaging,
};

/// Makes artifacts, or finds them in its cache.
#[derive(Debug)]
pub struct Artifacts {
    java_dir: PathBuf,
    prebuilt_dir: Option<PathBuf>,
    cache: Cache,
    toolchain: Result<Toolchain, JdkError>,
    jdks: Jdks,
    /// Builds that failed: another try takes as long and fails alike.
    failed: Mutex<BTreeMap<PathBuf, PrepareError>>,
    /// Builds of the user's own, each made once.
    own_builds: Mutex<BTreeMap<Build, Result<Built, PrepareError>>>,
}

/// The commit that a revision names in the repository around `folder`.
///
/// # Errors
/// There is none, or no repository.
pub(crate) fn commit_of(folder: &Path, revision: &str) -> Result<String, String> {
    own_build::commit(folder, revision)
}

impl Artifacts {
    /// Artifacts of the Java sources in `java_dir` (where the parent `pom.xml` is), kept in `cache_dir`. A toolchain
    /// that was not found is an error only once something needs it.
    pub fn new(java_dir: PathBuf, cache_dir: PathBuf, toolchain: Result<Toolchain, JdkError>) -> Self {
        let (cache, failed) = (Cache::new(cache_dir), Mutex::default());
        Self {
            java_dir,
            prebuilt_dir: None,
            cache,
            toolchain,
            jdks: Jdks::default(),
            failed,
            own_builds: Mutex::default(),
        }
    }

    /// The same, making nothing any more once `stop` is set: builds are ended.
    #[must_use]
    pub fn stopped_by(self, stop: Arc<AtomicBool>) -> Self {
        Self { cache: self.cache.stopped_by(stop), ..self }
    }

    /// The same, with the JDKs that variants may choose from.
    #[must_use]
    pub fn with_jdks(self, jdks: Jdks) -> Self {
        Self { jdks, ..self }
    }

    /// The same, with a folder of jars that need not be built: `NAME.jar` for each subject, and `source`, a copy of
    /// what they were built from. Jars of other sources than those in `java_dir` are left aside; there may be no such
    /// folder.
    #[must_use]
    pub fn with_prebuilt(self, dir: PathBuf) -> Self {
        Self { prebuilt_dir: Some(dir), ..self }
    }

    /// The JDK that subjects run on, if one was found.
    pub fn jdk(&self) -> Option<&Jdk> {
        self.toolchain.as_ref().ok().map(|toolchain| &toolchain.jdk)
    }

    /// Versions of what the subjects are made of, e.g. `Spring Boot` → `4.1.1`.
    pub fn versions(&self) -> BTreeMap<String, String> {
        let version = sources::spring_boot_version(&self.java_dir);
        version.map(|version| ("Spring Boot".to_owned(), version)).into_iter().collect()
    }

    /// The compiler of native images, with its version, if there is one.
    pub fn native_image(&self) -> Option<String> {
        self.toolchain.as_ref().ok()?.graalvm.as_ref().ok().map(Jdk::native_image)
    }

    /// Why this program cannot be had on this machine as it is, and what to install: found out without making anything.
    pub fn missing(&self, program: &Program, limits: &Limits) -> Option<String> {
        if let Program::Jvm(jvm @ Jvm { source: Source::Service(_), .. }) = program {
            return self.missing_for_service(jvm);
        }
        let order = |toolchain| match (Subject::of(program, limits), program) {
            (Some(subject), _) => {
                self.java_of(&subject, toolchain)?;
                Ok(Some(build::Order::of(&subject, toolchain)?))
            }
            (None, Program::Benchmarks { jar: None, .. }) => Ok(Some(build::Order::of_benchmarks(toolchain))),
            (None, _) => Ok(None),
        };
        let missing = match program {
            Program::Command { .. } | Program::Running => Ok(()),
            _ => {
                self.toolchain().and_then(order).and_then(|order| order.map_or(Ok(()), |it| self.check_buildable(&it)))
            }
        };
        match missing {
            Err(PrepareError::Unavailable(text)) => Some(text),
            // Other faults show when it is made.
            Ok(()) | Err(PrepareError::Failed { .. }) => None,
        }
    }

    /// Checks that the product of an order is there already, or can be built.
    fn check_buildable(&self, order: &build::Order) -> Result<(), PrepareError> {
        if order.maven.is_some() {
            return Ok(());
        }
        let sources = Sources::read(&self.java_dir)?;
        let is_prebuilt = |folder: &PathBuf| prebuilt::fits(folder, order, &sources);
        let is_there = self.cache.has(&order.artifact(), &order.key(&sources));
        if is_there || self.prebuilt_dir.as_ref().is_some_and(is_prebuilt) { Ok(()) } else { Err(order.no_maven()) }
    }

    /// Makes what this program needs, or finds it in the cache. Prepare every variant before the first run: a change of
    /// the sources makes another artifact. What is `around` it in its runs is there while its archive is trained.
    /// `say` is told in one line of whatever takes long.
    ///
    /// # Errors
    /// [`PrepareError::Unavailable`] when this machine lacks something that could be installed, else
    /// [`PrepareError::Failed`].
    pub fn prepare(
        &self,
        program: &Program,
        limits: &Limits,
        around: Around<'_>,
        say: Say,
    ) -> Result<Artifact, PrepareError> {
        match program {
            Program::Command { argv, workdir, .. } => Ok(Artifact::of(argv.clone(), workdir.clone())),
            // The target runs already: nothing is launched.
            Program::Running => Ok(Artifact::of(Vec::new(), PathBuf::from("/"))),
            Program::Jvm(jvm) => match (&jvm.source, Subject::of(program, limits)) {
                (Source::Service(own), _) => self.prepare_service(jvm, own, limits, around, say),
                (_, Some(subject)) => self.prepare_subject(&subject, around.beside, say),
                (_, None) => Err(PrepareError::failed("no subject")),
            },
            Program::Benchmarks { jar, jvm_flags, arguments } => {
                let java = self.toolchain()?.jdk.program("java");
                let jar = match jar {
                    Some(jar) => std::path::absolute(jar).map_err(|error| PrepareError::io("find", jar, &error))?,
                    None => self.bundled_benchmarks(say)?,
                };
                Ok(Artifact::of_benchmarks(&java, &jar, jvm_flags, limits, arguments))
            }
        }
    }

    fn toolchain(&self) -> Result<&Toolchain, PrepareError> {
        self.toolchain.as_ref().map_err(|error| PrepareError::Unavailable(error.to_string()))
    }

    /// The jar of the benchmarks that Plimsoll brings.
    fn bundled_benchmarks(&self, say: Say) -> Result<PathBuf, PrepareError> {
        let order = build::Order::of_benchmarks(self.toolchain()?);
        let _lock = self.cache.lock(say)?;
        Ok(self.ordered(&order, say)?.0.join(build::JAR))
    }

    /// The directory with what was ordered, and the key of its content.
    fn ordered(&self, order: &build::Order, say: Say) -> Result<(PathBuf, Key), PrepareError> {
        let sources = Sources::read(&self.java_dir)?;
        let key = order.key(&sources);
        let name = order.artifact();
        let log = self.cache.log(&name, &key);
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = failed.get(&log) {
            return Err(error.clone());
        }
        let built = self.cache.entry(&name, &key, |dir| {
            let copied = |folder| prebuilt::copy(folder, order, &sources, &dir.join(build::JAR));
            if self.prebuilt_dir.as_deref().is_some_and(copied) {
                return Ok(());
            }
            let last_time = making::last(self.cache.dir(), &name);
            making::measured(dir, || build::build(order, &sources, dir, (&log, self.cache.stop()), last_time, say))
        });
        if let Err(error @ PrepareError::Failed { .. }) = &built {
            failed.insert(log, error.clone());
        }
        Ok((built?, key))
    }
}

/// Sum of two costs; none if one of them is unknown, as a partial sum would mislead.
fn sum(one: Option<Making>, other: Option<Making>) -> Option<Making> {
    Some(one? + other?)
}

fn check_available(packaging: Packaging, jdk: &Jdk, toolchain: &Toolchain) -> Result<(), PrepareError> {
    match packaging {
        Packaging::AotCache => check_aot_cache(jdk),
        Packaging::Native => graalvm(toolchain).map(drop),
        _ => Ok(()),
    }
}

fn check_aot_cache(jdk: &Jdk) -> Result<(), PrepareError> {
    if jdk.feature() >= archive::AOT_CACHE_SINCE {
        return Ok(());
    }
    Err(PrepareError::Unavailable(format!(
        "an AOT cache needs JDK {} or newer, and this variant would run on {jdk} in {}: install JDK 25, e.g. from \
         https://adoptium.net, or name one with `jdk` or PLIMSOLL_JAVA_HOME",
        archive::AOT_CACHE_SINCE,
        jdk.home.display()
    )))
}

fn graalvm(toolchain: &Toolchain) -> Result<&Jdk, PrepareError> {
    toolchain.graalvm.as_ref().map_err(|why| PrepareError::Unavailable(why.to_string()))
}

/// Options that every JVM takes from the environment; an archive depends on them too.
fn ambient_options() -> Vec<String> {
    ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"].iter().map(|name| env::var(name).unwrap_or_default()).collect()
}
