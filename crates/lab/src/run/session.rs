//! One target that runs, from its start to its end: what it puts out and what is sampled goes into the record at least
//! once a second.

use plimsoll_observe::{Foreign, listener::Answering};
use plimsoll_record::{Nanos, Run, RunStatus};
use plimsoll_text::number::exact_bytes;

use super::{LabError, beside::Beside, execution::Execution, target::Target, topology::Topology, upstream::Upstream};
use crate::{
    clock,
    event::{Event, Place},
    experiment::{Metrics, Variant},
    jmx::Asked,
    launch::{self, Launch, StartError, tail},
    line::Warming,
    sampling::{Sampling, Source, Watched},
    scrape::{Page, Scraping},
};

/// Measured data reach the record no later than this.
const FLUSH_INTERVAL: Nanos = Nanos::from_secs(1);
/// How many last lines of output are shown when a run did not end well.
const LINES_SHOWN: usize = 20;

/// A target that runs.
pub struct Session<'e, 'a> {
    pub execution: &'e mut Execution<'a>,
    pub place: &'e Place,
    pub target: Target,
    /// How it is started; none if it was there before.
    launch: Option<Launch>,
    /// How it is known to serve.
    pub readiness: Readiness,
    /// When it was started first, or found.
    began: Nanos,
    /// The simulated upstream that the target calls, if there is one.
    pub upstream: Option<Upstream>,
    /// Commands and programs of the variant's own beside it.
    pub beside: Beside,
    pub run: Run,
    /// Dropped after the target and its upstream.
    pub topology: Topology,
    /// Whether the last line that the target put out is told each second.
    pub tells_output: bool,
    sampling: Sampling,
    warming: Warming,
    /// The target's own metrics, once it is ready.
    scraping: Option<(Scraping, Metrics)>,
    flush_due: Nanos,
}

/// How a target is known to serve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readiness {
    /// Asked again and again; placeholders are replaced.
    pub url: String,
    /// Whether any answer but an error of the server's says so, rather than 2xx alone.
    pub takes_any_answer: bool,
}

/// How a run ended and, if not well to the end, why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunEnd {
    pub status: RunStatus,
    pub detail: Option<String>,
}

impl RunEnd {
    /// An end without anything to explain.
    pub const fn plain(status: RunStatus) -> Self {
        Self { status, detail: None }
    }

    /// An end with its reason.
    pub const fn because(status: RunStatus, detail: String) -> Self {
        Self { status, detail: Some(detail) }
    }

    /// End of a run whose emulated network has ended: only a signal, or a defect of ours, does that.
    pub fn network_ended(when: &str) -> Self {
        let detail = format!("the process of its emulated network was ended by something else, {when}: run it again");
        Self::because(RunStatus::Died, detail)
    }
}

impl<'e, 'a> Session<'e, 'a> {
    /// Begins to watch a target that has been started, and its sockets.
    pub fn new(
        execution: &'e mut Execution<'a>,
        run: Run,
        place: &'e Place,
        topology: Topology,
        (upstream, beside): (Option<Upstream>, Beside),
        (target, launch, readiness): (Target, Option<Launch>, Readiness),
    ) -> Self {
        let began = target.began();
        let sampling = sampling(execution, &topology, &beside, &target, began);
        let flush_due = clock::now() + FLUSH_INTERVAL;
        Self {
            execution,
            place,
            target,
            launch,
            readiness,
            began,
            upstream,
            beside,
            run,
            topology,
            tells_output: false,
            sampling,
            warming: Warming::default(),
            scraping: None,
            flush_due,
        }
    }

    /// Time since the first spawn of the target.
    pub fn age(&self) -> Nanos {
        clock::now() - self.began
    }

    /// Ends a target that answers no more, and starts it anew; why that failed.
    pub fn start_anew(&mut self) -> Result<Option<RunEnd>, LabError> {
        let Some(launch) = &self.launch else {
            let detail = "the service answered no more, and what runs by itself is not started anew: start it again";
            return Ok(Some(RunEnd::because(RunStatus::Died, detail.to_owned())));
        };
        let launch = launch.clone();
        self.target.stop();
        self.sampling.end();
        self.flush()?;
        match launch::Target::start(&self.execution.context.exe, &launch) {
            Ok(target) => {
                self.execution.note_limits(self.place.variant, target.applied())?;
                let target = Target::Launched(Box::new(target));
                self.sampling = sampling(self.execution, &self.topology, &self.beside, &target, self.began);
                self.target = target;
                Ok(None)
            }
            Err(StartError { message, output_tail }) => {
                self.execution.store.add_output(self.run.id, &output_tail)?;
                Ok(Some(RunEnd::because(RunStatus::Died, format!("it did not start again: {message}"))))
            }
        }
    }

