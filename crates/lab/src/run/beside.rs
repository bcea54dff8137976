//! Commands around a target's run and its levels, and the programs that it needs, as they run beside it.

use std::{
    io,
    net::TcpStream,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use plimsoll_drive::connection::Tls;
use plimsoll_network::Namespace;
use plimsoll_observe::Sampler;
use plimsoll_record::{Nanos, RunStatus};

use super::{LabError, execution::Execution, job::url, session::RunEnd, topology::Topology};
use crate::{
    beside::{Dependency, Hook, Hooks, Ready},
    clock,
    event::Place,
    launch::{CgroupLimits, Command, Ended, Exit, Launch, StartError, Target},
    placeholders::Placeholders,
    placement::ThreadPlacement,
    ready::{NotReady, Probe},
};

/// From one look at a process to the next.
const LOOK_UP: Duration = Duration::from_millis(5);
/// Name of the command that follows a run.
const AFTER_RUN: &str = "after-run";
/// How long a dependency has to end in order.
const GRACE: Nanos = Nanos::from_secs(10);

/// Programs that run, and commands that are still to come. Dropped, the programs are ended.
pub struct Beside {
    hooks: Hooks,
    running: Vec<(String, Target)>,
    place: Ground,
}

/// Where everything beside the target runs.
struct Ground {
    exe: PathBuf,
    cpus: Vec<usize>,
    placeholders: Placeholders,
    namespace: Option<Namespace>,
    run: i64,
}

/// Why a run does not begin, or end, as it should, with the last lines of what failed.
pub struct Failed {
    pub run_end: RunEnd,
    pub output_tail: Vec<String>,
}

type Outcome<T> = Result<Result<T, Failed>, LabError>;

impl Beside {
    /// Starts the dependencies of the variant at `place`, one after the other, tells the `topology` of their ports, and
    /// runs the command before the run.
    ///
    /// # Errors
    ///
    /// The inner one ends the run.
    pub fn start(execution: &mut Execution<'_>, run: i64, place: &Place, topology: &mut Topology) -> Outcome<Self> {
        let (variant, name) = (&execution.experiment.variants[place.variant], &place.name);
        for dependency in &variant.dependencies {
            let port = topology.free_port()?;
            topology.know_port(dependency.port_name(), port);
        }
        let namespace = topology.target().cloned();
        let (exe, cpus) = (execution.context.exe.clone(), execution.placement.generator_cpus().to_vec());
        let place = Ground { exe, cpus, placeholders: topology.beside_target(), namespace, run };
        let mut beside = Self { hooks: variant.hooks.clone(), running: Vec::new(), place };
        for dependency in &variant.dependencies {
            if let Err(failed) = beside.start_one(execution, dependency)? {
                return Ok(Err(failed));
            }
        }
        match beside.place.run_hook(execution, "before-run", beside.hooks.before_run.as_ref(), None)? {
            Ok(()) => Ok(Ok(beside)),
            // Whatever it has made so far is put away.
            Err(failed) => beside.end(execution, name).map(|()| Err(failed)),
        }
    }

    fn start_one(&mut self, execution: &mut Execution<'_>, dependency: &Dependency) -> Outcome<()> {
        let Dependency { name, .. } = dependency;
        let fill = |text: &String| self.place.placeholders.fill(text);
        let command = Command {
            argv: dependency.argv.iter().map(fill).collect(),
            env: dependency.env.iter().map(|(name, value)| (name.clone(), fill(value))).collect(),
            workdir: dependency.workdir.clone(),
        };
        let mut process = match self.place.launch(command, false) {
            Ok(process) => process,
            Err(StartError { message, output_tail }) => {
                return self.place.failed(execution, name, message, output_tail);
            }
        };
        let ready = self.place.await_ready(execution, dependency, &mut process);
        let told = process.output().take_fresh();
        execution.store.add_output_of(self.place.run, name, &told)?;
        self.running.push((name.clone(), process));
        Ok(ready.map_err(|run_end| Failed { run_end, output_tail: told }))
    }

    /// Runs the command before the levels of these names, if there is one.
    ///
    /// # Errors
    ///
    /// The inner one ends the run.
    pub fn before_levels(&self, execution: &mut Execution<'_>, names: &str) -> Outcome<()> {
        self.place.run_hook(execution, "before-level", self.hooks.before_level.as_ref(), Some(names))
    }

    /// Samplers of all dependencies, by name.
    pub fn samplers(&self) -> Vec<(String, Sampler)> {
        self.running.iter().map(|(name, process)| (name.clone(), process.sampler())).collect()
    }

    /// The first dependency that has ended, though nobody told it to, with how it did.
    pub fn poll_ended(&mut self) -> Option<String> {
        self.running.iter_mut().find_map(|(name, process)| {
            let exit = process.poll_ended()?.exit;
            let how = exit.map_or_else(|| "was killed".to_owned(), |exit| exit.to_string());
            Some(format!("the service `{name}` {how}"))
        })
    }

    /// Keeps what the dependencies have put out since the last time.
    ///
    /// # Errors
    ///
    /// If the record cannot be written.
    pub fn flush(&self, execution: &mut Execution<'_>) -> Result<(), LabError> {
        for (name, process) in &self.running {
            let lines = process.output().take_fresh();
            if !lines.is_empty() {
                execution.store.add_output_of(self.place.run, name, &lines)?;
            }
        }
        Ok(())
    }

    /// Runs the command after the run, and ends the dependencies, the last first. A command that fails is told; what
    /// was measured before it still counts.
    ///
    /// # Errors
    ///
    /// If the record cannot be written.
    pub fn end(self, execution: &mut Execution<'_>, variant: &str) -> Result<(), LabError> {
        if let Err(Failed { run_end, .. }) =
            self.place.run_hook(execution, AFTER_RUN, self.hooks.after_run.as_ref(), None)?
        {
            run_end.detail.iter().for_each(|why| execution.say_once(&format!("{variant}: {why}")));
        }
        Ok(())
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        while let Some((_, mut process)) = self.running.pop() {
            process.stop();
        }
    }
}

impl Ground {
    fn launch(&self, command: Command, is_command: bool) -> Result<Target, StartError> {
        let launch = Launch {
            command,
            cpus: self.cpus.clone(),
            namespace: self.namespace.clone(),
            limits: CgroupLimits::default(),
            files: None,
            grace: GRACE,
            is_command,
            removes: None,
        };
        Target::start(&self.exe, &launch)
    }

    /// Runs a command to its end, and keeps what it puts out.
    fn run_hook(
        &self,
        execution: &mut Execution<'_>,
        when: &str,
        hook: Option<&Hook>,
        levels: Option<&str>,
    ) -> Outcome<()> {
        let Some(hook) = hook else { return Ok(Ok(())) };
        let placeholders =
            levels.map_or_else(|| self.placeholders.clone(), |levels| self.placeholders.clone().with("level", levels));
        let argv: Vec<String> = hook.argv.iter().map(|text| placeholders.fill(text)).collect();
        let command = Command { argv, workdir: hook.workdir.clone(), ..Command::default() };
        let mut process = match self.launch(command, true) {
            Ok(process) => process,
            Err(StartError { message, output_tail }) => return self.failed(execution, when, message, output_tail),
        };
        // The command after a run puts away what the one before it made, also after Ctrl-C.
        let is_stopped = || when != AFTER_RUN && execution.is_stopped();
        await_end(&mut process, clock::now() + hook.time_out, is_stopped);
        let has_ended = process.poll_ended().is_some();
        let Ended { exit, left_others, .. } = process.stop();
        let told = process.output().take_fresh();
        execution.store.add_output_of(self.run, when, &told)?;
        if has_ended && left_others {
            execution.say_once(&format!(
                "`{when}` left processes behind, which were ended: programs that are to go on belong to `services`"
            ));
        }
        let message = match exit {
            _ if !has_ended && when != AFTER_RUN && execution.is_stopped() => {
                let run_end = RunEnd::plain(RunStatus::Interrupted);
                return Ok(Err(Failed { run_end, output_tail: Vec::new() }));
            }
            _ if !has_ended => format!("it did not end within {}: raise its `time-out`", hook.time_out),
            Some(Exit::Status(0)) => return Ok(Ok(())),
            Some(exit) => format!("it {exit}"),
            None => "it was killed".to_owned(),
        };
        Ok(Err(not_ready(when, message, told)))
    }

    /// Keeps the output of something that could not be started.
    fn failed<T>(
        &self,
        execution: &mut Execution<'_>,
        name: &str,
        message: String,
        output_tail: Vec<String>,
    ) -> Outcome<T> {
        execution.store.add_output_of(self.run, name, &output_tail)?;
        Ok(Err(not_ready(name, message, output_tail)))
    }

    fn await_ready(
        &self,
        execution: &Execution<'_>,
        dependency: &Dependency,
        process: &mut Target,
    ) -> Result<(), RunEnd> {
        let deadline = clock::now() + dependency.time_out;
        let placement = execution.placement.thread_in(self.namespace.as_ref());
        let ask = |abort: &Arc<AtomicBool>| self.ask(dependency, deadline, &placement, abort);
        let (ready, early_end) = process.while_it_runs(|| execution.is_stopped(), ask);
        let ready = match ready {
            Ok(ready) => ready,
            Err(_) if execution.is_stopped() => return Err(RunEnd::plain(RunStatus::Interrupted)),
            Err(error) => return Err(RunEnd::because(RunStatus::NotReady, error.to_string())),
        };
        let name = &dependency.name;
        match (ready, early_end) {
            (Ok(()), _) => Ok(()),
            (Err(_), Some(Ended { exit, .. })) => {
                let how = exit.map_or_else(|| "was killed".to_owned(), |exit| exit.to_string());
                Err(RunEnd::because(RunStatus::NotReady, format!("the service `{name}` {how} before it was ready")))
            }
            (Err(_), None) if execution.is_stopped() => Err(RunEnd::plain(RunStatus::Interrupted)),
            (Err(last), None) => {
                let within = dependency.time_out;
                let detail = format!("the service `{name}` was not ready within {within}: {last}");
                Err(RunEnd::because(RunStatus::NotReady, detail))
            }
        }
    }

    /// Asks again and again until it serves, or what it said last.
    fn ask(
        &self,
        dependency: &Dependency,
        deadline: Nanos,
        placement: &ThreadPlacement,
        abort: &AtomicBool,
    ) -> io::Result<Result<(), String>> {
        placement.apply()?;
        let port = self.placeholders.fill(&format!("{{{}}}", dependency.port_name()));
        let address = self.placeholders.fill(&format!("{{host}}:{port}"));
        // Many servers listen on loopback alone, where the target reaches them as well.
        let connect = || TcpStream::connect(format!("127.0.0.1:{port}")).or_else(|_| TcpStream::connect(&address));
        let once = || match &dependency.ready {
            Ready::Port => connect().map(drop).map_err(|error| format!("connect {address}: {error}")),
            Ready::Command(argv) => self.succeeds(dependency, argv, deadline, abort),
            Ready::Url(template) => {
                let url = url(template, &self.placeholders)?;
                let probe = Probe::new(&url, &Tls::default())?;
                probe.await_ready(deadline, abort).map(drop).map_err(|NotReady(last)| format!("GET {url}: {last}"))
            }
        };
        loop {
            let last = match once() {
                Ok(()) => return Ok(Ok(())),
                Err(last) => last,
            };
            if abort.load(Ordering::Relaxed) || clock::now() >= deadline {
                return Ok(Err(last));
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn succeeds(
        &self,
        dependency: &Dependency,
        argv: &[String],
        deadline: Nanos,
        abort: &AtomicBool,
    ) -> Result<(), String> {
        let argv: Vec<String> = argv.iter().map(|text| self.placeholders.fill(text)).collect();
        let shown = argv.join(" ");
        let command = Command { argv, workdir: dependency.workdir.clone(), ..Command::default() };
        let mut process = self.launch(command, true).map_err(|StartError { message, .. }| message)?;
        await_end(&mut process, deadline, || abort.load(Ordering::Relaxed));
        match process.stop().exit {
            Some(Exit::Status(0)) => Ok(()),
            Some(exit) => Err(format!("`{shown}` {exit}")),
            None => Err(format!("`{shown}` was killed")),
        }
    }
}

/// Waits until the process has ended by itself, until `deadline`, or until `is_over`.
fn await_end(process: &mut Target, deadline: Nanos, is_over: impl Fn() -> bool) {
    while process.poll_ended().is_none() && !is_over() && clock::now() < deadline {
        thread::sleep(LOOK_UP);
    }
}

fn not_ready(name: &str, message: String, output_tail: Vec<String>) -> Failed {
    let last = output_tail.last().map(|line| format!("; it said `{}` last", line.trim())).unwrap_or_default();
    let run_end = RunEnd::because(RunStatus::NotReady, format!("`{name}` failed: {message}{last}"));
    Failed { run_end, output_tail }
}
