//! `plimsoll init` on services of the user's own, and running the experiments that it writes. A jar is made here: it
//! needs a JDK, and says so where there is none.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use plimsoll_lab::jdk::{Jdk, Toolchain};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::{jdk::toolchain, plimsoll::Project, target};

/// It has the manifest of a service by Helidon, whose port is told by `server.port`, and none of its classes.
const SERVICE: &str = r#"
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;

public class Service {
    static final String DOCUMENT = """
        {"openapi": "3.0.3", "info": {"title": "shop", "version": "1"}, "paths": {
         "/items": {"get": {}}, "/gone": {"get": {}}, "/items/{id}": {"get": {"parameters": [
         {"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}, "example": 7}]}}}}""";

    public static void main(String[] arguments) throws Exception {
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.getInteger("server.port")), 0);
        server.createContext("/", exchange -> {
            var path = exchange.getRequestURI().getPath();
            var body = (path.equals("/openapi") ? DOCUMENT : "[]").getBytes();
            exchange.sendResponseHeaders(path.equals("/openapi") || path.startsWith("/items") ? 200 : 404, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }
}
"#;

/// Makes `target/shop-1.0.jar` in a folder, as a build does.
fn build(jdk: &Jdk, folder: &Path) {
    build_of(jdk, folder, SERVICE, "Class-Path: libs/helidon-webserver-4.2.0.jar\n");
}

fn build_of(jdk: &Jdk, folder: &Path, source: &str, manifest: &str) {
    fs::create_dir(folder.join("target")).unwrap();
    fs::write(folder.join("Service.java"), source).unwrap();
    fs::write(folder.join("manifest"), format!("Main-Class: Service\n{manifest}")).unwrap();
    let run = |program: &str, arguments: &[&str]| {
        let status = Command::new(jdk.program(program)).args(arguments).current_dir(folder).status().unwrap();
        assert!(status.success(), "{program}");
    };
    run("javac", &["Service.java"]);
    run("jar", &["--create", "--file", "target/shop-1.0.jar", "--manifest", "manifest", "Service.class"]);
}

#[test]
fn a_folder_with_a_jar_becomes_an_experiment_that_runs_as_it_stands() {
    let Some(Toolchain { jdk, .. }) = toolchain() else { return };
    let project = Project::new();
    build(&jdk, &project.path(""));
    let init = project.run(&["init"]);
    assert_eq!(init.code, Some(0), "{init:#?}");
    init.assert_says(&["Helidon 4.2.0 on ", "2 paths to load, told by /openapi", "plimsoll run plimsoll.yaml"]);
    let text = fs::read_to_string(project.path("plimsoll.yaml")).unwrap();
    for line in ["  jar: target/shop-1.0.jar", "  - {path: /items, weight: 1}", "  - {path: /items/7, weight: 1}"] {
        assert!(text.lines().any(|found| found == line), "expected `{line}` in:\n{text}");
    }
    assert!(text.contains("#   {path: /gone}  # it answered 404"), "{text}");

    let check = project.run(&["check", "plimsoll.yaml"]);
    assert_eq!(check.code, Some(0), "{check:#?}");
    for said in [
        "6 runs, 90.0 s of load in all, and their start-up times",
        "Helidon 4.2.0 on ",
        "-Dserver.port={port}",
        "target/shop-1.0.jar",
    ] {
        assert!(check.stdout.contains(said), "expected `{said}` in:\n{}", check.stdout);
    }

    fs::create_dir(project.path("lab")).unwrap();
    assert_eq!(project.run(&["init", "-o", "lab/shop.yaml"]).code, Some(0));
    let elsewhere = fs::read_to_string(project.path("lab/shop.yaml")).unwrap();
    let here = format!("  workdir: {}", fs::canonicalize(project.path("")).unwrap().display());
    assert!(elsewhere.lines().any(|line| line == here), "expected `{here}` in:\n{elsewhere}");
    assert_eq!(project.run(&["check", "lab/shop.yaml"]).code, Some(0));

    let short = text.replace("duration: 10s", "duration: 1s").replace("duration: 5s", "duration: 1s");
    project.write("plimsoll.yaml", &short);
    let run = project.run(&["run", "plimsoll.yaml", "--only", "jar", "--rounds", "1"]);
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.stdout.contains("· complete") && run.stdout.contains("Start-up"), "{}", run.stdout);
}

