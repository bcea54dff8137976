use std::{os::unix::fs::symlink, process::Command};

use super::*;

const TEMURIN: &str = "IMPLEMENTOR=\"Eclipse Adoptium\"\nIMPLEMENTOR_VERSION=\"Temurin-25.0.3+9\"\n\
                       JAVA_RUNTIME_VERSION=\"25.0.3+9-LTS\"\nJAVA_VERSION=\"25.0.3\"\n";

fn release(version: &str) -> String {
    format!("IMPLEMENTOR=\"Debian\"\nJAVA_RUNTIME_VERSION=\"{version}+7\"\nJAVA_VERSION=\"{version}\"\n")
}

/// Puts a directory that looks like a JDK somewhere.
fn fake(home: PathBuf, release: &str, programs: &[&str]) -> PathBuf {
    fs::create_dir_all(home.join("bin")).unwrap();
    fs::write(home.join("release"), release).unwrap();
    for program in programs {
        fs::write(home.join("bin").join(program), "").unwrap();
    }
    home.canonicalize().unwrap()
}

fn jdk(home: PathBuf, version: &str) -> PathBuf {
    fake(home, &release(version), &["java", "javac"])
}

#[test]
fn the_newest_wins_wherever_it_lies() {
    let dir = tempfile::tempdir().unwrap();
    let old = jdk(dir.path().join("named"), "21.0.9");
    let folder = dir.path().join("jvm");
    jdk(folder.join("17"), "17.0.1");
    let new = jdk(folder.join("25.jdk/Contents/Home"), "25.0.10");
    jdk(folder.join("25-older"), "25.0.9");
    fake(folder.join("runtime-only"), &release("26"), &["java"]);
    let places = Places { java_home: Some(old), jdk_folders: vec![folder], ..Places::default() };
    let found = Toolchain::find(&places).unwrap();
    assert_eq!(found.jdk.home, new);
    assert_eq!((found.graalvm, found.maven), (Err(NoGraalvm::None), None));
}

#[test]
fn java_on_the_path_is_followed_to_its_jdk() {
    let dir = tempfile::tempdir().unwrap();
    let home = jdk(dir.path().join("jdk"), "22");
    let bin = dir.path().join("bin");
    fs::create_dir(&bin).unwrap();
    symlink(home.join("bin/java"), bin.join("java")).unwrap();
    fs::write(bin.join("mvn"), "").unwrap();
    let found = Toolchain::find(&Places { path: bin.clone().into(), ..Places::default() }).unwrap();
    assert_eq!(found.jdk.home, home);
    assert_eq!(found.maven, Some(bin.join("mvn")));
}

#[test]
fn the_one_named_for_plimsoll_wins_over_newer_ones() {
    let dir = tempfile::tempdir().unwrap();
    let named = jdk(dir.path().join("21"), "21");
    let newer = jdk(dir.path().join("25"), "25");
    let mut places = Places { plimsoll_java_home: Some(named.clone()), java_home: Some(newer), ..Places::default() };
    assert_eq!(Toolchain::find(&places).unwrap().jdk.home, named);
    places.plimsoll_java_home = Some(dir.path().join("nowhere"));
    let error = Toolchain::find(&places).unwrap_err().to_string();
    assert!(error.starts_with("PLIMSOLL_JAVA_HOME is "), "{error}");
}

fn graalvm(home: PathBuf, version: &str) -> PathBuf {
    fake(home, &release(version), &["java", "javac", "native-image"])
}

#[test]
fn graalvm_is_a_jdk_with_native_image() {
    let dir = tempfile::tempdir().unwrap();
    jdk(dir.path().join("jvm/26"), "26");
    let found_there = graalvm(dir.path().join("jvm/graal"), "25.0.1");
    let named = graalvm(dir.path().join("named"), "25");
    let mut places = Places { jdk_folders: vec![dir.path().join("jvm")], ..Places::default() };
    let found = Toolchain::find(&places).unwrap();
    assert_eq!((found.jdk.feature(), found.graalvm.unwrap().home), (26, found_there));
    places.graalvm_home = Some(named.clone());
    assert_eq!(Toolchain::find(&places).unwrap().graalvm.unwrap().home, named);
}

