//! A secret goes in by every way there is, and nothing that the program leaves behind or shows has it: its record,
//! reports in every format, what it prints, the live view, the process list.

mod base64;
mod keys;
mod server;
mod terminal;
mod ways;

use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Stdio,
};

use serde_json::Value;

use self::{
    server::Server,
    ways::{HARMLESS, REFUSED, UNPROVEN, WAYS, Way},
};
use crate::plimsoll::{Finished, Project};

/// Every format, as files.
const OUTPUTS: [&str; 18] = [
    "-o",
    "terminal",
    "-o",
    "html=out/html",
    "-o",
    "markdown=out/markdown",
    "-o",
    "json=out/json",
    "-o",
    "csv=out/csv",
    "-o",
    "junit=out/junit",
    "-o",
    "series=out/series",
    "-o",
    "hlog=out/hlog",
    "-o",
    "prom=out/prom",
];

/// A secret that no other test has: they share the process list.
fn marker(number: usize) -> String {
    format!("m4rk{number:03}Qz7")
}

/// In which of `texts` the secret is, in any form.
fn leaks<'a>(secret: &str, texts: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Vec<String> {
    let has = |text: &[u8], form: &[u8]| text.windows(form.len()).any(|window| window == form);
    let is_there = |text: &[u8]| {
        let text = text.to_ascii_lowercase();
        let pair = base64::encode(format!("ann:{secret}").as_bytes());
        has(&text, secret.to_lowercase().as_bytes()) || has(&text, pair.to_lowercase().as_bytes())
    };
    texts.into_iter().filter(|(_, text)| is_there(text)).map(|(name, _)| name.to_owned()).collect()
}

/// All files below, with their bytes.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    let read =
        |path: PathBuf| if path.is_dir() { files(&path) } else { vec![(path.clone(), fs::read(&path).unwrap())] };
    paths.flat_map(read).collect()
}

/// Everything that a command left behind and printed.
fn traces(project: &Project, finished: &Finished) -> Vec<(String, Vec<u8>)> {
    let kept = [".plimsoll", "out"].into_iter().flat_map(|folder| files(&project.path(folder)));
    let kept = kept.map(|(path, bytes)| (path.display().to_string(), bytes));
    let printed = [("stdout", &finished.stdout), ("stderr", &finished.stderr)];
    kept.chain(printed.map(|(name, text)| (name.to_owned(), text.clone().into_bytes()))).collect()
}

/// The arguments of every process on this machine.
fn process_list() -> Vec<Vec<u8>> {
    let entries = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok()).collect()
}

fn has_process(secret: &str) -> bool {
    process_list().iter().any(|arguments| !leaks(secret, [("", arguments.as_slice())]).is_empty())
}

/// Writes the files of a way and gives its arguments.
fn prepared(way: &Way, project: &Project, secret: &str, port: u16) -> Vec<String> {
    let filled = |text: &str| text.replace("{m}", secret).replace("{port}", &port.to_string());
    way.files.iter().for_each(|(name, text)| project.write(name, &filled(text)));
    way.arguments.iter().map(|argument| filled(argument)).collect()
}

#[test]
fn no_flag_and_no_import_tells_its_secret() {
    let mut problems = Vec::new();
    for (number, way) in WAYS.iter().enumerate() {
        let (project, server, secret) = (Project::new(), Server::start(true), marker(number));
        let own = prepared(way, &project, &secret, server.port);
        let own: Vec<&str> = own.iter().map(String::as_str).collect();
        let arguments = [&["load", "-n", "1", "-c", "1", "--trace", "1"], &own[..], &OUTPUTS].concat();
        let mut command = project.command(&arguments);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let is_listed = server.while_it_waits(|| has_process(&secret));
        let load = Finished::from(child.wait_with_output().unwrap());
        let mut places = leaks(&secret, traces(&project, &load).iter().map(|(name, text)| (name.as_str(), &text[..])));
        places.extend(leaks(&secret, [("list", project.run(&["list"]).stdout.as_bytes())]));
        places.extend((is_listed == Some(true)).then(|| "the process list".to_owned()));
        places.extend((load.code != Some(0)).then(|| format!("not loaded: {}", load.stderr)));
        let sent = way.sent.replace("{m}", &secret);
        places.extend((!server.received().contains(&sent)).then(|| format!("not sent: {sent} {}", server.received())));
        problems
            .extend((!places.is_empty()).then(|| format!("{} {:?}: {}", way.flag, way.arguments, places.join(", "))));
    }
    assert!(problems.is_empty(), "{} of {}:\n{}", problems.len(), WAYS.len(), problems.join("\n"));
}

