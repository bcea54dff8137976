//! The experiments that come with Plimsoll.

use std::path::{Path, PathBuf};

use plimsoll_record::{Load, Nanos, Statistic};

use crate::{
    experiment::Program,
    file::{ExperimentFile, load},
    jvm::Jvm,
    packaging::Packaging,
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments")
}

fn bundled(name: &str) -> ExperimentFile {
    bundled_at(name, None)
}

fn bundled_at(name: &str, pace: Option<&str>) -> ExperimentFile {
    load(&folder().join(name), pace, 7).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn the_quickstart_looks_for_the_lines_of_three_variants() {
    let experiment = bundled("quickstart.yaml").experiment;
    let plan = &experiment.plan;
    let names: Vec<&str> = plan.variants.iter().map(|variant| variant.name.as_str()).collect();
    assert_eq!(names, ["web-jar", "web-jar-vt", "reactive-jar"]);
    let line = plan.line.as_ref().expect("a line in place of levels");
    assert_eq!((line.objectives.len(), plan.levels.len(), plan.rounds), (1, 0, 1));
    assert_eq!(plan.explain.as_ref().map(|it| it.of.len()), Some(1));
    assert_eq!(plan.variants.iter().map(|variant| variant.workers).collect::<Vec<_>>(), [Some(200), None, None]);
    assert!(experiment.variants.iter().all(|variant| variant.limits.memory_bytes == Some(2 << 30)));
}

#[test]
fn greetings_expands_to_every_packaging_of_every_stack() {
    let plan = bundled_at("greetings.yaml", Some("full")).experiment.plan;
    let rows = plan.variants.iter().map(|variant| {
        let settings = variant.settings.iter().map(|(key, value)| format!("{key}={value}"));
        format!("{}: {}", variant.name, settings.collect::<Vec<_>>().join(" "))
    });
    assert_eq!(
        rows.collect::<Vec<_>>(),
        [
            "web-jar: memory=1 GiB packaging=jar spring-aot=no subject=greetings-web threads=platform wait=1s",
            "web-jar-vt: memory=1 GiB packaging=jar spring-aot=no subject=greetings-web threads=virtual wait=1s",
            "web-jar-spring-aot: memory=1 GiB packaging=jar spring-aot=yes subject=greetings-web threads=platform wait=1s",
            "web-jar-spring-aot-vt: memory=1 GiB packaging=jar spring-aot=yes subject=greetings-web threads=virtual wait=1s",
            "web-extracted: memory=1 GiB packaging=extracted spring-aot=no subject=greetings-web threads=platform wait=1s",
            "web-extracted-vt: memory=1 GiB packaging=extracted spring-aot=no subject=greetings-web threads=virtual wait=1s",
            "web-extracted-spring-aot: memory=1 GiB packaging=extracted spring-aot=yes subject=greetings-web threads=platform wait=1s",
            "web-extracted-spring-aot-vt: memory=1 GiB packaging=extracted spring-aot=yes subject=greetings-web threads=virtual wait=1s",
            "web-cds: memory=1 GiB packaging=cds spring-aot=no subject=greetings-web threads=platform wait=1s",
            "web-cds-vt: memory=1 GiB packaging=cds spring-aot=no subject=greetings-web threads=virtual wait=1s",
            "web-cds-spring-aot: memory=1 GiB packaging=cds spring-aot=yes subject=greetings-web threads=platform wait=1s",
            "web-cds-spring-aot-vt: memory=1 GiB packaging=cds spring-aot=yes subject=greetings-web threads=virtual wait=1s",
            "web-aot-cache: memory=1 GiB packaging=aot-cache spring-aot=no subject=greetings-web threads=platform wait=1s",
            "web-aot-cache-vt: memory=1 GiB packaging=aot-cache spring-aot=no subject=greetings-web threads=virtual wait=1s",
            "web-aot-cache-spring-aot: memory=1 GiB packaging=aot-cache spring-aot=yes subject=greetings-web threads=platform wait=1s",
            "web-aot-cache-spring-aot-vt: memory=1 GiB packaging=aot-cache spring-aot=yes subject=greetings-web threads=virtual wait=1s",
            "reactive-jar: memory=1 GiB packaging=jar spring-aot=no subject=greetings-reactive wait=1s",
            "reactive-jar-spring-aot: memory=1 GiB packaging=jar spring-aot=yes subject=greetings-reactive wait=1s",
            "reactive-extracted: memory=1 GiB packaging=extracted spring-aot=no subject=greetings-reactive wait=1s",
            "reactive-extracted-spring-aot: memory=1 GiB packaging=extracted spring-aot=yes subject=greetings-reactive wait=1s",
            "reactive-cds: memory=1 GiB packaging=cds spring-aot=no subject=greetings-reactive wait=1s",
            "reactive-cds-spring-aot: memory=1 GiB packaging=cds spring-aot=yes subject=greetings-reactive wait=1s",
            "reactive-aot-cache: memory=1 GiB packaging=aot-cache spring-aot=no subject=greetings-reactive wait=1s",
            "reactive-aot-cache-spring-aot: memory=1 GiB packaging=aot-cache spring-aot=yes subject=greetings-reactive wait=1s",
            "web-native: memory=1 GiB packaging=native spring-aot=yes subject=greetings-web threads=platform wait=1s",
            "web-native-vt: memory=1 GiB packaging=native spring-aot=yes subject=greetings-web threads=virtual wait=1s",
            "reactive-native: memory=1 GiB packaging=native spring-aot=yes subject=greetings-reactive wait=1s",
        ]
    );
}

#[test]
fn experiments_explain_what_gives_way_but_at_the_pace_that_is_a_test() {
    let loads =
        |name: &str, pace: Option<&str>| bundled_at(name, pace).experiment.plan.explain.map_or(0, |it| it.of.len());
    let expected = [("feign-vs-webclient", 6), ("resttemplate-pool", 2), ("thread-pool", 2), ("greetings", 3)];
    for (name, count) in expected {
        let file = format!("{name}.yaml");
        assert_eq!((loads(&file, None), loads(&file, Some("smoke"))), (count, 0), "{name}");
    }
}

#[test]
fn native_images_always_have_spring_aot() {
    for variant in bundled_at("greetings.yaml", Some("full")).experiment.variants {
        if let Program::Jvm(Jvm { packaging: Packaging::Native, spring_aot, .. }) = variant.program {
            assert!(spring_aot);
        }
    }
}

#[test]
fn the_published_table_of_greetings_is_complete() {
    let published = bundled_at("greetings.yaml", Some("full")).experiment.plan.published.unwrap();
    assert_eq!((published.levels.len(), published.variants.len()), (7 * 4 + 4, 12));
    let row = published.levels.iter().find(|row| row.variant == "web-jvm-cds-aot" && row.level == "2700").unwrap();
    assert_eq!(row.ours.as_deref(), Some("web-cds-spring-aot"));
    let figures: Vec<_> = row.figures.iter().map(|it| (it.statistic, it.value)).collect();
    assert_eq!(figures, [(Statistic::Total, 14.161), (Statistic::Mean, 7361.0), (Statistic::Throughput, 190.7)]);
    let hold = (row.conditions.vus, row.conditions.requests, row.conditions.workers, row.conditions.service_time);
    assert_eq!(hold, (Some(2700.0), Some(2700), Some(200), Some(Nanos::from_secs(1))));
    let row = published.levels.iter().find(|row| row.variant == "web-jvm-vt" && row.level == "2700").unwrap();
    assert_eq!(row.conditions.workers, None);
    let row = published.variants.iter().find(|row| row.variant == "web-jvm").unwrap();
    let printed: Vec<_> = row.figures.iter().map(|it| (it.value, (1.0 / it.step).round())).collect();
    assert_eq!(printed, [(1.778, 1_000.0), (103.80, 100.0), (281.1, 10.0)]);
}

#[test]
fn the_servers_with_threads_have_the_published_table_and_its_ramp_ups() {
    let plan = bundled("thread-pool.yaml").experiment.plan;
    let ramp_ups = plan.levels.iter().map(|level| match level.load {
        Load::PerVuIterations { ramp_up, .. } => ramp_up,
        ref other => panic!("{other:?}"),
    });
    assert_eq!(ramp_ups.collect::<Vec<_>>(), [1_000, 2_000, 450, 900].map(Nanos::from_millis));
    let published = plan.published.unwrap();
    assert!(published.levels.iter().all(|row| row.figures.len() == 11), "{published:#?}");
    assert_eq!(published.levels.iter().map(|row| row.conditions.ramp_up.is_some()).filter(|is| *is).count(), 4);
}

#[test]
fn every_bundled_experiment_is_right_at_every_pace_and_its_claims_name_what_is_there() {
    for file in std::fs::read_dir(folder()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()) {
        let paces = bundled(&file).paces;
        let paces: Vec<Option<&str>> = match paces.len() {
            0 => vec![None],
            _ => paces.iter().map(|pace| Some(pace.as_str())).collect(),
        };
        for pace in paces {
            let loaded = load(&folder().join(&file), pace, 7).unwrap_or_else(|errors| panic!("{errors}"));
            let variants: Vec<&str> = loaded.names.variants.iter().map(String::as_str).collect();
            let levels: Vec<&str> = loaded.names.levels.iter().map(String::as_str).collect();
            for claim in &loaded.experiment.plan.claims {
                let checked = plimsoll_analysis::claims::parse(&claim.expression)
                    .and_then(|expression| expression.check(&variants, &levels));
                assert_eq!(checked, Ok(()), "{file}: {}", claim.expression);
            }
        }
    }
}
