//! Processes that cannot be asked as they are: by their own choice, of another user, in namespaces of their own.

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    process::{Command, Output, Stdio},
};

use serde_json::Value;

use super::{Locked, jar, json, undisturbed};
use crate::plimsoll::{Project, write_program};

/// Flags that make it short.
const SHORT: [&str; 6] = ["-c", "20", "--warm-up", "4s", "-o", "json=found.json"];
/// To be a user without rights.
const NOBODY: [&str; 4] = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

/// Whether this is root, and those programs are there; else it says so.
fn can_be_root_with(programs: &[&str]) -> bool {
    let is_there = |program: &&str| {
        let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).stdout(Stdio::null()).status();
        found.is_ok_and(|status| status.success())
    };
    let missing = programs.iter().copied().find(|program| !is_there(program));
    let is_root = rustix::process::geteuid().is_root();
    if !is_root || missing.is_some() {
        println!("skipped: needs root and {}", programs.join(", "));
    }
    is_root && missing.is_none()
}

/// A directory that everybody may read.
fn open_directory() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::set_permissions(directory.path(), Permissions::from_mode(0o777)).unwrap();
    directory
}

/// A copy of a file there. A process of its own writes it: what another test's child has open for writing, between fork
/// and exec, cannot be executed.
fn copied(directory: &tempfile::TempDir, file: &str, name: &str) -> PathBuf {
    let copy = directory.path().join(name);
    let mut install = Command::new("install");
    assert!(install.args(["-m", "755", file]).arg(&copy).status().unwrap().success());
    copy
}

fn launched(words: &[&str]) -> Command {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]);
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_jvm_that_may_not_be_asked_is_explained_from_outside() {
    let Some(jar) = jar() else { return };
    let java = launched(&["java", "-XX:+DisableAttachMechanism", "-Xmx64m", "-jar", jar]);
    let Some(service) = Locked::start_by(java) else { return };
    let project = Project::new();
    let found = project.run(&[&["explain", &service.url()], SHORT.as_slice()].concat());
    assert_eq!(found.code, Some(0), "{found:#?}");
    found.assert_says(&["from outside only", "-XX:+DisableAttachMechanism"]);
    let explanation = json(&project, "found.json")["explanations"][0].take();
    assert_eq!(explanation["dumps"], 0, "{explanation:#}");
    assert!(explanation["blind"].as_str().is_some_and(|why| why.contains("DisableAttachMechanism")), "{explanation:#}");
    assert_ne!(explanation["limit"], "lock", "nobody has seen it: {explanation:#}");
}

#[test]
#[ignore = "slow: `./test slow`"]
fn root_explains_what_is_of_another_user() {
    let Some(jar) = jar().filter(|_| can_be_root_with(&["setpriv"])) else { return };
    let directory = open_directory();
    let jar = copied(&directory, jar, "locked.jar");
    let mut java = launched(&NOBODY);
    java.args(["java", "-Xmx64m", "-jar"]).arg(jar).current_dir("/");
    let Some(service) = Locked::start_by(java) else { return };
    let project = Project::new();
    let ((), explanation) = undisturbed(|| {
        let found = project.run(&[&["explain", &service.url()], SHORT.as_slice()].concat());
        assert_eq!(found.code, Some(0), "{found:#?}");
        ((), json(&project, "found.json")["explanations"][0].take())
    });
    assert_eq!(explanation["limit"], "lock", "{explanation:#}");
    assert!(explanation["dumps"].as_u64() > Some(0), "{explanation:#}");
}

#[test]
fn who_has_no_right_to_look_is_told_what_is_needed() {
    if !can_be_root_with(&["setpriv"]) {
        return;
    }
    let Some(service) = Locked::start() else { return };
    let directory = open_directory();
    let plimsoll = copied(&directory, env!("CARGO_BIN_EXE_plimsoll"), "plimsoll");
    let mut explain = launched(&NOBODY);
    explain.arg(plimsoll).args(["explain", &service.url()]).current_dir(directory.path());
    let refused = explain.output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
    for words in ["may not be looked into", "another user's, or in a container", "as root", "--pid"] {
        assert!(said(&refused).contains(words), "expected `{words}` in: {}", said(&refused));
    }
}

