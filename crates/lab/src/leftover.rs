//! Folders that are left of a Plimsoll that was killed together with all that it had started.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

/// Between the making of a folder and a sign that somebody uses it, another Plimsoll must not remove it.
pub const YOUNG: Duration = Duration::from_secs(60);

/// Folders in `all` whose names begin with `prefix`, and that were changed last so long ago. Symbolic links are not
/// followed.
pub fn old_folders(all: &Path, prefix: &str, young: Duration) -> impl Iterator<Item = PathBuf> {
    let is_meant = move |entry: &fs::DirEntry| {
        let is_ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(prefix));
        let metadata = entry.metadata().ok().filter(|metadata| is_ours && metadata.is_dir());
        let modified = metadata.and_then(|metadata| metadata.modified().ok());
        modified.is_some_and(|at| at.elapsed().is_ok_and(|age| age >= young))
    };
    fs::read_dir(all).into_iter().flatten().flatten().filter(is_meant).map(|entry| entry.path())
}
