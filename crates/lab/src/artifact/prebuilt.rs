//! Jars that were built before the program ran: those of a published archive, and those that the wrapper script builds
//! while Rust compiles. A folder of them holds `NAME.jar` for each subject and `source`, the sources they were built
//! from, so that a jar of other sources is never taken for one of ours.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{build::Order, sources::Sources};

/// Whether the folder has the jar of this order from these sources.
pub(super) fn fits(folder: &Path, order: &Order, sources: &Sources) -> bool {
    let is_of_these =
        || Sources::read(&folder.join("source")).is_ok_and(|found| found.is_same_for(&order.module, sources));
    order.is_plain() && jar(folder, order).is_file() && is_of_these()
}

fn jar(folder: &Path, order: &Order) -> PathBuf {
    folder.join(format!("{}.jar", order.name))
}

/// Copies the prebuilt jar of this order and these sources; false if the folder has none. The sources are compared
/// again after the copy, in case the folder was replaced meanwhile.
pub(super) fn copy(folder: &Path, order: &Order, sources: &Sources, to: &Path) -> bool {
    let fits = || fits(folder, order, sources);
    fits() && fs::copy(jar(folder, order), to).is_ok() && fits()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{artifact::build::tests::order, packaging::Packaging};

    struct Place {
        dir: tempfile::TempDir,
    }

    impl Place {
        /// Sources in `java` and, as they are now, in `subjects/source`, with the jar of `greetings-web`.
        fn new() -> Self {
            let place = Self { dir: tempfile::tempdir().unwrap() };
            for folder in ["java", "subjects/source"] {
                place.put(&format!("{folder}/pom.xml"), "<project/>");
                place.put(&format!("{folder}/subjects/greetings-web/pom.xml"), "<project/>");
                place.put(&format!("{folder}/subjects/greetings-web/src/main/java/App.java"), "class App {}");
                place.put(&format!("{folder}/subjects/other/pom.xml"), "<project/>");
            }
            place.put("subjects/greetings-web.jar", "the jar");
            place
        }

        fn path(&self, path: &str) -> PathBuf {
            self.dir.path().join(path)
        }

        fn put(&self, path: &str, text: &str) {
            let path = self.path(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        /// The jar that is found for this order.
        fn found(&self, order: &Order) -> Option<String> {
            let to = self.path("app.jar");
            let sources = Sources::read(&self.path("java")).unwrap();
            copy(&self.path("subjects"), order, &sources, &to).then(|| fs::read_to_string(to).unwrap())
        }
    }

    #[test]
    fn the_jar_of_the_same_sources_is_taken() {
        let place = Place::new();
        assert_eq!(place.found(&order(Packaging::Jar, false)).as_deref(), Some("the jar"));
        place.put("java/subjects/other/src/main/java/App.java", "class App {}");
        assert_eq!(place.found(&order(Packaging::Jar, false)).as_deref(), Some("the jar"));
    }

    #[test]
    fn a_jar_of_other_sources_is_not() {
        let place = Place::new();
        place.put("java/subjects/greetings-web/src/main/java/App.java", "final class App {}");
        assert_eq!(place.found(&order(Packaging::Jar, false)), None);
        let place = Place::new();
        place.put("java/subjects/greetings-web/src/main/resources/application.yml", "server:");
        assert_eq!(place.found(&order(Packaging::Jar, false)), None);
    }

    #[test]
    fn another_subject_and_another_way_to_build_have_none() {
        let place = Place::new();
        assert_eq!(place.found(&order(Packaging::Jar, true)), None);
        fs::rename(place.path("subjects/greetings-web.jar"), place.path("subjects/threads.jar")).unwrap();
        assert_eq!(place.found(&order(Packaging::Jar, false)), None);
    }

    #[test]
    fn without_a_folder_there_is_none() {
        let place = Place::new();
        fs::remove_dir_all(place.path("subjects")).unwrap();
        assert_eq!(place.found(&order(Packaging::Jar, false)), None);
    }
}
