//! Settings that every program on a JVM takes, a bundled subject or a service of the user's own.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use plimsoll_secrets::name::is_secret;

use super::{list, shown};
use crate::{
    experiment::Program,
    file::{
        decode::{Choice, Scalar},
        errors::{At, Errors},
        variants::{PackagingWord, VariantSection},
    },
    jvm::{Jvm, SPRING_JSON, Source, WantedJdk},
    packaging::Packaging,
};

/// These settings, as a variant gives them.
pub(super) struct JvmSettings {
    jdk: Option<WantedJdk>,
    pub packaging: PackagingWord,
    jvm_flags: Vec<String>,
    pub properties: BTreeMap<String, String>,
}

impl JvmSettings {
    pub fn read(section: &VariantSection, folder: &Path, errors: &mut Errors) -> Self {
        check_environment(section, errors);
        let given = section.properties.iter().flat_map(|properties| &properties.0);
        Self {
            jdk: section.jdk.as_ref().and_then(|jdk| wanted_jdk(jdk, folder, errors)),
            packaging: section.packaging.as_ref().map_or(PackagingWord::Jar, |given| given.value),
            jvm_flags: list(section.jvm_flags.as_ref()),
            properties: given.map(|(name, value)| (name.value.clone(), value.value.0.clone())).collect(),
        }
    }

    /// The settings for reports, with those of one kind of program beside.
    pub fn shown_with<const N: usize>(&self, more: [(&str, Option<String>); N]) -> BTreeMap<String, String> {
        let common = [
            ("jdk", self.jdk.as_ref().filter(|_| self.packaging != PackagingWord::Native).map(ToString::to_string)),
            ("packaging", Some(self.packaging.word().to_owned())),
            ("jvm-flags", (!self.jvm_flags.is_empty()).then(|| shown(&self.jvm_flags))),
        ];
        let mut settings = self.properties.clone();
        settings.extend(common.into_iter().chain(more).filter_map(|(name, text)| Some((name.to_owned(), text?))));
        settings
    }

    pub fn program(self, source: Source, spring_aot: bool) -> Program {
        let Self { jdk, packaging, jvm_flags, properties } = self;
        let packaging = packaging_of(packaging);
        Program::Jvm(Jvm { source, jdk, packaging, spring_aot, jvm_flags, properties })
    }
}

/// Secret properties are given to Spring Boot by a variable, which `env` must leave to them.
fn check_environment(section: &VariantSection, errors: &mut Errors) {
    let mut env = section.env.iter().flat_map(|env| &env.0);
    let mut properties = section.properties.iter().flat_map(|properties| &properties.0);
    let secret = properties.find(|(name, value)| is_secret(&name.value, &value.value.0));
    if let (Some((variable, _)), Some((property, _))) = (env.find(|(name, _)| name.value == SPRING_JSON), secret) {
        let message = format!(
            "`{SPRING_JSON}` would replace the one that gives `{}`, which may be a secret and so is no argument: move it \
             into this text",
            property.value
        );
        errors.push_related(&variable.place, message, &property.place, "the property is here".to_owned());
    }
}

/// A feature release, or a directory.
fn wanted_jdk(given: &At<Scalar>, folder: &Path, errors: &mut Errors) -> Option<WantedJdk> {
    const OLDEST: u32 = 8;
    let text = given.value.0.trim();
    match text.parse::<u32>() {
        Ok(feature) if feature >= OLDEST => Some(WantedJdk::Feature(feature)),
        Err(_) if text.contains('/') => Some(WantedJdk::At(folder.join(PathBuf::from(text)))),
        _ => {
            let message =
                "expected a feature release such as `21`, or the directory of a JDK such as `/usr/lib/jvm/21`";
            errors.push(&given.place, format!("{message}; found `{text}`"));
            None
        }
    }
}

pub(super) const fn packaging_of(word: PackagingWord) -> Packaging {
    match word {
        PackagingWord::Jar => Packaging::Jar,
        PackagingWord::Extracted => Packaging::Extracted,
        PackagingWord::Cds => Packaging::Cds,
        PackagingWord::AotCache => Packaging::AotCache,
        PackagingWord::Native => Packaging::Native,
    }
}
