//! Searches for load lines by formula.

use plimsoll_record::{
    Arrivals, CapacityFound, Claim, ExecutionData, Interval, LevelData, LevelPlan, LineEndFound, LineFound, LinePlan,
    LineRun, Load, Nanos, ObjectivePlan, Phase, RunData, Sample, ThinkTime, metric,
};

use super::{Request, execution, level, plan, run, variant};
use crate::line::critical::objectives;

/// The dispersion of requests beyond the limit, at both ends.
const DISPERSION: f64 = 0.5;
/// How many seconds each trial takes.
const TRIAL_S: u64 = 6;

/// A service with a line.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// Requests per second that it carries.
    pub per_s: f64,
    /// CPU time of each request.
    pub cpu_ms: f64,
    /// Memory, in MB (10⁶ bytes).
    pub memory_mb: f64,
    /// Whether the search found the rate that it does not carry.
    pub has_upper: bool,
}

/// An experiment of these variants; of each a search per round, and whatever `claims` claim.
pub fn lines(variants: &[(&str, &[Line])], claims: &[&str]) -> ExecutionData {
    let rounds = variants.iter().map(|(_, rounds)| rounds.len()).max().unwrap_or_default();
    let mut plan = plan(variants.iter().map(|(name, _)| variant(name)).collect(), Vec::new(), rounds as u32);
    plan.name = "lines".to_owned();
    plan.line = Some(LinePlan {
        objectives: vec![ObjectivePlan { name: String::new(), thresholds: vec!["p(99)<200ms".to_owned()] }],
        arrivals: Arrivals::Even,
        ..LinePlan::default()
    });
    let claim =
        |text: &&str| Claim { says: format!("It is so that {text}"), expression: (*text).to_owned(), line: None };
    plan.claims = claims.iter().map(claim).collect();
    let mut runs = Vec::new();
    for round in 0..rounds {
        for (index, (_, of_rounds)) in variants.iter().enumerate() {
            let Some(line) = of_rounds.get(round) else { continue };
            let run = line.search(index, round as u32);
            plan.levels.extend(run.levels.iter().map(|level| level.plan.clone()));
            runs.push(run);
        }
    }
    execution(plan, runs)
}

/// A search for the critical lines, whose upper ends are twice these lower ones; none where the lower one is zero.
pub fn critical(lower_ends: [f64; 5]) -> ExecutionData {
    let mut data = lines(&[("web", &[Line::at(100.0)])], &[]);
    if let Some(plan) = &mut data.execution.plan.line {
        plan.objectives = objectives();
    }
    let line = |rate: f64| {
        let end = |rate| Some(LineEndFound { rate, seconds: 30.0, share_of_allowed: 1.0, dispersion: None });
        match rate > 0.0 {
            true => LineFound { outcome: "found".to_owned(), lower: end(rate), upper: end(2.0 * rate) },
            false => LineFound { outcome: "never-holds".to_owned(), lower: None, upper: None },
        }
    };
    if let Some(found) = &mut data.runs[0].run.line {
        found.found = lower_ends.map(line).to_vec();
    }
    data
}

/// An overload of 130 requests per second for 5 s, then 90 for `after_s`: those intended before `late_s` take longer
/// than 200 ms.
pub fn overload(after_s: u32, late_s: u32) -> LevelData {
    let load = LinePlan::default().jump([(130.0, Nanos::from_secs(5)), (90.0, Nanos::from_secs(30))]);
    let limits = vec![Nanos::from_millis(200)];
    let plan = LevelPlan { limits, ..LevelPlan::new("overload", Phase::Recovery, load) };
    let mut interval = Interval::default();
    for number in 0..(5 + after_s) * 10 {
        let slot = interval.arrivals.slot(number, 1);
        (slot.offered, slot.ended) = (10, 10);
        slot.within[0] = if number < late_s * 10 { 0 } else { 10 };
    }
    LevelData { intervals: vec![interval], ..level(&plan, Nanos::from_secs(60), &[]) }
}

