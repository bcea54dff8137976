//! The upstream of a run: this same program, started before the target and ended after it.

use std::{
    fs,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use plimsoll_network::Namespace;
use plimsoll_record::{Nanos, Sample, UpstreamCounts, UpstreamLine, UpstreamPlan, UpstreamReady, metric::upstream};

use super::{
    Context,
    execution::Execution,
    folder::{Folder, Purpose},
    topology::Topology,
};
use crate::{
    artifact::{Beside, PrepareError, Training},
    clock,
    event::Place,
    launch::{CgroupLimits, Command, Ended, Launch, StartError, Target},
    placeholders::Placeholders,
    placement::Placement,
};

/// How long it may take to listen, certificates included.
const PATIENCE: Nanos = Nanos::from_secs(30);
/// From one look at what it says to the next.
const PAUSE: Duration = Duration::from_millis(1);
/// How long it has to end in order.
const GRACE: Nanos = Nanos::from_secs(5);

/// An upstream that accepts connections. Dropped, it is ended.
pub struct Upstream {
    process: Target,
    ready: UpstreamReady,
    /// Its counts are timed from here, by [`clock`].
    started: Nanos,
    /// The certificates in it.
    _folder: Folder,
}

/// The command that starts upstreams.
#[derive(Clone, Copy)]
pub struct Starter<'a> {
    pub context: &'a Context,
    pub placement: &'a Placement,
    /// Once set, nothing is awaited any longer.
    pub stop: &'a AtomicBool,
}

impl Starter<'_> {
    fn start(self, plan: &UpstreamPlan, namespace: Option<&Namespace>) -> Result<Upstream, StartError> {
        self.try_start(plan, namespace).map_err(|StartError { message, output_tail }| StartError {
            message: format!("the upstream could not be started: {message}"),
            output_tail,
        })
    }

    fn try_start(self, plan: &UpstreamPlan, namespace: Option<&Namespace>) -> Result<Upstream, StartError> {
        let failed = |message: String| StartError { message, output_tail: Vec::new() };
        let folder =
            Folder::make(Purpose::Upstream).map_err(|error| failed(format!("no folder for certificates: {error}")))?;
        let exe = &self.context.exe;
        let plan_json = serde_json::to_string(plan).map_err(|error| failed(error.to_string()))?;
        let certificates = folder.path().display().to_string();
        let argv = [
            &exe.display().to_string(),
            "upstream",
            "--config",
            &plan_json,
            "--json",
            "--interval",
            "100ms",
            "--remove-certificates",
            "--certificates",
            &certificates,
        ];
        let command = Command {
            argv: argv.map(str::to_owned).to_vec(),
            workdir: fs::canonicalize(folder.path()).unwrap_or_else(|_| folder.path().to_owned()),
            ..Command::default()
        };
        let launch = Launch {
            command,
            cpus: self.placement.generator_cpus().to_vec(),
            namespace: namespace.cloned(),
            limits: CgroupLimits::default(),
            files: None,
            grace: GRACE,
            is_command: false,
            removes: Some(folder.path().to_owned()),
        };
        let mut process = Target::start(exe, &launch)?;
        let (ready, started) = await_ready(&mut process, self.stop)?;
        let ready = if plan.by_name { by_name(&ready) } else { ready };
        Ok(Upstream { process, ready, started, _folder: folder })
    }
}

/// An upstream that is there, on loopback, while a program is trained.
pub struct TrainingUpstream<'a> {
    pub plan: &'a UpstreamPlan,
    pub starter: Starter<'a>,
}

impl Beside for TrainingUpstream<'_> {
    fn key(&self) -> String {
        format!("{:?}", self.plan)
    }

    fn during(&self, train: Training) -> Result<(), PrepareError> {
        let started = self.starter.start(self.plan, None);
        let mut upstream = started.map_err(|StartError { message, output_tail }| PrepareError::Failed {
            what: format!("the program cannot be trained: {message}"),
            telling: output_tail,
        })?;
        let trained = train(&Placeholders::default().with_upstream(&upstream.ready));
        upstream.stop();
        trained
    }
}

