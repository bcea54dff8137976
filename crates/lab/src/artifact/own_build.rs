//! Builds of the user's own: a command, run once, and the jar that it leaves; of a revision of git in a work tree of
//! its own.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    process::Command,
    sync::PoisonError,
    time::Duration,
};

use plimsoll_text::number::lasting;

use super::{Artifacts, PrepareError, Said, Say, key::Key, making, service::file_safe, text, tool};
use crate::{
    git,
    jvm::Build,
    run::command_text,
    service::{Content, Service},
};

const BUILD_AT_MOST: Duration = Duration::from_secs(60 * 60);

/// A jar that was built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Built {
    /// The jar in the cache, with all that lies beside it.
    pub(super) jar: PathBuf,
    /// The commit that it was built from, in full; `-dirty` if files differed from it. None: no git there.
    pub(super) commit: Option<String>,
}

impl Artifacts {
    /// Makes a build, once. The caller holds the lock.
    pub(super) fn built(&self, build: &Build, say: Say) -> Result<Built, PrepareError> {
        let done = self.own_builds.lock().unwrap_or_else(PoisonError::into_inner).get(build).cloned();
        if let Some(done) = done {
            return done;
        }
        let built = match &build.revision {
            None => self.built_in_place(build, say),
            Some(revision) => self.built_of_revision(build, revision, say),
        };
        self.own_builds.lock().unwrap_or_else(PoisonError::into_inner).insert(build.clone(), built.clone());
        built
    }

    fn built_in_place(&self, build: &Build, say: Say) -> Result<Built, PrepareError> {
        let key = Key::default().and(build.folder.display().to_string()).and_all(&build.command);
        self.run_build(build, &build.folder, &key, say)?;
        let jar = find_jar(&build.folder, &build.jar)?;
        let service = Service::read(&jar).map_err(PrepareError::failed)?;
        let content = Content::read(&jar, &service.beside).map_err(PrepareError::failed)?;
        // Keeps a copy: the user may build again while the execution runs.
        let kept =
            self.cache.entry(&name(&jar), &Key::default().and(content.sha256), |dir| keep(&jar, &service, dir))?;
        Ok(Built { jar: kept.join(jar.file_name().unwrap_or_default()), commit: git::commit_of_files(&build.folder) })
    }

    fn built_of_revision(&self, build: &Build, revision: &str, say: Say) -> Result<Built, PrepareError> {
        let commit = commit(&build.folder, revision).map_err(PrepareError::failed)?;
        let prefix = git::run(&build.folder, &["rev-parse", "--show-prefix"]).map_err(PrepareError::failed)?;
        let key = Key::default().and(&commit).and(&prefix).and(build.jar.display().to_string()).and_all(&build.command);
        let entry = self.cache.entry("revision", &key, |dir| {
            making::measured(dir, || {
                let tree = WorkTree::add(&build.folder, &commit, dir.join("source"))?;
                let folder = tree.path.join(&prefix);
                self.run_build(build, &folder, &key, say)?;
                let jar = find_jar(&folder, &build.jar)?;
                let service = Service::read(&jar).map_err(PrepareError::failed)?;
                let kept = dir.join(JAR_FOLDER);
                fs::create_dir(&kept).map_err(|error| PrepareError::io("create", &kept, &error))?;
                keep(&jar, &service, &kept)
            })
        })?;
        let kept = entry.join(JAR_FOLDER);
        let pattern = build.jar.file_name().map_or_else(PathBuf::new, PathBuf::from);
        Ok(Built { jar: find_jar(&kept, &pattern)?, commit: Some(commit) })
    }

    fn run_build(&self, build: &Build, folder: &Path, key: &Key, say: Say) -> Result<(), PrepareError> {
        let (program, arguments) =
            build.command.split_first().ok_or_else(|| PrepareError::failed("the command of `build` is empty"))?;
        let of = build.revision.as_ref().map_or_else(String::new, |revision| format!(" {revision}"));
        let shown = command_text(&BTreeMap::new(), &build.command);
        say(Said::Step(&format!("building{of} by `{shown}`…")));
        let mut command = Command::new(program_in(program, folder));
        command.args(arguments).current_dir(folder);
        let mut last = String::new();
        let mut watch = |elapsed: Duration, more: &str| {
            if let Some(line) = more.lines().rfind(|line| !line.trim().is_empty()) {
                last = text::plain(line).trim().to_owned();
            }
            say(Said::Progress(&format!("building{of}, {} so far: {last}", lasting(elapsed.as_secs_f64()))));
        };
        let log = self.cache.log("build", key);
        let doing = format!("building{of} by `{shown}`");
        tool::run_logged(&mut command, &doing, BUILD_AT_MOST, (&log, self.cache.stop()), &mut watch)
    }
}

