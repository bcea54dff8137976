//! A few requests before the search: a service that fails all of them has no line, and a search would tell so late.

use plimsoll_drive::{Job, Options, Scenario, Segment, Stop, drive};
use plimsoll_record::{ErrorKind, Interval, Load, Nanos, ThinkTime};
use plimsoll_text::number::count;

use crate::failure::Failure;

/// A service that is merely unwell answers one of so many well.
const ITERATIONS: u64 = 5;
/// A slow service is not waited for: the search will tell.
const PATIENCE: Nanos = Nanos::from_secs(5);

/// Sends them one after the other.
///
/// # Errors
/// All were answered, and all failed by their status or by a check.
pub fn check(template: &Job, stop: &Stop) -> Result<(), Failure> {
    let load =
        Load::SharedIterations { vus: 1, iterations: ITERATIONS, max_duration: Some(PATIENCE), think: ThinkTime::None };
    let options = Options { segment: Segment::WHOLE, ..template.options.clone() };
    let scenarios = vec![Scenario::new(load, template.scenarios[0].script.clone())];
    let mut all = Interval::default();
    drive(&Job { scenarios, options }, stop, &mut |_, interval| all.merge(&interval)).map_err(Failure::running)?;
    match all_failed(&all) {
        None => Ok(()),
        Some((kind, example)) => Err(Failure::running(format_args!(
            "{} of {} requests failed before any load, most often as `{kind}`: {example}: a service that fails each \
             request has no load line; correct the request, and look at it by `plimsoll load --debug`",
            count(all.counts.failed),
            count(all.counts.offered),
        ))),
    }
}

/// The most frequent kind, with an example.
fn all_failed(all: &Interval) -> Option<(ErrorKind, &str)> {
    // The search tells apart whom it does not reach.
    let is_answer = |kind: ErrorKind| {
        use ErrorKind::{CaptureFailed, CheckFailed, RedirectElsewhere, Status4xx, Status5xx, TooManyRedirects};
        [Status4xx, Status5xx, CheckFailed, CaptureFailed, RedirectElsewhere, TooManyRedirects].contains(&kind)
    };
    let is_told = all.counts.succeeded == 0 && all.counts.failed > 0 && all.errors.keys().all(|&kind| is_answer(kind));
    let (kind, error) = all.errors.iter().max_by_key(|(_, error)| error.count).filter(|_| is_told)?;
    Some((*kind, if error.example.is_empty() { kind.meaning() } else { &error.example }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(succeeded: u64, kinds: &[ErrorKind]) -> Option<ErrorKind> {
        let mut all = Interval::default();
        all.counts.succeeded = succeeded;
        all.counts.failed = kinds.len() as u64;
        kinds.iter().for_each(|kind| all.errors.entry(*kind).or_default().count += 1);
        all_failed(&all).map(|(kind, _)| kind)
    }

    #[test]
    fn only_answers_that_all_failed_are_told() {
        use ErrorKind::{CheckFailed, Refused, Status4xx};
        assert_eq!(told(0, &[Status4xx, CheckFailed, Status4xx]), Some(Status4xx));
        assert_eq!(told(1, &[Status4xx; 4]), None, "one succeeded");
        assert_eq!(told(0, &[Status4xx, Refused]), None, "one was not answered");
        assert_eq!(told(0, &[]), None, "none was answered in time");
    }
}