#[test]
fn no_error_tells_a_secret() {
    let mut problems = Vec::new();
    for (number, way) in REFUSED.iter().enumerate() {
        let (project, secret) = (Project::new(), marker(300 + number));
        let own = prepared(way, &project, &secret, 9);
        let own: Vec<&str> = own.iter().map(String::as_str).collect();
        let refused = project.run(&[&["load", "-n", "1", "-c", "1"], &own[..]].concat());
        assert_eq!(refused.code, Some(2), "{:?}: {refused:#?}", way.arguments);
        let places = leaks(&secret, traces(&project, &refused).iter().map(|(name, text)| (name.as_str(), &text[..])));
        problems.extend((!places.is_empty()).then(|| format!("{:?}: {}", way.arguments, refused.stderr)));
    }
    assert!(problems.is_empty(), "{} of {}:\n{}", problems.len(), REFUSED.len(), problems.join("\n"));
}

#[test]
fn no_secret_is_a_setting_to_be_proven() {
    const FILE: &str = "variants: {a: {command: [sleep, \"{port}\"], ready: \"http://127.0.0.1:{port}/\", \
                        url: \"http://127.0.0.1:{port}/\"}}\nload: {model: shared-iterations, levels: [1]}\n";
    for (number, &[name, value]) in UNPROVEN.iter().enumerate() {
        let (project, secret) = (Project::new(), marker(400 + number));
        let value = value.replace("{m}", &secret);
        project.write("flag.yaml", FILE);
        project.write("key.yaml", &format!("{FILE}prove: {{with: {{{name}: [\"{value}\"]}}}}\n"));
        let with = format!("--with={name}={value}");
        for arguments in [&["run", "flag.yaml", &with][..], &["run", "key.yaml"], &["check", "key.yaml"]] {
            let refused = project.run(arguments);
            assert!(refused.code == Some(2) && refused.stderr.contains("may hold a secret"), "{refused:#?}");
            let traces = traces(&project, &refused);
            assert_eq!(leaks(&secret, traces.iter().map(|(name, text)| (name.as_str(), &text[..]))), [""; 0]);
        }
    }
}

#[test]
fn one_request_is_shown_whole_but_for_its_secrets() {
    for version in [&[][..], &["--http2"]] {
        let (project, secret) = (Project::new(), marker(900));
        let upstream = crate::target::start();
        let url = format!("http://127.0.0.1:{upstream}/?token={secret}");
        let user = format!("ann:{secret}");
        let arguments = ["load", &url, "-u", &user, "-H", &format!("X-A: {secret}"), "--debug", "-t", "2s"];
        let shown = project.run(&[&arguments[..], version].concat());
        assert!(shown.stdout.contains("(masked)"), "{shown:#?}");
        assert_eq!(leaks(&secret, [("stdout", shown.stdout.as_bytes()), ("stderr", shown.stderr.as_bytes())]), [""; 0]);
    }
}

#[test]
fn the_live_view_tells_no_secret() {
    let (project, secret) = (Project::new(), marker(901));
    let url = format!("http://127.0.0.1:{}/?token={secret}", crate::target::start());
    let shown = terminal::shown_by(project.command(&["load", &url, "-z", "2s", "-c", "1", "-q", "20"]));
    assert!(shown.contains("token=(masked)") && !shown.contains(&secret), "{shown}");
}

/// The experiment's files with a secret for each key; the keys with their secrets.
fn experiment(project: &Project, proxy: u16) -> Vec<(String, String)> {
    let program = std::env::current_exe().unwrap().display().to_string();
    let mut secrets: Vec<(String, String)> = Vec::new();
    for (name, text) in keys::FILES {
        let text = text.replace("{program}", &program).replace("{proxy}", &proxy.to_string());
        let mut pieces = text.split("{m:");
        let mut filled = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let (key, rest) = piece.split_once('}').unwrap();
            let known = secrets.iter().position(|(known, _)| known == key).unwrap_or_else(|| {
                secrets.push((key.to_owned(), marker(600 + secrets.len())));
                secrets.len() - 1
            });
            filled += &format!("{}{rest}", secrets[known].1);
        }
        project.write(name, &filled);
    }
    secrets
}

