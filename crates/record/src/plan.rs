//! The plan of an execution, in full: the resolved form of an experiment file or of one `load` command. It is part of
//! the record, so that a report needs nothing else.

use std::{collections::BTreeMap, ops::Range};

use serde::{Deserialize, Serialize};

use crate::{
    Nanos, explain::ExplainPlan, line::LinePlan, load::Load, network::NetworkPlan, part::Part, proof::ProofPlan,
    published::Published, upstream::UpstreamPlan,
};

/// Requests of one load: each is measured by itself, second by second.
pub const REQUESTS_MAX: usize = 1_000;

/// One experiment, resolved: every variant, every level, every claim.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Plan {
    /// Short name, e.g. `greetings`; `load` for a single load.
    pub name: String,
    /// One line for headings.
    pub title: String,
    /// Its subject, in Markdown; may be empty.
    pub description: String,
    /// The experiment file's text, but for its secrets, if there was one.
    pub source: Option<String>,
    /// The pace that was chosen; none if the file has none.
    pub pace: Option<String>,
    /// In the file's order.
    pub variants: Vec<VariantPlan>,
    /// In the order in which each run goes through them. Warm-up comes first, if there is one.
    pub levels: Vec<LevelPlan>,
    /// How often every variant runs; at most, if it ends once all is decided.
    pub rounds: u32,
    /// How it ends once all claims are decided; none if all rounds are made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until_decided: Option<UntilDecided>,
    /// Seed of the order of variants and of arrivals.
    pub seed: u64,
    /// The part of the loads that is offered; none: the whole. Levels hold the whole in any case.
    pub segment: Option<Part>,
    /// To be judged.
    pub claims: Vec<Claim>,
    /// Limits that each variant's load must keep, e.g. `p(99)<200ms`.
    pub thresholds: Vec<String>,
    /// Somebody else's figures, to stand beside ours.
    pub published: Option<Published>,
    /// The load line that each run searches for, in place of a load that is known before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<LinePlan>,
    /// Whether what gives way first is to be explained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explain: Option<ExplainPlan>,
    /// Whether it is to be proven that changed settings help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofPlan>,
}

/// Rounds are made until all claims are decided, [`Plan::rounds`] at most.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct UntilDecided {
    /// Rounds before the first look at the claims.
    pub at_least: u32,
    /// How often an interval may err at each look, so that in all looks together 5 % do. Part of the plan, so that a
    /// report that is made again judges as the run did.
    pub error_per_look: f64,
}

impl Plan {
    /// How long the levels of a run are driven; none if iterations end one of them.
    pub fn load_duration(&self) -> Option<Nanos> {
        self.level_groups().into_iter().try_fold(Nanos::ZERO, |sum, group| {
            let ends = self.levels[group].iter().map(|level| Some(level.start + level.load.duration()?));
            let ends = ends.collect::<Option<Vec<Nanos>>>()?;
            Some(sum + ends.into_iter().max().unwrap_or_default())
        })
    }

    /// Indices of the levels that are driven together, group by group: most groups are one level.
    pub fn level_groups(&self) -> Vec<Range<usize>> {
        let mut groups: Vec<Range<usize>> = Vec::new();
        for (index, level) in self.levels.iter().enumerate() {
            match groups.last_mut() {
                Some(group) if level.is_with_previous => group.end = index + 1,
                _ => groups.push(index..index + 1),
            }
        }
        groups
    }
}

/// One variant, resolved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct VariantPlan {
    /// Unique in the plan, e.g. `web-jar-vt`.
    pub name: String,
    /// Settings as shown in reports, in order, e.g. `packaging` → `aot-cache`.
    pub settings: BTreeMap<String, String>,
    /// The URL its load goes to.
    pub url: String,
    /// Worker threads that serve requests, if the settings fix that number: with the service time it makes a ceiling.
    pub workers: Option<u32>,
    /// How long the subject waits in each request, if the settings say so: the least service time.
    #[serde(rename = "service_time_ns")]
    pub service_time: Option<Nanos>,
    /// Connections to one upstream that its client has at most, if the settings fix that number: with the time of a
    /// call it makes a ceiling.
    pub connections_per_route: Option<u32>,
    /// How long the call takes that each request makes, on average and at least, if the settings say so: what the
    /// upstream waits and what the network takes.
    #[serde(rename = "call_time_ns")]
    pub call_time: Option<Nanos>,
    /// The network that is emulated in its runs, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkPlan>,
    /// The simulated upstream that its target calls, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream: Option<UpstreamPlan>,
    /// The program that served its requests, as it was seen once it was ready; none where it was not seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<ServerSeen>,
}

