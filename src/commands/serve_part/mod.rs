//! `plimsoll serve-part`: a part that stays and offers one load after another, as a search or an experiment says.

mod offering;

use std::{
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use plimsoll_drive::{Job, Scenario};
use plimsoll_gather::{Duty, Enlist, Farewell, Message, Order, Over, PROTOCOL, Serving};
use plimsoll_record::Nanos;
use plimsoll_text::counted;

use self::offering::{Offered, Prepared};
use crate::{
    cli::ServePartArgs,
    commands::load::part::waiting::not_yet,
    failure::{Failure, INTERRUPTED, NOT_COLLECTED},
    gathering::{Address, Elapsed, Link, Token},
    interrupt,
    live::Live,
    project,
};

/// Ctrl-C is looked at this often.
const LOOK_EVERY: Duration = Duration::from_millis(50);

pub fn execute(arguments: &ServePartArgs) -> Result<ExitCode, Failure> {
    let token = Token::given(arguments.token.token_file.as_deref())?;
    let address = Address::new(&arguments.join, token.as_ref())?;
    let interrupted = interrupt::stop_flag()?;
    let clock = Elapsed::start();
    let enlist = Enlist {
        protocol: PROTOCOL,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        part: arguments.part.or(arguments.part_index.map(|index| index + 1)),
        machine: project::environment_of_file(None).machine,
        host: project::host(),
    };
    let part = Staying {
        serving: Serving::new(enlist, arguments.deadline, clock.now()),
        clock,
        live: Live::new(arguments.quiet),
        quiet: arguments.quiet,
        prepared: None,
        has_greeted: false,
        deadline: arguments.deadline,
        is_unheard: false,
    };
    part.stay(Link::for_orders(address, clock)?, &interrupted)
}

struct Staying {
    serving: Serving,
    clock: Elapsed,
    live: Live,
    quiet: bool,
    prepared: Option<Prepared>,
    has_greeted: bool,
    deadline: Nanos,
    is_unheard: bool,
}

impl Staying {
    /// Takes loads until it is dismissed.
    fn stay(mut self, mut link: Link, interrupted: &Arc<AtomicBool>) -> Result<ExitCode, Failure> {
        while !interrupted.load(Ordering::Relaxed) {
            self.greet();
            let now = self.clock.now();
            match self.serving.duty(now) {
                Duty::Send(message) => match link.ask(&message) {
                    Ok(answered) => {
                        self.is_unheard = false;
                        self.serving.answered(answered.sent, answered.at, answered.time_of_day, answered.reply);
                    }
                    Err(why) => {
                        self.miss(&why);
                        self.serving.failed(self.clock.now(), why);
                    }
                },
                Duty::Pause(until) => thread::sleep(Duration::from(until - now).min(LOOK_EVERY)),
                Duty::Prepare(order) => self.prepare(*order),
                Duty::Start(start) => link = self.offer(start, link, interrupted)?,
                Duty::End(farewell) => return self.end(farewell, &link),
            }
        }
        drop(link.ask(&Message::Leave));
        self.live.say("interrupted: this part has left");
        Ok(ExitCode::from(INTERRUPTED))
    }

    fn miss(&mut self, why: &str) {
        if !std::mem::replace(&mut self.is_unheard, true) && !self.quiet {
            self.live.say(&not_yet(why, self.deadline));
        }
    }

    fn greet(&mut self) {
        let Some(seat) = self.serving.seat() else { return };
        if !std::mem::replace(&mut self.has_greeted, true) && !self.quiet {
            self.live.say(&format!("joined as part {}/{}: waits for loads", seat.part, seat.parts));
        }
        if let Some((joined, parts)) = self.serving.joined().filter(|(joined, parts)| joined < parts) {
            self.live.progress(&format!("waits for the others: {joined} of {parts} parts have joined"));
        }
    }

    fn prepare(&mut self, order: Order) {
        let number = order.number;
        let prepared = self.serving.seat().ok_or_else(|| "it has no seat".to_owned());
        match prepared.and_then(|seat| Prepared::of(order, seat)) {
            Ok(prepared) => {
                self.prepared = Some(prepared);
                self.serving.prepared(number, self.clock.now());
            }
            Err(why) => {
                self.live.say(&format!("load {number} cannot be offered: {why}"));
                self.serving.over(number, Over { failed: Some(why), ..Over::default() }, self.clock.now());
            }
        }
    }

    /// Offers the load that is prepared, from `start` on.
    fn offer(&mut self, start: Nanos, link: Link, interrupted: &Arc<AtomicBool>) -> Result<Link, Failure> {
        let prepared = self.prepared.take().ok_or_else(|| Failure::running("a load that was not prepared"))?;
        let number = prepared.number;
        let what = describe(&prepared.job);
        self.live.progress(&format!("load {number}: {what}"));
        let offered = prepared.offer(start, (link, self.clock), interrupted);
        let Offered { link, driven, is_told, sent, aborted } = offered;
        if !self.quiet {
            let ended = aborted.map(|why| format!(", ended at once: {why}")).unwrap_or_default();
            self.live.say(&format!("load {number}: {} sent of {what}{ended}", counted(sent, "request")));
        }
        let over = match driven {
            Ok(driven) => Over {
                clock: self.serving.clock(driven.late),
                took: driven.took,
                is_stopped: driven.stopped,
                is_spread: driven.is_spread,
                failed: None,
            },
            Err(error) => Over { failed: Some(error.to_string()), ..Over::default() },
        };
        match is_told {
            true => self.serving.over(number, over, self.clock.now()),
            false => self.serving.lose("nobody takes what was measured".to_owned()),
        }
        Ok(link)
    }

    fn end(mut self, farewell: Farewell, link: &Link) -> Result<ExitCode, Failure> {
        let address = link.address();
        match farewell {
            Farewell::Dismissed(None) if self.quiet => Ok(ExitCode::SUCCESS),
            Farewell::Dismissed(reason) => {
                let why = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
                self.live.say(&format!("dismissed{why}"));
                Ok(ExitCode::SUCCESS)
            }
            Farewell::NotTaken(reason) => {
                Err(Failure::not_joined(format_args!("{address} does not let this part take part: {reason}")))
            }
            Farewell::Lost(reason) => {
                self.live.say(&format!("warning: {address} has no more loads for this part: {reason}"));
                Ok(ExitCode::from(NOT_COLLECTED))
            }
        }
    }
}

/// The whole load, in a few words.
fn describe(job: &Job) -> String {
    let label = |scenario: &Scenario| {
        let label = scenario.load.label();
        if scenario.load.is_closed() { format!("{label} users") } else { label }
    };
    job.scenarios.iter().map(label).collect::<Vec<_>>().join(", ")
}
