//! The target may open no more files and sockets.

use super::{
    super::{Knob, Limit, Verdict, case::Case},
    silent,
};
use crate::text::number;
use plimsoll_record::metric::DESCRIPTORS;

pub(super) static LIMIT: Limit = Limit { id: "descriptors", means: "open files", find, cleared: silent, knob };

/// Share of the limit from which on it is reached: connections come and go.
const REACHED: f64 = 0.97;

fn find(case: &Case) -> Option<Verdict> {
    let most = case.view.process.descriptors_max? as f64;
    let open = case.view.full.watched.peak(DESCRIPTORS.name)?.max(case.view.process.descriptors.unwrap_or(0) as f64);
    (open >= REACHED * most).then(|| Verdict {
        says: format!("file descriptors ({} may be open)", number(most)),
        evidence: vec![format!(
            "{} of {} were open; {} % of requests failed",
            number(open),
            number(most),
            number(case.view.full.errors * 100.0)
        )],
        change:
            "Raise the limit (ulimit -n, LimitNOFILE= of the service, limits.files of an experiment file), or keep \
                 fewer connections and files open."
                .to_owned(),
    })
}

/// Descriptors that each request in flight may want: for its user's connection and one to another service, and as many
/// for connections that are just being closed.
const FOR_EACH: f64 = 4.0;

fn knob(case: &Case) -> Option<Knob> {
    let most = case.view.process.descriptors_max? as f64;
    Some(Knob::sized(vec!["limits.files".to_owned()], most, most + FOR_EACH * case.connections_wanted()))
}
