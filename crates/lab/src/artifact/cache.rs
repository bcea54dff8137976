//! The cache of artifacts: a directory for each, named by what it is and the key of its content. A directory appears
//! under its name only when it is complete, so a killed process leaves nothing that looks like an artifact.

use std::{
    fs::{self, File, TryLockError},
    path::{self, Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use super::{PrepareError, Said, Say, key::Key};

const UNFINISHED: &str = ".making-";
/// From one look at the lock of another process to the next.
const LOOK_EVERY: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub(super) struct Cache {
    dir: PathBuf,
    /// Set when nothing is to be made any more.
    stop: Arc<AtomicBool>,
}

/// Held while artifacts are made; the system lets go of it when the process ends, however it ends.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Cache {
    pub(super) fn new(dir: PathBuf) -> Self {
        // Programs are launched in directories of their own, where a relative path would lead elsewhere.
        Self { dir: path::absolute(&dir).unwrap_or(dir), stop: Arc::default() }
    }

    pub(super) fn stopped_by(self, stop: Arc<AtomicBool>) -> Self {
        Self { stop, ..self }
    }

    pub(super) fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    fn path(&self, name: &str, key: &Key) -> PathBuf {
        self.dir.join(format!("{name}-{key}"))
    }

    /// Whether the directory of this name and key is there.
    pub(super) fn has(&self, name: &str, key: &Key) -> bool {
        self.path(name, key).is_dir()
    }

    /// File with the output of a build, kept even if the build fails.
    pub(super) fn log(&self, name: &str, key: &Key) -> PathBuf {
        self.dir.join("logs").join(format!("{name}-{key}.log"))
    }

    /// Waits until no other process makes artifacts here, and clears away what killed ones left.
    pub(super) fn lock(&self, say: Say) -> Result<Lock, PrepareError> {
        fs::create_dir_all(&self.dir).map_err(|error| PrepareError::io("create", &self.dir, &error))?;
        let path = self.dir.join("lock");
        let file = File::create(&path).map_err(|error| PrepareError::io("create", &path, &error))?;
        let mut is_told = false;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if self.stop.load(Ordering::Relaxed) => {
                    return Err(PrepareError::failed("waiting for another plimsoll was interrupted"));
                }
                Err(TryLockError::WouldBlock) => {
                    if !is_told {
                        say(Said::Step("waiting for another plimsoll that prepares its programs…"));
                    }
                    is_told = true;
                    thread::sleep(LOOK_EVERY);
                }
                Err(TryLockError::Error(error)) => return Err(PrepareError::io("lock", &path, &error)),
            }
        }
        self.clear_unfinished();
        Ok(Lock { _file: file })
    }

    fn clear_unfinished(&self) {
        let entries = fs::read_dir(&self.dir).into_iter().flatten().flatten();
        for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(UNFINISHED)) {
            // A build of a killed process may be writing to it, until it has ended as well. It goes the next time.
            let _ = fs::remove_dir_all(entry.path());
        }
    }

    /// The directory of this name and key, made by `make` in an empty directory if it is not there. The caller holds
    /// the lock.
    pub(super) fn entry(
        &self,
        name: &str,
        key: &Key,
        make: impl FnOnce(&Path) -> Result<(), PrepareError>,
    ) -> Result<PathBuf, PrepareError> {
        let path = self.path(name, key);
        if path.is_dir() {
            return Ok(path);
        }
        let unfinished = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(&self.dir);
        let unfinished = unfinished.map_err(|error| PrepareError::io("write to", &self.dir, &error))?;
        make(unfinished.path())?;
        fs::rename(unfinished.path(), &path).map_err(|error| PrepareError::io("create", &path, &error))?;
        // The temporary directory was renamed: there is none to remove.
        let _ = unfinished.keep();
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn key(part: &str) -> Key {
        Key::default().and(part)
    }

    fn silent(_: Said<'_>) {}

    #[test]
    fn an_entry_is_made_once() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::new(dir.path().join("artifacts"));
        let _lock = cache.lock(&mut silent).unwrap();
        let write = |text: &'static str| {
            move |dir: &Path| {
                fs::write(dir.join("app.jar"), text).unwrap();
                Ok(())
            }
        };
        let first = cache.entry("web-jar", &key("a"), write("first")).unwrap();
        let second = cache.entry("web-jar", &key("a"), write("second")).unwrap();
        assert_eq!(first, second);
        assert_eq!(fs::read_to_string(first.join("app.jar")).unwrap(), "first");
        assert_ne!(cache.entry("web-jar", &key("b"), write("third")).unwrap(), second);
    }

    #[test]
    fn a_relative_directory_is_taken_from_here() {
        let cache = Cache::new(PathBuf::from("target/artifacts"));
        assert_eq!(cache.dir, std::env::current_dir().unwrap().join("target/artifacts"));
    }

    #[test]
    fn a_failure_leaves_nothing_and_is_tried_again() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::new(dir.path().to_owned());
        let _lock = cache.lock(&mut silent).unwrap();
        let failed = cache.entry("web-jar", &key("a"), |dir| {
            fs::write(dir.join("half"), "").unwrap();
            Err(PrepareError::failed("no"))
        });
        assert_eq!(failed, Err(PrepareError::failed("no")));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "the lock alone");
        assert!(cache.entry("web-jar", &key("a"), |_| Ok(())).is_ok());
    }

    #[test]
    fn what_a_killed_process_left_is_cleared_away() {
        let dir = tempfile::tempdir().unwrap();
        let left = dir.path().join(".making-x1");
        fs::create_dir_all(left.join("source")).unwrap();
        let _lock = Cache::new(dir.path().to_owned()).lock(&mut silent).unwrap();
        assert!(!left.exists());
    }

    #[test]
    fn what_cannot_be_cleared_away_keeps_nobody_from_making() {
        let dir = tempfile::tempdir().unwrap();
        // It stands for a folder that another process still fills.
        fs::write(dir.path().join(".making-x1"), "no folder").unwrap();
        let cache = Cache::new(dir.path().to_owned());
        let _lock = cache.lock(&mut silent).unwrap();
        assert!(cache.entry("web-jar", &key("a"), |_| Ok(())).is_ok());
    }

    #[test]
    fn a_second_process_waits_and_says_so() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::new(dir.path().to_owned());
        let lock = cache.lock(&mut silent).unwrap();
        let (said, heard) = mpsc::channel();
        thread::scope(|scope| {
            let waiting = scope.spawn(|| cache.lock(&mut |it| said.send(format!("{it:?}")).unwrap()).is_ok());
            let line = heard.recv_timeout(Duration::from_secs(60)).unwrap();
            assert!(line.starts_with("Step(\"waiting for another plimsoll"), "{line}");
            drop(lock);
            assert!(waiting.join().unwrap());
        });
    }

    #[test]
    fn an_unwritable_place_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "").unwrap();
        let error = Cache::new(file.join("artifacts")).lock(&mut silent).unwrap_err().to_string();
        assert!(error.starts_with("cannot create ") && error.contains("file/artifacts: "), "{error}");
    }
}
