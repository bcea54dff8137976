//! Trains an archive of the user's own service by what it will be asked: launched, loaded for a few seconds, ended.

use std::{
    net::Ipv4Addr,
    sync::{Arc, atomic::Ordering},
};

use plimsoll_drive::{ScriptText, Stop, drive};
use plimsoll_record::{LevelPlan, Load, Nanos, Phase, ThinkTime};

use super::{
    job::{job, url},
    upstream::{Starter, TrainingUpstream},
};
use crate::{
    artifact::{Beside, CommandLine, PrepareError, Trainer},
    check::check_port,
    experiment::{Experiment, Program, Variant},
    launch::{CgroupLimits, Command, Launch, StartError, Target},
    placeholders::Placeholders,
    port,
    ready::{NotReady, Probe},
};

/// Enough for the classes of all requests to be loaded, and for their hot methods to be compiled.
const LOAD_LASTS: Nanos = Nanos::from_secs(5);
const VUS: u32 = 4;
/// A JVM writes its archive when it ends, and a new JVM may be started for that.
const GRACE: Nanos = Nanos::from_secs(120);

/// A variant of an experiment that is trained.
pub struct RequestTrainer<'a> {
    /// Where it is launched from.
    pub starter: Starter<'a>,
    /// Its requests train the variant.
    pub experiment: &'a Experiment,
    /// Its index.
    pub variant: usize,
}

impl Trainer for RequestTrainer<'_> {
    fn key(&self) -> String {
        let variant = &self.experiment.variants[self.variant];
        let upstream = &self.experiment.plan.variants[self.variant].upstream;
        format!("{:?} {:?} {} {upstream:?}", self.experiment.scripts, variant.env, variant.url)
    }

    fn serve(
        &self,
        command_line: &dyn Fn(&Placeholders) -> CommandLine,
        ready_path: &str,
        is_loaded: bool,
    ) -> Result<(), PrepareError> {
        let mut serve = |around: &Placeholders| self.serve_beside(around, command_line, ready_path, is_loaded);
        match &self.experiment.plan.variants[self.variant].upstream {
            Some(plan) => TrainingUpstream { plan, starter: self.starter }.during(&mut serve),
            None => serve(&Placeholders::default()),
        }
    }
}