/// The upstream by the name `localhost`, for which its certificate is valid, too.
fn by_name(ready: &UpstreamReady) -> UpstreamReady {
    const NAME: &str = "localhost";
    let url = ready.url.replace(&format!("//{}:", ready.host), &format!("//{NAME}:"));
    UpstreamReady { url, host: NAME.to_owned(), ..ready.clone() }
}

impl Upstream {
    /// Starts the upstream of the variant at `place`, if it has one, and tells the `topology` of it.
    pub fn start_at(
        topology: &mut Topology,
        execution: &Execution<'_>,
        place: &Place,
    ) -> Result<Option<Self>, StartError> {
        let plan = &execution.experiment.plan;
        let Some(upstream) = &plan.variants[place.variant].upstream else { return Ok(None) };
        // Random values differ between rounds, not between variants.
        let seed = upstream.seed.wrapping_add(plan.seed).wrapping_add(u64::from(place.round));
        let upstream = UpstreamPlan { seed, bind: topology.upstream_host().into(), ..upstream.clone() };
        let starter = Starter { context: execution.context, placement: &execution.placement, stop: execution.stop };
        let started = starter.start(&upstream, topology.upstream())?;
        let led = topology.lead_to_upstream(&started.ready);
        led.map_err(|message| StartError { message, output_tail: Vec::new() })?;
        Ok(Some(started))
    }

    /// How it ended, if it has, though nobody told it to.
    pub fn poll_ended(&mut self) -> Option<&Ended> {
        self.process.poll_ended()
    }

    /// Its counts since the last call, at instants counted from the `spawned` target.
    pub fn take_samples(&self, spawned: Nanos) -> Vec<Sample> {
        let lines = self.process.output().take_fresh();
        let counts = lines.iter().filter_map(|line| match serde_json::from_str(line) {
            Ok(UpstreamLine::Counts(counts)) => Some(counts),
            _ => None,
        });
        counts.flat_map(|counts| samples(&counts, self.started + counts.at - spawned)).collect()
    }

    /// The last lines that it said beside its counts, once it has ended: its pipe may be read a moment later.
    pub fn complaints(&self) -> Vec<String> {
        self.process.output().await_end(Duration::from_secs(1));
        let lines = self.process.output().tail().into_iter();
        lines.filter(|line| serde_json::from_str::<UpstreamLine>(line).is_err()).collect()
    }

    /// Ends it.
    pub fn stop(&mut self) {
        self.process.stop();
    }
}

fn await_ready(process: &mut Target, stop: &AtomicBool) -> Result<(UpstreamReady, Nanos), StartError> {
    let deadline = clock::now() + PATIENCE;
    let message = loop {
        for line in process.output().take_fresh() {
            if let Ok(UpstreamLine::Ready(ready)) = serde_json::from_str(&line) {
                return Ok((ready, clock::now()));
            }
        }
        if process.poll_ended().is_some() {
            process.stop();
            break "it ended before it was ready".to_owned();
        }
        if clock::now() > deadline {
            break format!("it was not ready within {PATIENCE}");
        }
        if stop.load(Ordering::Relaxed) {
            break "it was not awaited".to_owned();
        }
        thread::sleep(PAUSE);
    };
    Err(StartError { message, output_tail: process.output().tail() })
}

fn samples(counts: &UpstreamCounts, at: Nanos) -> impl Iterator<Item = Sample> + use<> {
    let values = [
        (upstream::CONNECTIONS_OPENED, counts.connections_opened),
        (upstream::CONNECTIONS_OPEN, counts.connections_open),
        (upstream::REQUESTS, counts.requests),
        (upstream::REQUESTS_PER_CONNECTION_MAX, counts.requests_per_connection_max),
        (upstream::TLS_HANDSHAKES, counts.tls_handshakes),
        (upstream::TLS_RESUMED, counts.tls_resumed),
        (upstream::TLS_FAILED, counts.tls_failed),
        (upstream::RESETS, counts.resets),
        (upstream::WAITING, counts.waiting),
        (upstream::IN_SERVICE, counts.in_service),
    ];
    values.into_iter().map(move |(metric, value)| Sample { at, metric: metric.name.to_owned(), value: value as f64 })
}