#[test]
fn no_key_of_an_experiment_tells_its_secret() {
    let (project, server) = (Project::new(), Server::start(true));
    let secrets = experiment(&project, server.port);
    let home = project.path("home");
    let mut command = project.command(&["run", "trial.yaml"]);
    command.env("PLIMSOLL_HOME", &home).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let mut seen = vec![process_list()];
    // One request of each step.
    seen.extend((0..7).map_while(|_| server.while_it_waits(process_list)));
    let run = Finished::from(child.wait_with_output().unwrap());
    assert!(run.stdout.contains("1 of 4 runs done"), "{run:#?}");
    let mut traces = traces(&project, &run);
    for format in formats(&project) {
        let report = project.run(&["report", "--format", &format]);
        assert_eq!(report.code, Some(0), "{report:#?}");
        traces.push((format!("report {format}"), report.stdout.into_bytes()));
    }
    traces.push(("check".to_owned(), project.run(&["check", "trial.yaml"]).stdout.into_bytes()));
    let mut problems = Vec::new();
    for (key, secret) in &secrets {
        let mut places = leaks(secret, traces.iter().map(|(name, text)| (name.as_str(), &text[..])));
        let is_listed = || seen.iter().flatten().any(|arguments| !leaks(secret, [("", &arguments[..])]).is_empty());
        places.extend((!keys::ARGUMENTS.contains(&key.as_str()) && is_listed()).then(|| "the process list".to_owned()));
        let is_sent = !keys::SENT.contains(&key.as_str()) || server.received().contains(secret.as_str());
        places.extend((!is_sent).then(|| format!("not sent: {}", server.received())));
        problems.extend((!places.is_empty()).then(|| format!("{key} {secret}: {}", places.join(", "))));
    }
    assert!(problems.is_empty(), "{} of {}:\n{}\n{run:#?}", problems.len(), secrets.len(), problems.join("\n"));
}

/// Names of all formats, from the help of the flag.
fn formats(project: &Project) -> Vec<String> {
    let help = project.run(&["report", "--help"]).stdout;
    let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let names = words.split_once("one of ").and_then(|(_, rest)| rest.split_once(". ")).map_or("", |(names, _)| names);
    let formats: Vec<String> = names.split(", ").map(str::to_owned).collect();
    assert!(formats.len() >= OUTPUTS.len() / 2, "{help}");
    formats
}

#[test]
fn every_flag_and_every_key_is_said_to_hold_secrets_or_not() {
    let project = Project::new();
    let commands = project.run(&["--help"]).stdout;
    let commands = commands.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let commands = commands.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let all: BTreeSet<String> =
        commands.filter(|name| !name.is_empty() && *name != "help").flat_map(|name| flags(&project, name)).collect();
    // Arguments of `line` and `explain` about requests are the same, read by the same code.
    let is_of_load = |flag: &String| {
        let name = flag.strip_prefix("line ").or(flag.strip_prefix("explain "));
        name.is_some_and(|name| all.contains(&format!("load {name}")))
    };
    let all: BTreeSet<String> = all.iter().filter(|flag| !is_of_load(flag)).cloned().collect();
    let ways = WAYS.iter().map(|way| way.flag).filter(|flag| flag.contains("--")).chain(["run --with"]);
    let ways = ways.map(str::to_owned).collect();
    classified(&all, &ways, HARMLESS, "a way in of tests/cli/secrets/ways.rs");

    let schema: Value = serde_json::from_str(&project.run(&["schema"]).stdout).unwrap();
    let mut all = BTreeSet::new();
    collect_keys("experiment", &schema, &mut all);
    for (name, definition) in schema["definitions"].as_object().unwrap() {
        collect_keys(name, definition, &mut all);
    }
    let file: String = keys::FILES.iter().map(|(_, text)| *text).collect();
    let ways = file.split("{m:").skip(1).filter_map(|piece| Some(piece.split_once('}')?.0)).chain(["prove.with"]);
    let ways = ways.map(str::to_owned).collect();
    classified(&all, &ways, keys::HARMLESS, "in the files of tests/cli/secrets/keys.rs");
}

