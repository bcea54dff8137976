//! A lab in a process of its own, for tests that kill it.

use std::{env, path::Path, process::ExitCode, sync::atomic::AtomicBool};

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
    let mut store = Store::open(Path::new(record)).expect("a record");
    let context = experiment::context(exe);
    let result = plimsoll_lab::run(&experiment, &mut store, &context, &AtomicBool::new(false), &mut |_| ());
    panic!("it should have been killed: {result:?}");
}