/// In a container: it has numbers, a network and a `/tmp` of its own, so that no other is process 1 there as well.
const CONTAINED: &str = "exec 3<\"$JAR\" && mount -t tmpfs tmpfs /tmp && cat <&3 >/tmp/locked.jar && ip link set lo up";

#[test]
fn a_process_in_its_own_namespaces_is_found_and_explained() {
    let Some(jar) = jar().filter(|_| can_be_root_with(&["unshare", "nsenter", "ip", "mount"])) else { return };
    let inside = format!("{CONTAINED} && exec java -Xmx64m -jar /tmp/locked.jar");
    let mut java = launched(&["unshare", "-pfmn", "--mount-proc", "--kill-child", "sh", "-c", &inside]);
    java.env("JAR", jar);
    let Some(service) = Locked::start_by(java) else { return };
    let outer = service.java.id();
    let children = fs::read_to_string(format!("/proc/{outer}/task/{outer}/children")).unwrap();
    let child = children.split_whitespace().next().expect("unshare has forked");
    assert_lock_is_found(child, &service.url());
}

/// The service is explained from within the network namespace of a process.
fn assert_lock_is_found(namespace_of: &str, url: &str) {
    let project = Project::new();
    let ((), explanation) = undisturbed(|| {
        let mut explain = launched(&["nsenter", "-t", namespace_of, "-n", env!("CARGO_BIN_EXE_plimsoll"), "explain"]);
        explain.arg(url).args(SHORT).current_dir(project.path("."));
        let found = explain.output().unwrap();
        assert_eq!(found.status.code(), Some(0), "{}", said(&found));
        ((), json(&project, "found.json")["explanations"][0].take())
    });
    assert_eq!((&explanation["limit"], &explanation["blind"]), (&"lock".into(), &Value::Null), "{explanation:#}");
    assert!(explanation["dumps"].as_u64() > Some(0), "{explanation:#}");
}

/// A machine in a namespace of its own, whose port 18080 leads to 8080 of a container.
const PUBLISHED: &str = "set -e
ip link set lo up
ip link add host0 type veth peer name box0
ip address add 10.214.0.1/30 dev host0
ip link set host0 up
$FOLDER/docker-proxy -proto tcp -host-ip 127.0.0.1 -host-port 18080 -container-ip 10.214.0.2 -container-port 8080 \
  >$FOLDER/proxy 2>&1 &
tries=0
until grep -q listening $FOLDER/proxy; do
  tries=$((tries + 1))
  [ $tries -lt 1200 ] || { cat $FOLDER/proxy; exit 1; }
  sleep 0.05
done
unshare -pfmn --mount-proc --kill-child sh -ec '
  eval \"$CONTAINED\"
  until ip address add 10.214.0.2/30 dev box0 2>/dev/null; do sleep 0.05; done
  ip link set box0 up
  exec java -Xmx64m -jar /tmp/locked.jar 8080 0.0.0.0
' &
while ip link show box0 >/dev/null 2>&1; do
  ip link set box0 netns $! || true
  sleep 0.05
done
wait
";

/// The path of the interpreter itself, which the kernel starts for a script.
fn python() -> Option<String> {
    let asked = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().ok()?;
    Some(String::from_utf8(asked.stdout).ok()?.trim().to_owned()).filter(|path| path.starts_with('/'))
}

#[test]
fn a_service_behind_a_port_that_docker_publishes_is_found_and_explained() {
    let Some(jar) = jar().filter(|_| can_be_root_with(&["unshare", "nsenter", "ip", "mount"])) else { return };
    let Some(python) = python() else { return };
    let directory = open_directory();
    let forward = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/explain/forward.py")).unwrap();
    let proxy = directory.path().join("docker-proxy");
    write_program(&proxy, &format!("#!{python}\n{forward}"));
    let mut machine = launched(&["unshare", "-pfn", "--kill-child", "sh", "-c", PUBLISHED]);
    machine.env("FOLDER", directory.path()).env("JAR", jar).env("CONTAINED", CONTAINED);
    let Some(service) = Locked::start_by(machine) else { return };
    assert_eq!(service.port, "8080");
    assert_lock_is_found(&service.java.id().to_string(), "http://127.0.0.1:18080/");
}
