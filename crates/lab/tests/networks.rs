//! Whole runs over emulated networks. Where no namespaces can be made, those that need them say that they are skipped.

mod support;

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use plimsoll_lab::{
    Event,
    experiment::{Experiment, Program},
};
use plimsoll_record::{
    Between, ExecutionData, ExecutionStatus, Histogram, Interval, Load, Nanos, NetworkBy, NetworkPlan, RunData,
    RunStatus, ThinkTime, UpstreamPlan, VariantPlan, metric,
};
use rustix::process::{Pid, Signal, kill_process};
use support::{
    HELPER, MARK, Ran,
    experiment::{level, of},
    mark, marked, run, run_until,
};

const RTT: Nanos = Nanos::from_millis(70);

/// Two virtual users, with a new connection for each request, over `network`.
fn over(network: NetworkPlan, mark: &str, seconds: u64) -> Experiment {
    let argv = [HELPER, "serve", "{host}:{port}"].map(str::to_owned).to_vec();
    let mut variant = support::experiment::variant(argv);
    variant.env.insert(MARK.to_owned(), mark.to_owned());
    let mut experiment = of(vec![variant], vec![level("far", seconds)]);
    experiment.plan.variants[0].network = Some(network);
    experiment.connecting.keep_alive = false;
    experiment
}

fn far() -> NetworkPlan {
    NetworkPlan { rtt: RTT, ..NetworkPlan::default() }
}

/// As many as are needed, however much of the time the machine stands still.
fn requests(iterations: u64) -> Load {
    Load::SharedIterations { vus: 2, iterations, max_duration: None, think: ThinkTime::None }
}

fn merged(run: &RunData, of: impl Fn(&Interval) -> &Histogram) -> Histogram {
    let mut all = Histogram::default();
    run.levels[0].intervals.iter().for_each(|interval| all.merge(of(interval)));
    all
}

fn last_sample(run: &RunData, metric: metric::Metric) -> Option<f64> {
    run.samples.iter().rev().find(|sample| sample.metric == metric.name).map(|sample| sample.value)
}

/// The record; none where the network had to be a relay, which is printed.
fn data_of_namespaces(ran: &Ran) -> Option<&ExecutionData> {
    let data = ran.data();
    if let Some(reason) = &data.execution.environment.network_relay {
        eprintln!("skipped: this machine lets us make no network namespaces: {reason}");
        let said = ran.events.iter().any(|event| matches!(event, Event::Note(note) if note.contains(reason.as_str())));
        assert!(said, "and it is said");
        return None;
    }
    Some(data)
}

#[test]
fn a_load_over_a_network_takes_its_round_trips_and_start_up_does_not() {
    let mark = mark();
    let mut experiment = over(far(), &mark, 1);
    experiment.plan.levels[0].load = requests(20);
    let ran = run(&experiment);
    assert_eq!(ran.result.as_ref().expect("no error").status, ExecutionStatus::Done);
    let Some(data) = data_of_namespaces(&ran) else { return };
    let run = &data.runs[0];
    assert_eq!((run.run.status, &run.run.detail), (RunStatus::Done, &None));
    let (connect, response) = (merged(run, |it| &it.connect), merged(run, |it| &it.ok.response));
    // The fastest, because a busy machine adds to all others: one round trip and not two, two and not three.
    let (connect, response) = (connect.quantile(0.0), response.quantile(0.0));
    assert!(connect >= RTT && connect < RTT + RTT, "{connect}");
    assert!(response >= RTT + RTT && response < RTT + RTT + RTT, "{response}");
    assert!(last_sample(run, metric::NETWORK_PACKETS) > Some(20.0));
    assert_eq!(last_sample(run, metric::NETWORK_OVERFLOWED), Some(0.0));
    assert!(last_sample(run, metric::RSS_BYTES) > Some(0.0), "the target is watched in its namespace");
    assert_eq!(marked(&mark), []);
}

