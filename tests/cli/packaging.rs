//! Native images, as users meet them where something is missing or a build fails.

use std::{fs, os::unix::fs::symlink};

use crate::{
    plimsoll::{Finished, Project, write_program},
    target,
};

const FILE: &str = "variants:\n  jar: {subject: greetings-web}\n  image: {subject: greetings-web, packaging: native}\n  \
                    twin: {subject: greetings-web, packaging: native, limits: {memory: 1 GiB}}\n\
                    load: {model: shared-iterations, levels: [10]}\nrounds: 1\n\
                    claims:\n  - {says: It starts fast, claim: startup(image) < 100 ms}\n  \
                    - {says: And again, claim: startup(image) < 200 ms}\n";

/// A project with a JDK, a GraalVM and a Maven that does what the script says.
fn project(maven: &str) -> Project {
    let project = Project::new();
    project.write("x.yaml", FILE);
    for (home, programs) in [("jdk", &["javac", "java"][..]), ("graalvm", &["javac", "java", "native-image"])] {
        for name in programs {
            program(&project, &format!("{home}/bin/{name}"), "echo native-image 25.0.1 2025-10-21");
        }
        project.write(&format!("{home}/release"), "IMPLEMENTOR=\"Fake\"\nJAVA_VERSION=\"25.0.3\"\n");
    }
    program(&project, "maven/bin/mvn", maven);
    // Without jars that were built before.
    fs::create_dir(project.path("home")).unwrap();
    symlink(concat!(env!("CARGO_MANIFEST_DIR"), "/java"), project.path("home/java")).unwrap();
    project
}

fn program(project: &Project, path: &str, script: &str) {
    let file = project.path(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    write_program(&file, &format!("#!/bin/sh\n{script}\n"));
}

fn run(project: &Project, arguments: &[&str], graalvm: &str) -> Finished {
    let mut command = project.command(arguments);
    command.env("PLIMSOLL_JAVA_HOME", project.path("jdk")).env("GRAALVM_HOME", project.path(graalvm));
    command.env("MAVEN_HOME", project.path("maven")).env("PLIMSOLL_CACHE", project.path("cache"));
    command.env("PLIMSOLL_HOME", project.path("home"));
    Finished::from(command.output().unwrap())
}

#[test]
fn what_is_missing_is_told_by_check_and_before_anything_is_built() {
    let project = project("exit 1");
    let missing = format!("GRAALVM_HOME is {}, which has no bin/native-image", project.path("jdk").display());
    let check = run(&project, &["check", "x.yaml"], "jdk");
    assert_eq!(check.code, Some(0), "{check:#?}");
    assert!(
        check.stdout.contains(&format!("  here without image, twin: {missing}: install GraalVM or Mandrel")),
        "{check:#?}"
    );
    assert!(!run(&project, &["check", "x.yaml"], "graalvm").stdout.contains("here without"));

    let tried = run(&project, &["run", "x.yaml", "--format", "json"], "jdk");
    let (note, building) = (tried.stderr.find(&missing).unwrap(), tried.stderr.find("building greetings-web").unwrap());
    assert!(note < building, "{}", tried.stderr);
}

#[test]
fn a_failed_build_is_told_once_with_its_errors_and_its_log() {
    let project = project("printf '[\\033[1;31mERROR\\033[m] No plugin found for prefix x\\n'; seq 100; exit 1");
    let tried = run(&project, &["run", "x.yaml", "--only", "image", "--format", "markdown"], "graalvm");
    assert_eq!(tried.code, Some(2), "{tried:#?}");
    let log = fs::read_dir(project.path("cache/logs")).unwrap().next().unwrap().unwrap().path();
    assert_eq!(fs::read_to_string(&log).unwrap().lines().count(), 101);
    let note =
        format!("note: image: building greetings-web-native failed: {}", project.path("maven/bin/mvn").display());
    let named = format!("; the whole log is {}\n    [ERROR] No plugin found for prefix x\n", log.display());
    assert!(tried.stderr.contains(&note) && tried.stderr.contains(&named), "{}", tried.stderr);
    let shown = &tried.stdout;
    assert_eq!(shown.matches("No plugin found").count(), 0, "the note has it: {shown}");
    assert_eq!(shown.matches("the whole log is").count(), 1, "{shown}");
    assert_eq!(
        shown.matches("startup(image) was not measured: not built: building greetings-web-native failed").count(),
        2,
        "{shown}"
    );
    assert!(!shown.contains('\u{1b}'), "{shown}");
}

#[test]
fn a_variant_that_is_not_built_fails_the_run_beside_others() {
    let project = project("echo '[ERROR] no'; exit 1");
    let port = target::start();
    let file = format!(
        "variants:\n  main: {{url: \"http://127.0.0.1:{port}/\"}}\n  change: {{subject: greetings-web}}\n\
         load: {{model: shared-iterations, levels: [10]}}\nrounds: 1\n"
    );
    project.write("y.yaml", &file);
    let tried = run(&project, &["run", "y.yaml", "-o", "junit"], "graalvm");
    assert_eq!(tried.code, Some(1), "{tried:#?}");
    assert!(tried.stdout.contains("not built: building greetings-web"), "{}", tried.stdout);
    assert!(tried.stdout.contains("<failure"), "{}", tried.stdout);
}

#[test]
fn a_build_that_failed_is_not_tried_again_for_the_next_variant() {
    let project = project("echo '[ERROR] no'; echo built >> \"$PLIMSOLL_CACHE/count\"; exit 1");
    let tried = run(&project, &["run", "x.yaml", "--only", "image", "--only", "twin", "--format", "json"], "graalvm");
    assert_eq!(fs::read_to_string(project.path("cache/count")).unwrap(), "built\n");
    assert!(tried.stderr.contains("note: twin: skipped for the same reason"), "{}", tried.stderr);
    assert_eq!(tried.stderr.matches("[ERROR] no").count(), 1, "{}", tried.stderr);
}

#[test]
fn the_report_names_the_jdk_and_what_makes_images() {
    let project = project("exit 1");
    let tried = run(&project, &["run", "x.yaml", "--format", "markdown"], "graalvm");
    let named = "Fake 25.0.3, Spring Boot 4.";
    assert!(tried.stdout.contains(named), "{}", tried.stdout);
    assert!(tried.stdout.contains(", native images by native-image 25.0.1 (Fake 25.0.3)"), "{}", tried.stdout);
}
