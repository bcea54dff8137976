//! Ways in which requests may be written.

use crate::file::{
    decode::Checked,
    document::Document,
    errors::{At, Errors},
    requests::{FlowSection, RequestSection, ScenarioSection},
};

/// Where the four ways stand in which requests may be written.
#[derive(Clone, Copy)]
pub(in crate::file) struct Ways<'a> {
    pub request: Option<&'a Checked<RequestSection>>,
    pub requests: Option<&'a At<Vec<RequestSection>>>,
    pub steps: Option<&'a At<Vec<RequestSection>>>,
    pub flows: Option<&'a At<Vec<FlowSection>>>,
}

impl Ways<'_> {
    /// Whether any of them is taken.
    pub fn are_given(&self) -> bool {
        self.request.is_some() || self.requests.is_some() || self.steps.is_some() || self.flows.is_some()
    }
}

/// The ways of a file.
pub(in crate::file) fn ways_of_file(file: &Document) -> Ways<'_> {
    Ways {
        request: file.request.as_ref(),
        requests: file.requests.as_ref(),
        steps: file.steps.as_ref(),
        flows: file.flows.as_ref(),
    }
}

/// The ways of a scenario.
pub(in crate::file) fn ways_of(scenario: &ScenarioSection) -> Ways<'_> {
    Ways {
        request: scenario.request.as_ref(),
        requests: scenario.requests.as_ref(),
        steps: scenario.steps.as_ref(),
        flows: scenario.flows.as_ref(),
    }
}

/// In which way a request is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Single,
    Mix,
    Steps,
}

impl Way {
    /// Keys that mean something only elsewhere.
    pub fn check_keys(self, section: &RequestSection, errors: &mut Errors) {
        let foreign = [
            ("weight", "`requests`", Self::Mix, section.weight.as_ref().map(|weight| &weight.place)),
            ("pause", "`steps`", Self::Steps, section.pause.as_ref().map(|pause| &pause.place)),
            ("time-out", "`request`, or the file itself", Self::Single, section.time_out.as_ref().map(|at| &at.place)),
        ];
        for (key, home, way, place) in foreign {
            if let Some(place) = place.filter(|_| way != self) {
                errors.push(place, format!("`{key}` goes with {home}: remove it here"));
            }
        }
    }
}
