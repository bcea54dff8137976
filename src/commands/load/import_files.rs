//! Files that imported texts name: only those of the text's own folder, for the text may be somebody else's.

use std::{
    env, io,
    path::{Component, Path, PathBuf},
};

use plimsoll_drive::files;

/// The folder of a text, and the one that its files must be in.
pub struct Folder {
    of_text: PathBuf,
    root: PathBuf,
}

impl Folder {
    /// The folder of the text at `file`; files may be in `root`, or in the text's folder if that is not given.
    pub fn of(file: &Path, root: Option<&Path>) -> io::Result<Self> {
        let own = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let of_text = own.canonicalize()?;
        let root = root.map_or_else(|| Ok(of_text.clone()), Path::canonicalize)?;
        Ok(Self { of_text, root })
    }

    /// The bytes of a file that the text names; or why they are not read.
    pub fn read(&self, path: &str, bytes_max: u64) -> Result<Vec<u8>, String> {
        let written = normal(&self.of_text.join(path));
        let leaves = || {
            format!("it leaves the folder {}: give --import-root DIR if files may be read there", self.root.display())
        };
        // Before the file system is asked, which would tell whether there is such a file.
        if !written.starts_with(&self.root) {
            return Err(leaves());
        }
        let failed = |error: io::Error| format!("{error} ({})", shown(&written));
        let real = written.canonicalize().map_err(failed)?;
        if !real.starts_with(&self.root) {
            return Err(leaves());
        }
        files::read(&real, bytes_max).map_err(failed)
    }
}

/// The path as the user would name it.
fn shown(path: &Path) -> String {
    let here = env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).display().to_string()
}

/// The path without `.` and `..`.
pub fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => drop(normal.pop()),
            other => normal.push(other),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    #[test]
    fn files_are_read_in_the_folder_and_nowhere_else() {
        let all = tempfile::tempdir().unwrap();
        let inner = all.path().join("inner");
        fs::create_dir(&inner).unwrap();
        fs::write(all.path().join("secret"), "s").unwrap();
        fs::write(inner.join("own"), "o").unwrap();
        symlink("../secret", inner.join("link")).unwrap();
        let folder = Folder::of(&inner.join("a.yaml"), None).unwrap();
        assert_eq!(folder.read("./x/../own", 9).unwrap(), b"o");
        assert!(folder.read("absent", 9).unwrap_err().contains("No such file"));
        for path in ["../secret", "link", "/etc/passwd", "../absent", "x/../../secret"] {
            let why = folder.read(path, 9).unwrap_err();
            assert!(why.contains("leaves the folder") && why.contains("--import-root"), "{path}: {why}");
        }
        let wide = Folder::of(&inner.join("a.yaml"), Some(all.path())).unwrap();
        assert_eq!(["../secret", "link"].map(|path| wide.read(path, 9).unwrap()), [b"s"; 2]);
    }
}
