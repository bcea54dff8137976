//! Scripts of iterations: one request, a weighted mix of them, or flows of several; with values that vary from
//! one to the next, and with what is looked at in the responses.
//!
//! People write a [`ScriptText`]; it is resolved to a [`Script`], of which every worker prepares its own. Parts that do
//! not vary are made once, and a script in which nothing varies costs nothing.

mod body;
mod builtin;
mod check;
mod cookies;
mod examination;
mod feeder;
mod prepared;
mod resolve;
mod response;
mod scope;
mod sent;
mod source;
mod template;
mod text;
mod user;

use std::sync::{Arc, atomic::AtomicU64};

use plimsoll_record::{Load, ThinkTime};
use url::Url;

use self::{builtin::Context, examination::Examination, feeder::Turns, template::Template};
use crate::{http1::Request, schedule::Segment};

pub(crate) use examination::Failure;
pub use feeder::{Feeder, Order, Table};
pub(crate) use prepared::Prepared;
pub use response::BODY_KEPT_BYTES_MAX;
pub(crate) use response::{Kept, piece};
pub use text::{Auth, Body, Field, FlowText, Part, PartContent, Place, ScriptError, ScriptText, StepText};
pub(crate) use user::User;

/// Content of iterations: one of the flows, drawn by weight.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// At least one.
    pub flows: Vec<Flow>,
    shared: Shared,
    written: Option<Arc<Written>>,
}

/// A script as it was written, with the base of its URLs.
#[derive(Clone, Debug)]
struct Written {
    text: ScriptText,
    base: Url,
}

/// Parts that all flows have in common.
#[derive(Clone, Debug, Default)]
struct Shared {
    /// Number of variables in the flow that has most.
    variables: usize,
    feeders: Vec<Feeder>,
    keeps_cookies: bool,
    /// Rows that workers take by turns; none if each takes rows of its own segment.
    turns: Option<Arc<Turns>>,
}

/// Requests that one virtual user makes one after the other.
#[derive(Clone, Debug)]
pub struct Flow {
    /// Weight with which it is drawn, relative to the others; more than 0.
    pub weight: f64,
    /// At least one.
    pub steps: Vec<Step>,
    /// Feeders that it uses columns of.
    feeds: Vec<Feed>,
    /// Values made at the beginning of an iteration, in this order.
    variables: Vec<(usize, Template)>,
}

/// Use of a feeder's rows.
#[derive(Clone, Debug)]
struct Feed {
    feeder: usize,
    /// Columns with their variables.
    columns: Vec<(usize, usize)>,
}

/// One request of a flow.
#[derive(Clone, Debug)]
pub struct Step {
    /// Name in reports.
    pub name: String,
    /// Request to send; where it varies, an example of it. All requests of a script go to one origin: scheme, host and
    /// port.
    pub request: Request,
    /// Between its response and the next request of the flow.
    pub pause: ThinkTime,
    /// If it varies.
    pub(crate) template: Option<Box<RequestTemplate>>,
    pub(crate) examination: Arc<Examination>,
}

/// Recipe of a request that varies.
#[derive(Clone, Debug)]
pub(crate) struct RequestTemplate {
    /// Base that URLs are joined to.
    base: Url,
    /// If it varies.
    url: Option<Template>,
    headers: Vec<(String, Template)>,
    body: Template,
}

impl Script {
    /// Iterations that are all one of these, drawn by weight.
    pub fn new(flows: Vec<Flow>) -> Self {
        Self { flows, shared: Shared::default(), written: None }
    }

    /// Iterations that are all one `request`.
    pub fn of(request: Request) -> Self {
        Self::new(vec![Flow::new(1.0, vec![Step::new("", request)])])
    }

    /// The text that it was resolved from, and the base of its URLs, if it was.
    pub fn written(&self) -> Option<(&ScriptText, &Url)> {
        self.written.as_deref().map(|written| (&written.text, &written.base))
    }

    /// The first request.
    ///
    /// # Panics
    ///
    /// If there is no flow, or it has no step.
    pub fn first(&self) -> &Request {
        &self.flows[0].steps[0].request
    }

