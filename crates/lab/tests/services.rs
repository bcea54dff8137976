//! Launches services of the user's own: a jar that is made here, and one that runs already. Needs a JDK, and says so
//! where there is none.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, atomic::AtomicBool},
};

use crate::{
    jdk::toolchain,
    support::{
        HELPER,
        experiment::{level, of, variant},
    },
};
use plimsoll_drive::Here;
use plimsoll_lab::{
    Context, Event,
    artifact::Artifacts,
    experiment::{Experiment, Program},
    jdk::{Jdk, Jdks, Places, Toolchain},
    jvm::{Build, JarOrigin, Jvm, OwnService, Source},
    packaging::Packaging,
};
use plimsoll_record::{Environment, ExecutionData, Nanos, RunStatus, store::Store};

const SERVICE: &str = r#"
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;

public class Service {
    public static void main(String[] arguments) throws Exception {
        var port = Integer.getInteger("http.port");
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/", exchange -> {
            var isThere = exchange.getRequestURI().getPath().equals("/items");
            var body = arguments[0].getBytes();
            exchange.sendResponseHeaders(isThere ? 200 : 404, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }
}
"#;

/// Commands that make `service.jar` in the folder where they are run.
fn make(jdk: &Jdk, folder: &Path) {
    fs::write(folder.join("Service.java"), SERVICE).expect("written");
    let run = |program: &str, arguments: &[&str]| {
        let status = Command::new(jdk.program(program)).args(arguments).current_dir(folder).status();
        assert!(status.expect("it is part of a JDK").success(), "{program}");
    };
    run("javac", &["Service.java"]);
    run("jar", &["--create", "--file", "service.jar", "--main-class", "Service", "Service.class"]);
}

fn jvm(jar: JarOrigin, packaging: Packaging) -> Jvm {
    let service = OwnService {
        jar,
        threads: None,
        arguments: vec!["anchor".to_owned()],
        workdir: PathBuf::from("/"),
        port: None,
        request_path: "/items".to_owned(),
    };
    Jvm {
        source: Source::Service(service),
        jdk: None,
        packaging,
        spring_aot: false,
        jvm_flags: vec!["-Xmx64m".to_owned()],
        properties: [("http.port".to_owned(), "{port}".to_owned())].into(),
    }
}

/// One round of these programs, each loaded at `/items` for a second.
fn experiment(programs: Vec<Program>) -> Experiment {
    let variants = programs.into_iter().map(|program| {
        let url = "http://{host}:{port}/items".to_owned();
        plimsoll_lab::experiment::Variant {
            program,
            ready_url: None,
            url,
            ready_timeout: Nanos::from_secs(180),
            ..variant(Vec::new())
        }
    });
    of(variants.collect(), vec![level("short", 1)])
}

fn run(experiment: &Experiment, cache: &Path) -> (ExecutionData, Vec<Event>) {
    let mut store = Store::open(&cache.join("record.db")).expect("a record");
    let places = Places::from_environment();
    let artifacts = Artifacts::new(PathBuf::from("/nowhere"), cache.to_owned(), Toolchain::find(&places));
    let artifacts = artifacts.with_jdks(Jdks::find(&places));
    let context = Context {
        artifacts,
        environment: Environment::default(),
        generator: Arc::new(Here),
        exe: PathBuf::from(HELPER),
    };
    let mut events = Vec::new();
    let outcome = plimsoll_lab::run(experiment, &mut store, &context, &AtomicBool::new(false), &mut |event| {
        events.push(event);
    });
    let id = outcome.expect("it can be run").execution;
    (store.read(id).expect("it was just written"), events)
}

fn succeeded(data: &ExecutionData, run: usize) -> u64 {
    let levels = &data.runs[run].levels;
    levels.iter().flat_map(|level| &level.intervals).map(|interval| interval.counts.succeeded).sum()
}

#[test]
fn a_jar_is_launched_with_its_properties_trained_by_its_requests_and_described_in_the_record() {
    let Some(Toolchain { jdk, .. }) = toolchain() else { return };
    let folder = tempfile::tempdir().expect("a directory");
    make(&jdk, folder.path());
    let jar = folder.path().join("service.jar");
    let program = |packaging| Program::Jvm(jvm(JarOrigin::File(jar.clone()), packaging));
    let (data, events) = run(&experiment(vec![program(Packaging::Jar), program(Packaging::Cds)]), folder.path());

    for index in 0..2 {
        assert_eq!(data.runs[index].run.status, RunStatus::Done, "{:?}", data.runs[index].run.detail);
        assert!(data.runs[index].run.startup.is_some() && succeeded(&data, index) > 0);
    }
    let command = |index: usize| data.runs[index].run.command.clone().unwrap_or_default();
    assert!(
        command(0).contains("-Xmx64m -Dhttp.port=") && command(0).ends_with("service.jar anchor"),
        "{}",
        command(0)
    );
    assert!(command(1).contains("-XX:SharedArchiveFile="), "{}", command(1));
    let settings = &data.execution.plan.variants[0].settings;
    assert!(settings["jar"].starts_with("service.jar, ") && settings["jar"].contains(", sha-256 "), "{settings:?}");
    assert_eq!((settings["framework"].as_str(), &settings["jdk"]), ("plain Java", &jdk.description));
    assert_eq!(data.execution.environment.jdk.as_ref(), Some(&jdk.description));
    let is_trained = |event: &Event| matches!(event, Event::PreparationStep { variant: 1, step } if step.contains("classes come from the archive"));
    assert!(events.iter().any(is_trained), "{events:?}");
}

#[test]
fn a_build_is_run_once_and_each_revision_in_a_work_tree_of_its_own() {
    let Some(Toolchain { jdk, .. }) = toolchain() else { return };
    let folder = tempfile::tempdir().expect("a directory");
    let [source, cache] = ["source", "cache"].map(|name| folder.path().join(name));
    fs::create_dir_all(source.join("app")).expect("a folder");
    fs::create_dir(&cache).expect("a folder");
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@example.com"]).args(arguments).current_dir(&source);
        let output = command.output().expect("git");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("text").trim().to_owned()
    };
    git(&["init", "--quiet"]);
    let commit = |text: &str| {
        fs::write(source.join("app/Service.java"), SERVICE.replace("arguments[0]", &format!("\"{text}\""))).unwrap();
        git(&["add", "."]);
        git(&["commit", "--quiet", "--message", text]);
        git(&["rev-parse", "HEAD"])
    };
    let commits = [commit("old"), commit("a longer one")];
    let [javac, jar] = ["javac", "jar"].map(|name| jdk.program(name).display().to_string());
    let script = format!(
        "echo built >> {}/builds; {javac} Service.java && {jar} --create --file service-1.jar --main-class Service *.class",
        cache.display()
    );
    let program = |revision: Option<&str>| {
        let command = ["sh", "-c", &script].map(str::to_owned).to_vec();
        let (jar, revision) = (PathBuf::from("service-*.jar"), revision.map(str::to_owned));
        Program::Jvm(jvm(
            JarOrigin::Built(Build { command, folder: source.join("app"), jar, revision }),
            Packaging::Jar,
        ))
    };
    let revisions = vec![program(Some("HEAD~1")), program(Some("HEAD")), program(None), program(None)];
    let (data, _) = run(&experiment(revisions), &cache);