    /// Looks once more for the process of a service that somebody else started: it may have listened later than the run
    /// began.
    pub fn look_again(&mut self) -> Result<(), LabError> {
        let Target::Running(running) = &mut self.target else { return Ok(()) };
        if running.is_known() {
            return Ok(());
        }
        if let Err((port, why)) = running.look() {
            let name = &self.place.name;
            self.execution.say_once(&format!("{name}: CPU and memory are not watched, port {port}: {why}"));
        }
        if running.is_known() {
            self.sampling.end();
            self.flush()?;
            self.sampling = sampling(self.execution, &self.topology, &self.beside, &self.target, self.began);
        }
        Ok(())
    }

    /// Whether the target still compiles or loads classes, by what was flushed.
    pub fn is_warming(&self) -> bool {
        self.warming.is_warming()
    }

    /// Begins to read what the target, which is ready, tells of itself; begins anew if it was started anew.
    pub fn scrape(&mut self, variant: &Variant) -> Result<(), LabError> {
        let Some(metrics) = &variant.metrics else { return Ok(()) };
        self.end_scraping(false);
        self.flush()?;
        let url = metrics.url.as_ref().map(|url| self.url(url, &self.topology.beside_target())).transpose()?;
        let asked = Asked {
            pids: self.target.pids(),
            java: self.execution.context.artifacts.default_jdk().map(|jdk| jdk.program("java")),
        };
        if let Some(page) = Page::new(&metrics.keep, url, asked, metrics.every) {
            let placement = self.execution.placement.thread_in(self.topology.target());
            self.scraping = Some((Scraping::start(page, self.began, placement), metrics.clone()));
        }
        Ok(())
    }

    /// Ends the reading of metrics. Problems are told only if the run `is_well`: a dead target serves no metrics.
    fn end_scraping(&mut self, is_well: bool) {
        let Some((scraping, metrics)) = &mut self.scraping else { return };
        scraping.end();
        if !is_well {
            return;
        }
        for problem in scraping.problems(&metrics.keep) {
            self.execution.say_once(&format!("{}: {problem}", self.place.name));
        }
    }

    /// Writes what has come since the last time, if that is long enough ago.
    pub fn flush_if_due(&mut self) -> Result<(), LabError> {
        if clock::now() < self.flush_due {
            return Ok(());
        }
        self.flush_due = clock::now() + FLUSH_INTERVAL;
        self.flush()
    }

    fn flush(&mut self) -> Result<(), LabError> {
        let (mut samples, lines) = (self.sampling.take(), self.target.take_output());
        self.warming.add(&samples);
        samples.extend(self.scraping.iter().flat_map(|(scraping, _)| scraping.take()));
        samples.extend(self.upstream.iter().flat_map(|upstream| upstream.take_samples(self.began)));
        if !samples.is_empty() {
            self.execution.store.add_samples(self.run.id, &samples)?;
        }
        if let Some(line) = lines.iter().rfind(|line| self.tells_output && !line.trim().is_empty()) {
            self.execution.say(Event::Told { place: self.place.clone(), line: line.trim().to_owned() });
        }
        if !lines.is_empty() {
            self.execution.store.add_output(self.run.id, &lines)?;
        }
        self.beside.flush(self.execution)
    }

    /// The end of a run that `failed` because its emulated network could not be entered; other failures are the
    /// execution's.
    pub fn without_network(&self, failed: LabError) -> Result<RunEnd, LabError> {
        let LabError::Network(error) = failed else { return Err(failed) };
        if self.execution.is_stopped() {
            return Ok(RunEnd::plain(RunStatus::Interrupted));
        }
        let detail = format!("{error}: its process was ended by something else, or rights were taken: run it again");
        Ok(RunEnd::because(RunStatus::Died, detail))
    }

