//! Every load model, warm-up and think time.

use plimsoll_record::{Arrivals, Load, Nanos, Phase, Stage, ThinkTime};

use super::{VARIANT, plan, read};

fn loads(load: &str) -> Vec<(String, Load)> {
    let plan = plan(&format!("{VARIANT}load: {load}\n"));
    plan.levels.into_iter().map(|level| (level.label, level.load)).collect()
}

#[test]
fn constant_vus() {
    let load = Load::ConstantVus {
        vus: 10,
        duration: Nanos::from_secs(30),
        think: ThinkTime::Constant { pause: Nanos::from_secs(1) },
    };
    let text = "{model: constant-vus, levels: [10], duration: 30s, think-time: 1s}";
    assert_eq!(loads(text), [("10".to_owned(), load)]);
}

#[test]
fn shared_iterations_multiply_with_the_level() {
    let load = Load::SharedIterations {
        vus: 50,
        iterations: 200,
        max_duration: Some(Nanos::from_secs(60)),
        think: ThinkTime::None,
    };
    let text = "{model: shared-iterations, levels: [50], iterations-per-vu: 4, max-duration: 1min}";
    assert_eq!(loads(text), [("50".to_owned(), load)]);
}

#[test]
fn per_vu_iterations() {
    let load = Load::PerVuIterations {
        vus: 500,
        iterations: 1,
        ramp_up: Nanos::from_secs(1),
        max_duration: None,
        think: ThinkTime::Exponential { mean: Nanos::from_millis(5) },
    };
    let text = "{model: per-vu-iterations, levels: [500], ramp-up: 1s, think-time: {mean: 5ms}}";
    assert_eq!(loads(text), [("500".to_owned(), load)]);
}

#[test]
fn each_level_may_have_its_own_ramp_up() {
    let text = "{model: per-vu-iterations, levels: [500, 2000, 10], ramp-up: [1s, 2s, 0s]}";
    let ramp_up = |(_, load): (String, Load)| match load {
        Load::PerVuIterations { ramp_up, .. } => ramp_up,
        other => panic!("{other:?}"),
    };
    let ramp_ups: Vec<Nanos> = loads(text).into_iter().map(ramp_up).collect();
    assert_eq!(ramp_ups, [1, 2, 0].map(Nanos::from_secs));
}

#[test]
fn constant_arrival_rates_with_and_without_unit() {
    let load = |rate| Load::ConstantArrivalRate {
        rate,
        duration: Nanos::from_secs(30),
        arrivals: Arrivals::Poisson,
        max_in_flight: 2_000,
        drop_late: true,
    };
    let text = "{model: constant-arrival-rate, levels: [1000, 5000/s], duration: 30s, arrivals: poisson, max-in-flight: 2000, \
                drop-late: true}";
    assert_eq!(loads(text), [("1000/s".to_owned(), load(1e3)), ("5000/s".to_owned(), load(5e3))]);
}

#[test]
fn a_ramp_is_one_level_whose_stages_have_labels() {
    let text = "load:\n  model: ramping-vus\n  stages:\n    - {duration: 30s, target: 100}\n    - {duration: 30s, target: 100}\n    \
                - {duration: 10s, target: 0}\n    - {duration: 10s, target: 100}\n    \
                - {duration: 1s, target: 100}\n    \
                - {duration: 1s, target: 100, label: peak}\n";
    let plan = plan(&format!("{VARIANT}{text}"));
    assert_eq!(plan.levels.len(), 1);
    assert_eq!(plan.levels[0].stage_labels, ["0-100", "100", "100-0", "0-100.2", "100.2", "peak"]);
    let Load::RampingVus { start_vus: 0, stages, .. } = &plan.levels[0].load else { panic!("{:?}", plan.levels) };
    assert_eq!(stages[0], Stage { duration: Nanos::from_secs(30), target: 100.0 });
}

#[test]
fn a_ramping_arrival_rate_starts_where_it_is_told() {
    let text = "{model: ramping-arrival-rate, start-rate: 10/s, stages: [{duration: 1min, target: 500/s}]}";
    let Load::RampingArrivalRate { start_rate, max_in_flight, .. } = loads(text).remove(0).1 else { panic!() };
    assert_eq!((start_rate, max_in_flight), (10.0, 10_000));
}

#[test]
fn a_warm_up_comes_first_and_does_not_count() {
    let load = "load: {model: shared-iterations, levels: [5]}\n";
    let file = read(&format!("{VARIANT}{load}warmup: {{duration: 10s, vus: 10}}\n")).unwrap();
    let levels = &file.experiment.plan.levels;
    assert_eq!(levels.iter().map(|level| level.phase).collect::<Vec<_>>(), [Phase::WarmUp, Phase::Measured]);
    assert_eq!(levels[0].load.duration(), Some(Nanos::from_secs(10)));
    assert!(!file.experiment.warmup_until_steady);

    let file = read(&format!("{VARIANT}{load}warmup: {{until: steady, vus: 10, at-most: 2min}}\n")).unwrap();
    assert_eq!(file.experiment.plan.levels[0].load.duration(), Some(Nanos::from_secs(120)));
    assert!(file.experiment.warmup_until_steady);
}