impl RequestTrainer<'_> {
    fn serve_beside(
        &self,
        around: &Placeholders,
        command_line: &dyn Fn(&Placeholders) -> CommandLine,
        ready_path: &str,
        is_loaded: bool,
    ) -> Result<(), PrepareError> {
        let variant = &self.experiment.variants[self.variant];
        let port = port_of(&variant.program).map_err(|why| failed(why, Vec::new()))?;
        let placeholders = around.clone().with("host", Ipv4Addr::LOCALHOST).with("port", port);
        let line = command_line(&placeholders);
        let own = variant.env.iter().map(|(name, value)| (name.clone(), placeholders.fill(value)));
        let env = line.env.into_iter().chain(own).collect();
        let launch = Launch {
            command: Command { argv: line.argv, env, workdir: line.workdir },
            cpus: self.starter.placement.target_cpus().to_vec(),
            namespace: None,
            limits: CgroupLimits::default(),
            files: None,
            grace: GRACE,
            is_command: false,
            removes: None,
        };
        let started = Target::start(&self.starter.context.exe, &launch);
        let mut target = started.map_err(|StartError { message, output_tail }| failed(message, output_tail))?;
        let served = self.ask(&placeholders, ready_path, is_loaded, &mut target);
        let died = target.poll_ended().is_some();
        target.stop();
        match served {
            Err(why) => Err(failed(why + lacking(variant), target.output().tail())),
            Ok(()) if died => Err(failed(format!("it ended by itself{}", lacking(variant)), target.output().tail())),
            Ok(()) => Ok(()),
        }
    }

    fn ask(&self, at: &Placeholders, ready_path: &str, is_loaded: bool, target: &mut Target) -> Result<(), String> {
        let variant = &self.experiment.variants[self.variant];
        let tls = &self.experiment.connecting.connection.tls;
        let probe = match &variant.ready_url {
            Some(ready) => Probe::new(&url(ready, at)?, tls)?,
            None => Probe::new(&url(&variant.url_of(ready_path), at)?, tls)?.taking_any_answer(),
        };
        let deadline = target.spawned() + variant.ready_timeout;
        let is_stopped = || self.starter.stop.load(Ordering::Relaxed);
        let (ready, ended) = target.while_it_runs(is_stopped, |abort| probe.await_ready(deadline, abort));
        ready.map_err(|NotReady(last)| match ended {
            Some(_) => "it ended by itself before it was ready".to_owned(),
            None => format!("it was not ready within {}: GET {probe}: {last}", variant.ready_timeout),
        })?;
        if is_loaded { self.load(at, target) } else { Ok(()) }
    }

    /// Has the target answer each script for a few seconds.
    fn load(&self, at: &Placeholders, target: &mut Target) -> Result<(), String> {
        let (experiment, variant) = (self.experiment, &self.experiment.variants[self.variant]);
        let load = Load::ConstantVus { vus: VUS, duration: LOAD_LASTS, think: ThinkTime::None };
        let level = LevelPlan::new("training", Phase::WarmUp, load);
        let is_stopped = || self.starter.stop.load(Ordering::Relaxed);
        let (driven, _) = target.while_it_runs(is_stopped, |give_up| {
            // Scenarios train one after the other: what they load is what matters.
            for script in distinct(&experiment.scripts) {
                let job = job(experiment, [(&level, script)].into_iter(), variant, at, 0)?;
                let stop = Stop::new().abandoned_by(Arc::clone(give_up));
                drive(&job, &stop, &mut |_, _| {}).map_err(|error| error.to_string())?;
                if give_up.load(Ordering::Relaxed) {
                    break;
                }
            }
            Ok(())
        });
        // An archive of half the training would be kept for good.
        if is_stopped() { Err("it was interrupted".to_owned()) } else { driven }
    }
}

/// Each script once: levels that request the same have a copy each.
fn distinct(scripts: &[ScriptText]) -> Vec<&ScriptText> {
    let mut distinct = Vec::new();
    for script in scripts {
        if !distinct.contains(&script) {
            distinct.push(script);
        }
    }
    distinct
}

/// The port that the program has anyway, if it is free, or one that it is told.
fn port_of(program: &Program) -> Result<u16, String> {
    match program.fixed_port() {
        Some(port) => check_port(port).map(|()| port),
        None => port::free().map_err(|error| error.to_string()),
    }
}

/// Remark on parts of a variant’s runs that are not there while it is trained; else empty.
fn lacking(variant: &Variant) -> &'static str {
    match (variant.dependencies.is_empty(), variant.hooks.before_run.is_none()) {
        (true, true) => "",
        _ => {
            "; `services` and `before-run` of the file are not there while an archive is trained: if it needs them, take \
             `packaging: jar`"
        }
    }
}

fn failed(message: String, telling: Vec<String>) -> PrepareError {
    PrepareError::Failed { what: format!("the service cannot be trained: {message}"), telling }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use plimsoll_drive::script::StepText;

    use super::*;

    #[test]
    fn levels_with_the_same_requests_train_once() {
        let named = |name: &str| ScriptText::of(StepText { name: name.to_owned(), ..StepText::default() });
        let scripts = ["browse", "browse", "buy", "browse"].map(named);
        assert_eq!(distinct(&scripts), [&named("browse"), &named("buy")]);
        assert!(distinct(&[]).is_empty());
    }

    #[test]
    fn a_program_with_a_port_of_its_own_is_trained_there() {
        let program = |port| Program::Command { argv: Vec::new(), workdir: "/".into(), port };
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let taken = port_of(&program(Some(port))).unwrap_err();
        assert!(taken.contains(&port.to_string()), "{taken}");
        assert!(port_of(&program(None)).is_ok_and(|free| free > 0));
    }
}