    for index in 0..4 {
        assert_eq!(data.runs[index].run.status, RunStatus::Done, "{:?}", data.runs[index].run.detail);
    }
    let settings = |index: usize| &data.execution.plan.variants[index].settings;
    assert_eq!([0, 1].map(|index| settings(index)["commit"].clone()), commits);
    assert_eq!(settings(2)["commit"], commits[1], "files that git does not know are no difference");
    assert_ne!(settings(0)["jar"], settings(1)["jar"]);
    let builds = || fs::read_to_string(cache.join("builds")).expect("written").lines().count();
    assert_eq!(builds(), 3, "two revisions, and the files as they are once for both variants");
    assert_eq!(git(&["worktree", "list"]).lines().count(), 1, "work trees are removed");
    run(&experiment(vec![program(Some("HEAD"))]), &cache);
    assert_eq!(builds(), 3, "a revision that was built is kept");
}

#[test]
fn a_build_that_fails_shows_its_output_and_a_revision_that_is_not_there_is_known_before() {
    let folder = tempfile::tempdir().expect("a directory");
    let build = |revision: Option<&str>| Build {
        command: ["sh", "-c", "echo '[ERROR] no such symbol'; exit 1"].map(str::to_owned).to_vec(),
        folder: folder.path().to_owned(),
        jar: PathBuf::from("target/app.jar"),
        revision: revision.map(str::to_owned),
    };
    let of = |revision| experiment(vec![Program::Jvm(jvm(JarOrigin::Built(build(revision)), Packaging::Jar))]);
    let Some(_) = toolchain() else { return };
    let (data, events) = run(&of(None), folder.path());
    assert_eq!(data.runs[0].run.status, RunStatus::BuildFailed);
    let detail = data.runs[0].run.detail.clone().unwrap_or_default();
    assert!(detail.contains("failed: sh ended with exit status: 1; the whole log is "), "{detail}");
    let telling = events.iter().find_map(|event| match event {
        Event::Skipped { telling, .. } => Some(telling.clone()),
        _ => None,
    });
    assert_eq!(telling.expect("it was skipped"), ["[ERROR] no such symbol"]);
    let error = plimsoll_lab::check(&of(Some("main"))).expect_err("no repository").to_string();
    assert!(error.contains("`revision: main` needs a git repository"), "{error}");
}

