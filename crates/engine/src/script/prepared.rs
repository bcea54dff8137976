//! A script made ready to be sent by one worker.

use std::sync::Arc;

use plimsoll_record::{Nanos, ThinkTime};
use rand::{RngExt, rngs::Xoshiro256PlusPlus};

use super::{
    Feed, RequestTemplate, Script, Shared, Template,
    builtin::Context,
    examination::{Examination, Failure},
    feeder::Turns,
    response::{Response, Wanted},
    template::FILLED_MAX,
    user::User,
};
use crate::{http1::Request, schedule::Segment};

/// Requests of a worker, made ready.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// Steps of all flows, one after the other.
    pub steps: Vec<PreparedStep>,
    flows: Vec<PreparedFlow>,
    shared: Shared,
    /// Whether there is anything to remember for a virtual user.
    pub needs_users: bool,
    segment: Segment,
    turns: Arc<Turns>,
    rng: Xoshiro256PlusPlus,
}

#[derive(Debug)]
struct PreparedFlow {
    first: u32,
    /// Sum over all flows up to this one.
    weights: f64,
    feeds: Vec<Feed>,
    variables: Vec<(usize, Template)>,
}

#[derive(Debug)]
pub(crate) struct PreparedStep {
    pub request: Request,
    /// The request as it is sent, if it does not vary.
    pub bytes: Vec<u8>,
    /// Whether it is a HEAD, whose response has no body.
    pub is_head: bool,
    pub pause: ThinkTime,
    /// Whether another step of the flow follows.
    pub has_next: bool,
    /// Whether its flow has other steps.
    pub is_of_several: bool,
    template: Option<Box<RequestTemplate>>,
    examination: Arc<Examination>,
    wanted: Arc<Wanted>,
}

impl Prepared {
    /// `closes` asks in each request that the connection be closed after the response.
    pub fn new(script: &Script, closes: bool, segment: Segment, seed: u64) -> Self {
        let mut prepared = Self {
            steps: Vec::new(),
            flows: Vec::new(),
            shared: script.shared.clone(),
            needs_users: script.needs_users(),
            segment,
            turns: script.shared.turns.clone().unwrap_or_else(|| script.turns(segment)),
            rng: segment.rng("values", seed),
        };
        let mut weights = 0.0;
        for flow in &script.flows {
            weights += flow.weight;
            let first = prepared.steps.len() as u32;
            let (feeds, variables) = (flow.feeds.clone(), flow.variables.clone());
            prepared.flows.push(PreparedFlow { first, weights, feeds, variables });
            prepared.steps.extend((1..).zip(&flow.steps).map(|(number, step)| {
                let mut wanted = step.examination.wanted();
                if script.shared.keeps_cookies {
                    wanted.add_header("set-cookie");
                }
                PreparedStep {
                    request: step.request.clone(),
                    is_head: step.request.method == "HEAD",
                    bytes: step.request.encode(closes),
                    pause: step.pause,
                    has_next: number < flow.steps.len(),
                    is_of_several: flow.steps.len() > 1,
                    template: step.template.clone(),
                    examination: Arc::clone(&step.examination),
                    wanted: Arc::new(wanted),
                }
            }));
        }
        prepared
    }

    /// The first step of a flow, drawn by weight.
    #[inline]
    pub fn draw(&self, rng: &mut Xoshiro256PlusPlus) -> u32 {
        match self.flows.as_slice() {
            [flow] => flow.first,
            flows => {
                let total = flows.last().map_or(0.0, |flow| flow.weights);
                let at = rng.random::<f64>() * total;
                let drawn = flows.partition_point(|flow| flow.weights <= at).min(flows.len() - 1);
                flows[drawn].first
            }
        }
    }

    #[inline]
    pub fn step(&self, step: u32) -> &PreparedStep {
        &self.steps[step as usize]
    }

    /// The virtual user of a slot, which has not made any iteration.
    pub fn new_user(&self, slot: u32) -> User {
        let values = vec![String::new(); self.shared.variables];
        User { number: self.segment.global(slot) + 1, values, ..User::default() }
    }

