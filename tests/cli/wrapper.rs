//! The wrapper script: what it builds, what it installs, and when it asks.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::{checkout::Checkout, plimsoll::write_program};

const INSTALL: [&str; 4] = [
    "apt-get update -qq",
    "apt-get install -y --no-install-recommends rustup gcc libc6-dev",
    "rustup toolchain install stable --profile minimal",
    "rustup default",
];

fn without_rust_and_gcc() -> Checkout {
    Checkout::bare().debian(&["gcc", "rustup"])
}

#[test]
fn the_program_is_built_once_and_again_when_its_sources_are_newer() {
    let checkout = Checkout::complete();
    let first = checkout.run(&["list", "--all"]);
    assert_eq!((first.code, first.stdout.as_str()), (Some(0), "plimsoll list --all\n"), "{first:#?}");
    first.assert_says(&["building Plimsoll: the first time takes about "]);
    assert_eq!(checkout.calls().len(), 1, "{:?}", checkout.calls());
    let second = checkout.run(&["list"]);
    assert_eq!((second.stdout.as_str(), second.stderr.as_str()), ("plimsoll list\n", ""));
    let future = fs::File::options().write(true).open(checkout.path("src/main.rs")).unwrap();
    future.set_modified(std::time::SystemTime::now() + Duration::from_secs(60)).unwrap();
    checkout.run(&["list"]).assert_says(&["building Plimsoll: takes about "]);
}

#[test]
fn a_published_archive_builds_nothing() {
    let checkout = Checkout::complete();
    fs::create_dir_all(checkout.path("bin")).unwrap();
    write_program(&checkout.path("bin/plimsoll"), "#!/bin/sh\necho \"published $*\"\n");
    let run = checkout.run(&["run", "experiment.yaml"]);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("published run experiment.yaml\n", ""));
    assert_eq!(checkout.calls(), [""; 0]);
}

#[test]
fn without_a_terminal_root_has_installed_what_is_missing() {
    let checkout = without_rust_and_gcc();
    let run = checkout.run(&["list"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "plimsoll list\n"), "{run:#?}");
    run.assert_says(&[
        "Rust 1.93 or newer, which builds Plimsoll",
        "a C compiler",
        &format!("running: {}", INSTALL[1]),
    ]);
    assert_eq!(checkout.calls()[..4], INSTALL);
}

#[test]
fn on_a_terminal_it_asks_once_for_all() {
    let checkout = without_rust_and_gcc();
    let run = checkout.run_on_terminal("run experiment.yaml", "y\n");
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert_eq!(run.stdout.matches("[y/N]").count(), 1, "{run:#?}");
    assert!(run.stdout.contains("plimsoll run experiment.yaml"), "{run:#?}");
    let installed = "apt-get install -y --no-install-recommends rustup gcc libc6-dev maven";
    assert_eq!(checkout.calls()[..4], [INSTALL[0], installed, INSTALL[2], INSTALL[3]]);
}

#[test]
fn whoever_declines_gets_the_commands_and_an_untouched_machine() {
    for answer in ["n\n", "\n", "what?\n"] {
        let checkout = without_rust_and_gcc();
        let run = checkout.run_on_terminal("list", answer);
        assert_eq!(run.code, Some(2), "{run:#?}");
        assert_eq!(run.stdout.matches("[y/N]").count(), 1, "{run:#?}");
        assert!(run.stdout.contains("help: run\r\n    apt-get update\r\n    apt-get install -y "), "{run:#?}");
        assert_eq!(checkout.calls(), [""; 0]);
    }
}

#[test]
fn with_install_nothing_is_asked() {
    let checkout = without_rust_and_gcc();
    let run = checkout.run_on_terminal("--install list", "");
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.stdout.ends_with("plimsoll list\r\n") && !run.stdout.contains("[y/N]"), "{run:#?}");
    assert_eq!(checkout.calls()[..4], INSTALL);
}

#[test]
fn who_is_not_root_is_told_the_exact_commands() {
    let checkout = without_rust_and_gcc();
    checkout.tool("id", "echo 1000");
    let run = checkout.run(&["list"]);
    run.assert_refused(&[
        "sudo apt-get install -y --no-install-recommends rustup gcc libc6-dev\n    rustup toolchain install",
    ]);
    assert_eq!(checkout.calls(), [""; 0]);
}

#[test]
fn a_system_without_known_packages_is_told_where_to_look() {
    let checkout = Checkout::complete();
    fs::remove_file(checkout.path("tools/cc")).unwrap();
    fs::remove_file(checkout.path("tools/mvn")).unwrap();
    let run = checkout.run(&["run", "experiment.yaml"]);
    run.assert_refused(&["Fedora: dnf install gcc", "sdk install maven"]);
}

#[test]
fn a_cargo_that_is_too_old_is_named() {
    let checkout = without_rust_and_gcc();
    checkout.tool("id", "echo 1000");
    checkout.tool("cargo", "echo 'cargo 1.85.0'");
    let old = format!("Rust 1.93 or newer, which builds Plimsoll ({} is 1.85)", checkout.path("tools/cargo").display());
    checkout.run(&["list"]).assert_refused(&[&old]);
}

#[test]
fn an_installation_that_fails_shows_its_last_lines() {
    let checkout = without_rust_and_gcc();
    checkout.tool("apt-get", "echo 'E: no space left'; exit 100");
    let run = checkout.run(&["list"]);
    run.assert_refused(&["  failed; the last lines of ", "  | E: no space left", "help: run\n    apt-get update"]);
}

