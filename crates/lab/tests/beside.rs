//! Commands around runs and levels, and programs that a target needs beside it.

use std::{env, fs, path::Path};

use crate::support::{
    HELPER, MARK,
    experiment::{level, of},
    mark, marked, run, target,
};
use plimsoll_lab::{
    beside::{Dependency, Hook, Hooks, Ready},
    experiment::Variant,
};
use plimsoll_record::{Nanos, RunData, RunStatus};

fn shell(script: &str, folder: &Path) -> Hook {
    let argv = ["sh", "-c", script].map(str::to_owned).to_vec();
    Hook { argv, workdir: folder.to_owned(), time_out: Nanos::from_secs(60) }
}

/// A server called `db`, with `habits`.
fn database(habits: &[&str], mark: &str) -> Dependency {
    let argv = [HELPER, "serve", "{db-port}"].into_iter().chain(habits.iter().copied());
    Dependency {
        name: "db".to_owned(),
        argv: argv.map(str::to_owned).collect(),
        env: [(MARK.to_owned(), mark.to_owned())].into(),
        workdir: env::temp_dir(),
        ready: Ready::Port,
        time_out: Nanos::from_secs(60),
    }
}

fn only(variant: Variant) -> RunData {
    let ran = run(&of(vec![variant], vec![level("one", 1), level("two", 1)]));
    ran.data().runs[0].clone()
}

fn detail(run: &RunData) -> &str {
    run.run.detail.as_deref().unwrap_or_default()
}

#[test]
fn commands_and_services_have_their_turns() {
    let (folder, mark) = (tempfile::tempdir().unwrap(), mark());
    let note = |text: &str| Some(shell(&format!("echo {text} >> turns"), folder.path()));
    // It connects at once, so it must be started later.
    let mut variant = target(&["connect=127.0.0.1:{db-port}"], &mark);
    variant.dependencies = vec![database(&[], &mark)];
    variant.hooks = Hooks {
        before_run: note("before-{port}-{db-port}"),
        before_level: note("level-{level}"),
        after_run: note("after"),
    };
    let run = only(variant);
    assert_eq!(run.run.status, RunStatus::Done, "{}", detail(&run));
    let turns = fs::read_to_string(folder.path().join("turns")).unwrap();
    let turns: Vec<&str> = turns.lines().collect();
    let ports = turns[0].strip_prefix("before-").unwrap().split('-').map(|port| port.parse::<u16>());
    assert!(ports.clone().all(|port| port.is_ok()) && ports.count() == 2, "{turns:?}");
    assert_eq!(turns[1..], ["level-one", "level-two", "after"]);
    for series in ["target:db CPU %", "target:db memory bytes"] {
        assert!(run.samples.iter().any(|sample| sample.metric == series), "{series}");
    }
    assert_eq!(marked(&mark), []);
}

#[test]
fn a_command_that_fails_ends_the_run_and_says_why() {
    let (folder, mark) = (tempfile::tempdir().unwrap(), mark());
    let with_hooks = |hooks| only(Variant { hooks, ..target(&[], &mark) });
    let failing = || Some(shell("echo no such table; exit 3", folder.path()));
    let before = with_hooks(Hooks { before_run: failing(), ..Hooks::default() });
    let expected = "`before-run` failed: it exited with status 3; it said `no such table` last";
    assert_eq!((before.run.status, detail(&before)), (RunStatus::NotReady, expected));
    assert_eq!(before.levels.len(), 0);
    let level = with_hooks(Hooks { before_level: failing(), ..Hooks::default() });
    assert!(detail(&level).starts_with("`before-level` failed: it exited with status 3"), "{}", detail(&level));
    let slow = Hook { time_out: Nanos::from_millis(200), ..shell("sleep 60", folder.path()) };
    let slow = with_hooks(Hooks { before_run: Some(slow), ..Hooks::default() });
    assert!(detail(&slow).contains("it did not end within 200 ms"), "{}", detail(&slow));
    let after = with_hooks(Hooks { after_run: failing(), ..Hooks::default() });
    assert_eq!(after.run.status, RunStatus::Done, "what was measured before counts");
    assert_eq!(marked(&mark), []);
}

#[test]
fn a_command_is_over_once_it_has_exited_whatever_it_leaves_behind() {
    let (folder, mark) = (tempfile::tempdir().unwrap(), mark());
    let leaving = Some(shell("sleep 600 & echo $! > child", folder.path()));
    let hooks = Hooks { before_run: leaving, ..Hooks::default() };
    let run = only(Variant { hooks, ..target(&[], &mark) });
    assert_eq!((run.run.status, detail(&run)), (RunStatus::Done, ""));
    let child = fs::read_to_string(folder.path().join("child")).unwrap();
    assert!(!Path::new("/proc").join(child.trim()).exists(), "it was ended");
}

#[test]
fn the_command_after_a_run_follows_one_before_it_that_failed() {
    let (folder, mark) = (tempfile::tempdir().unwrap(), mark());
    let note = |text: &str| Some(shell(text, folder.path()));
    let before_run = note("echo made >> turns; exit 7");
    let hooks = Hooks { before_run, after_run: note("echo removed >> turns"), ..Hooks::default() };
    let run = only(Variant { hooks, ..target(&[], &mark) });
    assert_eq!(run.run.status, RunStatus::NotReady);
    assert_eq!(fs::read_to_string(folder.path().join("turns")).unwrap(), "made\nremoved\n");
}

#[test]
fn a_service_that_is_not_ready_or_ends_is_named() {
    let mark = mark();
    let with = |dependency| only(Variant { dependencies: vec![dependency], ..target(&[], &mark) });
    let exits = with(database(&["print=no space left", "exit=5"], &mark));
    assert_eq!(exits.run.status, RunStatus::NotReady);
    assert_eq!(detail(&exits), "the service `db` exited with status 5 before it was ready");
    let never = Dependency {
        ready: Ready::Url("http://{host}:{db-port}/ready".to_owned()),
        time_out: Nanos::from_millis(500),
        ..database(&["never-ready"], &mark)
    };
    let never = with(never);
    assert!(
        detail(&never).starts_with("the service `db` was not ready within 500 ms: GET http://"),
        "{}",
        detail(&never)
    );
    let refuses = Dependency {
        ready: Ready::Command(vec!["false".to_owned()]),
        time_out: Nanos::from_millis(500),
        ..database(&[], &mark)
    };
    let refuses = with(refuses);
    assert!(detail(&refuses).contains(" ready within 500 ms: `false` "), "{}", detail(&refuses));
    // It lives until the level has begun, which goes on until then.
    let ends = Dependency {
        argv: ["sleep", "20"].map(str::to_owned).to_vec(),
        ready: Ready::Command(vec!["true".to_owned()]),
        ..database(&[], &mark)
    };
    let variant = Variant { dependencies: vec![ends], ..target(&[], &mark) };
    let ends = run(&of(vec![variant], vec![level("long", 60)])).data().runs[0].clone();
    assert_eq!(ends.run.status, RunStatus::UpstreamFailed);
    assert!(detail(&ends).starts_with("the service `db` exited with status 0 "), "{}", detail(&ends));
    assert_eq!(marked(&mark), []);
}