#[test]
#[ignore = "slow: `./test slow`"]
fn a_jar_of_no_known_framework_is_told_its_port_as_it_was_found_to_take_it() {
    let Some(Toolchain { jdk, .. }) = toolchain() else { return };
    let of = |port: &str| {
        let project = Project::new();
        build_of(&jdk, &project.path(""), &SERVICE.replace("Integer.getInteger(\"server.port\")", port), "");
        let init = project.run(&["init", "target/shop-1.0.jar"]);
        assert_eq!(init.code, Some(0), "{init:#?}");
        init.assert_says(&["plain Java on ", "2 paths to load, told by /openapi"]);
        assert_eq!(project.run(&["check", "plimsoll.yaml"]).code, Some(0));
        fs::read_to_string(project.path("plimsoll.yaml")).unwrap()
    };
    let told = of("Integer.parseInt(System.getenv(\"PORT\"))");
    assert!(told.contains("\n  env: {PORT: \"{port}\"}"), "{told}");
    // The kernel chooses the one that it listens on.
    let own = of("0");
    let port = own.lines().find_map(|line| line.strip_prefix("  port: ")?.split(' ').next()?.parse::<u16>().ok());
    assert!(port.is_some_and(|port| port > 0), "{own}");
}

/// Its jar is built as its author would. A minute of Maven and of launches: part of `./test slow`.
#[test]
#[ignore = "slow: `./test slow`"]
fn a_service_of_spring_petclinics_shape_is_loaded_by_the_actuators_mappings() {
    let Toolchain { jdk, maven, .. } = toolchain().expect("a JDK");
    let java = concat!(env!("CARGO_MANIFEST_DIR"), "/java");
    let build = Command::new(maven.expect("Maven"))
        .args(["-q", "-f", java, "-pl", "clinic", "-DskipTests", "package"])
        .env("JAVA_HOME", &jdk.home)
        .status();
    assert!(build.unwrap().success());

    let project = Project::new();
    let init = project.run(&["init", &format!("{java}/clinic/target/clinic.jar")]);
    assert_eq!(init.code, Some(0), "{init:#?}");
    init.assert_says(&["Spring Boot 4.", "2 variants: platform, virtual; 3 paths to load, told by /actuator/mappings"]);
    let text = fs::read_to_string(project.path("plimsoll.yaml")).unwrap();
    for path in ["/owners", "/owners/1", "/vets"] {
        assert!(text.contains(&format!("  - {{path: {path}, weight: 1}}\n")), "expected `{path}` in:\n{text}");
    }
    assert!(text.contains("#   {path: /oups}  # it answered 500"), "{text}");

    let run = project.run(&["run", "plimsoll.yaml", "--rounds", "1", "--format", "json"]);
    assert_eq!(run.code, Some(0), "{run:#?}");
    let told: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let variants = told["variants"].as_array().expect("variants");
    assert_eq!(variants.len(), 2, "{told:#}");
}

/// The service, whose server is made by these lines.
fn with_server(made: &str) -> String {
    let usual =
        "var server = HttpServer.create(new InetSocketAddress(\"127.0.0.1\", Integer.getInteger(\"server.port\")), 0);";
    assert!(SERVICE.contains(usual));
    SERVICE.replace(usual, made)
}

const BY_TLS: &str = r#"
        var store = java.security.KeyStore.getInstance(new java.io.File("keys.p12"), "changeit".toCharArray());
        var keys = javax.net.ssl.KeyManagerFactory.getInstance("PKIX");
        keys.init(store, "changeit".toCharArray());
        var tls = javax.net.ssl.SSLContext.getInstance("TLS");
        tls.init(keys.getKeyManagers(), null, null);
        var address = new InetSocketAddress("127.0.0.1", Integer.parseInt(System.getenv("PORT")));
        var server = com.sun.net.httpserver.HttpsServer.create(address, 0);
        server.setHttpsConfigurator(new com.sun.net.httpserver.HttpsConfigurator(tls));
"#;

#[test]
#[ignore = "slow: `./test slow`"]
fn a_service_by_tls_is_found_loaded_and_asked_whether_it_is_ready() {
    let Some(Toolchain { jdk, .. }) = toolchain() else { return };
    let project = Project::new();
    let keys = "-genkeypair -alias shop -keyalg EC -dname CN=shop -validity 2 -storepass changeit -keystore keys.p12";
    let keytool = Command::new(jdk.program("keytool")).args(keys.split(' ')).current_dir(project.path("")).output();
    assert!(keytool.unwrap().status.success());
    build_of(&jdk, &project.path(""), &with_server(BY_TLS), "");
    let init = project.run(&["init", "target/shop-1.0.jar"]);
    assert_eq!(init.code, Some(0), "{init:#?}");
    init.assert_says(&["2 paths to load, told by /openapi"]);
    let text = fs::read_to_string(project.path("plimsoll.yaml")).unwrap();
    for line in ["  env: {PORT: \"{port}\"}", "  url: \"https://{host}:{port}/\"", "connection: {insecure: true}"] {
        assert!(text.lines().any(|found| found.starts_with(line)), "expected `{line}` in:\n{text}");
    }
    let short = text.replace("duration: 10s", "duration: 1s").replace("duration: 5s", "duration: 1s");
    project.write("plimsoll.yaml", &short);
    let run = project.run(&["run", "plimsoll.yaml", "--only", "jar", "--rounds", "1"]);
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.stdout.contains("· complete") && !run.stdout.contains("Errors by kind"), "{}", run.stdout);
}

