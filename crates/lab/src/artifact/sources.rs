//! The Java sources that subjects are built from: read once, so that what is built is what the key was made of.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use super::{PrepareError, key::Key};
use crate::subject::{SUBJECTS, Subject};

/// Everything that a build of subjects reads: POMs, Maven's settings, main sources. Tests are left out.
#[derive(Debug)]
pub(super) struct Sources {
    /// Paths relative to the parent POM's directory, and contents; in order of the paths.
    files: Vec<(PathBuf, Vec<u8>)>,
}

impl Sources {
    pub(super) fn read(java_dir: &Path) -> Result<Self, PrepareError> {
        let mut files = Vec::new();
        read_into(&mut files, java_dir, Path::new(""))
            .map_err(|error| PrepareError::io("read the Java sources in", java_dir, &error))?;
        files.sort();
        Ok(Self { files })
    }

    /// Key of all files that a build of this module reads: those outside of modules, its own, and those of all modules
    /// that it depends on, directly or not.
    pub(super) fn key_of(&self, module: &Path) -> Key {
        self.files_of(module)
            .fold(Key::default(), |key, (path, content)| key.and(path.to_string_lossy().as_bytes()).and(content))
    }

    /// Whether a build of this module reads the same in both.
    pub(super) fn is_same_for(&self, module: &Path, other: &Self) -> bool {
        self.files_of(module).eq(other.files_of(module))
    }

    fn files_of(&self, module: &Path) -> impl Iterator<Item = &(PathBuf, Vec<u8>)> {
        let needed = self.needed_by(module);
        let others: Vec<&Path> = self.modules().filter(|folder| !needed.contains(folder)).collect();
        self.files.iter().filter(move |(path, _)| !others.iter().any(|other| path.starts_with(other)))
    }

    /// Folders of modules.
    fn modules(&self) -> impl Iterator<Item = &Path> {
        let poms = self.files.iter().filter(|(path, _)| path.ends_with("pom.xml"));
        poms.filter_map(|(path, _)| path.parent()).filter(|folder| !folder.as_os_str().is_empty())
    }

    /// The module and all that it depends on. A module has the name of its folder.
    fn needed_by(&self, module: &Path) -> BTreeSet<&Path> {
        let mut needed: BTreeSet<&Path> = self.modules().filter(|folder| *folder == module).collect();
        let mut unread: Vec<&Path> = needed.iter().copied().collect();
        while let Some(module) = unread.pop() {
            let named = self.modules().filter(|other| self.names(module, other));
            unread.extend(named.filter(|other| needed.insert(other)));
        }
        needed
    }

    /// Whether the POM of `module` names the module `other`.
    fn names(&self, module: &Path, other: &Path) -> bool {
        let pom = self.files.iter().find(|(path, _)| *path == module.join("pom.xml"));
        let artifact = other.file_name().map(|name| format!("<artifactId>{}</artifactId>", name.to_string_lossy()));
        match (pom, artifact) {
            (Some((_, pom)), Some(artifact)) => String::from_utf8_lossy(pom).contains(&artifact),
            _ => false,
        }
    }

    /// Writes them into an empty directory.
    pub(super) fn write_to(&self, dir: &Path) -> io::Result<()> {
        for (path, content) in &self.files {
            let path = dir.join(path);
            fs::create_dir_all(path.parent().unwrap_or(dir))?;
            fs::write(path, content)?;
        }
        Ok(())
    }
}

fn read_into(files: &mut Vec<(PathBuf, Vec<u8>)>, root: &Path, folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        if entry.path().is_dir() {
            if !path.ends_with("target") && !path.ends_with("src/test") {
                read_into(files, root, &path)?;
            }
        } else if path.ends_with("pom.xml") || path.starts_with(".mvn") || is_main_source(&path) {
            files.push((path, fs::read(entry.path())?));
        }
    }
    Ok(())
}

fn is_main_source(path: &Path) -> bool {
    path.ancestors().any(|folder| folder.ends_with("src/main"))
}

