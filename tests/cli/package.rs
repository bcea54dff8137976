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
    // The program has more in it than crates.
    let of_musl = fs::read_to_string(home.join("licences/musl/COPYRIGHT")).unwrap();
    assert!(of_musl.contains("Rich Felker"), "{of_musl}");

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

/// The head of a program for x86-64 that needs no libraries, as far as a script can see.
fn static_program(folder: &Path, more: &str) -> PathBuf {
    let file = folder.join("static");
    let mut head = vec![0; 64];
    head[..4].copy_from_slice(b"\x7fELF");
    head[18] = 0x3e;
    head.extend(more.as_bytes());
    fs::write(&file, head).unwrap();
    file
}

fn image(archive: &Path, folder: &Path, flags: &[&str]) -> Finished {
    let mut script = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/image"));
    // Any text will do for certificates.
    script.args(["--certificates", "/etc/hostname", "--archive"]).arg(archive).args(flags);
    Finished::from(script.arg(folder.join("image.tar")).output().unwrap())
}

/// A file in a tarball.
fn extracted(tarball: &Path, name: &str, flags: &str) -> Vec<u8> {
    Command::new("tar").arg(flags).arg(tarball).arg(name).output().unwrap().stdout
}

#[test]
#[ignore = "slow: `./test slow`"]
fn an_image_has_the_program_alone_and_the_same_bytes_again_as_the_archive_has() {
    let [folder, elsewhere] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let program = static_program(folder.path(), "");
    let archive = packaged(&program, folder.path());
    let again = packaged(&program, elsewhere.path());
    assert!(fs::read(&archive).unwrap() == fs::read(again).unwrap(), "two archives of the same sources differ");
    let once = image(&archive, folder.path(), &["--name", "registry.test/plimsoll:9"]);
    assert_eq!(once.code, Some(0), "{once:#?}");
    once.assert_says(&["registry.test/plimsoll:9: ", "MB, amd64, user 65532"]);
    let file = folder.path().join("image.tar");
    let bytes = fs::read(&file).unwrap();
    image(&archive, folder.path(), &["--name", "registry.test/plimsoll:9"]);
    assert!(bytes == fs::read(&file).unwrap(), "two images of the same archive differ");

    let json = |name: &str| -> serde_json::Value { serde_json::from_slice(&extracted(&file, name, "-xOf")).unwrap() };
    let blob = |of: &serde_json::Value| format!("blobs/{}", of["digest"].as_str().unwrap().replace(':', "/"));
    let index = json("index.json");
    let manifest = json(&blob(&index["manifests"][0]));
    let config = json(&blob(&manifest["config"]));
    assert_eq!(
        (&config["config"]["User"], &config["config"]["Entrypoint"][0]),
        (&"65532:65532".into(), &"/plimsoll".into())
    );
    // Docker's own list, of the same blobs.
    let blobs = (blob(&manifest["config"]), blob(&manifest["layers"][0]));
    let docker =
        serde_json::json!([{"Config": blobs.0, "RepoTags": ["registry.test/plimsoll:9"], "Layers": [blobs.1]}]);
    assert_eq!(json("manifest.json"), docker);
    let layer = folder.path().join("layer");
    fs::write(&layer, extracted(&file, &blob(&manifest["layers"][0]), "-xOf")).unwrap();
    assert_eq!(extracted(&layer, "plimsoll", "-xzOf"), fs::read(folder.path().join("static")).unwrap());
    assert!(!extracted(&layer, "licences/LIST", "-xzOf").is_empty());
}

#[test]
fn a_program_that_needs_libraries_makes_no_image() {
    let folder = tempfile::tempdir().unwrap();
    let archive = packaged(&static_program(folder.path(), "/lib64/ld-linux-x86-64.so.2"), folder.path());
    image(&archive, folder.path(), &[]).assert_refused(&["needs libraries", "scripts/package"]);
    let text = folder.path().join("text");
    fs::write(&text, "no program at all, but long enough").unwrap();
    image(&packaged(&text, folder.path()), folder.path(), &[]).assert_refused(&["another system"]);
    image(&archive, folder.path(), &["--name", "plimsoll"]).assert_refused(&["with a tag"]);
}
