//! Requests of iterations, resolved: texts for the load engine, with the places of all errors that it may find.

mod body;
mod places;
mod ways;

use std::{collections::BTreeMap, path::Path, sync::Arc};

use plimsoll_drive::script::{Auth, Feeder, FlowText, Order, Place as ScriptPlace, ScriptText, StepText};
use plimsoll_record::{Load, ThinkTime};
use url::Url;

pub(super) use self::ways::{Ways, ways_of, ways_of_file};
use self::{places::StepPlaces, ways::Way};
use super::{
    decode::Decimal,
    document::Document,
    errors::{At, Errors, Place},
    levels, request,
    requests::{AuthSection, RequestSection, RowsWord},
    table,
};
use crate::placeholders::Placeholders;

/// A script with the places of its steps.
pub(super) struct Located {
    pub text: ScriptText,
    steps: Vec<StepPlaces>,
}

/// Parts that all scripts of a file share, with the places of feeders and variables.
pub(super) struct SharedParts<'a> {
    folder: &'a Path,
    feeders: Vec<(Feeder, Place)>,
    variables: Vec<((String, String), Place)>,
    cookies: bool,
}

impl<'a> SharedParts<'a> {
    /// With what requests know of an upstream if variants have one; it is replaced in each run.
    pub fn new(file: &Document, folder: &'a Path, has_upstream: bool, errors: &mut Errors) -> Self {
        let mut feeders = Vec::new();
        for (name, section) in file.feeders.iter().flat_map(|feeders| &feeders.0) {
            let order = match section.order {
                None | Some(RowsWord::Sequential) => Order::Sequential,
                Some(RowsWord::Random) => Order::Random,
                Some(RowsWord::Unique) => Order::Unique,
            };
            match table::read(&folder.join(&section.file.value)) {
                Ok(table) => {
                    feeders
                        .push((Feeder { name: name.value.clone(), table: Arc::new(table), order }, name.place.clone()));
                }
                Err(problem) => errors.push(&section.file.place, problem),
            }
        }
        let variables = file.variables.iter().flat_map(|variables| &variables.0);
        let variables =
            variables.map(|(name, value)| ((name.value.clone(), value.value.0.clone()), value.place.clone()));
        let constants = has_upstream.then(Placeholders::samples);
        let constants = constants.iter().flat_map(Placeholders::constants).map(|constant| (constant, Place::default()));
        Self {
            folder,
            feeders,
            variables: constants.chain(variables).collect(),
            cookies: file.cookies.unwrap_or(false),
        }
    }

    /// The script of a file or scenario, whose section is at `place`; what is wrong with it is pushed.
    pub fn script(&self, ways: &Ways<'_>, place: &Place, errors: &mut Errors) -> Located {
        let before = errors.count();
        let mut steps = Vec::new();
        let flows = self.flows(ways, place, &mut steps, errors);
        let mut text = ScriptText {
            flows,
            variables: self.variables.iter().map(|(variable, _)| variable.clone()).collect(),
            feeders: self.feeders.iter().map(|(feeder, _)| feeder.clone()).collect(),
            cookies: self.cookies,
        };
        name_steps(&mut text, &steps, errors);
        let located = Located { text, steps };
        // Any base will do for the check.
        if errors.count() == before
            && let Ok(base) = Url::parse("http://127.0.0.1/")
            && let Err(problems) = located.text.resolve(&base)
        {
            for problem in problems {
                errors.push(self.place(&located, problem.place), problem.problem);
            }
        }
        located
    }

    fn place<'b>(&'b self, located: &'b Located, place: ScriptPlace) -> &'b Place {
        match place {
            ScriptPlace::Variable(index) => &self.variables[index].1,
            ScriptPlace::Feeder(index) => &self.feeders[index].1,
            ScriptPlace::Step(index, field) => located.steps[index].of(field),
        }
    }

