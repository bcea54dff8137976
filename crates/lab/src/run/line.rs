//! A run that searches for a load line: each step of the search is a level of the run.

use plimsoll_observe::listener::Answering;
use plimsoll_record::{LinePlan, RunStatus};

use super::{
    LabError,
    session::{RunEnd, Session},
    step::LoadEnd,
};
use crate::{
    event::Event,
    experiment::Variant,
    line::{Offer, Searching},
};

impl Session<'_, '_> {
    /// Searches, and keeps what was found with the run; none if the search came to its end.
    pub fn search(&mut self, plan: &LinePlan, variant: &Variant) -> Result<Option<RunEnd>, LabError> {
        let script = &self.execution.experiment.scripts[0];
        let beside: Vec<i32> = self.target.running().into_iter().flat_map(Answering::pids).collect();
        let mut searching = Searching::new(plan, script.names(), script.requests_per_iteration(), &beside);
        let mut levels = Vec::new();
        let mut run_end = None;
        while run_end.is_none() {
            if searching.needs_fresh_process() {
                run_end = self.start_fresh(variant)?;
                searching.started_anew();
            }
            let Some(offer) = searching.next_offer().filter(|_| run_end.is_none()) else { break };
            levels.push(self.execution.add_level(offer.level.clone())?);
            let end = self.step(levels[levels.len() - 1], &offer, &mut searching, variant)?;
            run_end = self.broken(end, || format!("during {}", offer.level.label));
            if run_end.is_none() && searching.may_restart() {
                run_end = self.restart(variant)?;
                searching.restarted();
            }
        }
        let forgotten: Vec<usize> = searching.forgotten().into_iter().map(|step| levels[step]).collect();
        self.execution.discard(&forgotten)?;
        let found = searching.line_run();
        // A target that answers no more tells nothing of what gives way first.
        let is_over = found.unrecovered.is_some_and(|it| it.is_end);
        self.run.line = Some(found);
        Ok(run_end.or_else(|| is_over.then(|| RunEnd::plain(RunStatus::Done))))
    }

    /// Offers one step until the search has seen enough of it.
    fn step(
        &mut self,
        level: usize,
        offer: &Offer,
        searching: &mut Searching,
        variant: &Variant,
    ) -> Result<LoadEnd, LabError> {
        self.note(offer.note.iter());
        std::thread::sleep(offer.rest.into());
        let script = &self.execution.experiment.scripts[0];
        let mut job = self.job([(&offer.level, script)].into_iter(), variant)?;
        job.options.seed = job.options.seed.wrapping_add(offer.seed);
        job.scenarios[0].is_staggered = offer.is_staggered;
        let end = self.drive_step((level, &offer.level.label), &job, &mut |session, interval, stop| {
            if let Some(standing) = searching.add(interval, session.is_warming()) {
                let (place, remaining) = (session.place.clone(), session.execution.remaining(session.place));
                session.execution.say(Event::Searching { place, standing, remaining });
            }
            if searching.is_enough() {
                stop.finish();
            }
            if searching.is_stuck() {
                stop.abandon();
            }
            Ok(())
        })?;
        if end != LoadEnd::OVER {
            searching.abandon();
            self.execution.discard(&[level])?;
            return Ok(end);
        }
        let seen = searching.end();
        self.note(seen.notes().iter());
        if seen.is_spoilt() {
            self.execution.discard(&[level])?;
        }
        Ok(end)
    }

    fn note<'n>(&mut self, notes: impl Iterator<Item = &'n String>) {
        for note in notes {
            let note = format!("{}: {note}", self.place.name);
            self.execution.say_once(&note);
        }
    }
}
