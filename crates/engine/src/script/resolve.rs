//! From text to a script: names are looked up, constants filled in, and everything is checked before anything is sent.

use std::sync::Arc;

use plimsoll_record::REQUESTS_MAX;
use url::Url;

use super::{
    Feed, Flow, RequestTemplate, Script, Shared, Step, Written,
    check::Check,
    examination::{Capture, Examination},
    scope::Scope,
    source::Source,
    template::{Escape, Template},
    text::{Auth, Field, FlowText, Place, ScriptError, ScriptText, StepText},
};

impl ScriptText {
    /// The script for requests to `base`, to which URLs are joined. All must go to its scheme, host and port.
    ///
    /// # Errors
    ///
    /// All that is wrong: names that there are not, URLs that leave the base, checks and captures that cannot be read.
    pub fn resolve(&self, base: &Url) -> Result<Script, Vec<ScriptError>> {
        let steps = self.steps().count();
        if steps > REQUESTS_MAX {
            return Err(vec![ScriptError { place: Place::Step(REQUESTS_MAX, Field::Url), problem: too_many(steps) }]);
        }
        let mut resolver = Resolver { base, errors: Vec::new(), columns: Vec::new(), variables: Vec::new() };
        let scope = resolver.scope(self);
        let mut variables = scope.variables();
        let mut flows = Vec::new();
        let mut first_step = 0;
        for flow in &self.flows {
            let mut flow_scope = scope.clone();
            flows.push(resolver.flow(flow, first_step, &mut flow_scope));
            variables = variables.max(flow_scope.variables());
            first_step += flow.steps.len();
        }
        if !resolver.errors.is_empty() {
            return Err(resolver.errors);
        }
        let shared = Shared { variables, feeders: self.feeders.clone(), keeps_cookies: self.cookies, turns: None };
        let written = Written { text: self.clone(), base: base.clone() };
        Ok(Script { flows, shared, written: Some(Arc::new(written)) })
    }
}

fn too_many(found: usize) -> String {
    let count = |number: usize| plimsoll_text::count(number as u64);
    format!(
        "expected at most {} requests, found {}: choose some of them, or split the load",
        count(REQUESTS_MAX),
        count(found)
    )
}

struct Resolver<'a> {
    base: &'a Url,
    errors: Vec<ScriptError>,
    /// Feeder, column and variable.
    columns: Vec<(usize, usize, usize)>,
    /// Values that are made once an iteration.
    variables: Vec<(usize, Template)>,
}

