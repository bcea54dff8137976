//! Whole runs against real processes: what is in the record, and what is said, when all goes well and when it does not.

mod benchmarks;
mod beside;
mod explanations;
mod jdk;
mod lines;
mod services;
mod support;

use std::{
    net::{TcpListener, TcpStream},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use plimsoll_drive::script::{FlowText, StepText};
use plimsoll_lab::{
    Event, LabError,
    experiment::{Experiment, Kept, Metrics, Order, Program},
    jvm::Jvm,
    packaging::Packaging,
};
use plimsoll_observe::parse::prometheus::Selector;
use plimsoll_record::{
    Claim, ExecutionStatus, Freeze, LevelPlan, Load, Nanos, Phase, RunData, RunStatus, ThinkTime, UntilDecided,
    UpstreamPlan, metric,
};
use support::{
    experiment::{level, of},
    mark, marked, run, run_until, target,
};

fn detail(run: &RunData) -> &str {
    run.run.detail.as_deref().unwrap_or("")
}

#[test]
fn every_variant_runs_in_every_round_and_everything_is_recorded() {
    let mark = mark();
    let slow_start = target(&["print=hello", "complain=hm", "delay=200"], &mark);
    let mut experiment = of(vec![slow_start, target(&[], &mark)], vec![level("two", 1), level("again", 1)]);
    experiment.plan.rounds = 2;
    experiment.order = Order::Random;
    let ran = run(&experiment);

    let outcome = ran.result.as_ref().expect("no error");
    assert_eq!((outcome.status, outcome.runs_done, outcome.runs_failed), (ExecutionStatus::Done, 4, 0));
    let data = ran.data();
    assert_eq!(data.execution.status, ExecutionStatus::Done);
    assert!(data.execution.ended_at.is_some());
    assert!(data.execution.environment.placement.is_some());
    assert_eq!(data.runs.iter().filter(|run| run.run.variant == 0).count(), 2);
    for run in &data.runs {
        assert_eq!((run.run.status, &run.run.detail), (RunStatus::Done, &None));
        let command = run.run.command.as_deref().expect("it was launched");
        assert!(command.starts_with("PLIMSOLL_TEST_MARK=") && !command.contains("{port}"), "{command}");
        assert_eq!(run.levels.len(), 2);
        for level in &run.levels {
            assert!(level.intervals.iter().map(|interval| interval.counts.succeeded).sum::<u64>() > 0);
            assert!(level.took >= Some(Nanos::from_millis(900)));
        }
        assert!(run.levels[1].started > run.levels[0].started);
        for metric in
            [metric::CPU_PERCENT, metric::RSS_BYTES, metric::THREADS, metric::DESCRIPTORS, metric::MACHINE_CPU_PERCENT]
        {
            let samples = run.samples.iter().filter(|sample| sample.metric == metric.name);
            assert!(samples.count() >= 2, "{}", metric.name);
        }
        let peak = |name: &str| run.samples.iter().filter(|it| it.metric == name).map(|it| it.value).reduce(f64::max);
        assert!(peak("inbound_established") >= Some(1.0), "the load's connections");
        assert!(peak(metric::tcp::ACCEPT_QUEUE_MAX.name) >= Some(1.0));
        assert!(peak(metric::tcp::CONNECTIONS_ACCEPTED.name) >= Some(1.0));
    }
    for run in data.runs.iter().filter(|run| run.run.variant == 0) {
        assert_eq!(run.output_tail, ["hello", "hm"]);
        assert!(run.run.startup >= Some(Nanos::from_millis(200)));
    }
    let progress =
        ran.events.iter().filter(|event| matches!(event, Event::Progress(progress) if progress.throughput_per_s > 0.0));
    assert!(progress.count() >= 4);
    assert!(matches!(ran.events.last(), Some(Event::Ended { status: ExecutionStatus::Done })));
    assert_eq!(marked(&mark), []);
}

#[test]
fn rounds_end_once_the_claims_are_decided() {
    let mark = mark();
    let mut experiment = of(vec![target(&[], &mark)], vec![level("short", 1)]);
    let claim =
        |says: &str, expression: &str| Claim { says: says.to_owned(), expression: expression.to_owned(), line: None };
    experiment.plan.rounds = 6;
    experiment.plan.until_decided = Some(UntilDecided { at_least: 3, error_per_look: 0.02 });
    let unjudged = claim("What was not traced is not waited for.", "first(v0 @ short) < 1 s");
    experiment.plan.claims = vec![claim("It starts.", "startup(v0) < 1000000 min"), unjudged];
    let ran = run(&experiment);
    let data = ran.data();
    assert_eq!((data.runs.len(), data.execution.status), (3, ExecutionStatus::Done));
    assert_eq!(data.execution.plan.until_decided, experiment.plan.until_decided);
    let looked = ran.events.iter().filter_map(|event| match event {
        Event::Looked { rounds, undecided } => Some((*rounds, undecided.len())),
        _ => None,
    });
    assert_eq!(looked.collect::<Vec<_>>(), [(3, 0)]);
    assert_eq!(marked(&mark), []);
}

#[test]
fn what_a_target_tells_of_itself_is_sampled_and_what_it_does_not_tell_is_noted_once() {
    let mark = mark();
    let mut talkative = target(&["says=up{a=\"b\"} 7"], &mark);
    let keep = ["up", "down"].map(|series| Selector::parse(series).expect("a series")).to_vec();
    let keep = Kept::Prometheus(keep);
    let url = Some("http://{host}:{port}/metrics".to_owned());
    talkative.metrics = Some(Metrics { url, every: Nanos::from_millis(100), keep });
    let mut experiment = of(vec![talkative], vec![level("two", 5)]);
    experiment.plan.rounds = 2;
    let ran = run(&experiment);
    for run in &ran.data().runs {
        assert_eq!(run.run.status, RunStatus::Done, "{}", detail(run));
        let told: Vec<f64> = run.samples.iter().filter(|it| it.metric == "target:up").map(|it| it.value).collect();
        assert!(told.len() >= 2 && told.iter().all(|value| *value == 7.0), "{told:?}");
    }
    let notes = ran.events.iter().filter(|event| matches!(event, Event::Note(note) if note.contains("no `down`")));
    assert_eq!(notes.count(), 1);
}

#[test]
fn a_target_that_dies_is_marked_and_the_others_go_on() {
    let mark = mark();
    let experiment = of(vec![target(&["die-at=100"], &mark), target(&[], &mark)], vec![level("long", 5)]);
    let ran = run(&experiment);

    let outcome = ran.result.as_ref().expect("no error");
    assert_eq!((outcome.status, outcome.runs_done, outcome.runs_failed), (ExecutionStatus::Done, 1, 1));
    let [died, done] = ran.data().runs.as_slice() else { panic!("two runs") };
    assert_eq!((died.run.status, done.run.status), (RunStatus::Died, RunStatus::Done));
    let said = || format!("{}: {:?}", detail(died), died.output_tail);
    assert!(detail(died).starts_with("the target exited with status 3 "), "{}", said());
    assert!(detail(died).ends_with("while level `long` was driven"), "{}", said());
    assert_eq!(died.output_tail.last().map(String::as_str), Some("I cannot go on"));
    assert_eq!(died.levels[0].took, None, "the level did not come to its end");
    let last = died.levels[0].intervals.last().expect("what was measured is kept");
    assert!(last.start + last.duration < Nanos::from_secs(5), "seen before the level's end");
    let shown = ran.events.iter().find_map(|event| match event {
        Event::RunEnded { status: RunStatus::Died, output_tail, .. } => Some(output_tail),
        _ => None,
    });
    assert!(shown.is_some_and(|lines| lines.contains(&"I cannot go on".to_owned())));
}

#[test]
fn a_target_that_is_never_ready_is_marked_and_its_output_kept() {
    let mark = mark();
    let mut never = target(&["print=waiting for the database", "never-ready"], &mark);
    never.ready_timeout = Nanos::from_secs(15);
    let exits = target(&["print=no database", "exit=7"], &mark);
    let mut elsewhere = target(&["elsewhere"], &mark);
    elsewhere.ready_timeout = Nanos::from_secs(15);
    let ran = run(&of(vec![never, exits, target(&[], &mark), elsewhere], vec![level("short", 1)]));

    let [never, exits, fine, elsewhere] = ran.data().runs.as_slice() else { panic!("four runs") };
    assert!(detail(elsewhere).contains("; it listens on 127.0.0.1:"), "{}", detail(elsewhere));
    assert_eq!((never.run.status, exits.run.status), (RunStatus::NotReady, RunStatus::NotReady));
    assert!(detail(never).starts_with("the target was not ready within 15.0 s: GET http://127.0.0.1:"));
    let answered = "/ready: it answered `HTTP/1.1 503 Service Unavailable`: it runs, and says itself";
    assert!(detail(never).contains(answered), "{}", detail(never));
    assert_eq!(never.output_tail, ["waiting for the database"]);
    assert!(detail(exits).starts_with("the target exited with status 7 "), "{}", detail(exits));
    assert!(detail(exits).ends_with("before it was ready"), "{}", detail(exits));
    assert_eq!(exits.output_tail, ["no database"]);
    assert_eq!(fine.run.status, RunStatus::Done);
    assert_eq!(marked(&mark), []);
}

#[test]
fn a_target_that_cannot_be_asked_is_marked_and_the_others_go_on() {
    let mark = mark();
    let mut nowhere = target(&[], &mark);
    // Longer than a name in the DNS may be: nobody is asked for it.
    nowhere.ready_url = Some(format!("http://{}:{{port}}/ready", "x".repeat(300)));
    let ran = run(&of(vec![nowhere, target(&[], &mark)], vec![level("short", 1)]));
    let outcome = ran.result.as_ref().expect("no error");
    assert_eq!((outcome.status, outcome.runs_done, outcome.runs_failed), (ExecutionStatus::Done, 1, 1));
    let [nowhere, fine] = ran.data().runs.as_slice() else { panic!("two runs") };
    assert_eq!((nowhere.run.status, fine.run.status), (RunStatus::NotReady, RunStatus::Done));
    assert!(detail(nowhere).starts_with("the host of `http://xxx"), "{}", detail(nowhere));
    assert_eq!(marked(&mark), []);
}

#[test]
fn a_target_that_ignores_sigterm_is_killed_after_its_grace() {
    let mark = mark();
    let begun = Instant::now();
    let ran = run(&of(vec![target(&["ignore-sigterm"], &mark)], vec![level("short", 1)]));
    assert_eq!(ran.data().runs[0].run.status, RunStatus::Done);
    assert_eq!(marked(&mark), []);
    let took = begun.elapsed();
    assert!(took > Duration::from_secs(5), "it has a grace of 5 s: {took:?}");
}

#[test]
fn ctrl_c_ends_the_run_in_order_and_keeps_what_was_measured() {
    let mark = mark();
    let experiment = of(vec![target(&[], &mark), target(&[], &mark)], vec![level("long", 3_600)]);
    let ran = run_until(&experiment, |event| matches!(event, Event::Progress(progress) if progress.ended > 0));

    assert_eq!(ran.result.as_ref().expect("no error").status, ExecutionStatus::Interrupted);
    assert_eq!(ran.data().execution.status, ExecutionStatus::Interrupted);
    let [run] = ran.data().runs.as_slice() else { panic!("the second run is not begun") };
    assert_eq!((run.run.status, &run.run.detail), (RunStatus::Interrupted, &None));
    assert!(run.levels[0].intervals.iter().any(|interval| interval.counts.succeeded > 0));
    assert!(!run.samples.is_empty());
    assert_eq!(marked(&mark), []);
}

#[test]
fn warm_ups_end_when_targets_are_warm_and_none_is_shorter_than_one_before_it() {
    // Pauses set its throughput, on a busy machine too.
    let think = ThinkTime::Constant { pause: Nanos::from_millis(200) };
    let load = Load::ConstantVus { vus: 10, duration: Nanos::from_secs(300), think };
    let warm_up = LevelPlan::new("warm-up", Phase::WarmUp, load);
    let variants = vec![target(&["warms=6"], &mark()), target(&[], &mark())];
    let mut experiment = of(variants, vec![warm_up, level("measured", 1)]);
    experiment.warmup_until_steady = true;
    let ran = run(&experiment);

    let took = |run: &RunData| {
        assert_eq!((run.run.status, run.levels.len()), (RunStatus::Done, 2));
        run.levels[0].took.expect("it ended")
    };
    let [slow, quick] =
        [0, 1].map(|variant| took(ran.data().runs.iter().find(|it| it.run.variant == variant).unwrap()));
    // Three seconds must be as the three before them.
    assert!(slow > Nanos::from_millis(9_500) && slow < Nanos::from_secs(299), "{slow}");
    assert!(quick + Nanos::from_millis(900) > slow, "{quick} after {slow}");
    let is_told = |event: &&Event| matches!(event, Event::Note(note) if note.contains("the warm-up ended"));
    assert_eq!(ran.events.iter().find(is_told), None, "both were warm, whatever the last part of a second was like");
}

#[test]
fn progress_is_that_of_all_requests_of_a_second() {
    let mark = mark();
    let names = ["one", "other"].map(str::to_owned);
    let mixed = LevelPlan { requests: names.to_vec(), ..level("mixed", 3) };
    let mut experiment = of(vec![target(&[], &mark)], vec![mixed]);
    let flow = |name| FlowText { weight: 1.0, steps: vec![StepText { name, ..StepText::default() }] };
    experiment.scripts[0].flows = names.map(flow).to_vec();
    let ran = run(&experiment);
    let told = ran.events.iter().find_map(|event| match event {
        Event::Progress(progress) => Some(progress.throughput_per_s),
        _ => None,
    });
    let first = ran.data().runs[0].levels[0].intervals.iter().filter(|it| it.start < Nanos::from_millis(500));
    let all: Vec<f64> = first.map(|it| it.counts.succeeded as f64 / it.duration.as_secs_f64()).collect();
    assert_eq!(all.len(), 2, "{all:?}");
    let told_of_all = told.expect("progress") / all.iter().sum::<f64>();
    assert!((told_of_all - 1.0).abs() < 0.02, "told {told_of_all} of {all:?}");
}

#[test]
fn the_targets_own_log_has_as_many_requests_as_the_record() {
    let folder = tempfile::tempdir().expect("a directory");
    let log = folder.path().join("access.log");
    let burst = Load::SharedIterations { vus: 8, iterations: 2_000, max_duration: None, think: ThinkTime::None };
    let levels = vec![level("for a second", 1), LevelPlan::new("2000", Phase::Measured, burst)];
    let ran = run(&of(vec![target(&[&format!("log={}", log.display())], &mark())], levels));
    let levels = &ran.data().runs[0].levels;
    let counted: Vec<u64> =
        levels.iter().map(|level| level.intervals.iter().map(|it| it.counts.succeeded).sum()).collect();
    let log = std::fs::read_to_string(log).expect("the target's log");
    let logged = |path: &str| log.lines().filter(|line| line.split(' ').nth(1) == Some(path)).count() as u64;
    assert_eq!((logged("/"), counted[1]), (counted[0] + counted[1], 2_000));
    assert_eq!(logged("/") + logged("/ready"), log.lines().count() as u64);
}

#[test]
fn a_target_is_not_blamed_for_another_socket_of_its_namespace() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback");
    rustix::net::listen(&listener, 1).expect("it listens already");
    let to = listener.local_addr().expect("bound");
    let over = AtomicBool::new(false);
    let ran = thread::scope(|scope| {
        // Nobody accepts: once its queue of one place is full, each connect is an overflow.
        scope.spawn(|| {
            let mut held = Vec::new();
            while !over.load(Ordering::Relaxed) {
                held.extend(TcpStream::connect_timeout(&to, Duration::from_millis(1)));
            }
        });
        let ran = run(&of(vec![target(&[], &mark())], vec![level("two", 2)]));
        over.store(true, Ordering::Relaxed);
        ran
    });
    let results = plimsoll_analysis::analyse(ran.data());
    let found: Vec<&str> = results.findings.iter().map(|it| it.kind.id).collect();
    assert!(found.contains(&"overflows-elsewhere") && !found.contains(&"accept-queue-overflows"), "{found:?}");
    let sockets = &results.variants[0].levels[0].as_ref().expect("figures").sockets;
    assert_eq!(sockets.listen_overflows.as_ref().map(|it| it.max), Some(0.0));
    assert!(ran.data().execution.plan.variants[0].server.is_some(), "the server is in the record");
}