/// Whether the sources of this subject are there.
pub(super) fn check_subject(java_dir: &Path, name: &str) -> Result<(), PrepareError> {
    let subjects = java_dir.join("subjects");
    let is_there = |name: &str| subjects.join(name).join("pom.xml").is_file();
    if Subject::named(name).is_some() && is_there(name) {
        return Ok(());
    }
    let names: Vec<&str> = SUBJECTS.iter().map(|subject| subject.name).filter(|name| is_there(name)).collect();
    Err(PrepareError::failed(format!("no subject `{name}` in {}; there are: {}", subjects.display(), names.join(", "))))
}

/// The version of Spring Boot that the parent POM names.
pub(super) fn spring_boot_version(java_dir: &Path) -> Option<String> {
    let pom = fs::read_to_string(java_dir.join("pom.xml")).ok()?;
    let (_, parent) = pom.split_once("<artifactId>spring-boot-starter-parent</artifactId>")?;
    let (version, _) = parent.split_once("<version>")?.1.split_once("</version>")?;
    Some(version.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn java_dir() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../java")
    }

    fn put(dir: &Path, path: &str, text: &str) {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn the_key_follows_what_is_built_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        put(dir.path(), "pom.xml", "<project/>");
        put(dir.path(), "subjects/web/src/main/java/App.java", "class App {}");
        let key = || Sources::read(dir.path()).unwrap().key_of(Path::new("subjects/web")).to_string();
        let before = key();
        put(dir.path(), "subjects/web/src/test/java/AppTest.java", "class AppTest {}");
        put(dir.path(), "subjects/web/target/classes/App.class", "…");
        put(dir.path(), "README.md", "…");
        assert_eq!(key(), before);
        put(dir.path(), "subjects/web/src/main/java/App.java", "final class App {}");
        let changed = key();
        assert_ne!(changed, before);
        put(dir.path(), "subjects/web/pom.xml", "<project/>");
        assert_ne!(key(), changed);
    }

    #[test]
    fn a_module_follows_those_that_it_needs_and_no_others() {
        let dir = tempfile::tempdir().unwrap();
        let names = |name: &str| format!("<dependency><artifactId>{name}</artifactId></dependency>");
        put(dir.path(), "pom.xml", "<project/>");
        put(dir.path(), "subjects/web/pom.xml", &names("shared"));
        put(dir.path(), "subjects/shared/pom.xml", &names("base"));
        put(dir.path(), "subjects/base/pom.xml", &names("web"));
        put(dir.path(), "subjects/web-like/pom.xml", &names("shared"));
        let web = Path::new("subjects/web");
        let read = || Sources::read(dir.path()).unwrap();
        let before = read();
        put(dir.path(), "subjects/web-like/src/main/java/App.java", "class App {}");
        assert_eq!(read().key_of(web).to_string(), before.key_of(web).to_string());
        assert!(read().is_same_for(web, &before));
        for path in ["subjects/base/src/main/java/Base.java", "subjects/shared/src/main/java/Shared.java", "pom.xml"] {
            let before = read();
            put(dir.path(), path, "changed");
            assert_ne!(read().key_of(web).to_string(), before.key_of(web).to_string(), "{path}");
            assert!(!read().is_same_for(web, &before), "{path}");
        }
    }

    #[test]
    fn a_copy_has_the_same_key() {
        let web = Path::new("subjects/greetings-web");
        let sources = Sources::read(&java_dir()).unwrap();
        let copy = tempfile::tempdir().unwrap();
        sources.write_to(copy.path()).unwrap();
        assert_eq!(Sources::read(copy.path()).unwrap().key_of(web).to_string(), sources.key_of(web).to_string());
        assert!(copy.path().join("subjects/greetings-web/src/main/resources/application.yml").is_file());
    }

    #[test]
    fn the_bundled_subjects_are_found_and_others_are_not() {
        assert_eq!(check_subject(&java_dir(), "greetings-web"), Ok(()));
        let error = check_subject(&java_dir(), "greetings").unwrap_err().to_string();
        assert!(error.starts_with("no subject `greetings` in "), "{error}");
        assert!(error.contains("there are: greetings-web, greetings-reactive"), "{error}");
    }

    #[test]
    fn the_version_of_spring_boot_is_read_from_the_parent() {
        let version = spring_boot_version(&java_dir()).unwrap();
        assert!(version.starts_with("4."), "{version}");
    }
}
