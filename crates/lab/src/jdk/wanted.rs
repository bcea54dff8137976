//! The JDK that a variant asks for, among those on this machine.

use std::path::Path;

use plimsoll_text::joined;

use super::{Jdk, JdkError, Places, newest_to_run_on};
use crate::jvm::WantedJdk;

/// The JDKs on this machine, for programs to run on.
#[derive(Clone, Debug, Default)]
pub struct Jdks {
    all: Vec<Jdk>,
    /// The one that the user named for all programs.
    named: Option<Jdk>,
    /// Where they were looked for, in words.
    looked: String,
}

impl Jdks {
    /// All in these places, however old.
    pub fn find(places: &Places) -> Self {
        let named = places.plimsoll_java_home.as_deref().and_then(Jdk::at);
        Self { all: places.jdks(), named, looked: places.in_words() }
    }

    /// The one that is wanted; else the one that the user named for all, else the newest.
    ///
    /// # Errors
    /// What was wanted, what there is, and what to do.
    pub fn choose(&self, wanted: Option<&WantedJdk>) -> Result<Jdk, String> {
        match wanted {
            Some(WantedJdk::At(home)) => Jdk::at(home).ok_or_else(|| {
                format!("`jdk: {}` is no JDK: expected bin/javac and a release file there", shown(home))
            }),
            Some(WantedJdk::Feature(feature)) => self.of_feature(*feature),
            None => {
                let newest = self.named.clone().or_else(|| newest_to_run_on(&self.all));
                newest.ok_or_else(|| JdkError::None { looked: self.looked.clone() }.to_string())
            }
        }
    }

    fn of_feature(&self, feature: u32) -> Result<Jdk, String> {
        let of_feature: Vec<Jdk> =
            self.all.iter().chain(&self.named).filter(|jdk| jdk.feature() == feature).cloned().collect();
        newest_to_run_on(&of_feature).ok_or_else(|| {
            format!(
                "`jdk: {feature}` is not on this machine: {}; install it, e.g. with `sdk install java {feature}-tem`, or \
                 name its directory: `jdk: /path/to/jdk`",
                self.found()
            )
        })
    }

    fn found(&self) -> String {
        let of = |jdk: &Jdk| format!("{jdk} in {}", shown(&jdk.home));
        let mut found: Vec<String> = self.all.iter().chain(&self.named).map(of).collect();
        found.dedup();
        match found.is_empty() {
            true => format!("no JDK was found in {}", self.looked),
            false => format!("found {}", joined(&found)),
        }
    }
}

fn shown(home: &Path) -> String {
    home.display().to_string()
}

#[cfg(test)]
mod tests {
    use std::{fs, path::PathBuf};

    use super::*;

    fn jdk(home: PathBuf, version: &str) -> PathBuf {
        fs::create_dir_all(home.join("bin")).unwrap();
        fs::write(home.join("release"), format!("IMPLEMENTOR=\"Debian\"\nJAVA_VERSION=\"{version}\"\n")).unwrap();
        fs::write(home.join("bin/javac"), "").unwrap();
        home.canonicalize().unwrap()
    }

    #[test]
    fn a_feature_release_is_found_and_the_newest_without_one() {
        let dir = tempfile::tempdir().unwrap();
        let [old, _, new] = ["17.0.1", "21.0.3", "25.0.2"].map(|version| jdk(dir.path().join(version), version));
        let jdks = Jdks::find(&Places { jdk_folders: vec![dir.path().to_owned()], ..Places::default() });
        let home = |wanted: Option<WantedJdk>| jdks.choose(wanted.as_ref()).unwrap().home;
        assert_eq!(home(Some(WantedJdk::Feature(17))), old);
        assert_eq!(home(None), new);
        assert_eq!(home(Some(WantedJdk::At(old.clone()))), old);
        let named = Jdks::find(&Places { plimsoll_java_home: Some(old.clone()), ..Places::default() });
        assert_eq!(named.choose(None).unwrap().home, old);
    }

    #[test]
    fn a_release_that_is_not_there_lists_those_that_are() {
        let dir = tempfile::tempdir().unwrap();
        let home = jdk(dir.path().join("17"), "17.0.1");
        let jdks = Jdks::find(&Places { jdk_folders: vec![dir.path().to_owned()], ..Places::default() });
        let error = jdks.choose(Some(&WantedJdk::Feature(21))).unwrap_err();
        let found = format!("`jdk: 21` is not on this machine: found Debian 17.0.1 in {}; install it", home.display());
        assert!(error.starts_with(&found), "{error}");
        let error = jdks.choose(Some(&WantedJdk::At(dir.path().to_owned()))).unwrap_err();
        assert!(error.ends_with("is no JDK: expected bin/javac and a release file there"), "{error}");
        assert!(Jdks::default().choose(None).unwrap_err().contains("no JDK found"));
    }
}
