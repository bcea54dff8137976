//! `plimsoll collect`: starts the parts of a load together, watches them, and reports on the whole.

mod desk;
mod files;
mod from;
mod held;
mod narrator;
mod watching;

use std::{
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use plimsoll_analysis::{Results, thresholds::Threshold};
use plimsoll_gather::{Effect, Joiner, Rules};
use plimsoll_record::{ExecutionData, Merged, Plan};

use self::{desk::Desk, files::Files, narrator::Narrator, watching::Watching};
use super::{ci, draw_seed, load::outputs, merge, nothing::succeeded_nowhere, results};
use crate::{
    arguments::command_line,
    cli::{CollectArgs, destinations},
    failure::{Failure, INTERRUPTED, NOT_KEPT, PARTS_MISSING},
    gathering::{Elapsed, Listener, Token, invitation},
    interrupt,
};

/// Time between two looks at what has become due.
const LOOK_EVERY: Duration = Duration::from_millis(50);

pub fn execute(arguments: &CollectArgs) -> Result<ExitCode, Failure> {
    match (arguments.elsewhere.held, &arguments.elsewhere.from, arguments.parts) {
        (Some(word), ..) => held::execute(word, arguments.record.path()),
        (None, Some(name), _) => from::execute(arguments, name),
        (None, None, parts) => collect(arguments, parts.unwrap_or(1)),
    }
}

fn collect(arguments: &CollectArgs, parts: u32) -> Result<ExitCode, Failure> {
    let destinations = destinations(&arguments.output).map_err(Failure::input)?;
    outputs::check(&destinations)?;
    for text in &arguments.threshold {
        text.parse::<Threshold>().map_err(|error| Failure::input(format_args!("--threshold '{text}': {error}")))?;
    }
    let interrupted = interrupt::stop_flag()?;
    // A record that cannot be written is an error before anybody joins.
    drop(arguments.record.open()?);
    let mut narrator = Narrator::new(arguments.quiet, parts);
    let token = Token::for_listening(arguments.token.token_file.as_deref(), arguments.listen)?;
    let (effects, happened) = mpsc::channel();
    let files = Files::beside(arguments.record.path())?;
    let desk = Arc::new(Desk::new(rules(arguments, parts), Elapsed::start(), files, effects));
    let served = desk.clone();
    let of_listener = token.as_ref().map(|(token, _)| token.clone());
    let listener = Listener::start(arguments.listen, of_listener, parts, move |it| served.take(it));
    let listener = listener.inspect_err(|_| desk.discard_files())?;
    // The token itself is for this person, so nothing is masked.
    tell!("{}", invitation(listener.address(), parts, token.as_ref(), "load …"));
    let outcome = attend(arguments, &desk, &happened, &mut narrator, &interrupted)?;
    let Some(plan) = outcome.plan.clone() else {
        desk.discard_files();
        return Ok(outcome.without_load());
    };
    let Some(mut joined) = joined(&desk, parts, &mut narrator) else {
        desk.discard_files();
        narrator.warn("no part has told anything: there is nothing to report on; their own output says more");
        return Ok(outcome.without_load());
    };
    joined.execution.plan = Plan { segment: None, ..plan };
    // The commands of parts say which collector they have joined, and no more.
    joined.execution.environment.command = command_line();
    let merged = joined.execution.environment.merged.as_ref();
    let is_whole = merged.is_some_and(Merged::is_whole);
    let is_lost = merged.is_some_and(|it| it.parts.iter().any(|part| part.lost_after.is_some()));
    if let (Some(threshold), Some(run)) = (&outcome.exceeded, joined.runs.first_mut()) {
        run.run.detail = Some(super::load::thresholds::was_exceeded(threshold));
    }
    let written = arguments.record.open().and_then(|mut store| merge::write(&mut store, &joined));
    let id = written.map_err(|error| {
        let folder = desk.folder();
        Failure::running(format_args!(
            "{error}; the records of the parts are in {0}: `plimsoll merge --allow-missing {0}/*.db` joins them",
            folder.display()
        ))
    })?;
    drop(joined);
    if !is_lost || !desk.has_records() {
        desk.discard_files();
    } else {
        // A part that was lost keeps its record, which is worth nothing without these.
        let folder = desk.folder();
        narrator.warn(&format!(
            "the records of the other parts stay in {0}: `plimsoll merge --allow-missing {0}/*.db RECORD` joins them \
             with one that a lost part has kept",
            folder.display()
        ));
    }
    narrator.collected(id, arguments.record.path());
    let (data, results) = results::of(&arguments.record, id)?;
    let code = outcome.exit_code(arguments, &results, is_whole);
    if let Some(time) = arguments.elsewhere.hold {
        held::offer(arguments.record.path(), code, time)?;
    }
    outputs::write(&destinations, arguments.full, &data, &results, None)?;
    ci::tell(&data, &results, None);
    // Parts that have not heard of it yet hear that their records are here.
    drop(listener);
    if let Some(time) = arguments.elsewhere.hold {
        held::hold(arguments.record.path(), time, &interrupted);
    }
    Ok(ExitCode::from(code))
}

/// All that is there of the parts together.
/// None if there is nothing.
fn joined(desk: &Desk, parts: u32, narrator: &mut Narrator) -> Option<ExecutionData> {
    narrator.join();
    let mut joiner = Joiner::default();
    for part in 1..=parts {
        // One that cannot be read is missing, like one that is not there.
        let added = desk.source(part).map(|source| source.and_then(|source| joiner.add(source)));
        if let Some(Err(why)) = added {
            narrator.warn(&format!("part {part}/{parts}: {why}; it is left out"));
        }
    }
    joiner.finish(true).ok()
}

fn rules(arguments: &CollectArgs, parts: u32) -> Rules {
    Rules {
        parts,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        deadline: arguments.deadline,
        silence: arguments.silence,
        seed: draw_seed(),
    }
}

/// How the load went.
struct Outcome {
    /// None if there was no load.
    plan: Option<Plan>,
    /// The threshold that ended it, if one did.
    exceeded: Option<String>,
    interrupted: bool,
}

impl Outcome {
    fn without_load(&self) -> ExitCode {
        ExitCode::from(if self.interrupted { INTERRUPTED } else { PARTS_MISSING })
    }

    fn exit_code(&self, arguments: &CollectArgs, results: &Results, is_whole: bool) -> u8 {
        let is_limited = arguments.strict && super::are_not_the_services(results);
        let is_aborted = self.exceeded.is_some();
        if self.interrupted && !is_aborted {
            INTERRUPTED
        } else if !is_whole && !is_aborted {
            PARTS_MISSING
        } else if is_aborted || is_limited || super::has_exceeded_threshold(results) {
            NOT_KEPT
        } else if succeeded_nowhere(results) {
            1
        } else {
            0
        }
    }
}

/// Watches until every part has handed over its record or is lost, or there will be no load.
fn attend(
    arguments: &CollectArgs,
    desk: &Desk,
    happened: &mpsc::Receiver<Effect>,
    narrator: &mut Narrator,
    interrupted: &AtomicBool,
) -> Result<Outcome, Failure> {
    let (mut watching, mut refused) = (None::<Watching>, None);
    let mut outcome = Outcome { plan: None, exceeded: None, interrupted: false };
    loop {
        if interrupted.load(Ordering::Relaxed) && !std::mem::replace(&mut outcome.interrupted, true) {
            desk.abort("interrupted at the collector");
        }
        let looked = desk.look();
        for effect in happened.try_iter().chain(looked.effects) {
            if let (Effect::Starts(_), None) = (&effect, &outcome.plan) {
                let plan = desk.plan().ok_or_else(|| Failure::running("a load without a part"))?;
                let plan = with_thresholds(plan, arguments);
                match Watching::new(&plan, arguments.quiet) {
                    Ok(begun) => watching = Some(begun),
                    Err(failure) => {
                        desk.abort(&failure.message());
                        refused = Some(failure);
                    }
                }
                outcome.plan = Some(plan);
            }
            narrator.tell(&effect, desk, watching.as_ref());
        }
        if let Some(watching) = &mut watching {
            if looked.has_begun {
                watching.begin();
            }
            for (scenario, interval) in looked.seconds {
                if let Some(threshold) = watching.take(scenario, &interval) {
                    watching.say(&format!("the load is aborted: the threshold {threshold} is exceeded"));
                    desk.abort(&super::load::thresholds::was_exceeded(&threshold));
                    outcome.exceeded.get_or_insert(threshold);
                }
            }
        }
        if looked.is_over {
            return match refused {
                Some(failure) => {
                    desk.discard_files();
                    Err(failure)
                }
                None => unkept(desk).map_or(Ok(outcome), Err),
            };
        }
        thread::sleep(LOOK_EVERY);
    }
}

/// Why what was measured is not all here, and where it is, if so.
fn unkept(desk: &Desk) -> Option<Failure> {
    let problem = desk.problem()?;
    Some(Failure::running(format_args!(
        "{problem}: the load was ended; parts keep their records and say where, and those that came before are in {}",
        desk.folder().display()
    )))
}

/// The plan with the thresholds of the parts and of the collector.
fn with_thresholds(mut plan: Plan, arguments: &CollectArgs) -> Plan {
    for threshold in &arguments.threshold {
        if !plan.thresholds.contains(threshold) {
            plan.thresholds.push(threshold.clone());
        }
    }
    plan
}