#[test]
fn what_makes_native_images_runs_no_jars() {
    let dir = tempfile::tempdir().unwrap();
    let plain = jdk(dir.path().join("jvm/temurin"), "25.0.3");
    let graal = graalvm(dir.path().join("graal"), "25.0.3");
    let newer = graalvm(dir.path().join("jvm/a-graal"), "25.0.4");
    let mut places =
        Places { graalvm_home: Some(graal.clone()), jdk_folders: vec![dir.path().join("jvm")], ..Places::default() };
    let found = Toolchain::find(&places).unwrap();
    assert_eq!((&found.jdk.home, found.graalvm.unwrap().home), (&plain, graal));
    places.java_home = Some(newer.clone());
    assert_eq!(Toolchain::find(&places).unwrap().jdk.home, plain, "of one feature release the one that is no GraalVM");
    let of_graalvms = Places { java_home: Some(newer.clone()), ..Places::default() };
    assert_eq!(Toolchain::find(&of_graalvms).unwrap().jdk.home, newer, "it is all there is");
}

#[test]
fn a_graalvm_home_alone_is_no_jdk_to_run_on() {
    let dir = tempfile::tempdir().unwrap();
    let places = Places { graalvm_home: Some(graalvm(dir.path().join("graal"), "25")), ..Places::default() };
    let error = Toolchain::find(&places).unwrap_err().to_string();
    assert!(
        error.starts_with("no JDK found (looked at JAVA_HOME, PATH") && error.contains("PLIMSOLL_JAVA_HOME"),
        "{error}"
    );
}

#[test]
fn a_graalvm_that_does_not_fit_is_named() {
    let dir = tempfile::tempdir().unwrap();
    jdk(dir.path().join("jvm/25"), "25");
    let home = jdk(dir.path().join("no-graalvm"), "25");
    let mut places =
        Places { graalvm_home: Some(home.clone()), jdk_folders: vec![dir.path().join("jvm")], ..Places::default() };
    let why = |places: &Places| Toolchain::find(places).unwrap().graalvm.unwrap_err().to_string();
    let not_one = why(&places);
    assert!(not_one.starts_with(&format!("GRAALVM_HOME is {}, which has no bin/native-image", home.display())));
    places.graalvm_home = Some(graalvm(dir.path().join("old"), "24.0.1"));
    let old = why(&places);
    assert!(old.starts_with("a native image needs GraalVM 25 or newer, and this one is Debian 24.0.1+7 in "), "{old}");
}

#[test]
fn the_builder_is_named_beside_its_jdk() {
    let dir = tempfile::tempdir().unwrap();
    let home = graalvm(dir.path().join("graal"), "25.0.3");
    let program = home.join("bin/native-image");
    assert_eq!(Jdk::at(&home).unwrap().native_image(), "Debian 25.0.3+7", "it says nothing");
    // A separate process writes the script. If this process wrote it, children that other tests fork meanwhile would
    // hold the file open, and a file that is open for writing cannot be executed.
    let script = "#!/bin/sh\necho native-image 25.0.1 2025-10-21\necho more\n";
    let mut writer = Command::new("sh");
    writer.args(["-c", "printf '%s' \"$1\" >\"$0\" && chmod 755 \"$0\""]).arg(&program).arg(script);
    assert!(writer.status().unwrap().success());
    assert_eq!(Jdk::at(&home).unwrap().native_image(), "native-image 25.0.1 (Debian 25.0.3+7)");
}

#[test]
fn none_or_an_old_one_says_what_to_install() {
    let dir = tempfile::tempdir().unwrap();
    let places = Places { jdk_folders: vec![dir.path().to_owned()], ..Places::default() };
    let error = Toolchain::find(&places).unwrap_err().to_string();
    assert!(error.starts_with("no JDK found (looked at JAVA_HOME, PATH, ") && error.contains("adoptium"), "{error}");
    jdk(dir.path().join("17"), "17.0.15");
    let error = Toolchain::find(&places).unwrap_err().to_string();
    assert!(error.contains("JDK 21 or newer needed, the newest found is Debian 17.0.15+7 in "), "{error}");
    assert!(error.contains("PLIMSOLL_JAVA_HOME"), "{error}");
}

#[test]
fn descriptions_name_the_product_and_its_full_version() {
    assert_eq!(describe(TEMURIN), "Temurin 25.0.3+9");
    assert_eq!(describe(&release("17.0.15")), "Debian 17.0.15+7");
    assert_eq!(
        describe("IMPLEMENTOR_VERSION=\"GraalVM CE 25.0.1+8.1\"\nJAVA_VERSION=\"25.0.1\"\n"),
        "GraalVM CE 25.0.1"
    );
    assert_eq!(describe("IMPLEMENTOR_VERSION=\"\"\nJAVA_VERSION=\"26-ea\"\n"), "JDK 26-ea");
    assert_eq!(numbers("26-ea"), [26]);
    assert!(numbers("25.0.10") > numbers("25.0.9") && numbers("25.0.1") > numbers("25"));
}
