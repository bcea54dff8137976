//! Prepares a service of the user's own: reads what its jar is, packages it, and trains archives by its own requests.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use plimsoll_text::number::bytes;

use super::{
    Around, Artifact, Artifacts, PrepareError, Said, Say, Trainer, ambient_options, archive, build, check_aot_cache,
    flags, key::Key, making, sum,
};
use crate::{
    experiment::Limits,
    jdk::Jdk,
    jvm::{JarOrigin, Jvm, OwnService},
    packaging::Packaging,
    service::{Content, Framework, Launching, Service},
};

/// Digits of a digest that tell two jars apart for people.
const DIGEST_SHOWN: usize = 12;

/// A service with all that its command line is made of.
struct Ready<'a> {
    jvm: &'a Jvm,
    own: &'a OwnService,
    limits: &'a Limits,
    jdk: Jdk,
    jar: PathBuf,
    service: Service,
    launching: Launching,
}

impl Ready<'_> {
    /// The command that runs `jar`, with some more options of the JVM.
    fn artifact(&self, jar: &Path, more: &[String]) -> Artifact {
        let mut argv = vec![self.jdk.program("java").display().to_string()];
        argv.extend_from_slice(&self.jvm.jvm_flags);
        argv.extend(flags::jvm(self.limits));
        argv.extend_from_slice(more);
        argv.extend_from_slice(&self.launching.options);
        argv.extend(["-jar".to_owned(), jar.display().to_string()]);
        argv.extend_from_slice(&self.launching.arguments);
        Artifact {
            env: self.launching.env.clone(),
            ready_path: Some(self.launching.ready_path.clone()),
            ..Artifact::of(argv, self.own.workdir.clone())
        }
    }
}

impl Artifacts {
    /// Command line of a service whose jar is there, as for `packaging: jar`, and what the jar turned out to be. Makes
    /// nothing.
    ///
    /// # Errors
    /// Why it cannot be launched, and what to do.
    pub fn preview(
        &self,
        jvm: &Jvm,
        env: &BTreeMap<String, String>,
        limits: &Limits,
    ) -> Result<Option<Artifact>, String> {
        let Some(own) = jvm.service() else { return Ok(None) };
        let jdk = self.jdks.choose(jvm.jdk.as_ref())?;
        let jar = match &own.jar {
            JarOrigin::File(jar) => absolute(jar),
            JarOrigin::Built(_) => return Ok(None),
        };
        let service = Service::read(&jar)?;
        let launching = Launching::of(jvm, own, env, &service, jdk.feature())?;
        let ready = Ready { jvm, own, limits, jdk, jar, service, launching };
        let facts = [("framework", ready.service.description()), ("jdk", ready.jdk.description.clone())];
        let facts = facts.map(|(name, text)| (name.to_owned(), text)).into();
        Ok(Some(Artifact { facts, ..ready.artifact(&ready.jar, &[]) }))
    }

    /// The JDK for variants that ask for none.
    ///
    /// # Errors
    /// There is none, and what to install.
    pub fn default_jdk(&self) -> Result<Jdk, String> {
        self.jdks.choose(None)
    }

    pub(super) fn missing_for_service(&self, jvm: &Jvm) -> Option<String> {
        let jdk = self.jdks.choose(jvm.jdk.as_ref()).map_err(PrepareError::Unavailable);
        let is_cache = jvm.packaging == Packaging::AotCache;
        let checked = jdk.and_then(|jdk| if is_cache { check_aot_cache(&jdk) } else { Ok(()) });
        checked.err().map(|error| error.to_string())
    }

    pub(super) fn prepare_service(
        &self,
        jvm: &Jvm,
        own: &OwnService,
        limits: &Limits,
        around: Around<'_>,
        say: Say,
    ) -> Result<Artifact, PrepareError> {
        let jdk = self.jdks.choose(jvm.jdk.as_ref()).map_err(PrepareError::Unavailable)?;
        // A jar that is there is launched as it is: nobody is waited for.
        let is_made = jvm.packaging != Packaging::Jar || matches!(own.jar, JarOrigin::Built(_));
        let _lock = is_made.then(|| self.cache.lock(say)).transpose()?;
        let (jar, commit) = match &own.jar {
            JarOrigin::File(jar) => (absolute(jar), None),
            JarOrigin::Built(wanted) => {
                let built = self.built(wanted, say)?;
                (built.jar, built.commit)
            }
        };
        let service = Service::read(&jar).map_err(PrepareError::failed)?;
        let none = BTreeMap::new();
        let launching = Launching::of(jvm, own, around.env.unwrap_or(&none), &service, jdk.feature());
        let launching = launching.map_err(PrepareError::failed)?;
        let content = Content::read(&jar, &service.beside).map_err(PrepareError::failed)?;
        let ready = Ready { jvm, own, limits, jdk, jar, service, launching };
        let packaged = self.packaged(&ready, &content, around.trainer, say)?;
        Ok(Artifact { facts: facts(&ready, &content, commit), ..packaged })
    }

