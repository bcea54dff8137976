//! Files that users name, read whole: one that has no end, or that nobody writes to, is refused instead of awaited.

use std::{
    cell::RefCell,
    fs::{File, OpenOptions},
    io::{self, Read},
    os::unix::fs::{FileTypeExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use rustix::fs::OFlags;

/// Most bytes of plans: experiments, environments, configurations.
pub const PLAN_BYTES_MAX: u64 = 1 << 20;
/// Most bytes of documents: requests in `.http` and OpenAPI, histogram logs, certificates.
pub const DOCUMENT_BYTES_MAX: u64 = 16 << 20;
/// Most bytes of recordings (HAR), and of tables that feed requests.
pub const DATA_BYTES_MAX: u64 = 256 << 20;
/// Most bytes of bodies.
pub const BODY_BYTES_MAX: u64 = 4 << 30;

/// Standard input and the descriptors that a shell hands over: a pipe is meant there.
const HANDED_OVER: [&str; 3] = ["/dev/stdin", "/dev/fd/", "/proc/self/fd/"];

thread_local! {
    /// Files that were read while someone notes them.
    static NOTED: RefCell<Option<Vec<PathBuf>>> = const { RefCell::new(None) };
}

/// Does `work`, and names the files that it has read by the functions here, on this thread.
pub fn noting<T>(work: impl FnOnce() -> T) -> (T, Vec<PathBuf>) {
    NOTED.set(Some(Vec::new()));
    let done = work();
    (done, NOTED.take().unwrap_or_default())
}

/// The file's bytes, at most so many.
///
/// # Errors
///
/// If it cannot be read, is a folder, a pipe or a device, or has more bytes.
pub fn read(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    // Room for all of it, so that a large one is not copied while it is read.
    let length = file.metadata()?.len().min(bytes_max);
    let mut bytes = Vec::with_capacity(usize::try_from(length).map_err(io::Error::other)? + 1);
    file.take(bytes_max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bytes_max {
        return Err(io::Error::other(format!("expected at most {}, found more", size(bytes_max))));
    }
    NOTED.with_borrow_mut(|noted| noted.iter_mut().for_each(|noted| noted.push(path.to_owned())));
    Ok(bytes)
}

/// The same of a text.
///
/// # Errors
///
/// As [`read`], and if it is not UTF-8.
pub fn read_text(path: &Path, bytes_max: u64) -> io::Result<String> {
    String::from_utf8(read(path, bytes_max)?).map_err(|_| io::Error::other("expected text in UTF-8, found other bytes"))
}

fn open(path: &Path) -> io::Result<File> {
    let is_handed_over = path.to_str().is_some_and(|path| HANDED_OVER.iter().any(|start| path.starts_with(start)));
    if is_handed_over {
        return File::open(path);
    }
    // A pipe that nobody writes to would hold up the opening.
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).map_err(io::Error::other)?;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    let kind = file.metadata()?.file_type();
    let found = match () {
        () if kind.is_file() => return Ok(file),
        () if kind.is_dir() => "a folder: name a file in it",
        () if kind.is_fifo() => "a pipe: save it first, or name it /dev/stdin",
        () => "a device or a socket: save it first",
    };
    Err(io::Error::other(format!("expected a file, found {found}")))
}

fn size(bytes: u64) -> String {
    match bytes >> 30 {
        0 => format!("{} MiB", bytes >> 20),
        gigabytes => format!("{gigabytes} GiB"),
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::PathBuf, process::Command};

    use super::*;

    #[track_caller]
    fn refused(path: &Path) -> String {
        read(path, PLAN_BYTES_MAX).unwrap_err().to_string()
    }

    #[test]
    fn a_file_has_an_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| -> PathBuf { folder.path().join(name) };
        fs::write(path("fits"), vec![b'x'; 1 << 20]).unwrap();
        fs::write(path("more"), vec![b'x'; (1 << 20) + 1]).unwrap();
        fs::write(path("bytes"), [0xff]).unwrap();
        assert_eq!(read_text(&path("fits"), PLAN_BYTES_MAX).unwrap().len(), 1 << 20);
        assert_eq!(refused(&path("more")), "expected at most 1 MiB, found more");
        let other = read_text(&path("bytes"), BODY_BYTES_MAX).unwrap_err().to_string();
        assert!(other.contains("UTF-8"), "{other}");
        assert_eq!(read(&path("none"), 1).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert_eq!([size(DOCUMENT_BYTES_MAX), size(BODY_BYTES_MAX)], ["16 MiB", "4 GiB"]);
    }

    #[test]
    fn files_that_are_read_can_be_noted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "x").unwrap();
        let read = || read_text(&path, 1).is_ok() && read_text(&folder.path().join("none"), 1).is_err();
        assert_eq!(noting(read), (true, vec![path.clone()]));
        assert!(read());
        assert_eq!(noting(|| ()), ((), Vec::new()));
    }

    #[test]
    fn nothing_is_awaited_that_may_never_come() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(refused(&pipe).starts_with("expected a file, found a pipe: save it first"));
        assert!(refused(folder.path()).starts_with("expected a file, found a folder"));
        assert!(refused(Path::new("/dev/zero")).starts_with("expected a file, found a device"));
    }
}
