//! Temporary folders. The lab removes each with what it is for: that of an upstream's certificates is else removed by
//! the supervisor. If the lab was killed, and no supervisor did it, the next lab does.

use std::{
    env,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use tempfile::TempDir;

use crate::leftover::{YOUNG, old_folders};

/// A folder for something.
#[derive(Clone, Copy, Debug)]
pub enum Purpose {
    /// Certificates of an upstream.
    Upstream,
    /// The result of benchmarks.
    Benchmarks,
    /// The program that reads JMX.
    Jmx,
}

impl Purpose {
    /// The beginning of the names of its folders.
    const fn prefix(self) -> &'static str {
        match self {
            Self::Upstream => "plimsoll-upstream-",
            Self::Benchmarks => "plimsoll-benchmarks-",
            Self::Jmx => "plimsoll-jmx-",
        }
    }
}

/// Removed when dropped.
#[derive(Debug)]
pub struct Folder {
    folder: TempDir,
    /// Held as long as this process lives.
    _lock: File,
}

impl Folder {
    /// A new one, after those that nobody holds any longer are removed.
    pub fn make(purpose: Purpose) -> io::Result<Self> {
        let all = env::temp_dir();
        sweep(&all, purpose, YOUNG);
        Self::make_in(&all, purpose)
    }

    fn make_in(all: &Path, purpose: Purpose) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(purpose.prefix()).tempdir_in(all)?;
        let lock = File::open(folder.path())?;
        lock.try_lock()?;
        Ok(Self { folder, _lock: lock })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

fn sweep(all: &Path, purpose: Purpose, young: Duration) {
    let is_free = |folder: &PathBuf| File::open(folder).is_ok_and(|folder| folder.try_lock().is_ok());
    // A folder of another user cannot be removed, and stays.
    old_folders(all, purpose.prefix(), young).filter(is_free).for_each(|folder| drop(fs::remove_dir_all(folder)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_that_nobody_holds_are_swept_away() {
        let all = tempfile::tempdir().unwrap();
        let held = Folder::make_in(all.path(), Purpose::Jmx).unwrap();
        let left = all.path().join("plimsoll-jmx-left");
        let other = all.path().join("other");
        [&left, &other].into_iter().for_each(|path| fs::create_dir(path).unwrap());
        fs::write(left.join("ca.pem"), "").unwrap();
        sweep(all.path(), Purpose::Jmx, Duration::from_secs(3_600));
        assert!(left.exists(), "it is young");
        sweep(all.path(), Purpose::Upstream, Duration::ZERO);
        assert!(left.exists(), "it is for something else");
        sweep(all.path(), Purpose::Jmx, Duration::ZERO);
        assert_eq!([held.path(), &other, &left].map(Path::exists), [true, true, false]);
        let path = held.path().to_owned();
        drop(held);
        assert!(!path.exists());
    }
}