/// The target connects to its upstream once, at the far end of the network.
#[test]
fn the_calls_of_a_target_go_over_the_network_to_its_upstream() {
    for by in [NetworkBy::Namespaces, NetworkBy::Relay] {
        let network = NetworkPlan { between: Between::TargetUpstream, by, ..far() };
        let mut experiment = over(network, &mark(), 1);
        let connect = "connect={upstream-host}:{upstream-port}".to_owned();
        let Program::Command { argv, .. } = &mut experiment.variants[0].program else { panic!("a command") };
        argv.push(connect);
        experiment.plan.variants[0].upstream = Some(UpstreamPlan::default());
        let ran = run(&experiment);
        let run = &ran.data().runs[0];
        assert_eq!((run.run.status, &run.run.detail), (RunStatus::Done, &None));
        assert_eq!(last_sample(run, metric::upstream::CONNECTIONS_OPENED), Some(1.0));
        let is_relay = by == NetworkBy::Relay || ran.data().execution.environment.network_relay.is_some();
        let connect = merged(run, |it| &it.connect).quantile(0.0);
        assert!(connect < RTT, "the load itself does not: {connect}");
        if !is_relay {
            assert!(run.run.startup >= Some(RTT), "connecting took a round trip: {:?}", run.run.startup);
            assert!(last_sample(run, metric::NETWORK_PACKETS) >= Some(3.0));
        }
    }
}

#[test]
fn a_relay_needs_no_root() {
    let mark = mark();
    let ran = run(&over(NetworkPlan { by: NetworkBy::Relay, ..far() }, &mark, 2));
    let run = &ran.data().runs[0];
    assert_eq!((run.run.status, &run.run.detail), (RunStatus::Done, &None));
    let (connect, response) = (merged(run, |it| &it.connect), merged(run, |it| &it.ok.response));
    assert!(connect.quantile(0.0) < RTT, "it is no handshake over the network");
    assert!(response.quantile(0.0) >= RTT, "{}", response.quantile(0.0));
    assert!(last_sample(run, metric::NETWORK_BYTES) > Some(1_000.0));
    assert_eq!(ran.data().execution.environment.network_relay, None, "it was wanted");
    assert!(!ran.events.iter().any(|event| matches!(event, Event::Note(note) if note.contains("relay"))));
    assert_eq!(marked(&mark), []);
}

/// A target that, before it serves, connects to its upstream, which is at the far end of `network`.
fn calling(network: NetworkPlan, mark: &str) -> Experiment {
    let mut experiment = over(NetworkPlan { between: Between::TargetUpstream, ..network }, mark, 1);
    experiment.variants[0] = support::target(&["connect={upstream-host}:{upstream-port}"], mark);
    experiment.plan.variants[0].upstream = Some(UpstreamPlan::default());
    experiment
}

fn upstream_connections(run: &RunData) -> Option<f64> {
    last_sample(run, metric::upstream::CONNECTIONS_OPENED)
}

#[test]
fn calls_of_the_target_go_over_the_network_and_the_load_does_not() {
    let mark = mark();
    let ran = run(&calling(NetworkPlan { rtt: Nanos::from_millis(400), ..far() }, &mark));
    let Some(data) = data_of_namespaces(&ran) else { return };
    let run = &data.runs[0];
    assert_eq!((run.run.status, &run.run.detail), (RunStatus::Done, &None));
    assert!(run.run.command.as_deref().is_some_and(|command| command.contains("connect=198.18.0.2:")));
    assert!(run.run.startup >= Some(Nanos::from_millis(400)), "its connect takes a round trip: {:?}", run.run.startup);
    assert!(merged(run, |it| &it.ok.response).quantile(0.0) < Nanos::from_millis(400));
    assert_eq!(upstream_connections(run), Some(1.0));
    assert_eq!(marked(&mark), []);
}

#[test]
fn calls_of_the_target_go_over_a_relay() {
    let mark = mark();
    let ran = run(&calling(NetworkPlan { by: NetworkBy::Relay, ..far() }, &mark));
    let run = &ran.data().runs[0];
    assert_eq!((run.run.status, &run.run.detail), (RunStatus::Done, &None));
    assert_eq!(upstream_connections(run), Some(1.0));
    assert!(last_sample(run, metric::NETWORK_PACKETS).is_some());
    assert_eq!(marked(&mark), []);
}

