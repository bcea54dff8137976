//! Variants that run already: a URL, and nothing to launch.

use std::collections::BTreeMap;

use super::{COMMAND_KEYS, Kind, SERVICE_KEYS, SUBJECT_KEYS, push_foreign};
use crate::{
    experiment::Program,
    file::{errors::Errors, node::Node, request, variants::VariantSection},
};

/// Settings that a process which somebody else started cannot be given.
const LAUNCH_KEYS: &[&str] = &["env", "limits", "network", "upstream"];

pub(super) fn running(section: &VariantSection, node: &Node, errors: &mut Errors) -> Option<Kind> {
    let why = "is a setting of what is launched, and this variant has a `url` alone, whose service runs already: remove it, \
               or name a `jar` or a `command` to launch";
    for keys in [SUBJECT_KEYS, COMMAND_KEYS, SERVICE_KEYS, LAUNCH_KEYS] {
        push_foreign(node, keys, why, errors);
    }
    let url = section.url.as_ref()?;
    for given in section.ready.iter().chain(&section.url) {
        if request::is_url(&given.value) && (given.value.contains("{port}") || given.value.contains("{host}")) {
            let message = "expected the address of a service that runs, e.g. `http://localhost:8080/`: nothing is \
                           launched here, so there is no `{port}` to fill in; name a `jar` or a `command` to launch one";
            errors.push(&given.place, message);
        }
    }
    Some(Kind {
        program: Program::Running,
        settings: BTreeMap::from([("running at".to_owned(), plimsoll_secrets::hide::text(&url.value).text)]),
        workers: None,
        service_time: None,
        connections_per_route: None,
        calls_upstream: false,
        told_upstream: false,
        ready_url: section.ready.as_ref().map(|ready| ready.value.clone()),
        url: url.value.clone(),
    })
}
