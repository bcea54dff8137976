//! Prepares bundled subjects: builds them, packages them, and trains their archives.

use std::{collections::BTreeMap, path::Path};

use super::{
    Artifact, Artifacts, Beside, PrepareError, Said, Say, ambient_options, archive, build, check_available, flags,
    making, sources, sum,
};
use crate::{
    experiment::{Limits, Program},
    jdk::{Jdk, OLDEST_FEATURE, Toolchain},
    jvm::{Jvm, Source},
    packaging::Packaging,
    placeholders::{Placeholders, upstream_names},
};

/// A bundled subject with the settings that its artifact depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'a> {
    pub(super) name: &'a str,
    pub(super) packaging: Packaging,
    pub(super) spring_aot: bool,
    pub(super) jvm_flags: &'a [String],
    pub(super) native_flags: &'a [String],
    pub(super) properties: &'a BTreeMap<String, String>,
    pub(super) limits: &'a Limits,
    pub(super) jvm: &'a Jvm,
}

impl Artifacts {
    pub(super) fn prepare_subject(
        &self,
        subject: &Subject,
        beside: Option<&dyn Beside>,
        say: Say,
    ) -> Result<Artifact, PrepareError> {
        let toolchain = self.toolchain()?;
        let jdk = self.java_of(subject, toolchain)?;
        sources::check_subject(&self.java_dir, subject.name)?;
        let _lock = self.cache.lock(say)?;
        let (built, key) = self.ordered(&build::Order::of(subject, toolchain)?, say)?;
        let made = making::of(&built);
        if subject.packaging == Packaging::Native {
            return Ok(native_artifact(subject, &built).that_cost(made));
        }
        let java = jdk.program("java");
        // The environment names the JDK that subjects run on unless one is wanted.
        let wanted = subject.jvm.jdk.as_ref().map(|_| ("jdk".to_owned(), jdk.description.clone()));
        let facts: BTreeMap<String, String> = wanted.into_iter().collect();
        if subject.packaging == Packaging::Jar {
            return Ok(jvm_artifact(subject, &java, &built, &[]).with_facts(facts).that_cost(made));
        }
        let name = format!("{}-extracted", subject.name);
        let extract = |dir: &Path| making::measured(dir, || build::extract(&java, &built.join(build::JAR), dir));
        let extracted = self.cache.entry(&name, &key, extract)?;
        let made = sum(made, making::of(&extracted));
        let with_flags = |flags: &[String]| jvm_artifact(subject, &java, &extracted, flags).with_facts(facts.clone());
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
                let usage = archive::train(kind, jdk.feature(), &with_flags, placeholders, dir)?;
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

    /// The JDK that a subject runs on.
    pub(super) fn java_of(&self, subject: &Subject, toolchain: &Toolchain) -> Result<Jdk, PrepareError> {
        let jdk = match &subject.jvm.jdk {
            Some(wanted) => self.jdks.choose(Some(wanted)).map_err(PrepareError::Unavailable)?,
            None => toolchain.jdk.clone(),
        };
        if jdk.feature() < OLDEST_FEATURE {
            let name = subject.name;
            return Err(PrepareError::Unavailable(format!("{name} needs JDK {OLDEST_FEATURE} or newer, not {jdk}")));
        }
        check_available(subject.packaging, &jdk, toolchain)?;
        Ok(jdk)
    }
}

impl<'a> Subject<'a> {
    /// None if the program is no subject.
    pub(super) fn of(program: &'a Program, limits: &'a Limits) -> Option<Self> {
        let Program::Jvm(jvm) = program else { return None };
        let Source::Subject { name, native_flags } = &jvm.source else { return None };
        let Jvm { jvm_flags, properties, .. } = jvm;
        let (packaging, spring_aot) = (jvm.packaging, jvm.spring_aot);
        Some(Self { name, packaging, spring_aot, jvm_flags, native_flags, properties, limits, jvm })
    }
}

fn jvm_artifact(subject: &Subject, java: &Path, workdir: &Path, flags: &[String]) -> Artifact {
    let mut argv = vec![java.display().to_string()];
    argv.extend_from_slice(subject.jvm_flags);
    argv.extend(flags::jvm(subject.limits));
    argv.extend_from_slice(flags);
    argv.extend(subject.spring_aot.then(|| "-Dspring.aot.enabled=true".to_owned()));
    argv.extend(["-jar".to_owned(), build::JAR.to_owned()]);
    argv.extend(flags::program(subject.properties));
    Artifact { env: flags::environment(subject.properties), ..Artifact::of(argv, workdir.to_owned()) }
}

fn native_artifact(subject: &Subject, built: &Path) -> Artifact {
    let mut argv = vec![built.join(build::NATIVE_IMAGE).display().to_string()];
    argv.extend_from_slice(subject.jvm_flags);
    argv.extend(flags::native_image(subject.limits, subject.jvm_flags));
    argv.extend(flags::program(subject.properties));
    Artifact { env: flags::environment(subject.properties), ..Artifact::of(argv, built.to_owned()) }
}