#[test]
fn what_cannot_be_launched_is_known_before_anything_is_launched() {
    let mut missing = target(&[], &mark());
    missing.program = Program::Command { argv: vec!["no-such-program".to_owned()], workdir: "/".into(), port: None };
    let ran = run(&of(vec![target(&[], &mark()), missing], vec![level("short", 1)]));
    let error = ran.result.expect_err("a problem");
    assert!(matches!(error, LabError::CannotLaunch(_)));
    assert!(error.to_string().starts_with("variant `v1`: command `no-such-program` not found"), "{error}");
    assert_eq!((ran.events, ran.data), (vec![], None));
}

#[test]
fn a_program_that_cannot_be_executed_is_said_to_be_so() {
    let folder = tempfile::tempdir().expect("a directory");
    let script = folder.path().join("run.sh");
    std::fs::write(&script, "#!/no/such/shell\n").expect("written");
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("ours");
    let mut variant = target(&[], &mark());
    variant.program =
        Program::Command { argv: vec!["./run.sh".to_owned()], workdir: folder.path().to_owned(), port: None };
    let ran = run(&of(vec![variant], vec![level("short", 1)]));
    let run = &ran.data().runs[0];
    assert_eq!(run.run.status, RunStatus::NotReady);
    assert!(detail(run).starts_with("`./run.sh` could not be executed in "), "{}", detail(run));
}

