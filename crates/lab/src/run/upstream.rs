//! The upstream of a run: this same program, started before the target and ended after it.

use std::{fs, thread, time::Duration};

use plimsoll_record::{Nanos, Sample, UpstreamCounts, UpstreamLine, UpstreamPlan, UpstreamReady, metric::upstream};
use tempfile::TempDir;

use super::{execution::Execution, site::Site};
use crate::{
    clock,
    event::Place,
    launch::{CgroupLimits, Command, Ended, Launch, StartError, Target},
};

/// How long it may take to listen, certificates included.
const PATIENCE: Nanos = Nanos::from_secs(30);
/// From one look at what it says to the next.
const PAUSE: Duration = Duration::from_millis(1);
/// How long it has to end in order.
const GRACE: Nanos = Nanos::from_secs(2);

/// An upstream that accepts connections. Dropped, it is ended.
pub struct Upstream {
    process: Target,
    ready: UpstreamReady,
    /// Its counts are timed from here, by [`clock`].
    started: Nanos,
    /// The certificates in it.
    _folder: TempDir,
}

/// As `localhost`, for which its certificate is, too.
fn by_name(ready: &UpstreamReady) -> UpstreamReady {
    const NAME: &str = "localhost";
    let url = ready.url.replace(&format!("//{}:", ready.host), &format!("//{NAME}:"));
    UpstreamReady { url, host: NAME.to_owned(), ..ready.clone() }
}

impl Upstream {
    /// Starts the upstream of the variant at `place`, if it has one, and tells the `site` of it.
    pub fn start_at(site: &mut Site, execution: &Execution<'_>, place: &Place) -> Result<Option<Self>, StartError> {
        let plan = &execution.experiment.plan;
        let Some(upstream) = &plan.variants[place.variant].upstream else { return Ok(None) };
        // What it draws differs from round to round, not between variants.
        let seed = upstream.seed.wrapping_add(plan.seed).wrapping_add(u64::from(place.round));
        let upstream = UpstreamPlan { seed, bind: site.upstream_host().into(), ..upstream.clone() };
        let failed = |StartError { message, output_tail }| StartError {
            message: format!("the upstream could not be started: {message}"),
            output_tail,
        };
        let started = Self::start(site, execution, &upstream, place.run).map_err(failed)?;
        let ready = if upstream.by_name { by_name(&started.ready) } else { started.ready.clone() };
        let led = site.lead_to_upstream(&ready);
        led.map_err(|message| StartError { message, output_tail: Vec::new() })?;
        Ok(Some(started))
    }

    fn start(site: &Site, execution: &Execution<'_>, plan: &UpstreamPlan, run: u32) -> Result<Self, StartError> {
        let failed = |message: String| StartError { message, output_tail: Vec::new() };
        let folder = tempfile::tempdir().map_err(|error| failed(format!("no folder for certificates: {error}")))?;
        let exe = &execution.context.exe;
        let plan = serde_json::to_string(plan).map_err(|error| failed(error.to_string()))?;
        let certificates = folder.path().display().to_string();
        let argv = [
            &exe.display().to_string(),
            "upstream",
            "--config",
            &plan,
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
            cpus: execution.placement.generator_cpus().to_vec(),
            namespace: site.upstream().cloned(),
            limits: CgroupLimits::default(),
            cgroup_name: format!("plimsoll-{}-{run}-upstream", std::process::id()),
            grace: GRACE,
        };
        let mut process = Target::start(exe, &launch)?;
        let (ready, started) = await_ready(&mut process, execution)?;
        Ok(Self { process, ready, started, _folder: folder })
    }

    /// How it ended, if it has, though nobody told it to.
    pub fn poll_ended(&mut self) -> Option<&Ended> {
        self.process.poll_ended()
    }

    /// What it has counted since the last call, at instants counted from the `spawned` target.
    pub fn take_samples(&self, spawned: Nanos) -> Vec<Sample> {
        let lines = self.process.output().take_fresh();
        let counts = lines.iter().filter_map(|line| match serde_json::from_str(line) {
            Ok(UpstreamLine::Counts(counts)) => Some(counts),
            _ => None,
        });
        counts.flat_map(|counts| samples(&counts, self.started + counts.at - spawned)).collect()
    }

    /// The last lines that it said beside its counts.
    pub fn complaints(&self) -> Vec<String> {
        let lines = self.process.output().tail().into_iter();
        lines.filter(|line| serde_json::from_str::<UpstreamLine>(line).is_err()).collect()
    }

    /// Ends it.
    pub fn stop(&mut self) {
        self.process.stop();
    }
}

fn await_ready(process: &mut Target, execution: &Execution<'_>) -> Result<(UpstreamReady, Nanos), StartError> {
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
        if execution.is_stopped() {
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
        (upstream::TLS_HANDSHAKES, counts.tls_handshakes),
        (upstream::TLS_RESUMED, counts.tls_resumed),
        (upstream::RESETS, counts.resets),
        (upstream::WAITING, counts.waiting),
        (upstream::IN_SERVICE, counts.in_service),
    ];
    values.into_iter().map(move |(metric, value)| Sample { at, metric: metric.name.to_owned(), value: value as f64 })
}
