//! Experiments for tests.

use std::{collections::BTreeMap, env, path::PathBuf, sync::Arc};

use plimsoll_drive::{Here, ScriptText, script::StepText};
use plimsoll_lab::{
    Context,
    artifact::Artifacts,
    experiment::{Experiment, Limits, Order, Program, Variant},
    jdk::JdkError,
};
use plimsoll_record::{Environment, LevelPlan, Load, Nanos, Phase, Plan, ThinkTime, VariantPlan};

/// One round of `variants`, called `v0`, `v1`, ….
pub fn of(variants: Vec<Variant>, levels: Vec<LevelPlan>) -> Experiment {
    let name = |index| VariantPlan { name: format!("v{index}"), ..VariantPlan::default() };
    let plan = Plan {
        name: "test".to_owned(),
        variants: (0..variants.len()).map(name).collect(),
        levels,
        rounds: 1,
        until_decided: None,
        seed: 42,
        ..Plan::default()
    };
    let script = ScriptText::of(StepText::default());
    let scripts = vec![script; plan.levels.len()];
    Experiment { plan, variants, scripts, order: Order::File, ..Experiment::default() }
}

/// A command that serves on `{port}`.
pub fn variant(argv: Vec<String>) -> Variant {
    Variant {
        program: Program::Command { argv, workdir: env::temp_dir(), port: None },
        env: BTreeMap::new(),
        limits: Limits::default(),
        ready_timeout: Nanos::from_secs(30),
        ready_url: Some("http://{host}:{port}/ready".to_owned()),
        url: "http://{host}:{port}/".to_owned(),
        response_timeout: Nanos::from_secs(5),
        metrics: None,
        hooks: Default::default(),
        dependencies: Vec::new(),
    }
}

/// Two virtual users for some seconds. Pauses leave the processors to other tests.
pub fn level(label: &str, seconds: u64) -> LevelPlan {
    let think = ThinkTime::Constant { pause: Nanos::from_millis(2) };
    let load = Load::ConstantVus { vus: 2, duration: Nanos::from_secs(seconds), think };
    LevelPlan::new(label, Phase::Measured, load)
}

/// Without a JDK.
pub fn context(exe: PathBuf) -> Context {
    let no_jdk = JdkError::None { looked: "nowhere".to_owned() };
    let nowhere = PathBuf::from("/nowhere");
    Context {
        artifacts: Artifacts::new(nowhere.clone(), nowhere, Err(no_jdk)),
        environment: Environment::default(),
        generator: Arc::new(Here),
        exe,
    }
}
