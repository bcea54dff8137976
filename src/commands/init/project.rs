//! Builds of a project under git: its files as they are, and the commit before.

use std::path::Path;

use plimsoll_lab::git;

use super::{WrittenPaths, draft::Variants};

/// Files of a Gradle project, or of one whose modules alone are built.
pub const GRADLE: [&str; 4] = ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];

/// Two builds to compare, if `project` is built by a known tool and has a commit to go back to.
pub fn builds(project: &Path, jar: &Path, written: &WrittenPaths) -> Option<Variants> {
    let command = command(project)?;
    let changes = git::run(project, &["status", "--porcelain", "--untracked-files=no"]).ok()?;
    let last = if changes.is_empty() { "HEAD~1" } else { "HEAD" };
    git::run(project, &["rev-parse", "--verify", "--quiet", &format!("{last}^{{commit}}")]).ok()?;
    let within = jar.strip_prefix(project).ok()?;
    let name = without_version(within.file_name()?.to_str()?);
    let jar = within.with_file_name(name).display().to_string();
    let workdir = (project != Path::new(".")).then(|| written.path(project));
    Some(Variants::Builds { command: command.iter().map(|word| (*word).to_owned()).collect(), workdir, jar, last })
}

fn command(project: &Path) -> Option<&'static [&'static str]> {
    let has = |name: &str| project.join(name).is_file();
    match () {
        () if has("mvnw") => Some(&["./mvnw", "-q", "-DskipTests", "package"]),
        () if has("pom.xml") => Some(&["mvn", "-q", "-DskipTests", "package"]),
        () if has("gradlew") => Some(&["./gradlew", "-q", "assemble"]),
        () if GRADLE.iter().any(|name| has(name)) => Some(&["gradle", "-q", "assemble"]),
        () => None,
    }
}

/// `shop-1.2.jar` is `shop-*.jar`: another commit may have another version.
fn without_version(name: &str) -> String {
    let (stem, end) = name.rsplit_once('.').unwrap_or((name, "jar"));
    let version =
        stem.match_indices('-').find(|(at, _)| stem[at + 1..].starts_with(|char: char| char.is_ascii_digit()));
    version.map_or_else(|| name.to_owned(), |(at, _)| format!("{}-*.{end}", &stem[..at]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_left_open() {
        assert_eq!(without_version("spring-petclinic-3.5.0-SNAPSHOT.jar"), "spring-petclinic-*.jar");
        assert_eq!(without_version("shop-1.2.war"), "shop-*.war");
        assert_eq!(without_version("quarkus-run.jar"), "quarkus-run.jar");
    }
}