/// A program that serves requests, as it is seen from outside.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ServerSeen {
    /// The kernel's name of its process: `java`, `nginx`.
    pub process: String,
    /// Libraries that it has open and whose settings are known, by the names of their jars: `spring-boot-3.5.7`.
    pub libraries: Vec<String>,
}

impl VariantPlan {
    /// How long each request takes at least, as far as settings say.
    pub fn least_time(&self) -> Option<Nanos> {
        let times = self.service_time.into_iter().chain(self.call_time);
        times.reduce(|sum, time| sum + time).filter(|&sum| sum > Nanos::ZERO)
    }
}

/// One level: one plateau or ramp with its label.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelPlan {
    /// Its label in claims and tables, e.g. `2700`, or `5000/s`. For a load with several stages each stage is a level
    /// of the reports: see [`LevelPlan::stage_labels`].
    pub label: String,
    /// Warm-up or measured.
    pub phase: Phase,
    /// The load.
    pub load: Load,
    /// Labels of the load's stages, as many as [`Load::legs`]; empty if it does not ramp.
    pub stage_labels: Vec<String>,
    /// Names of its requests, by [`Interval::request`](crate::Interval::request); empty if all are alike.
    #[serde(default)]
    pub requests: Vec<String>,
    /// When it starts, counted from the start of the first level that is driven together with it.
    #[serde(default, rename = "start_ns")]
    pub start: Nanos,
    /// Whether it is driven together with the level before it: each is then one of several scenarios at once.
    #[serde(default)]
    pub is_with_previous: bool,
    /// How many of its first requests are recorded one by one.
    #[serde(default)]
    pub trace: u32,
    /// Response times within which its requests are counted by the instant at which they were intended
    /// ([`Interval::arrivals`](crate::Interval::arrivals)); empty: they are not.
    #[serde(default, rename = "limits_ns", skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<Nanos>,
    /// Label of the level that it explains, where it is offered again for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explains: Option<String>,
}

impl LevelPlan {
    /// A level on its own, of requests that are all alike.
    pub fn new(label: impl Into<String>, phase: Phase, load: Load) -> Self {
        let label = label.into();
        Self {
            label,
            phase,
            load,
            stage_labels: Vec::new(),
            requests: Vec::new(),
            start: Nanos::ZERO,
            is_with_previous: false,
            trace: 0,
            limits: Vec::new(),
            explains: None,
        }
    }

    /// Loads that last, with their labels in claims and tables: its own, or the stages of a ramp that are level.
    pub fn lasting(&self) -> Vec<(&str, Load)> {
        let own = || self.load.held(self.load.duration().unwrap_or_default()).map(|load| (self.label.as_str(), load));
        let stages = self.stage_labels.iter().enumerate();
        let level = stages.filter_map(|(stage, label)| Some((label.as_str(), self.load.plateau(stage)?)));
        if self.stage_labels.is_empty() { own().into_iter().collect() } else { level.collect() }
    }

    /// Its labels in claims and tables: those of its stages if it ramps, else its own.
    pub fn labels(&self) -> &[String] {
        if self.stage_labels.is_empty() { std::slice::from_ref(&self.label) } else { &self.stage_labels }
    }
}

/// Whether a level counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Before what is measured; kept in the record, left out of the figures.
    WarmUp,
    /// Counts.
    #[default]
    Measured,
    /// An overload and what follows, after the load line is known: how the service recovers; left out of the figures.
    Recovery,
    /// Offered once more after a run, to explain what gives way first; left out of the figures.
    Explanation,
    /// Beside it a census is taken, which costs the target: left out of the figures.
    Census,
    /// Would count, but for a disturbance or for what was learnt later; kept in the record, left out of the figures.
    Discarded,
}

/// A statement with a threshold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// In words.
    pub says: String,
    /// As an expression, e.g. `throughput(b @ 2700) / throughput(a @ 2700) >= 2.8`.
    pub expression: String,
    /// The line of the experiment file, 1-based, if there is one.
    pub line: Option<u32>,
}