/// Asserts that each of `all` either has a secret in `ways` or is `harmless`.
fn classified(all: &BTreeSet<String>, ways: &BTreeSet<String>, harmless: &str, place: &str) {
    let harmless: BTreeSet<String> = harmless.split(", ").map(str::to_owned).collect();
    let said: BTreeSet<String> = ways.union(&harmless).cloned().collect();
    let unknown: Vec<_> = all.difference(&said).collect();
    assert!(unknown.is_empty(), "may they hold a secret? Add them to HARMLESS, or {place}: {unknown:?}");
    let gone: Vec<_> = said.difference(all).collect();
    assert!(gone.is_empty(), "there are no such flags or keys any longer: {gone:?}");
    assert_eq!(ways.intersection(&harmless).count(), 0);
}

/// The flags of a command that take a value, from its help.
fn flags(project: &Project, command: &str) -> Vec<String> {
    let help = project.run(&[command, "--help"]).stdout;
    let flag = |line: &str| {
        let text = line.trim_start();
        let text = if text.starts_with("--") { text } else { text.strip_prefix('-')?.split_once(", ")?.1 };
        let (name, value) = text.split_once(' ')?;
        let is_declared = line.starts_with("  ") && name.starts_with("--") && value.starts_with(['<', '[']);
        is_declared.then(|| format!("{command} {name}"))
    };
    help.lines().filter_map(flag).collect()
}

/// Keys of a section whose values are free text, or mappings and lists of it.
fn collect_keys(section: &str, schema: &Value, keys: &mut BTreeSet<String>) {
    let properties = schema["properties"].as_object().into_iter().flatten();
    let free = properties.filter(|(_, schema)| is_free_text(schema));
    keys.extend(free.map(|(key, _)| format!("{section}.{key}")));
}

fn is_free_text(schema: &Value) -> bool {
    let is_text =
        |kind: &Value| kind == "string" || kind.as_array().is_some_and(|kinds| kinds.iter().any(|it| it == "string"));
    let is_of_list = schema["enum"].is_array() || schema["pattern"].is_string();
    let is_plain = is_text(&schema["type"]) && !is_of_list || schema["x-what"] == "anything";
    let any = schema["anyOf"].as_array().into_iter().flatten();
    is_plain
        || any.chain([&schema["items"], &schema["additionalProperties"]]).filter(|it| it.is_object()).any(is_free_text)
}

#[test]
fn a_common_password_does_not_mask_the_record() {
    let (project, server) = (Project::new(), Server::start(false));
    let url = format!("http://127.0.0.1:{}/greetings", server.port);
    for password in ["1", "true", "", "test", "password", "admin", "done", "measured", "200", "shared-iterations"] {
        let user = format!("ann:{password}");
        let load = project.run(&["load", &url, "-n", "1", "-c", "1", "-u", &user, "-o", "json"]);
        assert_eq!(load.code, Some(0), "{password}: {load:#?}");
        let json: Value = serde_json::from_str(&load.stdout).unwrap();
        let command = json["environment"]["command"].as_str().unwrap_or_default();
        assert!(command.ends_with("-u (masked) -o json"), "{command}");
        assert_eq!(load.stdout.matches("(masked)").count(), 1, "{password}: {}", load.stdout);
        assert!(server.received().contains(&user));
    }
}

#[test]
fn a_record_is_its_owners_alone() {
    let (project, server) = (Project::new(), Server::start(true));
    let url = format!("http://127.0.0.1:{}/", server.port);
    let mode = |path: &str| fs::metadata(project.path(path)).map(|it| it.permissions().mode() & 0o777).unwrap();
    // The load goes on for as long as nobody answers, and SQLite's files are there.
    let mut child = project.command(&["load", &url, "-n", "1", "-c", "1", "-t", "1h", "--quiet"]).spawn().unwrap();
    let all = [".plimsoll/plimsoll.db", ".plimsoll/plimsoll.db-wal", ".plimsoll/plimsoll.db-shm"];
    for _ in 0..600 {
        if all.iter().all(|path| project.path(path).exists()) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    assert_eq!(all.map(mode), [0o600; 3]);
    child.kill().unwrap();
    child.wait().unwrap();
    fs::set_permissions(project.path(all[0]), fs::Permissions::from_mode(0o640)).unwrap();
    project.run(&["list"]);
    assert_eq!(mode(all[0]), 0o640, "the owner's choice");
}