#[test]
fn subjects_are_built_beside_the_program_from_a_copy_without_tests() {
    let checkout = Checkout::complete();
    let run = checkout.run(&["run", "experiment.yaml"]);
    assert_eq!(run.stdout, "plimsoll run experiment.yaml\n", "{run:#?}");
    let subjects = checkout.path("target/subjects");
    assert_eq!(fs::read_to_string(subjects.join("greetings-web.jar")).unwrap(), "jar\n");
    let source = subjects.join("source/subjects/greetings-web");
    assert!(source.join("src/main/java/App.java").is_file());
    assert!(!source.join("src/test").exists() && !source.join("target").exists());
    assert!(checkout.calls().iter().any(|call| call.starts_with("mvn ") && call.contains("subjects/greetings-web")));

    // They are there when only Rust's sources have changed.
    fs::remove_dir_all(checkout.path("target/quick")).unwrap();
    checkout.forget_calls();
    checkout.run(&["run", "experiment.yaml"]);
    assert_eq!(checkout.calls().len(), 1, "{:?}", checkout.calls());
}

#[test]
fn a_failure_of_maven_names_its_log_and_leaves_the_rest_to_the_run() {
    let checkout = Checkout::complete();
    checkout.tool("mvn", "echo '[ERROR] offline'; exit 1");
    let run = checkout.run(&["run", "experiment.yaml"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "plimsoll run experiment.yaml\n"), "{run:#?}");
    run.assert_says(&["target/subjects.log:\n  | [ERROR] offline"]);
    assert!(!checkout.path("target/subjects").exists());
}

#[test]
fn a_build_that_fails_shows_why_without_its_progress_bar() {
    let checkout = Checkout::complete();
    let build = r#"printf '   Building [=>   ] 1/3: libc\r   Building [==>  ] 2/3: libc\rerror: cannot find type\n' >&2; exit 101"#;
    checkout.tool("cargo", &format!("case $1 in --version) echo 'cargo 1.99.0' ;; *) {build} ;; esac"));
    let run = checkout.run(&["list"]);
    run.assert_refused(&["error: cannot find type\n", "the build failed, see above"]);
    assert!(!run.stderr.contains("Building ["), "{}", run.stderr);
}

/// A cargo and a Maven that tell their process and go on until there is a file `go`, or no longer the folder of a test
/// that failed.
fn slow() -> Checkout {
    let checkout = Checkout::complete();
    let wait = "while [ -d \"$HOME\" ] && [ ! -f \"$HOME/go\" ]; do sleep 0.05; done";
    let build = format!("printf '  Building [=>   ] 12/34: libc\\r' >&2; echo $$ >\"$HOME/cargo.pid\"; {wait}; exit 1");
    checkout.tool("cargo", &format!("case $1 in --version) echo 'cargo 1.99.0' ;; *) {build} ;; esac"));
    checkout.tool("mvn", &format!("echo $$ >\"$HOME/mvn.pid\"; {wait}"));
    checkout
}

fn started(checkout: &Checkout) -> Child {
    let mut command = checkout.command(&["run", "experiment.yaml"]);
    command.env("PLIMSOLL_TELL_EACH", "0.1").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn without_a_terminal_progress_is_told_in_lines() {
    let checkout = slow();
    let mut child = started(&checkout);
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    // The first may come before Cargo says how far it is.
    let told = lines.find(|line| line.ends_with("12 of 34 crates and build steps"));
    checkout.write("go", "");
    assert!(told.as_deref().is_some_and(|line| line.contains("after ")), "{told:?}");
    assert_eq!(child.wait().unwrap().code(), Some(2), "this cargo builds nothing");
}

#[test]
fn an_interrupt_ends_both_builds() {
    let checkout = slow();
    let mut child = started(&checkout);
    let process = |name: &str| fs::read_to_string(checkout.path(name)).ok().filter(|text| text.ends_with('\n'));
    until(|| process("cargo.pid").is_some() && process("mvn.pid").is_some());
    let both = [process("cargo.pid").unwrap(), process("mvn.pid").unwrap()];
    let wrapper = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(wrapper, rustix::process::Signal::INT).unwrap();
    let mut status = None;
    until(|| {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    assert_eq!(status.unwrap().code(), Some(130));
    until(|| both.iter().all(|pid| !is_alive(pid.trim())));
    // Nothing is left that could still write.
    let mut rest = String::new();
    child.stderr.take().unwrap().read_to_string(&mut rest).unwrap();
}

/// Its target directory may be another checkout's, too.
#[test]
fn a_program_of_another_checkout_is_not_run() {
    let checkout = Checkout::complete();
    checkout.run(&["list"]);
    checkout.write("target/quick/plimsoll.of", "/another/checkout\n");
    checkout.run(&["list"]).assert_says(&["building Plimsoll: takes about "]);
}

/// A name that other packages only provide: Debian 12 has no rustup.
#[test]
fn a_virtual_package_is_none() {
    let checkout = Checkout::bare().debian(&["gcc"]);
    checkout.tool("apt-cache", "[ \"$2\" = rustup ] || grep -x \"$2\" \"$HOME/packages\"");
    checkout.tool("id", "echo 1000");
    let run = checkout.run(&["list"]);
    run.assert_refused(&[
        "sudo apt-get install -y --no-install-recommends curl ca-certificates gcc libc6-dev\n",
        "sh.rustup.rs",
    ]);
}

fn is_alive(pid: &str) -> bool {
    let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !state.is_empty() && !state.contains(") Z ")
}

fn until(mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it did not happen within a minute");
        thread::sleep(Duration::from_millis(10));
    }
}
