//! The folder of an upstream's certificates. The lab removes it with the upstream. Else the supervisor does; if both
//! were killed, the next lab.

use std::{
    env,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use tempfile::TempDir;

use crate::leftover::{YOUNG, old_folders};

const PREFIX: &str = "plimsoll-upstream-";

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
    let is_free = |folder: &PathBuf| File::open(folder).is_ok_and(|folder| folder.try_lock().is_ok());
    // A folder of another user cannot be removed, and stays.
    old_folders(all, PREFIX, young).filter(is_free).for_each(|folder| drop(fs::remove_dir_all(folder)));
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
