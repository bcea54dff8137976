//! The archive that `scripts/package` makes.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

use crate::{checkout, plimsoll::Finished, target};

/// The program under test, made small.
fn stripped(folder: &Path) -> PathBuf {
    let program = folder.join("stripped");
    let strip = Command::new("strip").arg("-o").arg(&program).arg(env!("CARGO_BIN_EXE_plimsoll")).status();
    assert!(strip.expect("strip comes with the compiler").success());
    program
}

/// The archive of this program, without the jars, which need Maven.
fn packaged(program: &Path, folder: &Path) -> PathBuf {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/package");
    let mut package = Command::new(script);
    let output = package.args(["--without-subjects", "--binary"]).args([program, folder]).output().unwrap();
    let packaged = Finished::from(output);
    assert_eq!(packaged.code, Some(0), "{packaged:#?}");
    PathBuf::from(packaged.stdout.trim_end())
}

/// Unpacks the archive into an empty directory; what it has there.
fn unpacked(archive: &Path) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let status = Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(directory.path()).status().unwrap();
    assert!(status.success());
    let home = fs::read_dir(directory.path()).unwrap().next().unwrap().unwrap().path();
    (directory, home)
}

#[test]
fn an_archive_is_complete_and_runs_without_cargo() {
    let folder = tempfile::tempdir().unwrap();
    let archive = packaged(&stripped(folder.path()), folder.path());
    let (_directory, home) = unpacked(&archive);
    for file in ["README.md", "LICENSE", "docs/guide.md", "experiments/quickstart.yaml", "java/pom.xml"] {
        assert!(home.join(file).is_file(), "{file}");
    }
    let licences = fs::read_to_string(home.join("licences/LIST")).unwrap();
    assert!(licences.lines().any(|line| line.starts_with("rustls v") && line.contains("Apache-2.0")), "{licences}");
    assert!(!licences.contains("plimsoll"), "{licences}");

    let common = tempfile::tempdir().unwrap();
    checkout::link_common_tools(common.path());
    let url = format!("http://127.0.0.1:{}/", target::start());
    let mut load = Command::new(home.join("plimsoll"));
    load.args(["load", &url, "-n", "7", "-c", "1"]).env("PATH", common.path()).current_dir(folder.path());
    let load = Finished::from(load.env_remove("PLIMSOLL_RECORD").output().unwrap());
    assert_eq!(load.code, Some(0), "{load:#?}");
    assert!(!load.stderr.contains("building"), "{load:#?}");
    assert!(!home.join("target").exists(), "nothing was built");
}

#[test]
fn the_same_sources_give_the_same_archive() {
    let [one, two] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let program = Path::new("/bin/sh");
    let archives = [&one, &two].map(|folder| fs::read(packaged(program, folder.path())).unwrap());
    assert!(archives[0] == archives[1], "two archives of the same sources differ");
}