/// The folder of the jar within a kept revision.
const JAR_FOLDER: &str = "jar";

fn name(jar: &Path) -> String {
    format!("{}-own", file_safe(&jar.file_stem().unwrap_or_default().to_string_lossy()))
}

/// A path with a slash is seen from the build's folder, as a shell does.
fn program_in(program: &str, folder: &Path) -> PathBuf {
    if program.contains('/') { folder.join(program) } else { PathBuf::from(program) }
}

/// The jar at `pattern`, whose name may have one `*`: of several, the one that can be started.
fn find_jar(folder: &Path, pattern: &Path) -> Result<PathBuf, PrepareError> {
    let wanted = folder.join(pattern);
    let name = wanted.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let Some((start, end)) = name.split_once('*') else {
        return match wanted.is_file() {
            true => Ok(wanted),
            false => {
                Err(PrepareError::failed(format!("the build left no {}: correct `jar` of `build`", wanted.display())))
            }
        };
    };
    let entries = wanted.parent().and_then(|parent| fs::read_dir(parent).ok()).into_iter().flatten().flatten();
    let fits = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
    };
    let mut jars: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(fits).collect();
    jars.retain(|jar| Service::read(jar).is_ok());
    jars.sort();
    match jars.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err(PrepareError::failed(format!("the build left no jar that can be started at {}", wanted.display()))),
        several => {
            let names: Vec<String> = several.iter().map(|jar| jar.display().to_string()).collect();
            let message = format!("several jars fit {}: {}; name one", wanted.display(), names.join(", "));
            Err(PrepareError::failed(message))
        }
    }
}

/// Copies a jar, and what it runs beside itself, into an empty folder.
fn keep(jar: &Path, service: &Service, dir: &Path) -> Result<(), PrepareError> {
    let from = jar.parent().unwrap_or(Path::new(""));
    for file in std::iter::once(jar).chain(service.beside.iter().map(PathBuf::as_path)) {
        // A file that lies elsewhere would not be found from the copy.
        let within = file.strip_prefix(from).map_err(|_| {
            PrepareError::failed(format!("{} runs {}, which is outside of its folder", jar.display(), file.display()))
        })?;
        copy(file, &dir.join(within)).map_err(|error| PrepareError::io("copy", file, &error))?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    to.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::copy(from, to).map(drop)
}

/// A work tree of git's; removed when dropped.
struct WorkTree {
    repository: PathBuf,
    path: PathBuf,
}

impl WorkTree {
    fn add(repository: &Path, commit: &str, path: PathBuf) -> Result<Self, PrepareError> {
        // Forgets work trees of killed processes: git still lists them though their folders are gone.
        let _ = git::run(repository, &["worktree", "prune"]);
        let shown = path.display().to_string();
        git::run(repository, &["worktree", "add", "--quiet", "--detach", "--force", &shown, commit])
            .map_err(|why| PrepareError::failed(format!("no work tree of {commit} can be made: {why}")))?;
        Ok(Self { repository: repository.to_owned(), path })
    }
}

impl Drop for WorkTree {
    fn drop(&mut self) {
        let _ = git::run(&self.repository, &["worktree", "remove", "--force", &self.path.display().to_string()]);
    }
}

/// The commit that a revision names in the repository around `folder`.
///
/// # Errors
/// There is none, or no repository.
pub(super) fn commit(folder: &Path, revision: &str) -> Result<String, String> {
    let shown = folder.display();
    git::run(folder, &["rev-parse", "--show-toplevel"])
        .map_err(|why| format!("`revision: {revision}` needs a git repository, and {shown} is in none: {why}"))?;
    git::run(folder, &["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{revision}^{{commit}}")])
        .map_err(|_| {
            format!("`{revision}` names no commit of the repository around {shown}: `git log --all` lists them")
        })
}
