//! A lab in a process of its own, for tests that kill it.

use std::{
    env,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::atomic::AtomicBool,
};

use plimsoll_lab::{
    Context,
    artifact::Artifacts,
    experiment::{Experiment, Program},
    jdk::{Jdk, NoGraalvm, Toolchain},
};
use plimsoll_record::{NetworkPlan, UpstreamPlan, store::Store};

#[path = "../support/experiment.rs"]
mod experiment;

/// `RECORD ARGUMENT…`: runs one variant, this program with the arguments, for an hour, limited to 1 GiB; behind
/// `network`, if there is one.
pub fn run(arguments: &[String], network: Option<NetworkPlan>) -> ExitCode {
    let (record, target) = arguments.split_first().expect("a record");
    let exe = env::current_exe().expect("procfs");
    let mut argv = vec![exe.display().to_string()];
    argv.extend_from_slice(target);
    let mut variant = experiment::variant(argv);
    // So that there is a cgroup to be removed, where one can be made.
    variant.limits.memory_bytes = Some(1 << 30);
    let mut experiment = experiment::of(vec![variant], vec![experiment::level("long", 3_600)]);
    experiment.plan.variants[0].network = network;
    experiment.plan.variants[0].upstream = Some(UpstreamPlan::default());
    until_killed(&experiment, Path::new(record), &experiment::context(exe))
}

/// `RECORD …`: builds benchmarks beside the record, with this program as Maven.
pub fn build(arguments: &[String]) -> ExitCode {
    let record = Path::new(arguments.first().expect("a record"));
    let exe = env::current_exe().expect("procfs");
    let mut variant = experiment::variant(Vec::new());
    variant.program = Program::Benchmarks { jar: None, jvm_flags: Vec::new(), arguments: Vec::new() };
    let experiment = experiment::of(vec![variant], vec![experiment::level("long", 3_600)]);
    let (home, version) = (PathBuf::from("/nowhere"), vec![25]);
    let jdk = Jdk { home, version, description: "JDK 25".to_owned(), release: String::new() };
    let toolchain = Toolchain { jdk, graalvm: Err(NoGraalvm::None), maven: Some(exe.clone()) };
    let folder = |name| record.with_file_name(name);
    std::fs::create_dir(folder("java")).expect("a directory");
    std::fs::write(folder("java").join("pom.xml"), "").expect("written");
    let artifacts = Artifacts::new(folder("java"), folder("artifacts"), Ok(toolchain));
    until_killed(&experiment, record, &Context { artifacts, ..experiment::context(exe) })
}

fn until_killed(experiment: &Experiment, record: &Path, context: &Context) -> ! {
    let mut store = Store::open(record).expect("a record");
    let result = plimsoll_lab::run(experiment, &mut store, context, &AtomicBool::new(false), &mut |_| ());
    panic!("it should have been killed: {result:?}");
}
