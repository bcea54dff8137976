//! Failures of real file systems. Only root can make them; without root the tests say that they are skipped.
//!
//! Each runs in a process of its own. A child of any other test holds, between its fork and its exec, every file that
//! this process has open, and a file system with a file open for writing cannot be remounted read-only.
#![cfg(target_os = "linux")]

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use super::{Store, assert_says, fill, message, recorded};

/// Names the directory to mount at. Set for the process that runs one test alone.
const MOUNT_AT: &str = "PLIMSOLL_TEST_MOUNT_AT";

/// Runs `test` with an empty file system of its own, in a process of its own: this program again, with `name` alone.
fn on_a_disk(name: &str, options: &str, test: impl FnOnce(&Path)) {
    if let Some(at) = env::var_os(MOUNT_AT) {
        return test(Path::new(&at));
    }
    let directory = tempfile::tempdir().unwrap();
    let Some(mount) = Mount::tmpfs(directory.path().to_owned(), options) else {
        eprintln!("skipped: not root, so that nothing can be mounted");
        return;
    };
    let mut alone = Command::new(env::current_exe().unwrap());
    alone.args(["--exact", &format!("store::failures::mounted::{name}")]).env(MOUNT_AT, &mount.0);
    let output = alone.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn out_of_space() {
    on_a_disk("out_of_space", "size=512k", |disk| {
        let path = disk.join("plimsoll.db");
        let (mut store, execution) = recorded(&path);
        let text = fill(&mut store, &path);
        assert_says(&text, "no space left");
        drop(store);
        let store = Store::open_existing(&path).unwrap();
        assert_eq!(store.read(execution).unwrap().runs[0].levels[0].intervals[0].ok.response.count(), 1);
    });
}

/// Root passes over permissions, but not over a read-only mount.
#[test]
fn read_only() {
    on_a_disk("read_only", "size=4m", |disk| {
        let path = disk.join("plimsoll.db");
        recorded(&path);
        remount_read_only(disk);
        let text = message(Store::open(&path), &path);
        assert_says(&text, "make the file and its directory writable");
        let text = message(Store::open(&disk.join("other.db")), disk);
        assert_says(&text, "make the file and its directory writable");
        let text = message(Store::open(&disk.join("new/plimsoll.db")), disk);
        assert_says(&text, "cannot make the directory");
    });
}

fn remount_read_only(disk: &Path) {
    let status = Command::new("mount").args(["-o", "remount,ro"]).arg(disk).status();
    assert!(status.unwrap().success());
}

/// A file system mounted at this directory, gone when dropped.
struct Mount(PathBuf);

impl Mount {
    /// None if that is not permitted.
    fn tmpfs(at: PathBuf, options: &str) -> Option<Self> {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "plimsoll-test"]).arg(&at);
        mount.output().is_ok_and(|output| output.status.success()).then(|| Self(at))
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        // `-l`: open files do not hold it.
        Command::new("umount").arg("-l").arg(&self.0).status().expect("umount is where mount was");
    }
}
