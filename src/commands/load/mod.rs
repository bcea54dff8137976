//! `plimsoll load`: one load, recorded and reported like any other execution.

mod connection;
mod import;
mod job;
mod recording;
mod script;
mod thresholds;

use std::{process::ExitCode, sync::atomic::Ordering};

use plimsoll_analysis::{Results, analyse};
use plimsoll_drive::{Driven, Job, drive};
use plimsoll_record::Interval;
use plimsoll_report::Format;

use self::{recording::Recording, thresholds::Abort};
use crate::{
    cli::LoadArgs,
    failure::{Failure, INTERRUPTED, NOT_KEPT},
    interrupt,
    live::{Live, clock},
};

pub fn execute(arguments: &LoadArgs) -> Result<ExitCode, Failure> {
    let format: Format = arguments.output.format.parse().map_err(Failure::input)?;
    let imported = import::read(arguments)?;
    let job = job::of(arguments, imported.as_ref())?;
    let plan = recording::plan(arguments, &job);
    let thresholds = thresholds::read(&plan.thresholds, &plan.levels)?;
    plimsoll_drive::check(&job).map_err(Failure::input)?;
    let stop = interrupt::stop_flag()?;
    let mut recording = Recording::begin(arguments, &plan)?;
    let mut abort = Abort::new(&thresholds, &plan.levels);
    let mut live = Live::new(arguments.output.quiet);
    imported.iter().flat_map(|imported| &imported.notes).for_each(|note| live.say(&format!("note: {note}")));
    let mut progress = Progress::default();
    let driven = drive(&job, &stop, &mut |scenario, interval| {
        if let Err(error) = recording.add(scenario, &interval) {
            live.say(&format!("the load is stopped, since it can no longer be recorded: {error}"));
            stop.store(true, Ordering::Relaxed);
        }
        if let Some(threshold) = abort.look_at(scenario, &interval) {
            live.say(&format!("the load is aborted: the threshold {threshold} is exceeded"));
            stop.store(true, Ordering::Relaxed);
        }
        live.progress(&progress.line(&job, &interval));
    });
    live.clear();
    drop(live);
    let driven = match driven {
        Ok(driven) => driven,
        Err(error) => {
            recording.fail(error.to_string());
            return Err(Failure::running(error));
        }
    };
    let id = recording.finish(&driven, abort.exceeded())?;
    let results = analyse(&arguments.output.record.read(&id.to_string())?);
    super::print(&super::render_for_stdout(format, &results))?;
    Ok(exit_code(arguments, &driven, &abort, &results))
}

fn exit_code(arguments: &LoadArgs, driven: &Driven, abort: &Abort<'_>, results: &Results) -> ExitCode {
    let is_kept = abort.exceeded().is_none() && !super::has_exceeded_threshold(results);
    let is_limited = arguments.verdict.strict && super::is_limited_by_generator(results);
    if driven.stopped && abort.exceeded().is_none() {
        ExitCode::from(INTERRUPTED)
    } else if !is_kept || is_limited {
        ExitCode::from(NOT_KEPT)
    } else {
        ExitCode::SUCCESS
    }
}

/// What the live line counts.
#[derive(Default)]
struct Progress {
    ended: u64,
    failed: u64,
}

impl Progress {
    fn line(&mut self, job: &Job, interval: &Interval) -> String {
        self.ended += interval.ended();
        self.failed += interval.counts.failed;
        let at = interval.start + interval.duration;
        let length = interval.duration.as_secs_f64().max(1e-9);
        let load = &job.scenarios[0].load;
        let of = load.duration().map(|duration| format!(" of {}", clock(duration))).unwrap_or_default();
        let wanted = match load {
            plimsoll_record::Load::SharedIterations { iterations, .. } => format!(" of {iterations}"),
            _ => String::new(),
        };
        let p99 = if interval.ok.response.is_empty() {
            "–".to_owned()
        } else {
            interval.ok.response.quantile(0.99).to_string()
        };
        let rate = interval.counts.succeeded as f64 / length;
        format!("{}{of}  {rate:.0} req/s  p99 {p99}  {}{wanted} done  {} errors", clock(at), self.ended, self.failed)
    }
}
