//! The first limit.

use serde::Serialize;

use super::{Bound, Ceiling, Link, WhereRequestsAre};

/// The limit of a variant, with evidence. No [`super::Finding`]: claims, proofs and charts use its parts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// Name of the variant.
    pub variant: String,
    /// Label of the level whose load was offered once more. None if the service was loaded only to be explained, or at
    /// the capacity that a search had found.
    pub level: Option<String>,
    /// The kind of limit, e.g. `client-pool`; `unknown` where none is seen. Unique and never renamed.
    pub limit: &'static str,
    /// The limit by name.
    pub says: String,
    /// Observations that show it, in sentences.
    pub evidence: Vec<String>,
    /// Limits that were ruled out.
    pub not_the_limit: Vec<String>,
    /// Changes to make, in sentences; empty where there is nothing to do.
    pub change: String,
    /// The setting that moves it, with its size; none where no setting does.
    pub knob: Option<Knob>,
    /// Another size of the limit, and what would be carried then; none where that cannot be told.
    pub outlook: Option<Outlook>,
    /// Where the time of a request goes under full load; together 100 %.
    pub time: Vec<TimeShare>,
    /// Where requests are, by load and over time.
    pub requests: WhereRequestsAre,
    /// Queues and resources that a request passes under full load, in order, from the listen queue on; one of them may
    /// be the limit.
    pub chain: Vec<Link>,
    /// Virtual users of the full load; none of an open one.
    pub users: Option<u32>,
    /// Requests per second that the full load offers, where it is an open one.
    pub rate_per_s: Option<f64>,
    /// Requests that succeeded per second, fully loaded.
    pub throughput_per_s: f64,
    /// Mean response time, fully loaded.
    pub response_ms: f64,
    /// Mean response time of one request at a time.
    pub light_ms: f64,
    /// Requests per second that one request at a time makes.
    pub light_per_s: f64,
    /// CPU of the target, fully loaded, 100 = one core.
    pub cpu_percent: Option<f64>,
    /// Dumps of threads that were taken under full load.
    pub dumps: u64,
    /// How long the JVM took for one, on average.
    pub dump_ms: Option<f64>,
    /// How long the JVM stood still to count its objects, on average; none where they were not counted.
    pub counted_ms: Option<f64>,
    /// Throughput while dumps were taken, as a share of the throughput without, in percent.
    pub dumped_percent: Option<f64>,
    /// The JVM, as it calls itself.
    pub jvm: Option<String>,
    /// Why threads were not seen, if they were not.
    pub blind: Option<String>,
}

/// Why threads were not seen: none of them, or, where there are dumps, only some.
pub fn unseen_threads(dumps: u64, why: &str) -> String {
    match dumps {
        0 => format!("threads were not seen: {why}"),
        _ => format!("not all threads were seen: {why}"),
    }
}

/// A setting that moves a limit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Knob {
    /// Settings that are known to say how much there is, all of them together: Spring properties, `-D…` for properties
    /// of the JVM, `-Xmx`, `limits.cpus` and `limits.files` of a variant. Empty where the service's own are not known;
    /// `NAME` in one is a word of the service's own.
    pub settings: Vec<String>,
    /// How much there is, as far as seen: threads, connections, permits; of a heap bytes, of a quota cores.
    pub has: Option<f64>,
    /// How much would be enough for the requests that were in flight.
    pub wants: Option<f64>,
    /// The value to set, if it is no size of something: `true` for a switch.
    pub to: Option<&'static str>,
}

impl Explanation {
    /// Whether a limit was seen, and it is not the generator’s.
    pub fn has_found(&self) -> bool {
        !["unknown", "generator"].contains(&self.limit)
    }

    /// Whether a ceiling is made by the setting of the limit that was found.
    pub fn agrees_with(&self, ceiling: &Ceiling) -> bool {
        match ceiling.bound {
            Bound::Workers => self.limit == "server-threads",
            Bound::Connections => self.limit == "client-pool",
            Bound::Users => false,
        }
    }
}

/// Factors by which a size grows, at least and at most: greater changes at once may break a service.
const LEAST_TIMES: f64 = 2.0;
const MOST_TIMES: f64 = 8.0;

impl Knob {
    /// The new size: as much as would be enough, within bounds.
    pub fn clamped(&self) -> Option<f64> {
        let (has, wants) = self.has.zip(self.wants)?;
        Some(wants.clamp(LEAST_TIMES * has, MOST_TIMES * has))
    }

    /// The same, rounded as people would write it.
    pub fn target(&self) -> Option<f64> {
        self.clamped().map(nice)
    }

    pub(crate) fn sized(settings: Vec<String>, has: f64, wants: f64) -> Self {
        Self { settings, has: Some(has.round().max(1.0)), wants: Some(wants.round().max(2.0)), to: None }
    }

    /// Settings that are no size of anything.
    pub(crate) const fn other(settings: Vec<String>, to: &'static str) -> Self {
        Self { settings, has: None, wants: None, to: Some(to) }
    }
}

/// The size that the setting of a limit is to have, and what would be carried with it if all takes as long as it did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outlook {
    /// How much there is.
    pub has: f64,
    /// How much there is to be.
    pub to: f64,
    /// Requests per second at most, then.
    pub up_to_per_s: f64,
    /// The resource that is the limit then, if one of those that were seen is.
    pub then: Option<String>,
}

/// A part of the time of a request.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimeShare {
    /// The part.
    pub what: String,
    /// Share of the response time, in percent.
    pub percent: f64,
}

/// A number that people would write, and no less.
fn nice(wanted: f64) -> f64 {
    let unit = 10_f64.powf(wanted.log10().floor());
    let steps = [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    let nice = steps.into_iter().map(|step| step * unit).find(|&nice| nice >= wanted * 0.999);
    if wanted < 10.0 { wanted.ceil() } else { nice.unwrap_or(wanted).round() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_a_number_that_people_would_write() {
        assert_eq!([2.0, 7.2, 32.0, 399.0, 501.0].map(nice), [2.0, 8.0, 40.0, 400.0, 600.0]);
        let to = |has, wants| Knob { settings: Vec::new(), has: Some(has), wants, to: None }.target();
        assert_eq!([to(4.0, Some(5.0)), to(4.0, Some(64.0)), to(4.0, None)], [Some(8.0), Some(40.0), None]);
    }
}