    /// Whether loads have no more virtual users than the feeders allow.
    pub fn check_loads<'l>(&self, script: &Located, mut loads: impl Iterator<Item = &'l Load>, errors: &mut Errors) {
        let Some(base) = Url::parse("http://127.0.0.1/").ok() else { return };
        let Ok(resolved) = script.text.resolve(&base) else { return };
        if let Some(problem) = loads.find_map(|load| resolved.check_load(load).err()) {
            let place = self.feeders.iter().find(|(feeder, _)| problem.contains(&format!("`{}`", feeder.name)));
            errors.push(place.map_or(&Place::default(), |(_, place)| place), problem);
        }
    }

    fn flows(
        &self,
        ways: &Ways<'_>,
        place: &Place,
        places: &mut Vec<StepPlaces>,
        errors: &mut Errors,
    ) -> Vec<FlowText> {
        let mut given = Vec::new();
        given.extend(ways.request.map(|request| &request.node.place));
        given.extend(ways.requests.map(|requests| &requests.place));
        given.extend(ways.steps.map(|steps| &steps.place));
        given.extend(ways.flows.map(|flows| &flows.place));
        if let [first, second, ..] = given.as_slice() {
            let message = "`request`, `requests`, `steps` and `flows` exclude each other: keep one";
            errors.push_related(second, message, first, "the first is here");
        }
        let mut step = |section: &RequestSection, place: &Place, way: Way| {
            let (text, step_places) = self.step(section, place, way, errors);
            places.push(step_places);
            text
        };
        if let Some(At { value: sections, place }) = ways.requests {
            let flow = |section: &RequestSection| FlowText {
                weight: section.weight.as_ref().map_or(1.0, |weight| weight.value.0),
                steps: vec![step(section, place, Way::Mix)],
            };
            let flows: Vec<FlowText> = sections.iter().map(flow).collect();
            check_weights(sections.iter().map(|section| section.weight.as_ref()), place, errors);
            return flows;
        }
        if let Some(At { value: flows, place }) = ways.flows {
            let texts = flows.iter().map(|flow| FlowText {
                weight: flow.weight.as_ref().map_or(1.0, |weight| weight.value.0),
                steps: flow.steps.value.iter().map(|section| step(section, &flow.steps.place, Way::Steps)).collect(),
            });
            let texts: Vec<FlowText> = texts.collect();
            for flow in flows.iter().filter(|flow| flow.steps.value.is_empty()) {
                errors.push(&flow.steps.place, "expected at least one step, e.g. `{path: /}`");
            }
            check_weights(flows.iter().map(|flow| flow.weight.as_ref()), place, errors);
            return texts;
        }
        let steps = match (ways.steps, ways.request) {
            (Some(At { value: sections, place }), _) => {
                let texts: Vec<StepText> = sections.iter().map(|section| step(section, place, Way::Steps)).collect();
                if texts.is_empty() {
                    errors.push(place, "expected at least one step, e.g. `{path: /}`");
                }
                texts
            }
            (None, Some(request)) => vec![step(&request.value, &request.node.place, Way::Single)],
            (None, None) => {
                places.push(StepPlaces::all_at(place));
                vec![StepText::default()]
            }
        };
        vec![FlowText { weight: 1.0, steps }]
    }

    fn step(&self, section: &RequestSection, place: &Place, way: Way, errors: &mut Errors) -> (StepText, StepPlaces) {
        way.check_keys(section, errors);
        request::check(section, errors);
        let mut places = StepPlaces::all_at(place);
        let mut headers = Vec::new();
        for (name, value) in section.headers.iter().flat_map(|headers| &headers.0) {
            headers.push((name.value.clone(), value.value.0.clone()));
            places.headers.push(value.place.clone());
        }
        if let Some(path) = &section.path {
            places.url = path.place.clone();
        }
        if let Some(auth) = &section.auth {
            places.auth = auth.place.clone();
        }
        for check in section.checks.iter().flatten() {
            places.checks.push(check.place.clone());
        }
        let captures = section.captures.iter().flat_map(|captures| &captures.0);
        let captures = captures.map(|(name, source)| {
            places.captures.push(source.place.clone());
            (name.value.clone(), source.value.clone())
        });
        let captures = captures.collect();
        let body = self.body(section, &mut places.body, errors);
        let text = StepText {
            name: section.name.as_ref().map(|name| name.value.clone()).unwrap_or_default(),
            method: section.method.as_ref().map(|method| method.value.clone()),
            url: section.path.as_ref().map(|path| path.value.clone()).unwrap_or_default(),
            headers,
            body,
            auth: section.auth.as_ref().and_then(|auth| resolve_auth(auth, errors)),
            captures,
            checks: section.checks.iter().flatten().map(|check| check.value.clone()).collect(),
            pause: section.pause.as_ref().map_or(ThinkTime::None, |pause| levels::pause(pause, errors)),
        };
        (text, places)
    }
}

fn check_weights<'a>(weights: impl Iterator<Item = Option<&'a At<Decimal>>>, place: &Place, errors: &mut Errors) {
    let mut count = 0;
    for weight in weights {
        count += 1;
        if let Some(weight) = weight.filter(|weight| weight.value.0 <= 0.0) {
            errors.push(&weight.place, "expected a weight above 0; remove what is never to be drawn");
        }
    }
    if count == 0 {
        errors.push(place, "expected at least one, found an empty list");
    }
}

/// Names those that have none, and finds names given twice.
fn name_steps(script: &mut ScriptText, places: &[StepPlaces], errors: &mut Errors) {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (index, step) in script.flows.iter_mut().flat_map(|flow| &mut flow.steps).enumerate() {
        let is_given = !step.name.is_empty();
        if !is_given {
            let path = if step.url.is_empty() { "/" } else { &step.url };
            step.name = format!("{} {path}", step.method());
        }
        let before = seen.entry(step.name.clone()).or_default();
        *before += 1;
        if *before > 1 && is_given {
            errors.push(&places[index].section, format!("two requests are called `{}`: rename one", step.name));
        } else if *before > 1 {
            step.name = format!("{} ({before})", step.name);
        }
    }
}

fn resolve_auth(section: &At<AuthSection>, errors: &mut Errors) -> Option<Auth> {
    let At { value: AuthSection { user, password, bearer }, place } = section;
    match (user, bearer) {
        (Some(user), None) => {
            let password = password.as_ref().map(|password| password.0.clone()).unwrap_or_default();
            Some(Auth::Basic { user: user.value.0.clone(), password })
        }
        (None, Some(token)) if password.is_none() => Some(Auth::Bearer(token.value.0.clone())),
        _ => {
            errors.push(place, "expected either `user` and `password`, or `bearer`");
            None
        }
    }
}
