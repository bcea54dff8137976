//! One load of a part that stays: made ready, and offered.

use std::sync::{Arc, atomic::AtomicBool};

use plimsoll_drive::{DriveError, Driven, Job, JobText, Ready, Segment, Stop, drive_from};
use plimsoll_gather::{Order, Seat};
use plimsoll_lab::file::learn_script;
use plimsoll_record::Nanos;

use crate::{
    commands::load::part::teller::Teller,
    gathering::{Elapsed, Link},
    live::shown,
};

/// A load that is ready.
pub struct Prepared {
    pub number: u64,
    pub job: Job,
    /// None without a virtual user.
    ready: Option<Ready>,
    silence: Nanos,
}

/// How it went.
pub struct Offered {
    pub link: Link,
    pub driven: Result<Driven, DriveError>,
    /// Whether the other side has everything that was measured.
    pub is_told: bool,
    /// Requests.
    pub sent: u64,
    /// Why the other side has ended it at once, if it has.
    pub aborted: Option<String>,
}

impl Prepared {
    /// The part of `order` that has that seat; why it cannot be offered, in words.
    pub fn of(order: Order, seat: Seat) -> Result<Self, String> {
        let text: JobText = serde_json::from_value(order.work).map_err(|error| format!("it is no load: {error}"))?;
        text.scenarios.iter().for_each(|scenario| learn_script(&scenario.script));
        let mut job = text.resolve().map_err(|error| error.to_string())?;
        job.options.segment = Segment { index: seat.part - 1, count: seat.parts };
        let is_needed = !has_nothing_to_do(&job);
        let ready = is_needed.then(|| plimsoll_drive::ready(&job)).transpose().map_err(|error| error.to_string())?;
        Ok(Self { number: order.number, job, ready, silence: order.silence })
    }

    /// Offers it from `start` on, to its end, or until the other side ends it.
    pub fn offer(self, start: Nanos, (link, clock): (Link, Elapsed), interrupted: &Arc<AtomicBool>) -> Offered {
        let Self { number, job, ready, silence } = self;
        let Some(ready) = ready else {
            let took = vec![Nanos::ZERO; job.scenarios.len()];
            let driven = Driven { took, stopped: false, is_spread: false, late: Nanos::ZERO };
            return Offered { link, driven: Ok(driven), is_told: true, sent: 0, aborted: None };
        };
        let stop = Stop::new().abandoned_by(interrupted.clone());
        let say = Box::new(|text: &str| tell!("{}", shown(text)));
        let teller = Teller::start_of_order(number, (start, silence), (link, clock), stop.clone(), say);
        let mut sent = 0;
        let driven = drive_from(&job, (&ready, clock.instant(start)), &stop, &mut |scenario, intervals| {
            sent += intervals.iter().map(|interval| interval.counts.sent).sum::<u64>();
            teller.tell(scenario, intervals);
        });
        let aborted = teller.aborted();
        let (link, is_told) = teller.end();
        Offered { link, driven, is_told, sent, aborted }
    }
}

/// Whether this part has no virtual user, as where there are fewer of them than parts.
fn has_nothing_to_do(job: &Job) -> bool {
    let share = |total: u32| job.options.segment.share(u64::from(total));
    job.scenarios.iter().all(|scenario| share(scenario.load.max_in_flight()) == 0)
}
