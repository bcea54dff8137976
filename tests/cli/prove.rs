//! `plimsoll run --prove`: changes that are made to a service and measured.

use serde_json::Value;

use crate::{plimsoll::Project, target};

fn experiment(variants: &[(&str, String)], more: &str) -> String {
    let variants: String = variants.iter().map(|(name, keys)| format!("  {name}: {keys}\n")).collect();
    format!("name: trial\nvariants:\n{variants}load: {{model: constant-vus, levels: [4], duration: 1s}}\n{more}")
}

#[test]
fn a_proof_is_about_one_variant_and_known_words() {
    let project = Project::new();
    let both = [("a", target::variant(&[])), ("b", target::variant(&[]))];
    project.write("both.yaml", &experiment(&both, ""));
    for (flags, said) in [
        (&["--prove"][..], "a proof is about one variant: name it with --only"),
        (&["--only", "a", "--prove", "--format", "csv"], "a proof is told as"),
        (&["--only", "a", "--tune", "--slo", "avg<1s"], "--slo 'avg<1s'"),
        (&["--only", "a", "--with", "pool.max"], "expected NAME=VALUE"),
        (&["--only", "a", "--prove", "--tune"], "cannot be used with"),
        (&["--only", "a", "--with", "db.password=hunter2"], "expected a setting that sizes something"),
    ] {
        let run = project.run(&[&["run", "both.yaml"], flags].concat());
        assert_eq!(run.code, Some(2), "{run:#?}");
        run.assert_says(&[said]);
        assert!(!run.stderr.contains("hunter2"), "{}", run.stderr);
    }
    assert!(!project.path(".plimsoll/plimsoll.db").exists(), "nothing was launched");
}

/// Output of `run` with `flags`, of the service `Permits.java` with `options` of its JVM.
fn told_of_permits(project: &Project, options: &str, flags: &[&str]) -> Value {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/prove/Permits.java");
    let url = "http://127.0.0.1:{port}/";
    let command = format!("[java, -Xmx128m, {options}, {source:?}, \"{{port}}\"]");
    let variant = format!("{{command: {command}, ready: {url:?}, url: {url:?}}}");
    project.write("permits.yaml", &experiment(&[("permits", variant)], ""));
    let run = project.run(&[&["run", "permits.yaml", "--rounds", "3", "--format", "json"], flags].concat());
    assert_eq!(run.code, Some(0), "{run:#?}");
    serde_json::from_str(&run.stdout).expect("JSON")
}

/// A minute and a half of real runs: part of `./test slow`.
#[test]
#[ignore = "slow: `./test slow`"]
fn a_semaphore_is_found_widened_and_measured_again() {
    let project = Project::new();
    let told = told_of_permits(&project, "-Dlanes.max=4", &["--prove"]);
    assert_eq!(told["first"]["limit"], "semaphore", "{told:#}");
    let step = &told["proofs"][0]["steps"][0];
    assert_eq!(step["changes"][0]["name"], "lanes.max", "{told:#}");
    assert!(step["ratio"].as_f64() >= Some(3.0) && step["helps"] == "holds", "{told:#}");
    let again = project.run(&["report", "last"]);
    assert!(again.stdout.contains("Moving the limit of permits"), "{}", again.stdout);
}

/// Neither moves anything alone. Ten minutes of real runs: part of `./test slow`.
#[test]
#[ignore = "slow: `./test slow`"]
fn two_limits_that_are_equally_tight_are_lifted_together() {
    let options = "-Dweb.threads=64, -Dlanes.max=64, -Dlane.ms=50";
    let told = told_of_permits(&Project::new(), options, &["--tune", "--users", "256"]);
    let alone = &told["proofs"][0]["steps"][0];
    assert_eq!((&alone["changes"].as_array().map(Vec::len), &alone["helps"]), (&Some(1), &"fails".into()), "{told:#}");
    let mut kept: Vec<&str> =
        told["settings"].as_array().unwrap().iter().map(|change| change["name"].as_str().unwrap()).collect();
    kept.sort_unstable();
    assert_eq!(kept, ["lanes.max", "web.threads"], "{told:#}");
    let joint = &told["proofs"][1]["steps"][0];
    assert!(joint["ratio"].as_f64() >= Some(1.5) && joint["helps"] == "holds", "{told:#}");
}
