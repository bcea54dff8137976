//! Offers the steps of a search to a URL.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use plimsoll_drive::{DriveError, Generator, Job, Scenario, Stop, Told};
use plimsoll_lab::line::{Ended as Seen, Offer, Searching, Watching};
use plimsoll_record::Nanos;

use super::progress::Progress;
use crate::{
    commands::{
        gone::nobody_answers,
        recording::{Ended, Recording},
    },
    failure::Failure,
};

/// The generator of steps, and all that they are offered with.
pub struct Offering<'a> {
    pub template: &'a Job,
    pub generator: &'a dyn Generator,
    pub interrupted: &'a Arc<AtomicBool>,
    pub watching: Option<&'a Watching>,
}

/// Offers a step until the search has seen enough of it, and says how that ended.
pub fn offer(
    offer: &Offer,
    of: &Offering<'_>,
    searching: &mut Searching,
    recording: &mut Recording,
    progress: &mut Progress,
) -> Result<Ended, Failure> {
    let &Offering { template, generator, interrupted, watching } = of;
    offer.note.iter().for_each(|note| progress.note(note));
    std::thread::sleep(offer.rest.into());
    let stop = Stop::new().abandoned_by(interrupted.clone());
    let mut problem: Option<String> = None;
    let driven = generator.drive(&job(template, offer), &stop, &mut |told| {
        let interval = match told {
            Told::Started => {
                if let Err(failure) = recording.begin_level(offer.level.clone(), searching.elapsed()) {
                    problem = Some(failure.message());
                    stop.abandon();
                }
                return;
            }
            Told::Measured(_, interval) => *interval,
        };
        let samples = watching.map(Watching::take).unwrap_or_default();
        if let Err(error) = recording.add(&interval).and_then(|()| recording.add_samples(&samples)) {
            problem = Some(error.to_string());
            stop.abandon();
        }
        watching.and_then(Watching::note).iter().for_each(|note| progress.note(note));
        let is_warming = watching.is_some_and(Watching::is_warming);
        searching.add(interval, is_warming).iter().for_each(|standing| progress.second(standing));
        if searching.is_enough() {
            stop.finish();
        }
        if searching.gone().is_some() || searching.is_stuck() {
            stop.abandon();
        }
    });
    if let Some(error) = problem {
        return Err(Failure::running(format_args!(
            "the search is stopped, since it can no longer be recorded: {error}"
        )));
    }
    let driven = match driven {
        Ok(driven) => driven,
        Err(DriveError::Parts(why)) => {
            searching.abandon();
            recording.end_level(Nanos::ZERO, true)?;
            return Ok(Ended::PartsLost(why));
        }
        Err(error) => return Err(Failure::running(error)),
    };
    let is_stuck = searching.is_stuck() && !interrupted.load(Ordering::Relaxed);
    if driven.stopped && !is_stuck {
        searching.abandon();
        recording.end_level(driven.took[0], true)?;
        return match searching.gone() {
            Some(gone) => {
                let step = offer.level.label.split(':').next().unwrap_or_default();
                Err(nobody_answers(&template.scenarios[0].script.first().url, step, gone))
            }
            None => Ok(Ended::Interrupted),
        };
    }
    let seen = searching.end();
    // A process that runs by itself is not started anew.
    let follows = if matches!(seen, Seen::Unrecovered { .. }) { "; the search ends with what it knows" } else { "" };
    seen.notes().iter().for_each(|note| progress.note(&format!("{note}{follows}")));
    recording.end_level(driven.took[0], seen.is_spoilt())?;
    Ok(Ended::Whole)
}

fn job(template: &Job, offer: &Offer) -> Job {
    let (load, limits) = (offer.level.load.clone(), offer.level.limits.clone());
    let scenario = Scenario { load, limits, is_staggered: offer.is_staggered, ..template.scenarios[0].clone() };
    let mut options = template.options.clone();
    options.seed = options.seed.wrapping_add(offer.seed);
    Job { scenarios: vec![scenario], options }
}
