//! Metrics of a load while it runs, for monitoring systems: served to Prometheus, pushed to an OpenTelemetry collector.
//! Neither can disturb the load: the driver's thread only adds an interval to the sums.

mod endpoint;
mod push;

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

use plimsoll_drive::Job;
use plimsoll_record::{Interval, Load, Nanos};
use plimsoll_report::metrics::{self, Family, Measured};
use plimsoll_secrets::mask;
use plimsoll_serve::server::Server;

use crate::{cli::TellingArgs, failure::Failure, live::Voice};

/// Telemetry of a running load, and its receivers. Dropping it ends that.
pub struct Telemetry {
    sums: Arc<Sums>,
    _endpoint: Option<Server>,
    _push: Option<push::Push>,
}

impl Telemetry {
    /// None if nobody asked for it: then it costs nothing.
    pub fn start(arguments: &TellingArgs, job: &Job, voice: &Voice) -> Result<Option<Self>, Failure> {
        if arguments.prometheus.is_none() && arguments.otlp.is_none() {
            return Ok(None);
        }
        let sums = Arc::new(Sums::of(job));
        let serve = |address: SocketAddr| {
            endpoint::start(address, sums.clone()).map_err(|error| {
                Failure::input(format_args!(
                    "--prometheus {address}: cannot listen there: {error}; choose another port, 0 for any that is free"
                ))
            })
        };
        let endpoint = arguments.prometheus.map(serve).transpose()?;
        if let Some(endpoint) = &endpoint {
            voice.say(&format!("metrics for Prometheus: http://{}/metrics", endpoint.address()));
        }
        let push = arguments.otlp.as_ref().map(|url| push::Push::start(url.clone(), sums.clone(), voice.clone()));
        Ok(Some(Self { sums, _endpoint: endpoint, _push: push }))
    }

    /// Takes in what was measured in a second of a scenario.
    pub fn add(&self, scenario: usize, interval: &Interval) {
        self.sums.add(scenario, interval);
    }
}

/// A scenario as metrics name it.
struct Named {
    name: String,
    start: Nanos,
    load: Load,
    /// Names of its requests, or their URL.
    requests: Vec<String>,
}

/// Everything from the start of the load.
struct Sums {
    scenarios: Vec<Named>,
    by_request: Mutex<BTreeMap<(usize, u32), Interval>>,
}

impl Sums {
    fn of(job: &Job) -> Self {
        let named = |(number, scenario): (usize, &plimsoll_drive::Scenario)| {
            let steps = scenario.script.steps();
            let name = |step: &plimsoll_drive::Step| match step.name.as_str() {
                "" => mask(step.request.url.as_str()),
                name => mask(name),
            };
            // k6 calls the only scenario of a test `default`.
            let own = if job.scenarios.len() == 1 { "default".to_owned() } else { (number + 1).to_string() };
            Named { name: own, start: scenario.start, load: scenario.load.clone(), requests: steps.map(name).collect() }
        };
        Self { scenarios: job.scenarios.iter().enumerate().map(named).collect(), by_request: Mutex::default() }
    }

    fn add(&self, scenario: usize, interval: &Interval) {
        let mut sums = self.by_request.lock().unwrap_or_else(PoisonError::into_inner);
        sums.entry((scenario, interval.request)).or_default().merge(interval);
    }

    /// Metrics as of now.
    fn families(&self) -> Vec<Family> {
        let sums = self.by_request.lock().unwrap_or_else(PoisonError::into_inner).clone();
        // Requests of one name are one series.
        let mut by_name: BTreeMap<(usize, &str), Interval> = BTreeMap::new();
        for ((scenario, request), interval) in &sums {
            let name = self.scenarios[*scenario].requests.get(*request as usize).map_or("", String::as_str);
            by_name.entry((*scenario, name)).or_default().merge(interval);
        }
        let measured = by_name.into_iter().map(|((scenario, name), interval)| Measured {
            scenario: self.scenarios[scenario].name.clone(),
            name: name.to_owned(),
            interval,
        });
        let measured: Vec<Measured> = measured.collect();
        let now = sums.iter().map(|((scenario, _), it)| self.scenarios[*scenario].start + it.start + it.duration).max();
        let closed = self.scenarios.iter().filter(|scenario| scenario.load.is_closed());
        let vus = |it: &Named| (it.name.clone(), it.load.target_at(now.unwrap_or_default() - it.start));
        metrics::families(&measured, &closed.map(vus).collect::<Vec<_>>())
    }
}