#[test]
fn a_variant_that_cannot_run_here_is_skipped_once() {
    let mark = mark();
    let mut native = target(&[], &mark);
    native.program = Program::Jvm(Jvm::of_subject("greetings-web", Packaging::Native));
    let mut experiment = of(vec![native, target(&[], &mark)], vec![level("short", 1)]);
    experiment.plan.rounds = 2;
    let ran = run(&experiment);

    let outcome = ran.result.as_ref().expect("no error");
    assert_eq!((outcome.status, outcome.runs_done, outcome.runs_failed), (ExecutionStatus::Done, 2, 1));
    let [skipped, ..] = ran.data().runs.as_slice() else { panic!("three runs") };
    assert_eq!((ran.data().runs.len(), skipped.run.status), (3, RunStatus::Skipped));
    assert!(detail(skipped).contains("no JDK found"), "{}", detail(skipped));
    assert!(ran.events.iter().any(|event| matches!(event, Event::Skipped { variant: 0, .. })));
}

/// With an upstream that the target connects to once.
fn with_upstream(habits: &[&str], upstream: UpstreamPlan, mark: &str) -> Experiment {
    let mut variant = target(&[&["connect={upstream-host}:{upstream-port}"], habits].concat(), mark);
    variant.env.insert("UPSTREAM".to_owned(), "{upstream}/api".to_owned());
    let mut experiment = of(vec![variant], vec![level("short", 1)]);
    experiment.plan.variants[0].upstream = Some(upstream);
    experiment
}

