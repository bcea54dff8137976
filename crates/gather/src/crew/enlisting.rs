//! Parts that want to stay: who may, and which number they get.

use plimsoll_record::Nanos;
use plimsoll_text::joined;

use super::{Answered, Crew, CrewEffect, member::Member, refuse};
use crate::{
    Answer, Enlist,
    collector::{free_place, is_of_version},
};

impl Crew {
    pub(super) fn enlist(&mut self, now: Nanos, session: String, enlist: &Enlist) -> Answered {
        if let Some(&number) = self.by_session.get(&session) {
            // It enlists again, since the answer was lost.
            if let Some(member) = self.members.get_mut(&number) {
                member.heard = now;
            }
            return (self.seat(number), Vec::new());
        }
        let number = match self.place_for(enlist) {
            Ok(number) => number,
            Err(reason) => return refuse(reason),
        };
        self.by_session.insert(session, number);
        self.members.insert(number, Member::new(enlist.machine.clone(), enlist.host.clone(), now));
        let mut effects = vec![CrewEffect::Joined(number, enlist.host.clone())];
        if self.members.len() == self.rules.parts as usize {
            self.is_complete = true;
            effects.push(CrewEffect::Complete);
        }
        (self.seat(number), effects)
    }

    fn seat(&self, part: u32) -> Answer {
        Answer::Joined { part, parts: self.rules.parts, seed: self.rules.seed }
    }

    fn place_for(&self, enlist: &Enlist) -> Result<u32, String> {
        let parts = self.rules.parts;
        is_of_version(&enlist.version, enlist.protocol, &self.rules)?;
        if let Some(reason) = &self.dismissal {
            return Err(reason.clone().unwrap_or_else(|| "all is done".to_owned()));
        }
        if self.is_complete {
            return Err(format!("all {parts} parts have joined: this one comes too late"));
        }
        free_place(enlist.part, parts, |number| self.members.get(&number).map(|member| member.host.clone()))
    }

    pub(super) fn never_came(&mut self) -> CrewEffect {
        let parts = self.rules.parts;
        let missing: Vec<u32> = (1..=parts).filter(|number| !self.members.contains_key(number)).collect();
        let names: Vec<String> = missing.iter().map(|number| format!("{number}/{parts}")).collect();
        let reason = format!("{} never came within {}: nothing was sent", joined(&names), self.rules.deadline);
        self.dismiss(Some(reason));
        CrewEffect::NeverCame(missing)
    }
}