    /// Takes the rows and makes the values of an iteration whose first step this is.
    pub fn begin_iteration(&mut self, first: u32, user: &mut User, unix: Nanos) {
        let Self { flows, shared, turns, rng, .. } = self;
        let flow = &flows[flows.partition_point(|flow| flow.first < first)];
        for Feed { feeder, columns } in &flow.feeds {
            let source = &shared.feeders[*feeder];
            let row = &source.table.rows[source.row(turns.next(*feeder), turns.part, user.number - 1, rng)];
            for &(column, variable) in columns {
                user.values[variable].clone_from(&row[column]);
            }
        }
        let mut left = FILLED_MAX;
        user.overfull = None;
        for (variable, template) in &flow.variables {
            match template.render_text(&mut Context { user, unix, rng }, &mut left) {
                Ok(text) => user.values[*variable] = text,
                Err(problem) => {
                    // Emptied, so that values that hold this one do not grow with it.
                    user.values[*variable].clear();
                    user.overfull = Some(problem);
                }
            }
        }
    }

    /// Makes the request of a step, if it is one of its own, and gets ready for the response; or a message explaining
    /// why it cannot be sent.
    pub fn render(&mut self, step: u32, user: &mut User, unix: Nanos) -> Result<Option<Request>, String> {
        let Self { steps, shared, rng, .. } = self;
        let step = &steps[step as usize];
        user.kept.begin(&step.wanted);
        if let Some(problem) = &user.overfull {
            return Err(problem.clone());
        }
        let context = &mut Context { user, unix, rng };
        let mut request = step.template.as_ref().map(|template| template.render(&step.request, context)).transpose()?;
        if shared.keeps_cookies {
            let url = request.as_ref().map_or(&step.request.url, |request| &request.url);
            let own = request.as_ref().unwrap_or(&step.request).headers.iter().find(|(name, _)| is_cookie(name));
            user.own_cookies = own.map(|(_, value)| value.clone());
            if let Some(cookies) = user.cookies.header(url, unix) {
                add_cookies(request.get_or_insert_with(|| step.request.clone()), &cookies);
            }
        }
        Ok(request)
    }

    /// A response has come for a request of `url`: keeps its cookies.
    pub fn keep_cookies(&self, user: &mut User, url: &url::Url, unix: Nanos) {
        if self.shared.keeps_cookies {
            let User { cookies, kept, .. } = user;
            kept.values("set-cookie").for_each(|cookie| cookies.store(cookie, url, unix));
        }
    }

    /// Gets ready for following a redirect.
    pub fn redirect(&self, request: &mut Request, user: &mut User, unix: Nanos) {
        user.kept.clear();
        if self.shared.keeps_cookies {
            request.headers.retain(|(name, _)| !is_cookie(name));
            request.headers.extend(user.own_cookies.iter().map(|own| ("Cookie".to_owned(), own.clone())));
            if let Some(cookies) = user.cookies.header(&request.url, unix) {
                add_cookies(request, &cookies);
            }
        }
    }

    /// Looks at a whole response: why it is a failure, if it is one. `tell` hears of each check whether it holds.
    pub fn examine(
        &mut self,
        step: u32,
        user: &mut User,
        status: u16,
        response_time: Nanos,
        unix: Nanos,
        tell: impl FnMut(&str, bool),
    ) -> Option<Failure> {
        let examination = &self.steps[step as usize].examination;
        if examination.is_empty() {
            return Failure::of_status(status);
        }
        let response = Response::new(status, response_time, &user.kept);
        let failure = examination.check(&response, &mut Context { user, unix, rng: &mut self.rng }, tell);
        failure.or_else(|| examination.capture(&response, &mut user.values))
    }
}

fn is_cookie(name: &str) -> bool {
    name.eq_ignore_ascii_case("cookie")
}

/// Adds cookies to those that the request has itself.
fn add_cookies(request: &mut Request, cookies: &str) {
    match request.headers.iter_mut().find(|(name, _)| is_cookie(name)) {
        Some((_, own)) => *own = format!("{own}; {cookies}"),
        None => request.headers.push(("Cookie".to_owned(), cookies.to_owned())),
    }
}
