//! Prepares what a variant launches: builds a bundled subject, packages it, trains its class-data archive, and keeps
//! the result in a cache by content, so that each is made once.

mod archive;
mod build;
mod cache;
mod flags;
mod key;
mod making;
mod prebuilt;
mod progress;
mod sources;
mod stage;
mod text;
mod tool;

use std::{
    collections::BTreeMap,
    env,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use plimsoll_record::Making;

use self::{cache::Cache, key::Key, sources::Sources};
use crate::{
    experiment::{Limits, Program},
    jdk::{Jdk, JdkError, Toolchain},
    jmh,
    packaging::Packaging,
    placeholders::{Placeholders, upstream_names},
};

/// Makes artifacts, or finds them in its cache.
#[derive(Debug)]
pub struct Artifacts {
    java_dir: PathBuf,
    prebuilt_dir: Option<PathBuf>,
    cache: Cache,
    toolchain: Result<Toolchain, JdkError>,
    /// Builds that failed: another try takes as long and fails alike.
    failed: Mutex<BTreeMap<PathBuf, PrepareError>>,
}

/// A program that is ready to be launched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    argv: Vec<String>,
    env: BTreeMap<String, String>,
    workdir: PathBuf,
    /// The cost of making it; none if it is not made here.
    making: Option<Making>,
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

/// A bundled subject with the settings that its artifact depends on.
#[derive(Clone, Copy, Debug)]
struct Subject<'a> {
    name: &'a str,
    packaging: Packaging,
    spring_aot: bool,
    jvm_flags: &'a [String],
    native_flags: &'a [String],
    properties: &'a BTreeMap<String, String>,
    limits: &'a Limits,
}

