//! The service that is meant: a URL, a jar, or the jar that a project's build has left.

use std::{
    fs,
    path::{Path, PathBuf},
};

use plimsoll_lab::service::Service;
use url::Url;

use super::project::GRADLE;
use crate::failure::Failure;

/// The service that an experiment is written for.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    /// One that runs.
    Running(Url),
    /// One to launch: its jar, and the project that built it, if that was named.
    Jar { jar: PathBuf, project: Option<PathBuf> },
}

/// Folders in which builds leave jars, below a project's or a module's; the first that has one wins.
const OUTPUTS: [&str; 5] = ["target/quarkus-app", "build/quarkus-app", "target", "build/libs", "."];
/// Folders from a project down to its modules: that of `services/shop` is two below.
const MODULES_DEEP: u32 = 2;
const NO_PROJECT: &str = "name the jar itself, or the folder of a Maven or Gradle project; of any other program the URL \
                          while it runs, or launch it by a `command` of an experiment (docs/guide.md, Your own service)";
/// Jars that builds leave beside the one to start.
const ASIDE: [&str; 5] = ["-plain.jar", "-sources.jar", "-javadoc.jar", "-tests.jar", "-test-fixtures.jar"];

/// Finds what `target` names.
pub fn find(target: &str) -> Result<Found, Failure> {
    if target.starts_with("http://") || target.starts_with("https://") {
        let url = target.parse().map_err(|error| Failure::input(format_args!("{target} is not a URL: {error}")))?;
        return Ok(Found::Running(url));
    }
    let path = Path::new(target);
    if path.is_file() {
        return Ok(Found::Jar { jar: path.to_owned(), project: None });
    }
    if !path.is_dir() {
        let meant = without_scheme(target).map_or_else(String::new, |url| format!("; did you mean {url}?"));
        return Err(Failure::input(format_args!(
            "{target} is not there: expected a jar, the folder of a project that has been built, or the URL of a service \
             that runs, e.g. http://localhost:8080/{meant}"
        )));
    }
    Ok(Found::Jar { jar: in_project(path)?, project: Some(path.to_owned()) })
}

/// The URL that `localhost:8080` stands for; none if it is not of that kind.
fn without_scheme(target: &str) -> Option<Url> {
    let url: Url = format!("http://{target}").parse().ok()?;
    (url.port().is_some() && url.username().is_empty()).then_some(url)
}

/// The jar that the build of `project`, or of one of its modules, has left.
fn in_project(project: &Path) -> Result<PathBuf, Failure> {
    let own = jars_of(project);
    let modules = || modules_of(project, MODULES_DEEP).iter().flat_map(|folder| jars_of(folder)).collect();
    let jars: Vec<PathBuf> = if own.is_empty() { modules() } else { own };
    match jars.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err(Failure::input(format_args!(
            "{} has no jar that can be started: {}",
            project.display(),
            is_built_by(project).unwrap_or(NO_PROJECT)
        ))),
        several => {
            let names: Vec<String> = several.iter().map(|jar| format!("\n  {}", jar.display())).collect();
            let names = names.concat();
            Err(Failure::input(format_args!(
                "{} has several jars that can be started: name one of{names}",
                project.display()
            )))
        }
    }
}

/// Folders of a project's modules, and of theirs.
fn modules_of(project: &Path, deep: u32) -> Vec<PathBuf> {
    let entries = fs::read_dir(project).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    let of_folder = |folder: &PathBuf| {
        let below = if deep > 1 { modules_of(folder, deep - 1) } else { Vec::new() };
        is_built_by(folder).map(|_| folder.clone()).into_iter().chain(below).collect::<Vec<_>>()
    };
    folders.iter().flat_map(of_folder).collect()
}

/// How a project is built, in words; none if it is none.
fn is_built_by(folder: &Path) -> Option<&'static str> {
    let has = |name: &str| folder.join(name).is_file();
    if has("pom.xml") {
        Some(if has("mvnw") { "build it first: `./mvnw package`" } else { "build it first: `mvn package`" })
    } else if GRADLE.iter().any(|name| has(name)) {
        Some(if has("gradlew") { "build it first: `./gradlew build`" } else { "build it first: `gradle build`" })
    } else {
        None
    }
}

/// Jars, and wars that can be started, of the first output folder that has some.
fn jars_of(folder: &Path) -> Vec<PathBuf> {
    let startable = |output: &&str| {
        let within = if **output == *"." { folder.to_owned() } else { folder.join(output) };
        let entries = fs::read_dir(within).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut jars: Vec<PathBuf> = entries.filter(|path| is_candidate(path)).collect();
        jars.retain(|jar| Service::read(jar).is_ok());
        jars.sort();
        jars
    };
    OUTPUTS.iter().map(startable).find(|jars| !jars.is_empty()).unwrap_or_default()
}

fn is_candidate(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    [".jar", ".war"].iter().any(|end| name.ends_with(end))
        && !name.starts_with("original-")
        && !ASIDE.iter().any(|aside| name.ends_with(aside))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(target: &Path) -> String {
        find(&target.display().to_string()).unwrap_err().message()
    }

    #[test]
    fn a_project_that_is_not_built_is_told_how() {
        let folder = tempfile::tempdir().unwrap();
        assert!(failure(folder.path()).contains("name the jar itself"));
        fs::write(folder.path().join("pom.xml"), "").unwrap();
        assert!(failure(folder.path()).ends_with("build it first: `mvn package`"));
        fs::write(folder.path().join("mvnw"), "").unwrap();
        assert!(failure(folder.path()).ends_with("build it first: `./mvnw package`"));
        assert!(failure(&folder.path().join("none")).contains("is not there: expected a jar, the folder"));
        assert!(failure(Path::new("localhost:8080/a")).ends_with("; did you mean http://localhost:8080/a?"));
        assert!(failure(Path::new("shop.jar")).ends_with("http://localhost:8080/"));
    }

    #[test]
    fn modules_are_found_below_folders_that_are_none() {
        let folder = tempfile::tempdir().unwrap();
        for module in ["api", "services/shop", "services/deeper/still", "docs"] {
            fs::create_dir_all(folder.path().join(module)).unwrap();
        }
        for file in ["api/pom.xml", "services/shop/build.gradle.kts", "services/deeper/still/pom.xml"] {
            fs::write(folder.path().join(file), "").unwrap();
        }
        let found = modules_of(folder.path(), MODULES_DEEP);
        assert_eq!(found, ["api", "services/shop"].map(|module| folder.path().join(module)));
    }

    #[test]
    fn a_url_is_a_service_that_runs() {
        let url = "http://localhost:8080/items";
        assert_eq!(find(url).unwrap(), Found::Running(url.parse().unwrap()));
        assert!(find("http://").is_err());
    }

    #[test]
    fn libraries_and_intermediates_are_no_candidates() {
        assert!(is_candidate(Path::new("target/shop-1.0.jar")));
        assert!(is_candidate(Path::new("target/shop.war")), "Spring Boot makes such that can be started");
        for aside in
            ["original-shop.jar", "shop-plain.jar", "shop-sources.jar", "shop.jar.original", "shop.war.original"]
        {
            assert!(!is_candidate(Path::new(aside)), "{aside}");
        }
    }
}
