//! What iterations are made of: one request, a weighted mix of them, or flows of several.

use plimsoll_record::ThinkTime;
use rand::{RngExt, rngs::Xoshiro256PlusPlus};

use crate::http1::Request;

/// What an iteration does: one of the flows, drawn by weight.
#[derive(Clone, Debug)]
pub struct Script {
    /// At least one.
    pub flows: Vec<Flow>,
}

/// Requests that one virtual user makes one after the other.
#[derive(Clone, Debug)]
pub struct Flow {
    /// How often it is drawn, relative to the others; more than 0.
    pub weight: f64,
    /// At least one.
    pub steps: Vec<Step>,
}

/// One request of a flow.
#[derive(Clone, Debug)]
pub struct Step {
    /// What reports call it.
    pub name: String,
    /// What is sent. All requests of a script go to one origin: scheme, host and port.
    pub request: Request,
    /// Between its response and the next request of the flow.
    pub pause: ThinkTime,
}

impl Script {
    /// Iterations that are all one `request`.
    pub fn of(request: Request) -> Self {
        let step = Step { name: String::new(), request, pause: ThinkTime::None };
        Self { flows: vec![Flow { weight: 1.0, steps: vec![step] }] }
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
        let names: Vec<String> = self.steps().map(|step| step.name.clone()).collect();
        if names.len() == 1 { Vec::new() } else { names }
    }
}

/// A script made ready to be sent.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// Of all flows, one after the other.
    pub steps: Vec<PreparedStep>,
    /// The first step of each flow, with the sum of the weights up to it.
    flows: Vec<(u32, f64)>,
}

#[derive(Debug)]
pub(crate) struct PreparedStep {
    pub request: Request,
    /// The request as it is sent.
    pub bytes: Vec<u8>,
    /// Whether it is a HEAD, whose response has no body.
    pub is_head: bool,
    pub pause: ThinkTime,
    /// Whether another step of the flow follows.
    pub has_next: bool,
    /// Whether its flow has other steps.
    pub is_of_several: bool,
}

impl Prepared {
    /// `closes` asks in each request that the connection be closed after the response.
    pub fn new(script: &Script, closes: bool) -> Self {
        let mut prepared = Self { steps: Vec::new(), flows: Vec::new() };
        let mut weight = 0.0;
        for flow in &script.flows {
            weight += flow.weight;
            prepared.flows.push((prepared.steps.len() as u32, weight));
            prepared.steps.extend((1..).zip(&flow.steps).map(|(number, step)| PreparedStep {
                request: step.request.clone(),
                is_head: step.request.method == "HEAD",
                bytes: step.request.encode(closes),
                pause: step.pause,
                has_next: number < flow.steps.len(),
                is_of_several: flow.steps.len() > 1,
            }));
        }
        prepared
    }

    /// The first step of a flow, drawn by weight.
    #[inline]
    pub fn draw(&self, rng: &mut Xoshiro256PlusPlus) -> u32 {
        match self.flows.as_slice() {
            [(first, _)] => *first,
            flows => {
                let total = flows.last().map_or(0.0, |&(_, sum)| sum);
                let at = rng.random::<f64>() * total;
                let drawn = flows.partition_point(|&(_, sum)| sum <= at).min(flows.len() - 1);
                flows[drawn].0
            }
        }
    }

    #[inline]
    pub fn step(&self, step: u32) -> &PreparedStep {
        &self.steps[step as usize]
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    fn step(name: &str) -> Step {
        let request = Request::get(format!("http://h/{name}").parse().unwrap());
        Step { name: name.to_owned(), request, pause: ThinkTime::None }
    }

    #[test]
    fn flows_are_drawn_by_weight() {
        let flow = |weight, names: &[&str]| Flow { weight, steps: names.iter().map(|name| step(name)).collect() };
        let script = Script { flows: vec![flow(3.0, &["a", "b"]), flow(1.0, &["c"])] };
        assert_eq!(script.names(), ["a", "b", "c"]);
        let prepared = Prepared::new(&script, false);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let drawn: Vec<u32> = (0..10_000).map(|_| prepared.draw(&mut rng)).collect();
        let second = drawn.iter().filter(|&&first| first == 2).count();
        assert!(drawn.iter().all(|&first| first == 0 || first == 2) && (2_300..2_700).contains(&second), "{second}");
        assert_eq!(prepared.steps.iter().map(|step| step.has_next).collect::<Vec<_>>(), [true, false, false]);
    }
}
