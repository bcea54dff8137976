//! Prepares and launches a real subject: needs a JDK and Maven, and says so where they are missing.

mod jdk;

use std::{
    cell::Cell,
    collections::BTreeMap,
    io::{Read, Write},
    net::{Ipv4Addr, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use plimsoll_record::Nanos;

use plimsoll_lab::{
    Placeholders,
    artifact::{Around, Artifact, Artifacts, Beside, PrepareError, Training},
    experiment::{Limits, Program},
    jdk::{Places, Toolchain},
    jvm::Jvm,
    packaging::Packaging,
    port,
};

const READY_AT_MOST: Duration = Duration::from_secs(120);

fn limits() -> Limits {
    Limits { memory_bytes: Some(1 << 30), cpus: Some(2.0), files: None }
}

fn greetings_web(packaging: Packaging) -> Program {
    Program::Jvm(Jvm {
        properties: BTreeMap::from([("greetings.wait".to_owned(), "10ms".to_owned())]),
        ..Jvm::of_subject("greetings-web", packaging)
    })
}

/// None, and a word about it, where something is not installed.
fn toolchain() -> Option<Toolchain> {
    let found = jdk::toolchain()?;
    if found.maven.is_none() {
        println!("skipped: Maven is not installed");
        return None;
    }
    Some(found)
}

fn artifacts(toolchain: Toolchain, cache: &Path) -> Artifacts {
    let java_dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../java");
    Artifacts::new(java_dir, cache.to_owned(), Ok(toolchain))
}

/// A launched program that ends with the test, however that ends.
struct Launched(Child);

impl Drop for Launched {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Launches the artifact and returns what it answers to `/greetings`.
fn greeting_of(artifact: &Artifact) -> String {
    let port = port::free().expect("a free port");
    let command_line = artifact.command_line(&Placeholders::of_target("127.0.0.1", port));
    let mut command = Command::new(&command_line.argv[0]);
    command.args(&command_line.argv[1..]).current_dir(&command_line.workdir).stdout(Stdio::null());
    let mut launched = Launched(command.spawn().unwrap());
    let started = Instant::now();
    while !get(port, "/ready").is_some_and(|response| response.starts_with("HTTP/1.1 200")) {
        assert_eq!(launched.0.try_wait().unwrap(), None, "it ended: {command_line:?}");
        assert!(started.elapsed() < READY_AT_MOST, "not ready: {command_line:?}");
        thread::sleep(Duration::from_millis(20));
    }
    get(port, "/greetings?name=plimsoll").unwrap()
}

fn get(port: u16, path: &str) -> Option<String> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).ok()?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").ok()?;
    let mut response = String::new();
    stream.read_to_string(&mut response).ok()?;
    Some(response)
}

fn made_in(cache: &Path) -> Vec<PathBuf> {
    let mut made: Vec<_> = cache.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    made.sort();
    made
}

/// One after the other, so that Maven builds the subject once for both.
#[test]
#[ignore = "slow: `./test slow`"]
fn a_subject_is_built_archived_and_launched() {
    let Some(toolchain) = toolchain() else { return };
    let cache = tempfile::tempdir().unwrap();
    let artifacts = artifacts(toolchain, cache.path());
    assert_each_is_made_once(&artifacts, cache.path());
    assert_what_a_program_names_is_beside_it_when_its_archive_is_trained(&artifacts);
}

fn assert_each_is_made_once(artifacts: &Artifacts, cache: &Path) {
    for packaging in [Packaging::Jar, Packaging::Cds] {
        let mut said = Vec::new();
        let artifact = artifacts
            .prepare(&greetings_web(packaging), &limits(), Around::default(), &mut |it| said.push(format!("{it:?}")))
            .unwrap_or_else(|error| panic!("{packaging:?}: {error}"));
        assert!(!said.is_empty(), "what takes long is announced");
        let response = greeting_of(&artifact);
        assert!(response.starts_with("HTTP/1.1 200") && response.ends_with(", plimsoll!"), "{packaging:?}: {response}");

        let made = made_in(cache);
        let mut said_again = Vec::new();
        assert!(artifact.making().is_some_and(|making| making.cpu > Nanos::ZERO), "its cost is known");
        let again = artifacts.prepare(&greetings_web(packaging), &limits(), Around::default(), &mut |it| {
            said_again.push(format!("{it:?}"))
        });
        assert_eq!((again, said_again), (Ok(artifact), Vec::new()));
        assert_eq!(made_in(cache), made);
    }
}

/// Counts how often it had to be there.
struct Counted(Cell<u32>);

impl Beside for Counted {
    fn key(&self) -> String {
        "counted".to_owned()
    }

    fn during(&self, train: Training) -> Result<(), PrepareError> {
        self.0.set(self.0.get() + 1);
        train(&Placeholders::samples())
    }
}

fn assert_what_a_program_names_is_beside_it_when_its_archive_is_trained(artifacts: &Artifacts) {
    let beside = Counted(Cell::new(0));
    let prepare = |wait: &str, text: &str| {
        let mut program = greetings_web(Packaging::Cds);
        let Program::Jvm(Jvm { properties, .. }) = &mut program else { unreachable!() };
        properties.insert("greetings.wait".to_owned(), wait.to_owned());
        properties.insert("a.text".to_owned(), text.to_owned());
        artifacts
            .prepare(&program, &limits(), Around { beside: Some(&beside), ..Around::default() }, &mut |_| {})
            .unwrap();
        beside.0.get()
    };
    assert_eq!(prepare("10ms", "upstream"), 0);
    // Its properties are read: one that is not filled in would be no duration.
    assert_eq!(prepare("{upstream-port}ms", ""), 1);
    assert_eq!(prepare("{upstream-port}ms", ""), 1, "it is there already");
}

#[test]
fn without_a_jdk_subjects_are_unavailable_but_commands_are_not() {
    let cache = tempfile::tempdir().unwrap();
    let none = Toolchain::find(&Places::default());
    assert!(none.is_err());
    let artifacts = Artifacts::new(PathBuf::from("java"), cache.path().to_owned(), none);
    let error =
        artifacts.prepare(&greetings_web(Packaging::Jar), &limits(), Around::default(), &mut |_| {}).unwrap_err();
    assert!(matches!(&error, PrepareError::Unavailable(text) if text.contains("install JDK 25")), "{error}");

    let argv = ["serve", "--port={port}"].map(str::to_owned).to_vec();
    let command = Program::Command { argv, workdir: PathBuf::from("/srv"), port: None };
    let command_line = artifacts
        .prepare(&command, &limits(), Around::default(), &mut |_| {})
        .unwrap()
        .command_line(&Placeholders::of_target("127.0.0.1", 8080));
    assert_eq!(command_line.argv, ["serve", "--port=8080"]);
    assert_eq!(command_line.workdir, Path::new("/srv"));
}