#[test]
fn an_upstream_runs_beside_the_target_and_its_counts_are_recorded() {
    let mark = mark();
    let ran = run(&with_upstream(&[], UpstreamPlan::default(), &mark));
    let run = &ran.data().runs[0];
    assert_eq!((run.run.status, &run.run.detail), (RunStatus::Done, &None));
    let command = run.run.command.as_deref().expect("it was launched");
    assert!(command.contains("UPSTREAM=http://127.0.0.1:") && !command.contains("{upstream"), "{command}");
    let name = metric::upstream::CONNECTIONS_OPENED.name;
    let opened: Vec<f64> =
        run.samples.iter().filter(|sample| sample.metric == name).map(|sample| sample.value).collect();
    assert!(opened.len() >= 2 && opened.last() == Some(&1.0), "{opened:?}");
    let level = &run.levels[0];
    let during = |at: Nanos| at >= level.started && at <= level.started + level.took.expect("it ended");
    assert!(run.samples.iter().filter(|sample| sample.metric == name && during(sample.at)).count() >= 1);
    assert_eq!(marked(&mark), []);
    assert!(ran.data().execution.environment.placement.as_deref().expect("it is known").contains("upstream"));
}

#[test]
fn a_run_whose_upstream_dies_or_never_lives_says_so() {
    // It lives until the level has begun.
    let freeze = Some(Freeze { length: Nanos(1), every: Nanos::from_secs(20) });
    let mut dies = with_upstream(&[], UpstreamPlan { freeze, ..UpstreamPlan::default() }, &mark());
    dies.plan.levels = vec![level("long", 60)];
    let ran = run(&dies);
    let died = &ran.data().runs[0];
    assert_eq!(died.run.status, RunStatus::UpstreamFailed, "{:?}", died.run);
    let said = "the upstream exited with status 4 while level `long` was driven: I cannot go on";
    assert_eq!(detail(died), said);

    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("it is bound").port();
    let ran = run(&with_upstream(&[], UpstreamPlan { port, ..UpstreamPlan::default() }, &mark()));
    let never = &ran.data().runs[0];
    assert_eq!(never.run.status, RunStatus::UpstreamFailed);
    assert_eq!(detail(never), "the upstream could not be started: it ended before it was ready");
    assert_eq!(never.output_tail, ["error: the port is taken"]);
}