    /// The end of a run whose target has exited, though nobody told it to. `when` says what was under way.
    pub fn exited(&mut self, status: RunStatus, when: &str) -> RunEnd {
        let age = clock::now() - self.target.began();
        if self.target.spawned().is_none() {
            return RunEnd::because(status, format!("the process of the service, which ran by itself, ended {when}"));
        }
        let ended = self.target.poll_ended().cloned().unwrap_or_default();
        let how =
            ended.exit.map_or_else(|| "was killed together with its supervisor".to_owned(), |exit| exit.to_string());
        let mut detail = format!("the target {how} {age} after its start, {when}");
        if ended.oom_kills > 0 {
            let limit = self.target.memory_limit_bytes().map_or("its limit".to_owned(), exact_bytes);
            detail.push_str(&format!(
                "; the kernel killed {} of its processes because they needed more memory than {limit}: \
                 raise `limits.memory`",
                ended.oom_kills
            ));
        }
        RunEnd::because(status, detail)
    }

    /// The end of a run whose upstream has exited, though nobody told it to.
    pub fn upstream_exited(&mut self, when: &str) -> RunEnd {
        let ended = self.upstream.as_mut().and_then(|upstream| upstream.poll_ended().cloned());
        let exit = ended.and_then(|ended| ended.exit);
        let how = exit.map_or_else(|| "was killed together with its supervisor".to_owned(), |exit| exit.to_string());
        let said = self.upstream.as_ref().map(Upstream::complaints).unwrap_or_default();
        let said = said.last().map(|line| format!(": {line}")).unwrap_or_default();
        RunEnd::because(RunStatus::UpstreamFailed, format!("the upstream {how} {when}{said}"))
    }

    /// The program that the target needs and that has exited, though nobody told it to, with how it did.
    pub fn ended_dependency(&mut self) -> Option<String> {
        self.beside.poll_ended()
    }

    /// The end of a run that needs a program which has exited.
    pub fn dependency_exited(&mut self, when: &str) -> RunEnd {
        let how = self.ended_dependency().unwrap_or_else(|| "a service beside the target ended".to_owned());
        RunEnd::because(RunStatus::UpstreamFailed, format!("{how} {when}"))
    }

    /// Ends the target, if it has not ended, then what is beside it, and the run.
    pub fn end(mut self, run_end: RunEnd) -> Result<RunStatus, LabError> {
        self.end_scraping(run_end == RunEnd::plain(RunStatus::Done));
        self.target.stop();
        self.sampling.end();
        self.upstream.iter_mut().for_each(Upstream::stop);
        self.flush()?;
        let output = self.target.output_tail();
        self.beside.end(self.execution, &self.place.name)?;
        conclude(self.execution, self.run, self.place, run_end, &output)
    }
}

/// Begins to sample a target and its sockets; instants are counted from `began`.
fn sampling(
    execution: &Execution<'_>,
    topology: &Topology,
    beside: &Beside,
    target: &Target,
    began: Nanos,
) -> Sampling {
    let counter = topology.counter().map(|counts| -> Source {
        Box::new(move || counts().metrics().map(|(metric, value)| (metric.name.to_owned(), value)).to_vec())
    });
    let mut ports = topology.ports();
    if let Some(running) = target.running() {
        ports.listening = vec![running.port];
    }
    // Neither processes that this one has started nor a target that ran before are foreign.
    let mut foreign = Foreign::new(target.running().into_iter().flat_map(Answering::pids));
    let foreign: Source = Box::new(move || foreign.sample());
    let sampler = target.sampler().map(|sampler| sampler.with_sockets(ports));
    let watched = Watched {
        target: sampler,
        beside: counter.into_iter().chain([foreign]).collect(),
        dependencies: beside.samplers(),
    };
    Sampling::start(watched, began, execution.placement.thread_in(None))
}

/// Writes how a run ended, and says so.
pub fn conclude(
    execution: &mut Execution<'_>,
    run: Run,
    place: &Place,
    run_end: RunEnd,
    output: &[String],
) -> Result<RunStatus, LabError> {
    let RunEnd { status, detail } = run_end;
    execution.store.update_run(&Run { status, detail: detail.clone(), ..run })?;
    let is_well = matches!(status, RunStatus::Done | RunStatus::Interrupted);
    let output_tail = if is_well { Vec::new() } else { tail(output, LINES_SHOWN).to_vec() };
    execution.say(Event::RunEnded { place: place.clone(), status, detail, output_tail });
    Ok(status)
}
