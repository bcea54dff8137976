//! Trains class-data archives: CDS and the AOT cache of newer JDKs. A JVM that cannot use its archive says nothing and
//! starts slowly, so each archive is tried once it is made.

use std::{fmt, fs, path::Path, process::Command, time::Duration};

use super::{Artifact, PrepareError, Trainer, tool};
use crate::{packaging::Packaging, placeholders::Placeholders};

/// The feature release that brought the AOT cache.
pub(super) const AOT_CACHE_SINCE: u32 = 24;
/// The feature release that makes an AOT cache in one step.
const AOT_CACHE_OUTPUT_SINCE: u32 = 25;

const TRAIN_AT_MOST: Duration = Duration::from_secs(300);
/// Spring leaves as soon as the application context stands, before it serves.
const EXIT_WHEN_READY: &str = "-Dspring.context.exit=onRefresh";

/// A kind of archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Cds,
    AotCache,
}

/// How many of the classes loaded at start came from the archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Usage {
    from_archive: usize,
    loaded: usize,
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} classes come from the archive", self.from_archive, self.loaded)
    }
}

impl Kind {
    /// The archive that a packaging uses, if any.
    pub(super) fn of(packaging: Packaging) -> Option<Self> {
        match packaging {
            Packaging::Cds => Some(Self::Cds),
            Packaging::AotCache => Some(Self::AotCache),
            Packaging::Jar | Packaging::Extracted | Packaging::Native => None,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Cds => "cds",
            Self::AotCache => "aot-cache",
        }
    }

    pub(super) fn in_words(self) -> &'static str {
        match self {
            Self::Cds => "a class-data archive",
            Self::AotCache => "an AOT cache",
        }
    }

    /// JVM flags that use the archive in `dir`.
    pub(super) fn flags(self, dir: &Path) -> Vec<String> {
        match self {
            Self::Cds => vec![option("SharedArchiveFile", dir, "app.jsa"), "-Xshare:auto".to_owned()],
            Self::AotCache => vec![option("AOTCache", dir, "app.aot")],
        }
    }

    /// Flag that makes a JVM refuse to start without its archive. Without the flag it falls back on the JDK's own
    /// archive, whose classes are logged like those of an AOT cache.
    fn insisting(self) -> Option<String> {
        match self {
            Self::Cds => None,
            Self::AotCache => Some("-XX:AOTMode=on".to_owned()),
        }
    }

    /// The flags of each run that it takes to make the archive in `dir`.
    fn training(self, jdk_feature: u32, dir: &Path) -> Vec<Vec<String>> {
        match self {
            Self::Cds => vec![vec![option("ArchiveClassesAtExit", dir, "app.jsa")]],
            Self::AotCache if jdk_feature >= AOT_CACHE_OUTPUT_SINCE => {
                vec![vec![option("AOTCacheOutput", dir, "app.aot")]]
            }
            Self::AotCache => {
                let configuration = option("AOTConfiguration", dir, "app.aotconf");
                let cache = option("AOTCache", dir, "app.aot");
                vec![
                    vec!["-XX:AOTMode=record".to_owned(), configuration.clone()],
                    vec!["-XX:AOTMode=create".to_owned(), configuration, cache],
                ]
            }
        }
    }

    /// Text by which the log marks a class as loaded from our archive. With CDS the JDK's own archive lies below ours.
    fn mark(self) -> &'static str {
        match self {
            Self::Cds => "source: shared objects file (top)",
            Self::AotCache => "source: shared objects file",
        }
    }
}

fn option(name: &str, dir: &Path, file: &str) -> String {
    format!("-XX:{name}={}", dir.join(file).display())
}

/// Makes the archive in `dir` and tries it. `with_flags` gives the program with further JVM flags: an archive is valid
/// only for the class path and the kind of heap that it was made with. `placeholders` are filled into its command line.
pub(super) fn train(
    kind: Kind,
    jdk_feature: u32,
    with_flags: &dyn Fn(&[String]) -> Artifact,
    placeholders: &Placeholders,
    dir: &Path,
) -> Result<Usage, PrepareError> {
    let doing = format!("training {}", kind.in_words());
    for flags in kind.training(jdk_feature, dir) {
        run_to_refresh(&doing, flags, with_flags, placeholders)?;
    }
    let flags = [kind.flags(dir), vec!["-Xlog:class+load".to_owned()]].concat();
    let lines = run_to_refresh(&format!("trying {}", kind.in_words()), flags, with_flags, placeholders)?;
    used(kind, lines, |usage| usage.loaded > 0 && usage.from_archive * 2 >= usage.loaded)
}

/// Classes that a log counts as loaded, and as loaded from the archive; an error if `is_use` rejects the numbers.
fn used(kind: Kind, lines: Vec<String>, is_use: impl Fn(Usage) -> bool) -> Result<Usage, PrepareError> {
    let usage = count(kind, &lines);
    if !is_use(usage) {
        let what = format!(
            "training {} failed: only {usage}, so the JVM does not use it; do jvm-flags rule it out?",
            kind.in_words()
        );
        let telling = lines.into_iter().filter(|line| line.contains("[cds") || line.contains("[aot")).collect();
        return Err(PrepareError::Failed { what, telling });
    }
    Ok(usage)
}