#[test]
#[ignore = "slow: `./test slow`"]
fn a_service_at_ipv6s_loopback_is_loaded_there() {
    let Some(Toolchain { jdk, .. }) = toolchain() else { return };
    if std::net::TcpListener::bind("[::1]:0").is_err() {
        eprintln!("skipped: this machine has no loopback of IPv6");
        return;
    }
    let project = Project::new();
    let made =
        "var server = HttpServer.create(new InetSocketAddress(\"::1\", Integer.parseInt(System.getenv(\"PORT\"))), 0);";
    build_of(&jdk, &project.path(""), &with_server(made), "");
    assert_eq!(project.run(&["init", "target/shop-1.0.jar"]).code, Some(0));
    let text = fs::read_to_string(project.path("plimsoll.yaml")).unwrap();
    assert!(text.contains("\n  url: \"http://[::1]:{port}/\"  # it answers there\n"), "{text}");
    let short = text.replace("duration: 10s", "duration: 1s").replace("duration: 5s", "duration: 1s");
    project.write("plimsoll.yaml", &short);
    let run = project.run(&["run", "plimsoll.yaml", "--only", "jar", "--rounds", "1"]);
    assert_eq!(run.code, Some(0), "{run:#?}");
}

#[test]
fn an_interrupted_init_writes_no_file() {
    let Some(Toolchain { jdk, .. }) = toolchain() else { return };
    let project = Project::new();
    let silent = "public class Service { public static void main(String[] arguments) throws Exception { \
                  java.nio.file.Files.createFile(java.nio.file.Path.of(\"started\")); Thread.sleep(600_000); } }";
    build_of(&jdk, &project.path(""), silent, "");
    let child = project.command(&["init"]).stderr(Stdio::piped()).spawn().unwrap();
    let has_started = (0..1_200).any(|_| {
        thread::sleep(Duration::from_millis(50));
        project.path("started").exists()
    });
    assert!(has_started, "the service was not launched");
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("no file was written"), "{output:?}");
    assert!(!project.path("plimsoll.yaml").exists());
}

#[test]
fn a_file_that_is_there_is_replaced_only_when_that_is_asked_for() {
    let project = Project::new();
    project.write("plimsoll.yaml", "mine");
    let url = format!("http://127.0.0.1:{}/", target::start());
    let init = project.run(&["init", &url]);
    init.assert_refused(&["plimsoll.yaml is there already", "-o FILE", "--force"]);
    assert_eq!(fs::read_to_string(project.path("plimsoll.yaml")).unwrap(), "mine");
    assert_eq!(project.run(&["init", &url, "--force"]).code, Some(0));
    let forced = fs::read_to_string(project.path("plimsoll.yaml")).unwrap();
    let printed = project.run(&["init", &url, "-o", "-"]);
    assert_eq!((printed.code, printed.stdout), (Some(0), forced));
    project.run(&["init", &url, "-o", "none/x.yaml"]).assert_refused(&["none/x.yaml: there is no such folder"]);
}

#[test]
fn a_service_that_is_not_there_is_said_to_be_so() {
    let project = Project::new();
    project.run(&["init", "http://127.0.0.1:9/"]).assert_refused(&["http://127.0.0.1:9/ does not answer"]);
    project.run(&["init"]).assert_refused(&["has no jar that can be started"]);
    project.write("notes.jar", "no zip");
    project.run(&["init", "notes.jar"]).assert_refused(&["notes.jar is no jar: expected a zip archive"]);
    assert!(!project.path("plimsoll.yaml").exists());
}

#[test]
fn two_services_that_run_are_compared_without_start_up_figures() {
    let project = Project::new();
    let variants: String =
        ["one", "other"].map(|name| format!("  {name}: {{url: \"http://127.0.0.1:{}/\"}}\n", target::start())).concat();
    project.write(
        "two.yaml",
        &format!("variants:\n{variants}load: {{model: shared-iterations, levels: [20]}}\nrounds: 3\n"),
    );
    let check = project.run(&["check", "two.yaml"]);
    assert!(check.stdout.contains("one: runs already at http://127.0.0.1:"), "{check:#?}");
    let run = project.run(&["run", "two.yaml"]);
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.stdout.contains("6 of 6 runs done"), "{}", run.stdout);
    assert!(!run.stdout.contains("Start-up ÷"), "nobody started them here:\n{}", run.stdout);
    let json = project.run(&["report", "--format", "json"]).stdout;
    assert!(json.contains("\"startup") && !json.contains("\"startup_s\":0"), "absent, not zero:\n{json}");
}

#[test]
fn a_jar_that_is_missing_is_an_error_at_check() {
    let project = Project::new();
    project.write(
        "mine.yaml",
        "variants:\n  shop: {jar: target/shop.jar}\nload: {model: shared-iterations, levels: [20]}\n",
    );
    let check = project.run(&["check", "mine.yaml"]);
    check.assert_refused(&["mine.yaml:2:3: variants.shop: `jar` is not there: ", "build it (`mvn package` makes"]);
}
