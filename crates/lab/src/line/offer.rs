//! A step of a search for whoever drives loads: the load to offer, how the search is getting on, how the step ended.

use std::slice;

use plimsoll_record::{Amount, LevelPlan, LoadUnit, Nanos};

/// A load to offer, from an empty start: nothing may be in flight before.
#[derive(Clone, Debug)]
pub struct Offer {
    /// The level as the record has it, with its load.
    pub level: LevelPlan,
    /// Added to the seed of arrivals.
    pub seed: u64,
    /// Whether its virtual users pause before their first request, too.
    pub is_staggered: bool,
    /// A remark for the person who waits.
    pub note: Option<String>,
    /// How long nothing is offered before.
    pub rest: Nanos,
}

/// How a search is getting on.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The load of the step under way.
    pub offered: Offered,
    /// Since the search began.
    pub elapsed: Nanos,
    /// Where the line lies, as far as trials tell, in [`Standing::unit`].
    pub range: Option<(f64, f64)>,
    /// Requests per second, or users.
    pub unit: LoadUnit,
    /// Requests that succeeded in the last second.
    pub succeeded_per_s: u32,
    /// Requests of a trial beyond the objective so far, as a multiple of those allowed.
    pub share_of_allowed: Option<f64>,
    /// The most that is offered, in [`Standing::unit`], once that is known.
    pub most: Option<f64>,
    /// How long it may still take, once the service is warm.
    pub left: Option<Nanos>,
}

/// The load of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Offered {
    /// The probe of the capacity.
    Users(u32),
    /// An overload and what follows, once the line is known.
    Overload {
        /// Requests per second.
        rate_per_s: f64,
    },
    /// A trial.
    Trial {
        /// From 1.
        number: usize,
        /// Requests per second, or users.
        load: Amount,
    },
}

/// How a step ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The search has seen it.
    Counted,
    /// It says more of the generator or of the machine, and is left out. Remarks for the person who waits.
    Spoilt(Vec<String>),
    /// The service has not recovered from it.
    Unrecovered {
        /// A remark for the person who waits.
        note: String,
        /// Whether it is left out as well.
        is_spoilt: bool,
    },
}

impl Ended {
    /// Whether the step is left out.
    pub fn is_spoilt(&self) -> bool {
        match self {
            Self::Counted => false,
            Self::Spoilt(_) => true,
            Self::Unrecovered { is_spoilt, .. } => *is_spoilt,
        }
    }

    /// Remarks for the person who waits.
    pub fn notes(&self) -> &[String] {
        match self {
            Self::Counted => &[],
            Self::Spoilt(notes) => notes,
            Self::Unrecovered { note, .. } => slice::from_ref(note),
        }
    }
}