/// Does the same for a service of the user's own. The service answers requests, as in its runs, and is ended in order;
/// the JVM then writes the archive.
pub(super) fn train_service(
    kind: Kind,
    jdk_feature: u32,
    with_flags: &dyn Fn(&[String]) -> Artifact,
    trainer: &dyn Trainer,
    ready_path: &str,
    dir: &Path,
) -> Result<Usage, PrepareError> {
    let serve = |flags: &[String], is_loaded: bool| {
        let command_line = |placeholders: &Placeholders| with_flags(flags).command_line(placeholders);
        trainer.serve(&command_line, ready_path, is_loaded)
    };
    let mut steps = kind.training(jdk_feature, dir).into_iter();
    serve(&steps.next().unwrap_or_default(), true)?;
    for flags in steps {
        // This step makes the cache from what was recorded. It serves nothing, so the port does not matter.
        let placeholders = Placeholders::default().with("host", "127.0.0.1").with("port", 0);
        let command_line = with_flags(&flags).command_line(&placeholders);
        let mut command = Command::new(&command_line.argv[0]);
        command.args(&command_line.argv[1..]).envs(&command_line.env).current_dir(&command_line.workdir);
        tool::run(&mut command, &format!("training {}", kind.in_words()), TRAIN_AT_MOST)?;
    }
    let log = dir.join("classes.log");
    let log_flag = format!("-Xlog:class+load,cds,aot:file={}", log.display());
    let flags = kind.flags(dir).into_iter().chain(kind.insisting()).chain([log_flag]).collect::<Vec<_>>();
    serve(&flags, false)?;
    let text = fs::read_to_string(&log).map_err(|error| PrepareError::io("read", &log, &error))?;
    // Most classes of a small program are the JDK's, which have an archive of their own.
    let usage = used(kind, text.lines().map(str::to_owned).collect(), |usage| usage.from_archive > 0);
    fs::remove_file(&log).map_err(|error| PrepareError::io("remove", &log, &error))?;
    usage
}

fn run_to_refresh(
    doing: &str,
    mut flags: Vec<String>,
    with_flags: &dyn Fn(&[String]) -> Artifact,
    placeholders: &Placeholders,
) -> Result<Vec<String>, PrepareError> {
    flags.push(EXIT_WHEN_READY.to_owned());
    let placeholders = placeholders.clone().with("host", "127.0.0.1").with("port", 0);
    let command_line = with_flags(&flags).command_line(&placeholders);
    let mut command = Command::new(&command_line.argv[0]);
    command.args(&command_line.argv[1..]).envs(&command_line.env).current_dir(&command_line.workdir);
    tool::run(&mut command, doing, TRAIN_AT_MOST)
}

fn count(kind: Kind, lines: &[String]) -> Usage {
    let loads: Vec<_> = lines.iter().filter(|line| line.contains(" source: ")).collect();
    Usage { from_archive: loads.iter().filter(|line| line.contains(kind.mark())).count(), loaded: loads.len() }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn the_flags_follow_the_jdk() {
        let dir = Path::new("/a");
        assert_eq!(Kind::Cds.training(21, dir), [["-XX:ArchiveClassesAtExit=/a/app.jsa"]]);
        assert_eq!(Kind::AotCache.training(25, dir), [["-XX:AOTCacheOutput=/a/app.aot"]]);
        let two_steps = Kind::AotCache.training(24, dir);
        assert_eq!(two_steps[0], ["-XX:AOTMode=record", "-XX:AOTConfiguration=/a/app.aotconf"]);
        assert_eq!(
            two_steps[1],
            ["-XX:AOTMode=create", "-XX:AOTConfiguration=/a/app.aotconf", "-XX:AOTCache=/a/app.aot"]
        );
        assert_eq!(Kind::AotCache.flags(dir), ["-XX:AOTCache=/a/app.aot"]);
    }

    #[test]
    fn classes_of_the_jdks_own_archive_do_not_count_as_ours() {
        let lines = [
            "[0.01s][info][class,load] java.lang.Object source: shared objects file",
            "[0.02s][info][class,load] plimsoll.App source: shared objects file (top)",
            "[0.03s][info][class,load] plimsoll.New source: file:app.jar",
            "Starting",
        ];
        let lines = lines.map(str::to_owned);
        assert_eq!(count(Kind::Cds, &lines), Usage { from_archive: 1, loaded: 3 });
        assert_eq!(count(Kind::AotCache, &lines), Usage { from_archive: 2, loaded: 3 });
    }

    #[test]
    fn an_archive_that_the_jvm_leaves_aside_is_a_failure_that_shows_why() {
        let script = "echo '[warning][cds] mismatch'; echo 'x source: file:app.jar'; echo 'y source: jrt:/java.base'";
        let argv = || vec!["sh".to_owned(), "-c".to_owned(), script.to_owned()];
        let fake = |_: &[String]| Artifact::of(argv(), PathBuf::from("/"));
        let error = train(Kind::Cds, 25, &fake, &Placeholders::default(), Path::new("/a")).unwrap_err().to_string();
        assert!(error.contains("only 0 of 2 classes come from the archive"), "{error}");
        assert!(error.ends_with("\n  [warning][cds] mismatch"), "{error}");
    }
}