#[test]
fn a_jar_that_is_not_there_or_does_not_fit_is_known_before_anything_is_launched() {
    let folder = tempfile::tempdir().expect("a directory");
    let jar = folder.path().join("none.jar");
    let missing = experiment(vec![Program::Jvm(jvm(JarOrigin::File(jar.clone()), Packaging::Jar))]);
    let error = plimsoll_lab::check(&missing).expect_err("no jar").to_string();
    assert!(error.starts_with(&format!("variant `v0`: `jar` is not there: {}: build it", jar.display())), "{error}");
    let Some(Toolchain { jdk, .. }) = toolchain() else { return };
    make(&jdk, folder.path());
    let jar = JarOrigin::File(folder.path().join("service.jar"));
    let untold = Jvm { properties: Default::default(), ..jvm(jar.clone(), Packaging::Jar) };
    let error = plimsoll_lab::check(&experiment(vec![Program::Jvm(untold)])).expect_err("no port").to_string();
    assert!(error.contains("nothing tells the program its port"), "{error}");
    let error = plimsoll_lab::check(&experiment(vec![Program::Jvm(jvm(jar, Packaging::Extracted))]));
    assert!(error.expect_err("no nested jars").to_string().contains("is Spring Boot's"));
}

#[test]
fn a_service_that_runs_is_watched_and_not_ended() {
    let port = plimsoll_lab::port::free().expect("a port");
    let mut service =
        Command::new(HELPER).args(["serve", &port.to_string()]).spawn().expect("the helper is a server, too");
    let mut there = experiment(vec![Program::Running]);
    there.variants[0].url = format!("http://127.0.0.1:{port}/");
    there.plan.variants[0].url.clone_from(&there.variants[0].url);
    there.plan.rounds = 2;
    let folder = tempfile::tempdir().expect("a directory");
    let (data, _) = run(&there, folder.path());
    let is_there = service.try_wait().expect("ours").is_none();
    service.kill().expect("ours");
    service.wait().expect("ours");

    assert!(is_there, "it is not ended");
    assert_eq!(data.runs.len(), 2);
    for (index, run) in data.runs.iter().enumerate() {
        assert_eq!((run.run.status, run.run.startup), (RunStatus::Done, None), "{:?}", run.run.detail);
        assert!(succeeded(&data, index) > 0);
        assert!(
            run.samples.iter().any(|sample| sample.metric == "rss_bytes"),
            "its memory is watched: {:?}",
            run.samples.first()
        );
    }
}
