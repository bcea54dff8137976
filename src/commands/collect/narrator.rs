//! The person at the terminal hears who is there and who is not.

use std::path::Path;

use plimsoll_gather::{Effect, Standing};
use plimsoll_record::ExecutionStatus;
use plimsoll_text::{joined, number::sig3};

use super::{desk::Desk, watching::Watching};
use crate::live::{Live, shown};

pub struct Narrator {
    live: Live,
    quiet: bool,
    parts: u32,
    joined: u32,
}

impl Narrator {
    pub fn new(quiet: bool, parts: u32) -> Self {
        Self { live: Live::new(quiet), quiet, parts, joined: 0 }
    }

    pub fn tell(&mut self, effect: &Effect, desk: &Desk, watching: Option<&Watching>) {
        let of = |number: &u32| format!("part {number}/{}", self.parts);
        let text = match effect {
            Effect::Joined(number, host) => {
                self.joined += 1;
                let host = host.as_ref().map(|host| format!(" on {host}")).unwrap_or_default();
                let counted = format!("{} of {} parts have joined", self.joined, self.parts);
                self.live.progress(&counted);
                // Lines of many parts would tell less than their number.
                if self.parts > 16 {
                    return;
                }
                format!("{} has joined{host}: {counted}", of(number))
            }
            Effect::Left(number) => {
                self.joined -= 1;
                format!("{} has left: {} of {} parts are there", of(number), self.joined, self.parts)
            }
            Effect::Refused(reason) => format!("a part was refused: {reason}"),
            Effect::Starts(_) if self.parts == 1 => "the only part has joined: the load starts".to_owned(),
            Effect::Starts(_) => format!("all {} parts have joined: the load starts", self.parts),
            Effect::NeverCame(numbers) => {
                let names: Vec<String> = numbers.iter().map(|number| format!("{number}/{}", self.parts)).collect();
                format!("parts that never came: {}: nothing was sent", joined(&names))
            }
            Effect::Lost(number) => self.lost(*number, desk.standing(*number)),
            Effect::Back(number) => format!("{} is back", of(number)),
            Effect::Hopeless(number, why) => format!("{}: no record will come: {why}", of(number)),
            Effect::Ended(number, status) if *status != ExecutionStatus::Done => {
                format!("{} was cut short", of(number))
            }
            // The view shows how far the load is, and the report comes at once.
            Effect::Ended(..) | Effect::Whole(_) | Effect::Seconds(..) | Effect::Bytes(..) => return,
        };
        let is_good = matches!(effect, Effect::Joined(..) | Effect::Starts(_));
        if self.quiet && is_good {
            return;
        }
        match watching {
            Some(watching) => watching.say(&text),
            None => self.live.say(&text),
        }
    }

    fn lost(&self, number: u32, standing: Option<Standing>) -> String {
        let told = standing.map_or(0, |standing| standing.told);
        let last = match told {
            0 => "it has told nothing".to_owned(),
            seconds => format!("second {seconds} of its load was the last that it told"),
        };
        let share = sig3(100.0 / f64::from(self.parts));
        format!("part {number}/{} is lost, and with it {share} % of the load: {last}", self.parts)
    }

    /// All records are here.
    pub fn join(&mut self) {
        self.live.progress("joins the records of all parts");
    }

    pub fn warn(&self, text: &str) {
        tell!("{}", shown(&format!("warning: {text}")));
    }

    pub fn collected(&mut self, id: i64, record: &Path) {
        self.live.clear();
        if !self.quiet {
            self.live.say(&format!("collected as execution {id} of {}", record.display()));
        }
    }
}