impl Resolver<'_> {
    fn push(&mut self, place: Place, problem: String) {
        self.errors.push(ScriptError { place, problem });
    }

    /// The result, if it is good.
    fn good<T>(&mut self, result: Result<T, String>, place: Place) -> Option<T> {
        result.map_err(|problem| self.push(place, problem)).ok()
    }

    /// Names known to all flows.
    fn scope(&mut self, script: &ScriptText) -> Scope {
        let mut scope = Scope::default();
        for (index, feeder) in script.feeders.iter().enumerate() {
            for (column, name) in feeder.table.columns.iter().enumerate() {
                let added = scope.add_column(&feeder.name, name);
                if let Some(variable) = self.good(added, Place::Feeder(index)) {
                    self.columns.push((index, column, variable));
                }
            }
        }
        for (index, (name, text)) in script.variables.iter().enumerate() {
            let template = Template::new(text, Escape::None, &scope);
            let Some(template) = self.good(template, Place::Variable(index)) else { continue };
            let added = match template.constant() {
                Some(bytes) => scope.add_constant(name, String::from_utf8_lossy(bytes).into_owned()),
                None => scope.add_variable(name).map(|variable| self.variables.push((variable, template))),
            };
            self.good(added, Place::Variable(index));
        }
        scope
    }

    fn flow(&mut self, flow: &FlowText, first_step: usize, scope: &mut Scope) -> Flow {
        let mut captured = Vec::new();
        let mut used = Vec::new();
        let steps = (first_step..).zip(&flow.steps).filter_map(|(index, step)| {
            self.step(step, index, scope, &mut captured).inspect(|step| used.extend(step.variables()))
        });
        let steps: Vec<Step> = steps.collect();
        let mut variables = Vec::new();
        for (variable, template) in self.variables.iter().rev() {
            if used.contains(variable) {
                used.extend(template.variables());
                variables.insert(0, (*variable, template.clone()));
            }
        }
        let feeds = self.feeds(&used);
        Flow { weight: flow.weight, steps, feeds, variables }
    }

    /// The feeders that a flow takes rows of, with the columns that it uses.
    fn feeds(&self, used: &[usize]) -> Vec<Feed> {
        let mut feeds: Vec<Feed> = Vec::new();
        for &(feeder, column, variable) in self.columns.iter().filter(|(.., variable)| used.contains(variable)) {
            match feeds.last_mut() {
                Some(feed) if feed.feeder == feeder => feed.columns.push((column, variable)),
                _ => feeds.push(Feed { feeder, columns: vec![(column, variable)] }),
            }
        }
        feeds
    }

    /// None if something of it is wrong.
    fn step(&mut self, text: &StepText, index: usize, scope: &mut Scope, captured: &mut Vec<String>) -> Option<Step> {
        let before = self.errors.len();
        let at = |field| Place::Step(index, field);
        let url = self.url(&text.url, at(Field::Url), scope);
        let mut headers = Vec::new();
        for (number, (name, value)) in text.headers.iter().enumerate() {
            let is_line = !value.contains(|c: char| c.is_ascii_control() && c != '\t');
            let one_line = || "the value of a header is one line, without control characters".to_owned();
            let value = is_line.then_some(value).ok_or_else(one_line);
            let value = value.and_then(|value| Template::new(value, Escape::Header, scope));
            headers.extend(self.good(value, at(Field::Header(number))).map(|value| (name.clone(), value)));
        }
        let given = |name: &str| text.headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name));
        if let Some(auth) = text.auth.as_ref().filter(|_| !given("Authorization")) {
            let value = self.good(authorization(auth, scope), at(Field::Auth));
            headers.extend(value.map(|value| ("Authorization".to_owned(), value)));
        }
        let body = self.good(text.body.template(scope), at(Field::Body));
        if let Some((_, Some(content_type))) = &body
            && !given("Content-Type")
        {
            let mut value = Template::default();
            value.push_bytes(content_type.as_bytes());
            headers.push(("Content-Type".to_owned(), value));
        }
        let examination = self.examination(text, index, scope, captured);
        if self.errors.len() > before {
            return None;
        }
        let (url, url_template) = url?;
        let template = RequestTemplate { base: self.base.clone(), url: url_template, headers, body: body?.0 };
        Some(Step {
            name: text.name.clone(),
            request: template.shape(url, text.method()),
            pause: text.pause,
            template: template.varies().then(|| Box::new(template)),
            examination: Arc::new(examination),
        })
    }

    /// The URL, and how to make it if it varies.
    fn url(&mut self, text: &str, place: Place, scope: &Scope) -> Option<(Url, Option<Template>)> {
        let template = self.good(Template::url(text, scope), place)?;
        // A value that is filled in must not decide where the request goes.
        let sample = template.filled_with("1");
        let url = self.base.join(&sample).map_err(|error| format!("`{sample}` is not a URL: {error}"));
        let url = self.good(url, place)?;
        if url.origin() != self.base.origin() {
            let (base, found) = (self.base.origin().ascii_serialization(), url.origin().ascii_serialization());
            self.push(place, format!("the requests of a load go to one scheme, host and port: {base}, not {found}"));
            return None;
        }
        let varies = template.constant().is_none();
        Some((url, varies.then_some(template)))
    }

    fn examination(
        &mut self,
        text: &StepText,
        index: usize,
        scope: &mut Scope,
        captured: &mut Vec<String>,
    ) -> Examination {
        let mut examination = Examination::default();
        for (number, check) in text.checks.iter().enumerate() {
            let check = self.good(Check::parse(check, scope), Place::Step(index, Field::Check(number)));
            examination.checks.extend(check);
        }
        for (number, (name, source)) in text.captures.iter().enumerate() {
            let place = Place::Step(index, Field::Capture(number));
            let added = scope.add_capture(name, captured.contains(name));
            captured.push(name.clone());
            let (variable, parsed) = (self.good(added, place), self.good(capture_source(source), place));
            if let (Some(variable), Some(parsed)) = (variable, parsed) {
                let text = source.trim().to_owned();
                examination.captures.push(Capture { name: name.clone(), text, source: parsed, variable });
            }
        }
        examination
    }
}

fn capture_source(text: &str) -> Result<Source, String> {
    match Source::parse(text)? {
        (Source::Time, _) => Err("a time cannot be captured".to_owned()),
        (source, "") => Ok(source),
        (_, rest) => Err(format!("expected nothing after the source, found `{rest}`")),
    }
}

fn authorization(auth: &Auth, scope: &Scope) -> Result<Template, String> {
    let mut value = Template::default();
    match auth {
        Auth::Basic { user, password } => {
            value.push_bytes(b"Basic ");
            value.push_base64(Template::new(&format!("{user}:{password}"), Escape::None, scope)?);
        }
        Auth::Bearer(token) => {
            value.push_bytes(b"Bearer ");
            value.push(token, Escape::Header, scope)?;
        }
    }
    Ok(value)
}
