//! The target has no local ports left for connections to others.

use plimsoll_record::metric::tcp;

use super::{
    super::{Limit, Verdict, case::Case},
    silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit {
    id: "ports",
    means: "local ports of connections to one address",
    find,
    cleared: silent,
    knob: super::no_knob,
};

/// Share of the range from which on finding a free port fails, or takes long.
const REACHED: f64 = 0.9;

fn find(case: &Case) -> Option<Verdict> {
    let ports = f64::from(case.view.process.ports?);
    let full = &case.view.full;
    let held = full.watched.peak(tcp::OUTBOUND_TIME_WAIT)?;
    let open: f64 = full.outbound().iter().map(|peer| peer.established).sum();
    (held + open >= REACHED * ports).then(|| Verdict {
        says: format!("local ports ({} for connections to one address)", number(ports)),
        evidence: vec![format!(
            "{} connections in TIME_WAIT and {} open hold a port each; {} % of requests failed",
            number(held),
            number(open.round()),
            number(full.errors * 100.0)
        )],
        change: "Keep connections open between calls (keep-alive, a pool); else widen \
                 net.ipv4.ip_local_port_range."
            .to_owned(),
    })
}