#[test]
fn losses_fail_nothing_but_take_time() {
    let mut lossy = over(NetworkPlan { loss_percent: 5.0, rtt: Nanos::from_millis(10), ..far() }, &mark(), 1);
    lossy.plan.levels[0].load = requests(60);
    // The handshake of one connection of a thousand is lost three times, which takes 7 s.
    lossy.connecting.connect_timeout = Nanos::from_secs(120);
    lossy.variants[0].response_timeout = Nanos::from_secs(120);
    let ran = run(&lossy);
    let Some(data) = data_of_namespaces(&ran) else { return };
    let run = &data.runs[0];
    assert_eq!(run.run.status, RunStatus::Done);
    assert_eq!(run.levels[0].intervals.iter().map(|interval| interval.counts.failed).sum::<u64>(), 0);
    assert!(last_sample(run, metric::NETWORK_LOST) > Some(5.0));
    let slowest = merged(run, |it| &it.ok.response).quantile(1.0);
    assert!(slowest > Nanos::from_millis(200), "a retransmission takes at least as long (RTO_MIN): {slowest}");
}

#[test]
fn ctrl_c_leaves_nothing_behind() {
    let mark = mark();
    let is_measured = |event: &Event| matches!(event, Event::Progress(progress) if progress.ended > 0);
    let ran = run_until(&over(far(), &mark, 3_600), is_measured);
    assert_eq!(ran.data().execution.status, ExecutionStatus::Interrupted);
    assert!(ran.data().runs[0].levels[0].intervals.iter().any(|interval| interval.counts.succeeded > 0));
    assert_eq!(marked(&mark), []);
    assert_eq!(networks(), [0; 0]);
}

#[test]
fn a_network_that_is_killed_ends_its_run_and_says_so() {
    let mark = mark();
    let ran = run_until(&over(far(), &mark, 60), |event| {
        if matches!(event, Event::Progress(_)) {
            networks().into_iter().for_each(|pid| {
                let _ = kill_process(Pid::from_raw(pid).expect("not zero"), Signal::KILL);
            });
        }
        false
    });
    let run = &ran.data().runs[0];
    assert_eq!(run.run.status, RunStatus::Died);
    let detail = run.run.detail.as_deref().expect("why");
    assert!(detail.starts_with("the process of its emulated network was ended by something else, while level `far`"));
    assert_eq!(marked(&mark), []);
}

#[test]
fn a_network_that_is_gone_before_a_level_ends_its_run_and_the_others_go_on() {
    let mark = mark();
    let mut experiment = over(far(), &mark, 1);
    let plan = VariantPlan { name: "other".to_owned(), ..experiment.plan.variants[0].clone() };
    experiment.plan.variants.push(plan);
    experiment.variants.push(experiment.variants[0].clone());
    let ran = run_until(&experiment, |event| {
        if matches!(event, Event::Ready { place, .. } if place.variant == 0) {
            networks().into_iter().for_each(kill_and_await);
        }
        false
    });
    let Some(data) = data_of_namespaces(&ran) else { return };
    assert_eq!(ran.result.as_ref().expect("no error").status, ExecutionStatus::Done);
    let [gone, fine] = data.runs.as_slice() else { panic!("two runs") };
    assert_eq!((gone.run.status, fine.run.status), (RunStatus::Died, RunStatus::Done), "{:?}", gone.run);
    assert!(gone.run.detail.as_deref().is_some_and(|why| why.contains("network")), "{:?}", gone.run);
    assert_eq!(marked(&mark), []);
}

/// Kills a process, and waits until it holds nothing any more.
fn kill_and_await(pid: i32) {
    kill_process(Pid::from_raw(pid).expect("not zero"), Signal::KILL).expect("it lives");
    let begun = Instant::now();
    while fs::read_dir(format!("/proc/{pid}/fd")).is_ok_and(|files| files.count() > 0) {
        assert!(begun.elapsed() < Duration::from_secs(60), "process {pid} goes on");
        thread::sleep(Duration::from_millis(1));
    }
}

/// Processes of networks that this process, and this thread of it, started.
fn networks() -> Vec<i32> {
    let children = std::fs::read_to_string("/proc/thread-self/children").unwrap_or_default();
    let pids = children.split_whitespace().filter_map(|pid| pid.parse().ok());
    let is_network = |pid: &i32| {
        std::fs::read_to_string(format!("/proc/{pid}/cmdline")).is_ok_and(|words| words.contains("__network"))
    };
    pids.filter(is_network).collect()
}
