//! Runs of JMH, played by a script that does what the real one does with its arguments.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use plimsoll_drive::Here;
use plimsoll_lab::{
    Context, Event,
    artifact::Artifacts,
    experiment::{Limits, Program, Variant},
    jdk::{Jdk, NoGraalvm, Toolchain},
};
use plimsoll_record::{Environment, ExecutionData, RunStatus, store::Store};

use crate::support;

/// Finds `-rff FILE` among its arguments, tells how it gets on, and leaves the result there. `fails`, `empty` and
/// `sleeps` among them are what they say.
const JAVA: &str = r#"#!/bin/sh
while [ $# -gt 0 ]; do
    case "$1" in
        -rff) file="$2"; shift ;;
        fails) echo 'No matching benchmarks. Miss-spelled regexp?'; exit 1 ;;
        empty) empty=yes ;;
        sleeps) echo '# Run progress: 0.00% complete'; sleep 600 ;;
        -p) params="$2"; shift ;;
    esac
    shift
done
echo "Iteration 1: 1035.5 ms/op ($params)"
[ -n "$empty" ] && { echo '[ ]' > "$file"; exit 0; }
cat > "$file" <<END
[{"benchmark": "a.B.batch", "mode": "avgt", "params": {"calls": "50"},
  "primaryMetric": {"score": 1035.5, "scoreError": 11.25, "scoreConfidence": [1024.25, 1046.75],
                    "scoreUnit": "ms/op", "rawData": [[1030.0, 1041.0]]},
  "secondaryMetrics": {}}]
END
"#;

/// Makes a program of a script. A process of its own writes it: children of tests beside this one have whatever this
/// process writes, between fork and exec, and what is open for writing cannot be executed.
fn write_program(file: &Path, script: &str) {
    let mut writer = Command::new("sh");
    writer.args(["-c", "printf '%s' \"$1\" >\"$0\" && chmod 755 \"$0\""]).arg(file).arg(script);
    assert!(writer.status().unwrap().success());
}

/// A JDK whose `java` is the script.
fn toolchain(home: &Path) -> Toolchain {
    let java = home.join("bin/java");
    fs::create_dir_all(home.join("bin")).unwrap();
    write_program(&java, JAVA);
    let description = "a script".to_owned();
    let jdk = Jdk { home: home.to_owned(), version: vec![25], description, release: String::new() };
    Toolchain { jdk, graalvm: Err(NoGraalvm::None), maven: None }
}

fn benchmarks(jar: &Path, arguments: &[&str]) -> Variant {
    Variant {
        program: Program::Benchmarks {
            jar: Some(jar.to_owned()),
            jvm_flags: vec!["-Xmx1g".to_owned()],
            arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
        },
        env: BTreeMap::new(),
        limits: Limits { memory_bytes: None, cpus: Some(2.0), files: None },
        ..support::experiment::variant(Vec::new())
    }
}

/// Runs a variant for each list of arguments; `stop_at` says at which event to press Ctrl-C.
fn run(variants: &[&[&str]], stop_at: impl Fn(&Event) -> bool) -> (ExecutionData, Vec<Event>) {
    let folder = tempfile::tempdir().unwrap();
    let jar = folder.path().join("benchmarks.jar");
    fs::write(&jar, "").unwrap();
    let variants = variants.iter().map(|arguments| benchmarks(&jar, arguments)).collect();
    let experiment = support::experiment::of(variants, Vec::new());
    let artifacts = Artifacts::new(folder.path().to_owned(), folder.path().join("cache"), Ok(toolchain(folder.path())));
    let context = Context {
        artifacts,
        environment: Environment::default(),
        generator: Arc::new(Here),
        exe: PathBuf::from(support::HELPER),
    };
    let mut store = Store::open(&folder.path().join("record.db")).unwrap();
    let (stop, mut events) = (AtomicBool::new(false), Vec::new());
    let outcome = plimsoll_lab::run(&experiment, &mut store, &context, &stop, &mut |event| {
        stop.fetch_or(stop_at(&event), Ordering::Relaxed);
        events.push(event);
    });
    (store.read(outcome.unwrap().execution).unwrap(), events)
}

#[test]
fn scores_are_in_the_record_and_progress_is_told() {
    let (data, events) = run(&[&["Batch", "-p", "calls=50"]], |_| false);
    let [run] = data.runs.as_slice() else { panic!("one run") };
    assert_eq!((run.run.status, run.run.startup), (RunStatus::Done, None), "{:?}", run.run.detail);
    let [score] = run.scores.as_slice() else { panic!("{:?}", run.scores) };
    assert_eq!((score.benchmark.as_str(), score.measured.score), ("a.B.batch", 1035.5));
    let command = run.run.command.as_deref().unwrap_or_default();
    assert!(
        command.contains("java -Xmx1g -XX:ActiveProcessorCount=2 -jar ") && command.contains(" Batch -p calls=50 ")
    );
    let result = command.rsplit(' ').next().unwrap_or_default();
    assert!(result.ends_with(".jmh.json") && !Path::new(result).exists(), "it is removed: {result}");
    let is_told =
        |event: &Event| matches!(event, Event::Told { line, .. } if line == "Iteration 1: 1035.5 ms/op (calls=50)");
    assert!(events.iter().any(is_told), "{events:?}");
}

#[test]
fn what_fails_or_measures_nothing_is_told_and_the_others_go_on() {
    let (data, events) = run(&[&["fails"], &["empty"], &["Batch"]], |_| false);
    let statuses: Vec<_> = data.runs.iter().map(|run| run.run.status).collect();
    assert_eq!(statuses, [RunStatus::BenchmarksFailed, RunStatus::BenchmarksFailed, RunStatus::Done]);
    let detail = |run: usize| data.runs[run].run.detail.clone().unwrap_or_default();
    assert_eq!(detail(0), "JMH exited with status 1: its last lines say why");
    assert!(data.runs[0].output_tail[0].starts_with("No matching benchmarks"));
    assert_eq!(detail(1), "JMH ended well, but it measured nothing: no benchmark matches, or all were left out");
    let shown =
        events.iter().any(|event| matches!(event, Event::RunEnded { output_tail, .. } if !output_tail.is_empty()));
    assert!(shown, "its last lines are shown");
}

#[test]
fn ctrl_c_ends_them_at_once() {
    let began = std::time::Instant::now();
    let (data, _) = run(&[&["sleeps"]], |event| matches!(event, Event::Told { .. }));
    assert_eq!(data.runs[0].run.status, RunStatus::Interrupted);
    assert!(began.elapsed() < std::time::Duration::from_secs(300), "{:?}", began.elapsed());
}
