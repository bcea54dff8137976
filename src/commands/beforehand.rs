//! A few requests before a search or an explanation, which would tell only late that all requests fail: such a service
//! has no line, and nothing limits it.

use plimsoll_drive::{Job, Options, Scenario, Segment, Stop, drive};
use plimsoll_lab::line::Silence;
use plimsoll_record::{ErrorKind, Interval, Load, Nanos, ThinkTime};
use plimsoll_text::number::count;

use super::gone::nobody_answers;
use crate::failure::Failure;

/// Requests that are sent: a service that is merely unwell answers one of so many well.
const ITERATIONS: u64 = 5;
/// Longest time for them all. A slow service is not waited for: the search will tell.
const PATIENCE: Nanos = Nanos::from_secs(5);
/// Between requests to a service that refused each as one too many: what others have used up comes again.
const PAUSE: Nanos = Nanos::from_secs(2);

/// Sends them one after the other. Returns a remark if all succeeded by nothing but redirects. `therefore` says, for
/// the error, what a service that fails them all has not.
///
/// # Errors
/// Nothing answers; or all were answered, and all failed by their status, by a check, or as no answer at all that can
/// be read.
pub fn check(template: &Job, therefore: &str, stop: &Stop) -> Result<Option<String>, Failure> {
    let mut all = sent(template, ThinkTime::None, PATIENCE, stop)?;
    if is_refused(&all) {
        let (pauses, patience) = (ThinkTime::Constant { pause: PAUSE }, Nanos(PAUSE.0 * ITERATIONS) + PATIENCE);
        all = sent(template, pauses, patience, stop)?;
    }
    let mut silence = Silence::default();
    silence.add(&all);
    if let Some(gone) = silence.gone() {
        return Err(nobody_answers(&template.scenarios[0].script.first().url, "the first requests", gone));
    }
    match all_failed(&all) {
        None => Ok(redirected(&all)),
        Some((kind, example)) => Err(Failure::running(format_args!(
            "{} of {} requests failed before any load, most often as `{kind}`: {example} ({therefore}; correct the \
             request, and look at it by `plimsoll load --debug`)",
            count(all.counts.failed),
            count(all.counts.offered),
        ))),
    }
}

fn sent(template: &Job, think: ThinkTime, patience: Nanos, stop: &Stop) -> Result<Interval, Failure> {
    let load = Load::SharedIterations { vus: 1, iterations: ITERATIONS, max_duration: Some(patience), think };
    let options = Options { segment: Segment::WHOLE, ..template.options.clone() };
    let scenarios = vec![Scenario::new(load, template.scenarios[0].script.clone())];
    let mut all = Interval::default();
    drive(&Job { scenarios, options }, stop, &mut |_, interval| all.merge(&interval)).map_err(Failure::running)?;
    Ok(all)
}

/// Whether each was answered by “Too Many Requests”.
fn is_refused(all: &Interval) -> bool {
    all.counts.succeeded == 0 && all.statuses.keys().eq([&429])
}

/// Remark on a service that redirects each request, as to its page of login: it answers quickly whatever that page
/// takes. None where there are checks: they say that this is wanted.
fn redirected(all: &Interval) -> Option<String> {
    let is_redirect = |status: &u16| matches!(status, 301 | 302 | 303 | 307 | 308);
    let status = all.statuses.keys().next().filter(|status| all.statuses.len() == 1 && is_redirect(status))?;
    if !all.checks.is_empty() {
        return None;
    }
    Some(format!(
        "each request is answered by a redirect (status {status}), and that is measured, not the page that it leads \
         to: name that page, log in, or follow it by --redirects 5"
    ))
}

/// The most frequent kind, with an example.
fn all_failed(all: &Interval) -> Option<(ErrorKind, &str)> {
    // Failures to reach a service are left to the search, which tells them apart.
    let is_answer = |kind: ErrorKind| {
        use ErrorKind::{
            CaptureFailed, CheckFailed, Protocol, Proxy, RedirectElsewhere, Status4xx, Status5xx, Tls, TooManyRedirects,
        };
        let by_its_answer = [Status4xx, Status5xx, CheckFailed, CaptureFailed, RedirectElsewhere, TooManyRedirects];
        by_its_answer.contains(&kind) || [Tls, Protocol, Proxy].contains(&kind)
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
    fn a_service_that_only_redirects_is_remarked() {
        let remark = |statuses: &[(u16, u64)]| {
            redirected(&Interval { statuses: statuses.iter().copied().collect(), ..Interval::default() })
        };
        assert!(remark(&[(302, 5)]).unwrap().contains("(status 302)"));
        assert_eq!([remark(&[(302, 4), (200, 1)]), remark(&[(304, 5)]), remark(&[])], [None, None, None]);
    }

    #[test]
    fn refusals_alone_are_asked_again() {
        let refused = |succeeded, statuses: &[(u16, u64)]| {
            let mut all = Interval { statuses: statuses.iter().copied().collect(), ..Interval::default() };
            all.counts.succeeded = succeeded;
            is_refused(&all)
        };
        assert!(refused(0, &[(429, 5)]));
        assert!(!refused(0, &[(429, 4), (500, 1)]) && !refused(1, &[(200, 1), (429, 4)]) && !refused(0, &[]));
    }

    #[test]
    fn only_answers_that_all_failed_are_told() {
        use ErrorKind::{CheckFailed, Refused, Status4xx, Tls};
        assert_eq!(told(0, &[Status4xx, CheckFailed, Status4xx]), Some(Status4xx));
        assert_eq!(told(0, &[Tls; 5]), Some(Tls));
        assert_eq!(told(1, &[Status4xx; 4]), None, "one succeeded");
        assert_eq!(told(0, &[Status4xx, Refused]), None, "one was not answered");
        assert_eq!(told(0, &[]), None, "none was answered in time");
    }
}