    /// All requests, flow by flow: number k is what [`Interval::request`](plimsoll_record::Interval::request) calls k.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.flows.iter().flat_map(|flow| &flow.steps)
    }

    /// Names of all requests, in the order of [`Script::steps`]; empty if there is but one.
    pub fn names(&self) -> Vec<String> {
        names(self.steps().map(|step| &step.name))
    }

    /// The same for several workers that offer this `part` of a load together: one row after the other, whoever takes
    /// it.
    pub fn shared_by_workers(&self, part: Segment) -> Self {
        let shared = Shared { turns: Some(self.turns(part)), ..self.shared.clone() };
        Self { shared, ..self.clone() }
    }

    fn turns(&self, part: Segment) -> Arc<Turns> {
        Arc::new(Turns { part, taken: self.shared.feeders.iter().map(|_| AtomicU64::new(0)).collect() })
    }

    /// How many requests an iteration makes on average, if none fails.
    pub fn requests_per_iteration(&self) -> f64 {
        mean_steps(self.flows.iter().map(|flow| (flow.weight, flow.steps.len())))
    }

    /// Whether `load` can be made of it.
    ///
    /// # Errors
    ///
    /// A feeder that is to be unique has fewer rows than the load has virtual users.
    pub fn check_load(&self, load: &Load) -> Result<(), String> {
        let users = u64::from(load.max_in_flight());
        // Scenarios share their feeders, and each uses some.
        let is_used = |index| self.flows.iter().flat_map(|flow| &flow.feeds).any(|feed| feed.feeder == index);
        let used = self.shared.feeders.iter().enumerate().filter(|(index, _)| is_used(*index));
        for (_, Feeder { name, table, order }) in used {
            let rows = table.rows.len() as u64;
            if *order == Order::Unique && rows < users {
                let what = if load.is_closed() { "virtual users" } else { "requests in flight at most" };
                return Err(format!(
                    "feeder `{name}`: `unique` needs a row for each of {users} {what}, found {rows}: \
                     add rows, or take them `sequential`"
                ));
            }
        }
        Ok(())
    }

    /// Whether iterations differ: in the flow that is drawn for each, or in values of their requests.
    pub fn varies(&self) -> bool {
        self.flows.len() > 1 || self.steps().any(|step| step.template.is_some())
    }

    /// Whether anything must be remembered between requests, or looked at in responses.
    fn needs_users(&self) -> bool {
        let is_plain = |step: &Step| step.template.is_none() && step.examination.is_empty();
        self.shared.keeps_cookies || !self.steps().all(is_plain)
    }
}

fn names<'a>(of: impl Iterator<Item = &'a String>) -> Vec<String> {
    let names: Vec<String> = of.cloned().collect();
    if names.len() == 1 { Vec::new() } else { names }
}

/// The mean number of steps of flows, each given by its weight and its number of them.
fn mean_steps(flows: impl Iterator<Item = (f64, usize)> + Clone) -> f64 {
    let weights: f64 = flows.clone().map(|(weight, _)| weight).sum();
    flows.map(|(weight, steps)| weight * steps as f64).sum::<f64>() / weights
}

impl Flow {
    /// A flow in which nothing varies.
    pub fn new(weight: f64, steps: Vec<Step>) -> Self {
        Self { weight, steps, feeds: Vec::new(), variables: Vec::new() }
    }
}

impl Step {
    /// A request that never varies, of which only the status is looked at.
    pub fn new(name: impl Into<String>, request: Request) -> Self {
        let name = name.into();
        Self { name, request, pause: ThinkTime::None, template: None, examination: Arc::default() }
    }

    /// The variables that it uses.
    fn variables(&self) -> Vec<usize> {
        let of_request = self.template.iter().flat_map(|template| template.texts()).flat_map(Template::variables);
        let of_checks = self.examination.checks.iter().flat_map(check::Check::variables);
        of_request.chain(of_checks).collect()
    }
}

impl RequestTemplate {
    fn texts(&self) -> impl Iterator<Item = &Template> {
        self.url.iter().chain(self.headers.iter().map(|(_, value)| value)).chain([&self.body])
    }

    fn varies(&self) -> bool {
        self.texts().any(|text| text.constant().is_none())
    }

    /// The request, if it does not vary; else an example of it.
    fn shape(&self, url: Url, method: &str) -> Request {
        let headers = self.headers.iter().map(|(name, value)| (name.clone(), value.filled_with("1"))).collect();
        let body = self.body.constant().unwrap_or_default().to_vec();
        Request { url, method: method.to_owned(), headers, body }
    }

    /// A request to be sent; or a message explaining why there is none.
    fn render(&self, shape: &Request, context: &mut Context<'_>) -> Result<Request, String> {
        let mut left = template::FILLED_MAX;
        let url = match &self.url {
            Some(url) => self.join(&url.render_text(context, &mut left)?)?,
            None => shape.url.clone(),
        };
        let header = |(name, value): &(String, Template)| Ok((name.clone(), value.render_text(context, &mut left)?));
        let headers = self.headers.iter().map(header).collect::<Result<_, String>>()?;
        let body = self.body.render(context, &mut left)?;
        Ok(Request { url, method: shape.method.clone(), headers, body })
    }

    fn join(&self, text: &str) -> Result<Url, String> {
        // The text may come from the target: a session in its query is masked like one that a user wrote.
        let shown = || piece(text);
        let url = self.base.join(text).map_err(|error| format!("{} is not a URL: {error}", shown()))?;
        let origin = |url: &Url| (url.scheme() == self.base.scheme(), url.port_or_known_default());
        if url.host() != self.base.host() || origin(&url) != origin(&self.base) {
            return Err(format!("{} leaves {}", shown(), self.base.origin().ascii_serialization()));
        }
        Ok(url)
    }
}

#[cfg(test)]
mod tests;