impl Artifacts {
    /// Artifacts of the Java sources in `java_dir` (where the parent `pom.xml` is), kept in `cache_dir`. A toolchain
    /// that was not found is an error only once something needs it.
    pub fn new(java_dir: PathBuf, cache_dir: PathBuf, toolchain: Result<Toolchain, JdkError>) -> Self {
        let (cache, failed) = (Cache::new(cache_dir), Mutex::default());
        Self { java_dir, prebuilt_dir: None, cache, toolchain, failed }
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
        let order = |toolchain| match (Subject::of(program, limits), program) {
            (Some(subject), _) => {
                check_available(subject.packaging, toolchain)?;
                Ok(Some(build::Order::of(&subject, toolchain)?))
            }
            (None, Program::Benchmarks { jar: None, .. }) => Ok(Some(build::Order::of_benchmarks(toolchain))),
            (None, _) => Ok(None),
        };
        let missing = match program {
            Program::Command { .. } => Ok(()),
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
    /// the sources makes another artifact. The upstream that is `beside` it in its runs answers while its archive is
    /// trained, if its texts name it. `say` is told in one line of whatever takes long.
    ///
    /// # Errors
    /// [`PrepareError::Unavailable`] when this machine lacks something that could be installed, else
    /// [`PrepareError::Failed`].
    pub fn prepare(
        &self,
        program: &Program,
        limits: &Limits,
        beside: Option<&dyn Beside>,
        say: Say,
    ) -> Result<Artifact, PrepareError> {
        match program {
            Program::Command { argv, workdir, .. } => {
                Ok(Artifact { argv: argv.clone(), env: BTreeMap::new(), workdir: workdir.clone(), making: None })
            }
            Program::Subject { .. } => match Subject::of(program, limits) {
                Some(subject) => self.prepare_subject(&subject, beside, say),
                None => Err(PrepareError::failed("no subject")),
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

    fn prepare_subject(
        &self,
        subject: &Subject,
        beside: Option<&dyn Beside>,
        say: Say,
    ) -> Result<Artifact, PrepareError> {
        let toolchain = self.toolchain()?;
        check_available(subject.packaging, toolchain)?;
        sources::check_subject(&self.java_dir, subject.name)?;
        let _lock = self.cache.lock(say)?;
        let (built, key) = self.ordered(&build::Order::of(subject, toolchain)?, say)?;
        let made = making::of(&built);
        if subject.packaging == Packaging::Native {
            return Ok(native_artifact(subject, &built).that_cost(made));
        }
        let java = toolchain.jdk.program("java");
        if subject.packaging == Packaging::Jar {
            return Ok(jvm_artifact(subject, &java, &built, &[]).that_cost(made));
        }
        let name = format!("{}-extracted", subject.name);
        let extract = |dir: &Path| making::measured(dir, || build::extract(&java, &built, dir));
        let extracted = self.cache.entry(&name, &key, extract)?;
        let made = sum(made, making::of(&extracted));
        let with_flags = |flags: &[String]| jvm_artifact(subject, &java, &extracted, flags);
        let Some(kind) = archive::Kind::of(subject.packaging) else { return Ok(with_flags(&[]).that_cost(made)) };
        let argv = with_flags(&[]).argv;
        let beside = beside.filter(|_| argv.iter().any(|text| !upstream_names(text).is_empty()));
        let key = key.and_all(&argv).and_all(&ambient_options());
        let key = match beside {
            Some(beside) => key.and(beside.key()),
            None => key,
        };
        let name = format!("{}-{}", subject.name, kind.name());
        let mut train = |dir: &Path| {
            let step = format!("training {} for {} (once for these settings)…", kind.in_words(), subject.name);
            say(Said::Step(&step));
            let mut train = |placeholders: &Placeholders| {
                let usage = archive::train(kind, toolchain.jdk.feature(), &with_flags, placeholders, dir)?;
                say(Said::Step(&format!("{}: {usage}", subject.name)));
                Ok(())
            };
            match beside {
                Some(beside) => beside.during(&mut train),
                None => train(&Placeholders::default()),
            }
        };
        let trained = self.cache.entry(&name, &key, |dir| making::measured(dir, || train(dir)))?;
        Ok(with_flags(&kind.flags(&trained)).that_cost(sum(made, making::of(&trained))))
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

impl<'a> Subject<'a> {
    /// None if the program is no subject.
    fn of(program: &'a Program, limits: &'a Limits) -> Option<Self> {
        let Program::Subject { name, packaging, spring_aot, jvm_flags, native_flags, properties } = program else {
            return None;
        };
        let (packaging, spring_aot) = (*packaging, *spring_aot);
        Some(Self { name, packaging, spring_aot, jvm_flags, native_flags, properties, limits })
    }
}

/// None if one of them is not known: a part of the cost says nothing.
fn sum(one: Option<Making>, other: Option<Making>) -> Option<Making> {
    Some(one? + other?)
}

impl Artifact {
    /// The cost of making all of it, whenever that was; none if it was not made here.
    pub fn making(&self) -> Option<Making> {
        self.making
    }

    fn that_cost(self, making: Option<Making>) -> Self {
        Self { making, ..self }
    }

    /// The command that serves at `{host}` and `{port}`, which are replaced in every argument.
    pub fn command_line(&self, placeholders: &Placeholders) -> CommandLine {
        let argv = self.argv.iter().map(|argument| placeholders.fill(argument)).collect();
        let env = self.env.iter().map(|(name, value)| (name.clone(), placeholders.fill(value))).collect();
        CommandLine { argv, env, workdir: self.workdir.clone() }
    }
}

fn check_available(packaging: Packaging, toolchain: &Toolchain) -> Result<(), PrepareError> {
    let jdk = &toolchain.jdk;
    match packaging {
        Packaging::AotCache if jdk.feature() < archive::AOT_CACHE_SINCE => Err(PrepareError::Unavailable(format!(
            "an AOT cache needs JDK {} or newer, the newest found is {jdk} in {}: install JDK 25, e.g. from https://adoptium.net, \
             or name one with PLIMSOLL_JAVA_HOME",
            archive::AOT_CACHE_SINCE,
            jdk.home.display()
        ))),
        Packaging::Native => graalvm(toolchain).map(drop),
        _ => Ok(()),
    }
}

fn graalvm(toolchain: &Toolchain) -> Result<&Jdk, PrepareError> {
    toolchain.graalvm.as_ref().map_err(|why| PrepareError::Unavailable(why.to_string()))
}

/// Options that every JVM takes from the environment; an archive depends on them too.
fn ambient_options() -> Vec<String> {
    ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"].iter().map(|name| env::var(name).unwrap_or_default()).collect()
}

fn jvm_artifact(subject: &Subject, java: &Path, workdir: &Path, flags: &[String]) -> Artifact {
    let mut argv = vec![java.display().to_string()];
    argv.extend_from_slice(subject.jvm_flags);
    argv.extend(flags::jvm(subject.limits));
    argv.extend_from_slice(flags);
    argv.extend(subject.spring_aot.then(|| "-Dspring.aot.enabled=true".to_owned()));
    argv.extend(["-jar".to_owned(), build::JAR.to_owned()]);
    argv.extend(flags::program(subject.properties));
    Artifact { argv, env: flags::environment(subject.properties), workdir: workdir.to_owned(), making: None }
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
    Artifact { argv, env: BTreeMap::new(), workdir, making: None }
}

fn native_artifact(subject: &Subject, built: &Path) -> Artifact {
    let mut argv = vec![built.join(build::NATIVE_IMAGE).display().to_string()];
    argv.extend_from_slice(subject.jvm_flags);
    argv.extend(flags::native_image(subject.limits, subject.jvm_flags));
    argv.extend(flags::program(subject.properties));
    Artifact { argv, env: flags::environment(subject.properties), workdir: built.to_owned(), making: None }
}
