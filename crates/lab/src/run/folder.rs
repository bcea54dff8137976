//! The folder of an upstream's certificates. The lab removes it with the upstream. Else the supervisor does; if both
//! were killed, the next lab.

use std::{
    env,
    fs::{self, File},
    io,
    path::Path,
    time::Duration,
};

use tempfile::TempDir;

const PREFIX: &str = "plimsoll-upstream-";
/// Between a folder's making and its lock another lab must not take it for a left-over.
const YOUNG: Duration = Duration::from_secs(60);

/// Removed when dropped.
pub struct Folder {
    folder: TempDir,
    /// Held as long as this process lives.
    _lock: File,
}

impl Folder {
    /// A new one, after those that nobody holds any longer are removed.
    pub fn make() -> io::Result<Self> {
        let all = env::temp_dir();
        sweep(&all, YOUNG);
        Self::make_in(&all)
    }

    fn make_in(all: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(all)?;
        let lock = File::open(folder.path())?;
        lock.try_lock()?;
        Ok(Self { folder, _lock: lock })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

fn sweep(all: &Path, young: Duration) {
    for entry in fs::read_dir(all).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        // Symbolic links are not followed.
        let Some(metadata) = entry.metadata().ok().filter(|metadata| is_ours && metadata.is_dir()) else { continue };
        let is_old = metadata.modified().is_ok_and(|at| at.elapsed().is_ok_and(|age| age >= young));
        let is_free = || File::open(entry.path()).is_ok_and(|folder| folder.try_lock().is_ok());
        if is_old && is_free() {
            // A folder of another user cannot be removed, and stays.
            drop(fs::remove_dir_all(entry.path()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_that_nobody_holds_are_swept_away() {
        let all = tempfile::tempdir().unwrap();
        let held = Folder::make_in(all.path()).unwrap();
        let left = all.path().join(format!("{PREFIX}left"));
        let other = all.path().join("other");
        [&left, &other].into_iter().for_each(|path| fs::create_dir(path).unwrap());
        fs::write(left.join("ca.pem"), "").unwrap();
        sweep(all.path(), Duration::from_secs(3_600));
        assert!(left.exists(), "it is young");
        sweep(all.path(), Duration::ZERO);
        assert_eq!([held.path(), &other, &left].map(Path::exists), [true, true, false]);
        let path = held.path().to_owned();
        drop(held);
        assert!(!path.exists());
    }
}
