//! Prepares what a variant launches: builds a bundled subject, packages it, trains its class-data archive, and keeps
//! the result in a cache by content, so that each is made once.

mod archive;
mod build;
mod cache;
mod flags;
mod key;
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
    sync::{Mutex, PoisonError},
};

use plimsoll_record::Making;

use self::{cache::Cache, key::Key, own_build::Built, sources::Sources, subject::Subject};
use crate::{
    experiment::{Limits, Program},
    jdk::{Jdk, JdkError, Jdks, Toolchain},
    jmh,
    jvm::{Build, Jvm, Source},
    packaging::Packaging,
    placeholders::Placeholders,
    run::command_text,
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

/// A program that is ready to be launched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    argv: Vec<String>,
    env: BTreeMap<String, String>,
    workdir: PathBuf,
    /// The cost of making it; none if it is not made here.
    making: Option<Making>,
    /// Path at which any answer but an error of the server's says that it serves, as its framework has it.
    ready_path: Option<String>,
    /// Facts for the record: which jar it turned out to be, its framework, the commit.
    facts: BTreeMap<String, String>,
}

/// The file to launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    /// Program and arguments.
    pub argv: Vec<String>,
    /// Added to its environment, which nobody else can read.
    pub env: BTreeMap<String, String>,
    /// Where it is started.
    pub workdir: PathBuf,
}

/// Why there is no artifact.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrepareError {
    /// It cannot be had on this machine as it is; the text says what to install.
    #[error("{0}")]
    Unavailable(String),
    /// Making it failed.
    #[error("{what}{}", in_words(telling))]
    Failed {
        /// The attempt, its outcome, and where to read more, in one line.
        what: String,
        /// The lines of the failing program that say why, errors first; empty if none ran.
        telling: Vec<String>,
    },
}

/// The commit that a revision names in the repository around `folder`.
///
/// # Errors
/// There is none, or no repository.
pub(crate) fn commit_of(folder: &Path, revision: &str) -> Result<String, String> {
    own_build::commit(folder, revision)
}

fn in_words(lines: &[String]) -> String {
    if lines.is_empty() { String::new() } else { format!(":\n  {}", lines.join("\n  ")) }
}

impl PrepareError {
    fn failed(what: impl Into<String>) -> Self {
        Self::Failed { what: what.into(), telling: Vec::new() }
    }

    /// One line.
    pub fn brief(&self) -> &str {
        match self {
            Self::Unavailable(text) => text,
            Self::Failed { what, .. } => what,
        }
    }

    /// The lines of a failing program that say why.
    pub fn telling(&self) -> &[String] {
        match self {
            Self::Unavailable(_) => &[],
            Self::Failed { telling, .. } => telling,
        }
    }

    fn io(doing: &str, path: &Path, error: &std::io::Error) -> Self {
        Self::failed(format!("cannot {doing} {}: {error}", path.display()))
    }
}

/// Word of what is being made, in one line for the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said<'a> {
    /// A step begins, or has an outcome.
    Step(&'a str),
    /// How far a step has come; the next one takes its place.
    Progress(&'a str),
}

/// Is told what is being made.
type Say<'a> = &'a mut dyn FnMut(Said<'_>);

/// A training run, told the values of placeholders.
pub type Training<'a> = &'a mut dyn FnMut(&Placeholders) -> Result<(), PrepareError>;

/// An upstream that a program may call while its archive is trained, as in its runs.
pub trait Beside {
    /// Its identity: an archive is made for each.
    fn key(&self) -> String;

    /// Starts it, does the training, and ends it.
    ///
    /// # Errors
    /// If it cannot be started, and those of the training.
    fn during(&self, train: Training) -> Result<(), PrepareError>;
}

/// Runs a service that is trained, as its runs do.
pub trait Trainer {
    /// Its requests and surroundings: an archive is made for each.
    fn key(&self) -> String;

    /// Launches a command line, awaits that it answers at the path, has it answer the requests of the file for a few
    /// seconds if `is_loaded`, and ends it in order.
    ///
    /// # Errors
    /// Why that failed, with what the service put out.
    fn serve(
        &self,
        command_line: &dyn Fn(&Placeholders) -> CommandLine,
        ready_path: &str,
        is_loaded: bool,
    ) -> Result<(), PrepareError>;
}

/// Surroundings of a program that is prepared, as in its runs.
#[derive(Clone, Copy, Default)]
pub struct Around<'a> {
    /// Added to its environment.
    pub env: Option<&'a BTreeMap<String, String>>,
    /// The upstream that it may call.
    pub beside: Option<&'a dyn Beside>,
    /// For archives of the user's own services.
    pub trainer: Option<&'a dyn Trainer>,
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
            // Whatever else is wrong shows when it is made.
            Ok(()) | Err(PrepareError::Failed { .. }) => None,
        }
    }

    /// Whether what is ordered is there, or can be built.
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
            // Nothing of it is launched.
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
                Ok(benchmarks_artifact(&java, &jar, jvm_flags, limits, arguments))
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
            making::measured(dir, || build::build(order, &sources, dir, &log, last_time, say))
        });
        if let Err(error @ PrepareError::Failed { .. }) = &built {
            failed.insert(log, error.clone());
        }
        Ok((built?, key))
    }
}

/// None if one of them is not known: a part of the cost says nothing.
fn sum(one: Option<Making>, other: Option<Making>) -> Option<Making> {
    Some(one? + other?)
}

impl Artifact {
    fn of(argv: Vec<String>, workdir: PathBuf) -> Self {
        Self { argv, env: BTreeMap::new(), workdir, making: None, ready_path: None, facts: BTreeMap::new() }
    }

    /// Path at which any answer but an error of the server's says that it serves; none if its framework has none.
    pub fn ready_path(&self) -> Option<&str> {
        self.ready_path.as_deref()
    }

    /// Facts beside the variant's settings: which jar it turned out to be, its framework, the commit.
    pub fn facts(&self) -> &BTreeMap<String, String> {
        &self.facts
    }

    /// The cost of making all of it, whenever that was; none if it was not made here.
    pub fn making(&self) -> Option<Making> {
        self.making
    }

    fn that_cost(self, making: Option<Making>) -> Self {
        Self { making, ..self }
    }

    /// Its command in one line that a shell understands, with placeholders as they are and without secrets.
    pub fn command_text(&self, env: &BTreeMap<String, String>) -> String {
        let env = self.env.iter().chain(env).map(|(name, value)| (name.clone(), value.clone())).collect();
        command_text(&env, &self.argv)
    }

    /// The command that serves at `{host}` and `{port}`, which are replaced in every argument.
    pub fn command_line(&self, placeholders: &Placeholders) -> CommandLine {
        let argv = self.argv.iter().map(|argument| placeholders.fill(argument)).collect();
        let env = self.env.iter().map(|(name, value)| (name.clone(), placeholders.fill(value))).collect();
        CommandLine { argv, env, workdir: self.workdir.clone() }
    }
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

fn benchmarks_artifact(
    java: &Path,
    jar: &Path,
    jvm_flags: &[String],
    limits: &Limits,
    arguments: &[String],
) -> Artifact {
    let mut argv = vec![java.display().to_string()];
    argv.extend_from_slice(jvm_flags);
    argv.extend(flags::jvm(limits));
    argv.extend(["-jar".to_owned(), jar.display().to_string()]);
    argv.extend_from_slice(arguments);
    argv.extend(jmh::RESULT_ARGUMENTS.map(str::to_owned));
    let workdir = jar.parent().unwrap_or(Path::new("/")).to_owned();
    Artifact::of(argv, workdir)
}
