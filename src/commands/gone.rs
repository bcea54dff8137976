//! A target that nothing answers at any more, or never did.

use plimsoll_lab::{line::Gone, listening::elsewhere};
use url::Url;

use crate::failure::Failure;

/// `step` was under way.
pub fn nobody_answers(url: &Url, step: &str, Gone { after, why, is_accepting }: Gone) -> Failure {
    if is_accepting && after.is_none() {
        let remedy = if url.scheme() == "http" { ": if it speaks TLS, name it by https://" } else { "" };
        return Failure::running(format_args!(
            "something listens at {url}, and closes each connection without an answer ({why}){remedy}"
        ));
    }
    let Some(after) = after else {
        let remedy = elsewhere(url).map_or_else(
            || "start the target, or correct the URL".to_owned(),
            |other| format!("a service listens on the other loopback: name it as {other}"),
        );
        return Failure::running(format_args!("nothing answers at {url} ({why}): {remedy}"));
    };
    let seconds = after.as_secs_f64();
    let end = if is_accepting { "it takes connections and closes them since" } else { "the target ended during" };
    Failure::running(format_args!(
        "nothing has answered at {url} for {seconds:.0} s ({why}): {end} {step}; `plimsoll report` shows what was learnt before"
    ))
}