    fn packaged(
        &self,
        ready: &Ready<'_>,
        content: &Content,
        trainer: Option<&dyn Trainer>,
        say: Say,
    ) -> Result<Artifact, PrepareError> {
        let Ready { jdk, jar, service, .. } = ready;
        let packaging = ready.jvm.packaging;
        if packaging == Packaging::Jar {
            return Ok(ready.artifact(jar, &[]));
        }
        let name = file_safe(&ready.own.name());
        let (jar, made) = if service.framework == Framework::SpringBoot && service.extracts_itself {
            let key = Key::default().and(&content.sha256);
            let extract = |dir: &Path| making::measured(dir, || build::extract(&jdk.program("java"), jar, dir));
            let extracted = self.cache.entry(&format!("{name}-own-extracted"), &key, extract)?;
            (extracted.join(jar.file_name().unwrap_or_default()), making::of(&extracted))
        } else {
            (jar.clone(), Some(Default::default()))
        };
        let Some(kind) = archive::Kind::of(packaging) else { return Ok(ready.artifact(&jar, &[]).that_cost(made)) };
        let trainer = trainer.ok_or_else(|| PrepareError::failed("an archive needs requests to be trained by"))?;
        let key = Key::default().and(&content.sha256).and(&jdk.release).and(trainer.key());
        let key = key.and_all(&ready.artifact(&jar, &[]).argv).and_all(&ambient_options());
        // A JVM ignores an archive once the modification times of its jars have changed.
        let key = key.and_all(&times(std::iter::once(&jar).chain(&service.beside)));
        let with_flags = |flags: &[String]| ready.artifact(&jar, flags);
        let path = &ready.launching.ready_path;
        let mut train = |dir: &Path| {
            say(Said::Step(&format!(
                "training {} for {name} by its requests (once for these settings)…",
                kind.in_words()
            )));
            let usage = archive::train_service(kind, jdk.feature(), &with_flags, trainer, path, dir)?;
            say(Said::Step(&format!("{name}: {usage}")));
            Ok(())
        };
        let trained = self
            .cache
            .entry(&format!("{name}-own-{}", kind.name()), &key, |dir| making::measured(dir, || train(dir)))?;
        Ok(with_flags(&kind.flags(&trained)).that_cost(sum(made, making::of(&trained))))
    }
}

/// Facts for the record: which jar it was.
fn facts(ready: &Ready<'_>, content: &Content, commit: Option<String>) -> BTreeMap<String, String> {
    let name = ready.jar.file_name().unwrap_or_default().to_string_lossy();
    let digest = &content.sha256[..DIGEST_SHOWN];
    let facts = [
        ("jar", Some(format!("{name}, {}, sha-256 {digest}", bytes(content.bytes)))),
        ("framework", Some(ready.service.description())),
        ("jdk", Some(ready.jdk.description.clone())),
        ("commit", commit),
    ];
    facts.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?))).collect()
}

fn times<'a>(files: impl Iterator<Item = &'a PathBuf>) -> Vec<String> {
    let time = |file: &PathBuf| {
        let modified = fs::metadata(file).and_then(|found| found.modified()).ok()?;
        Some(modified.duration_since(UNIX_EPOCH).ok()?.as_nanos().to_string())
    };
    files.map(|file| time(file).unwrap_or_default()).collect()
}

/// Programs are launched in directories of their own, where a relative path would lead elsewhere.
fn absolute(jar: &Path) -> PathBuf {
    std::path::absolute(jar).unwrap_or_else(|_| jar.to_owned())
}

/// The name with `-` in place of each character that may not be safe in file names.
pub(super) fn file_safe(name: &str) -> String {
    name.chars().map(|char| if char.is_ascii_alphanumeric() || "-_.".contains(char) { char } else { '-' }).collect()
}