/// The same searches in virtual users with pauses of this mean, in place of rates: as many users as there were requests
/// per second.
pub fn in_users(mut data: ExecutionData, pause: Nanos) -> ExecutionData {
    let think = LinePlan::think(pause);
    let of_users = |level: &mut LevelPlan| {
        if level.phase == Phase::Measured {
            let (vus, duration) = (level.load.peak_target() as u32, Nanos::from_secs(TRIAL_S));
            level.load = Load::ConstantVus { vus, duration, think };
        }
    };
    let plan = &mut data.execution.plan;
    plan.levels.iter_mut().for_each(of_users);
    plan.line.iter_mut().for_each(|line| line.users = Some(think));
    data.runs.iter_mut().flat_map(|run| &mut run.levels).for_each(|level| of_users(&mut level.plan));
    data
}

impl Line {
    /// A service that its search knows from both sides, and whose requests need half a millisecond of CPU.
    pub const fn at(per_s: f64) -> Self {
        Self { per_s, cpu_ms: 0.5, memory_mb: 200.0, has_upper: true }
    }

    /// The search of one run: its capacity, and trials around the line.
    fn search(self, variant: usize, round: u32) -> RunData {
        let users = Load::ConstantVus { vus: 64, duration: Nanos::from_secs(1), think: ThinkTime::None };
        let probe = LevelPlan::new("capacity", Phase::WarmUp, users);
        let mut levels = vec![level(&probe, Nanos::from_secs(1), &[Request::ok(Nanos::ZERO, Nanos::from_secs(1))])];
        let mut samples = Vec::new();
        let parts: &[f64] = if self.has_upper { &[0.1, 0.8, 1.05, 0.95] } else { &[0.1, 0.8, 0.95] };
        for (index, part) in parts.iter().enumerate() {
            let begin = Nanos::from_secs(2 + index as u64 * (TRIAL_S + 1));
            let rate = self.per_s * part;
            levels.push(self.trial(index + 1, rate, begin));
            samples.extend(self.samples(rate, begin));
        }
        let end = |part: f64, share_of_allowed| {
            let dispersion = Some(DISPERSION);
            LineEndFound { rate: self.per_s * part, seconds: 30.0, share_of_allowed, dispersion }
        };
        let found = LineFound {
            outcome: if self.has_upper { "found" } else { "time-up" }.to_owned(),
            lower: Some(end(0.95, 0.5)),
            upper: self.has_upper.then(|| end(1.05, 12.0)),
        };
        let capacity = Some(CapacityFound { rate: self.per_s * 1.2, users: 64, is_steady: true });
        let mut data = run(variant, round, Nanos::from_secs(1), levels);
        data.run.line = Some(LineRun { capacity, found: vec![found], ..LineRun::default() });
        RunData { samples, ..data }
    }

    fn trial(self, number: usize, rate: f64, begin: Nanos) -> LevelData {
        let load = LinePlan { arrivals: Arrivals::Even, ..LinePlan::default() }.open(rate, Nanos::from_secs(TRIAL_S));
        let plan = LevelPlan::new(format!("trial {number}"), Phase::Measured, load);
        let took = Nanos::from_millis(if rate <= self.per_s { 110 } else { 410 });
        let count = (rate * TRIAL_S as f64) as u32;
        let request = |index: u32| {
            let at = Nanos::from_secs_f64(f64::from(index) / rate);
            Request::ok(at, at + took)
        };
        level(&plan, begin, &(0..count).map(request).collect::<Vec<_>>())
    }

    /// Samples during a trial, ten a second.
    fn samples(self, rate: f64, begin: Nanos) -> Vec<Sample> {
        let values = [
            (metric::CPU_PERCENT, rate * self.cpu_ms / 10.0),
            (metric::RSS_BYTES, self.memory_mb * 1e6),
            (metric::THREADS, 40.0),
            (metric::CPU_CORES, 2.0),
        ];
        let at = |tenth: u64| begin + Nanos::from_millis(tenth * 100);
        let sample = |tenth, &(metric, value): &(metric::Metric, f64)| Sample {
            at: at(tenth),
            metric: metric.name.to_owned(),
            value,
        };
        (1..=TRIAL_S * 10).flat_map(|tenth| values.iter().map(move |it| sample(tenth, it))).collect()
    }
}
