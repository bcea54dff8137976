//! A job as it was written, which another process can be sent: it resolves the scripts anew.

use plimsoll_engine::{
    Script, ScriptText,
    script::{FlowText, ScriptError},
};
use plimsoll_record::{Load, Nanos};
use serde::{Deserialize, Serialize};
use url::Url;

use crate::{Job, Options, Scenario};

/// All of a [`Job`] but what is each machine's own: the part that it offers, and the addresses that it sends from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct JobText {
    /// At least one.
    pub scenarios: Vec<ScenarioText>,
    /// Rules by which requests are sent.
    pub options: Options,
}

/// One [`Scenario`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ScenarioText {
    name: String,
    #[serde(rename = "start_ns")]
    start: Nanos,
    load: Load,
    base: String,
    /// Its requests.
    pub script: ScriptText,
    trace: u32,
    #[serde(rename = "limits_ns")]
    limits: Vec<Nanos>,
    is_staggered: bool,
}

/// Why a job cannot be sent, or be taken, in words that say what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct JobTextError(String);

impl JobText {
    /// The text of `job`.
    ///
    /// # Errors
    ///
    /// Addresses of this machine that it is to be sent from, or a script that was not written.
    pub fn of(job: &Job) -> Result<Self, JobTextError> {
        if !job.options.connection.sources.is_empty() {
            return Err(JobTextError(
                "source addresses are those of one machine, and the parts of a load may be on others: leave them out"
                    .to_owned(),
            ));
        }
        let scenario = |scenario: &Scenario| {
            let Scenario { name, start, load, script, trace, limits, is_staggered } = scenario.clone();
            let (text, base) = script.written().ok_or_else(|| JobTextError("a script that has no text".to_owned()))?;
            let (script, base) = (text.clone(), base.to_string());
            Ok(ScenarioText { name, start, load, base, script, trace, limits, is_staggered })
        };
        let scenarios = job.scenarios.iter().map(scenario).collect::<Result<_, _>>()?;
        Ok(Self { scenarios, options: job.options.clone() })
    }

    /// The job of the text.
    ///
    /// # Errors
    ///
    /// A text that is no job's: no requests, rows that do not fit their columns, scripts that cannot be resolved.
    pub fn resolve(self) -> Result<Job, JobTextError> {
        if self.scenarios.is_empty() {
            return Err(JobTextError("expected at least one scenario, found none".to_owned()));
        }
        let scenarios = self.scenarios.into_iter().map(ScenarioText::resolve).collect::<Result<_, _>>()?;
        Ok(Job { scenarios, options: self.options })
    }
}

impl ScenarioText {
    fn resolve(self) -> Result<Scenario, JobTextError> {
        let Self { name, start, load, base, script, trace, limits, is_staggered } = self;
        let is_offered = |flow: &FlowText| !flow.steps.is_empty() && flow.weight.is_finite() && flow.weight > 0.0;
        if script.flows.is_empty() || !script.flows.iter().all(is_offered) {
            return Err(JobTextError("expected flows with requests, and weights above 0".to_owned()));
        }
        for feeder in &script.feeders {
            let columns = feeder.table.columns.len();
            if feeder.table.rows.is_empty() || feeder.table.rows.iter().any(|row| row.len() != columns) {
                return Err(JobTextError(format!("feeder `{}`: expected rows of {columns} values", feeder.name)));
            }
        }
        if load.max_in_flight() == 0 {
            return Err(JobTextError("expected a load with at least one virtual user or request in flight".to_owned()));
        }
        let base = Url::parse(&base).map_err(|error| JobTextError(format!("`{base}` is not a URL: {error}")))?;
        let script = resolved(&script, &base)?;
        Ok(Scenario { name, start, load, script, trace, limits, is_staggered })
    }
}

fn resolved(text: &ScriptText, base: &Url) -> Result<Script, JobTextError> {
    text.resolve(base).map_err(|errors| {
        let lines: Vec<String> = errors.iter().map(|error: &ScriptError| text.describe(error)).collect();
        JobTextError(lines.join("; "))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use plimsoll_engine::script::{Body, Feeder, Order, StepText, Table};
    use plimsoll_record::ThinkTime;

    use super::*;
    use crate::Request;

    fn text() -> ScriptText {
        let table = Table { columns: vec!["id".to_owned()], rows: vec![vec!["7".to_owned()], vec!["8".to_owned()]] };
        let step = StepText {
            url: "/orders/{{id}}".to_owned(),
            body: Body::Bytes(Arc::from([0_u8, 255, 3].as_slice())),
            checks: vec!["status == 201".to_owned()],
            ..StepText::default()
        };
        let feeder = Feeder { name: "ids".to_owned(), table: Arc::new(table), order: Order::Unique };
        ScriptText { feeders: vec![feeder], cookies: true, ..ScriptText::of(step) }
    }

    fn job() -> Job {
        let load = Load::ConstantVus { vus: 2, duration: Nanos::from_secs(1), think: ThinkTime::None };
        let script = text().resolve(&"http://h:81/a/".parse().unwrap()).unwrap();
        let limits = vec![Nanos::from_millis(5)];
        let scenario = Scenario { limits, is_staggered: true, ..Scenario::new(load, script) };
        let options = Options { seed: 5, max_redirects: 3, ..Options::default() };
        Job { scenarios: vec![scenario], options }
    }

    fn sent(text: &JobText) -> JobText {
        serde_json::from_str(&serde_json::to_string(text).unwrap()).unwrap()
    }

    #[test]
    fn a_job_is_the_same_elsewhere() {
        let here = job();
        let there = sent(&JobText::of(&here).unwrap()).resolve().unwrap();
        assert_eq!(format!("{there:?}"), format!("{here:?}"));
    }

    #[test]
    fn other_texts_are_refused() {
        let refused = |change: fn(&mut JobText)| {
            let mut text = JobText::of(&job()).unwrap();
            change(&mut text);
            sent(&text).resolve().unwrap_err().to_string()
        };
        assert!(refused(|text| text.scenarios.clear()).contains("at least one scenario"));
        assert!(refused(|text| text.scenarios[0].script.flows[0].steps.clear()).contains("flows with requests"));
        let cut: fn(&mut JobText) = |text| {
            Arc::make_mut(&mut text.scenarios[0].script.feeders[0].table).rows[1].clear();
        };
        assert_eq!(refused(cut), "feeder `ids`: expected rows of 1 values");
        assert!(refused(|text| text.scenarios[0].base = "nowhere".to_owned()).contains("`nowhere` is not a URL"));
        let unknown = refused(|text| text.scenarios[0].script.flows[0].steps[0].url = "/{{nobody}}".to_owned());
        assert!(unknown.contains("nobody"), "{unknown}");
    }

    #[test]
    fn what_is_of_one_machine_is_not_sent() {
        let mut of_here = job();
        of_here.options.connection.sources = vec!["127.0.0.7".parse().unwrap()];
        assert!(JobText::of(&of_here).unwrap_err().to_string().contains("leave them out"));
        let request = Request::get("http://h/".parse().unwrap());
        let load = of_here.scenarios[0].load.clone();
        assert!(JobText::of(&Job::single(load, request, Options::default())).is_err());
    }
}
