//! Nothing a run started outlives it, whoever is killed.

mod support;

use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use plimsoll_record::RunStatus;
use rustix::process::{Pid, Signal, kill_process};
use support::{
    HELPER, MARK,
    experiment::{level, of},
    mark, marked, run,
};

/// A lab whose target has a daemon: a process in another session whose parents are gone.
fn lab(record: &Path, mark: &str) -> Child {
    start("lab", record, mark)
}

/// `word` of the helper.
fn start(word: &str, record: &Path, mark: &str) -> Child {
    command(word, record, mark).spawn().expect("the helper")
}

fn command(word: &str, record: &Path, mark: &str) -> Command {
    let mut command = Command::new(HELPER);
    command
        .args([word, &record.join("record.db").display().to_string()])
        .args(["serve", "{host}:{port}", "daemonize=2"])
        .env(MARK, mark)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Waits until `condition` holds.
fn eventually(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !condition() {
        assert!(Instant::now() < deadline, "not within a minute: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

fn kill(pid: i32) {
    signal(pid, Signal::KILL);
}

fn signal(pid: i32, signal: Signal) {
    kill_process(Pid::from_raw(pid).expect("not zero"), signal).expect("it lives");
}

fn with_word(mark: &str, word: &str) -> Vec<i32> {
    marked(mark).into_iter().filter(|(_, command)| command.contains(word)).map(|(pid, _)| pid).collect()
}

/// Supervisors that a process with `word` in its command descends from.
fn supervisors_of(mark: &str, word: &str) -> Vec<i32> {
    let parent = |pid: i32| -> Option<i32> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
    };
    let parents: Vec<i32> = with_word(mark, word).into_iter().filter_map(parent).collect();
    with_word(mark, "__supervise").into_iter().filter(|pid| parents.contains(pid)).collect()
}

/// Waits until the target serves and its daemon runs beside it.
fn await_daemon(mark: &str) {
    eventually("the target and its daemon run", || {
        daemons(mark).len() == 1 && with_word(mark, "daemonize=2").len() >= 2
    });
}

/// Daemons themselves, without the shell and `setsid` that start them.
fn daemons(mark: &str) -> Vec<i32> {
    let is_daemon = |command: &str| {
        command.contains("daemonize=0") && !command.starts_with("sh ") && !command.starts_with("setsid ")
    };
    marked(mark).into_iter().filter(|(_, command)| is_daemon(command)).map(|(pid, _)| pid).collect()
}

#[test]
fn a_killed_lab_takes_everything_with_it() {
    let (mark, folder) = (mark(), tempfile::tempdir().expect("a directory"));
    let mut lab = lab(folder.path(), &mark);
    await_daemon(&mark);
    kill(i32::try_from(lab.id()).expect("a pid fits"));
    lab.wait().expect("it was killed");
    eventually("nothing is left", || marked(&mark).is_empty() && cgroups_of(lab.id()).is_empty());
}

#[test]
fn a_killed_lab_takes_its_build_with_it() {
    let (mark, folder) = (mark(), tempfile::tempdir().expect("a directory"));
    let mut lab = start("building-lab", folder.path(), &mark);
    eventually("a build and its daemon run", || {
        daemons(&mark).len() == 1 && !with_word(&mark, "--batch-mode").is_empty()
    });
    kill(i32::try_from(lab.id()).expect("a pid fits"));
    lab.wait().expect("it was killed");
    eventually("nothing is left", || marked(&mark).is_empty());
}

#[test]
fn the_folder_of_an_upstream_goes_with_it_when_both_are_killed() {
    let (mark, folder) = (mark(), tempfile::tempdir().expect("a directory"));
    let temporary = folder.path().join("tmp");
    fs::create_dir(&temporary).expect("a directory");
    let folders = || fs::read_dir(&temporary).expect("it is there").count();
    let mut lab = command("lab", folder.path(), &mark).env("TMPDIR", &temporary).spawn().expect("the helper");
    await_daemon(&mark);
    assert_eq!(folders(), 1);
    let [upstream] = with_word(&mark, "--remove-certificates")[..] else { panic!("one upstream") };
    let pid = i32::try_from(lab.id()).expect("a pid fits");
    // Else the lab would see the upstream's end and remove the folder itself, or its end would be the upstream's.
    signal(pid, Signal::STOP);
    kill(upstream);
    kill(pid);
    lab.wait().expect("it was killed");
    eventually("nothing is left", || marked(&mark).is_empty() && folders() == 0);
}

#[test]
fn a_killed_lab_takes_its_network_with_it() {
    let (mark, folder) = (mark(), tempfile::tempdir().expect("a directory"));
    let mut lab = start("far-lab", folder.path(), &mark);
    await_daemon(&mark);
    let [network] = with_word(&mark, "__network")[..] else { panic!("one network") };
    let [daemon] = daemons(&mark)[..] else { panic!("one daemon") };
    let inode = namespace_of(daemon).expect("it lives");
    let own = namespace_of(lab.id() as i32);
    if own == Some(inode) {
        eprintln!("skipped in part: this machine lets us make no network namespaces: {network} is a relay");
    }
    kill(i32::try_from(lab.id()).expect("a pid fits"));
    lab.wait().expect("it was killed");
    eventually("nothing is left", || marked(&mark).is_empty() && cgroups_of(lab.id()).is_empty());
    let is_used = || pids().into_iter().any(|pid| namespace_of(pid) == Some(inode));
    eventually("the namespace is gone", || own == Some(inode) || !is_used());
}

/// The identity of a process's network namespace.
fn namespace_of(pid: i32) -> Option<u64> {
    fs::metadata(format!("/proc/{pid}/ns/net")).ok().map(|namespace| namespace.ino())
}

fn pids() -> Vec<i32> {
    let entries = fs::read_dir("/proc").expect("procfs").flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

#[test]
fn a_killed_supervisor_takes_the_target_with_it_and_the_lab_goes_on() {
    let (mark, folder) = (mark(), tempfile::tempdir().expect("a directory"));
    let mut lab = lab(folder.path(), &mark);
    await_daemon(&mark);
    let has_cgroup = !cgroups_of(lab.id()).is_empty();
    let [supervisor] = supervisors_of(&mark, "daemonize=2")[..] else { panic!("one supervisor of the target") };
    kill(supervisor);
    // The lab has seen it, and ends with its only run.
    lab.wait().expect("it ends");
    eventually("the target is gone", || with_word(&mark, "daemonize=2").is_empty());
    if !has_cgroup {
        // A process that had left the target's session in time is then beyond reach.
        with_word(&mark, "daemonize=0").into_iter().for_each(kill);
    }
    eventually("nothing is left", || marked(&mark).is_empty() && cgroups_of(lab.id()).is_empty());
}

#[test]
fn a_script_that_leaves_its_service_behind_is_a_target_like_any_other() {
    let mark = mark();
    let script = format!("'{HELPER}' serve {{port}} & exit 0");
    let mut variant = support::experiment::variant(vec!["sh".to_owned(), "-c".to_owned(), script]);
    variant.env.insert(MARK.to_owned(), mark.clone());
    let ran = run(&of(vec![variant], vec![level("short", 1)]));
    assert_eq!(ran.data().runs[0].run.status, RunStatus::Done, "{:?}", ran.data().runs[0].run);
    assert_eq!(marked(&mark), []);
}

#[test]
fn limits_are_enforced_or_it_is_said_why_not() {
    let mark = mark();
    let mut hungry = support::target(&["eat=200"], &mark);
    hungry.limits.memory_bytes = Some(64 << 20);
    hungry.limits.cpus = Some(1.0);
    let ran = run(&of(vec![hungry], vec![level("short", 1)]));
    let (run, environment) = (&ran.data().runs[0], &ran.data().execution.environment);
    let limits = environment.limits.as_deref().expect("limits were wanted");
    if !limits.contains("memory 64 MiB (cgroup v") {
        eprintln!("skipped: this machine lets us make no cgroup: {limits}");
        assert!(ran.events.iter().any(|event| matches!(event, plimsoll_lab::Event::Note(_))), "and says why");
        return;
    }
    assert_eq!(run.run.status, RunStatus::NotReady, "{:?}", run.run);
    let detail = run.run.detail.as_deref().expect("it was killed");
    assert!(detail.contains("was killed by signal 9 (SIGKILL)"), "{detail}");
    assert!(detail.contains("needed more memory than 64 MiB: raise `limits.memory`"), "{detail}");
    assert_eq!(cgroups_of(std::process::id()), [""; 0]);
}

/// Both limits, since a JVM raises the soft one to the hard one.
#[test]
fn a_target_may_have_as_many_files_open_as_its_file_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let seen = folder.path().join("files");
    let script = format!("(ulimit -Sn; ulimit -Hn) > '{}'; exec '{HELPER}' serve {{port}}", seen.display());
    let mut few = support::experiment::variant(vec!["sh".to_owned(), "-c".to_owned(), script]);
    few.limits.files = Some(96);
    let ran = run(&of(vec![few.clone()], vec![level("short", 1)]));
    assert_eq!(ran.data().runs[0].run.status, RunStatus::Done, "{:?}", ran.data().runs[0].run);
    assert_eq!(std::fs::read_to_string(&seen).expect("it was written"), "96\n96\n");
    assert_eq!(ran.data().execution.environment.limits.as_deref(), Some("open files 96"));

    // More than any kernel allows (`fs.nr_open` is 2³⁰ at most, and no process may have that many).
    few.limits.files = Some(u64::MAX - 1);
    let ran = run(&of(vec![few], vec![level("short", 1)]));
    let detail = ran.data().runs[0].run.detail.clone().unwrap_or_default();
    assert!(detail.contains("`limits.files: 18446744073709551614` could not be set"), "{detail}");
    assert!(detail.contains("`ulimit -Hn`"), "{detail}");
}

/// cgroups that the lab in process `pid` made.
fn cgroups_of(pid: u32) -> Vec<String> {
    let pattern = format!("plimsoll-{pid}-*");
    let found = Command::new("find").args(["/sys/fs/cgroup", "-name", &pattern]).output().expect("find");
    String::from_utf8_lossy(&found.stdout).lines().map(str::to_owned).collect()
}
