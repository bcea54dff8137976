//! The queue before the server is too short for connections that come together.

use super::super::{
    Knob, Limit, Verdict,
    case::Case,
    server,
    settings::{self, Named},
};
use crate::{measured::overflows, text::number};

pub(super) static LIMIT: Limit =
    Limit { id: "listen-queue", means: "connections that may wait until the server accepts them", find, cleared, knob };

fn find(case: &Case) -> Option<Verdict> {
    let full = &case.view.full;
    let inbound = full.inbound();
    let overflows = overflows(&full.watched, false).map_or(0.0, |overflows| overflows.own);
    (overflows >= 1.0).then(|| Verdict {
        says: format!(
            "the listen queue ({} places)",
            inbound.unaccepted_max.map_or("?".to_owned(), |most| number(most.into()))
        ),
        evidence: vec![format!(
            "{} connections found it full, and were asked for again after 1 s and more",
            number(overflows)
        )],
        change: format!("Raise {}, which net.core.somaxconn caps; or keep connections open.", setting(case).text),
    })
}

fn setting(case: &Case) -> Named {
    // A service that reads its sockets itself has no server, whatever jars there are.
    if case.view.reads_requests() {
        return settings::of("listen queue", case.framework()).unwrap_or_default();
    }
    server::accept_queue(&case.view.process, case.threads_of_server())
}

fn cleared(case: &Case) -> Option<String> {
    let inbound = case.view.full.inbound();
    let most = inbound.unaccepted_max?;
    Some(format!("listen queue {} of {}", number(inbound.unaccepted.round()), number(most.into())))
}

fn knob(case: &Case) -> Option<Knob> {
    let places = f64::from(case.view.full.inbound().unaccepted_max?);
    Some(Knob::sized(setting(case).names, places, case.connections_wanted()))
}
