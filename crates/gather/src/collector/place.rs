//! A part as its collector sees it.

use plimsoll_record::{ExecutionStatus, Nanos};

use crate::{
    Answer, Ended,
    seconds_told::SecondsTold,
    upload::{Taken, Upload},
};

/// State of a part for whoever reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Its machine, if it said so.
    pub machine: Option<String>,
    /// The name of its host, if it said so.
    pub host: Option<String>,
    /// The whole seconds of its load that it has told.
    pub told: u64,
    /// How its load ended, if it has said so.
    pub status: Option<ExecutionStatus>,
    /// Whether it says nothing any more.
    pub is_lost: bool,
    /// Whether its record is there.
    pub is_whole: bool,
}

#[derive(Debug)]
pub(super) struct Place {
    machine: Option<String>,
    host: Option<String>,
    heard: Nanos,
    /// Seconds of its load.
    pub seconds: SecondsTold,
    upload: Option<Upload>,
    status: Option<ExecutionStatus>,
    is_lost: bool,
    is_whole: bool,
    /// Why nothing more is taken of it.
    hopeless: Option<&'static str>,
    was_told: bool,
}

impl Place {
    pub fn new(machine: Option<String>, host: Option<String>, now: Nanos) -> Self {
        Self {
            machine,
            host,
            heard: now,
            seconds: SecondsTold::default(),
            upload: None,
            status: None,
            is_lost: false,
            is_whole: false,
            hopeless: None,
            was_told: false,
        }
    }

    /// Notes that it has said something. Returns whether it was lost.
    pub fn hear(&mut self, now: Nanos) -> bool {
        self.heard = now;
        std::mem::take(&mut self.is_lost)
    }

    /// Excuses a silence of the length `still`, in which it could not be heard.
    pub fn excuse(&mut self, still: Nanos, now: Nanos) {
        self.heard = (self.heard + still).min(now);
    }

    pub fn heard(&self) -> Nanos {
        self.heard
    }

    pub fn lose(&mut self) {
        self.is_lost = true;
    }

    /// Notes that it knows that there is no load.
    pub fn tell(&mut self) {
        self.was_told = true;
    }

    pub fn was_told(&self) -> bool {
        self.was_told
    }

    /// Takes nothing more of it, for this reason.
    pub fn give_up(&mut self, why: &'static str) {
        self.hopeless.get_or_insert(why);
    }

    /// Why nothing more is taken of it, if so.
    pub fn hopeless(&self) -> Option<&'static str> {
        self.hopeless
    }

    /// Whether nothing more will come of it.
    pub fn is_over(&self) -> bool {
        self.is_lost || self.is_whole || self.hopeless.is_some()
    }

    /// Whole seconds of the load that it has told of all scenarios; none if nothing more is to be waited for.
    pub fn told_of_all(&self) -> Option<u64> {
        let is_awaited = self.status.is_none() && !self.is_over();
        is_awaited.then(|| self.seconds.by_scenario().iter().min().copied().unwrap_or_default())
    }

    /// Notes that its load has ended. Returns whether that is new.
    pub fn end(&mut self, ended: Ended) -> bool {
        let is_new = self.status.is_none();
        if self.upload.as_ref().is_none_or(|upload| !upload.is_of(&ended)) && !self.is_whole {
            self.status = Some(ended.status);
            self.upload = Some(Upload::new(ended));
        }
        is_new
    }

    /// Takes a piece of its record; none if its end was not told.
    pub fn take(&mut self, offset: u64, piece: &[u8]) -> Option<Taken> {
        if self.is_whole {
            return Some(Taken::Other);
        }
        let taken = self.upload.as_mut()?.take(offset, piece);
        self.is_whole = matches!(taken, Taken::Last(_));
        if let Taken::Hopeless(why) = taken {
            self.give_up(why);
        }
        Some(taken)
    }

    /// The part of its record that is wanted.
    pub fn wanted(&self) -> Answer {
        match &self.upload {
            Some(upload) if !self.is_whole => Answer::Send { offset: upload.held() },
            _ => Answer::Done,
        }
    }

    pub fn standing(&self) -> Standing {
        Standing {
            machine: self.machine.clone(),
            host: self.host.clone(),
            told: self.seconds.by_scenario().iter().max().copied().unwrap_or_default(),
            status: self.status,
            is_lost: self.is_lost,
            is_whole: self.is_whole,
        }
    }
}
