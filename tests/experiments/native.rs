//! A native image, built and run through the lab: `./test native`. It takes minutes where the image is not there yet.

use std::{path::Path, process::Command};

use serde_json::Value;

#[test]
#[ignore = "needs GraalVM or Mandrel, and minutes: ./test native"]
fn native_image_is_built_launched_and_loaded() {
    let home = env!("CARGO_MANIFEST_DIR");
    let directory = tempfile::tempdir().unwrap();
    let plimsoll = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plimsoll"));
        command.current_dir(directory.path()).env("PLIMSOLL_HOME", home).env_remove("PLIMSOLL_RECORD");
        command.args(arguments).arg(Path::new(home).join("experiments/greetings.yaml"));
        command
    };
    let check = plimsoll(&["check"]).output().unwrap();
    let check = String::from_utf8_lossy(&check.stdout).into_owned();
    assert!(!check.contains("here without"), "{check}");

    // Messages of its build go to the terminal of whoever waits.
    let run =
        plimsoll(&["run", "--pace", "native", "--format", "json"]).stderr(std::process::Stdio::inherit()).output();
    let run = run.unwrap();
    assert_eq!(run.status.code(), Some(0));
    let report: Value = serde_json::from_slice(&run.stdout).unwrap();
    let [variant] = report["variants"].as_array().unwrap().as_slice() else { panic!("{report}") };
    assert_eq!((&variant["runs_done"], &variant["problem"]), (&1.into(), &Value::Null), "{variant}");
    let level = &variant["levels"][0];
    assert_eq!((&level["totals"]["succeeded"], &level["totals"]["failed"]), (&100.into(), &0.into()), "{level}");
    let environment = &report["environment"];
    let builder = environment["versions"]["native images by"].as_str().expect("the builder is named");
    assert!(environment["limits"].as_str().unwrap().contains("-Xmx"), "{environment}");
    let making = &environment["making"]["web-native"];
    assert!(making["cpu_ns"].as_u64().unwrap() > 0, "{environment}");
    let seconds = |nanoseconds: &Value| nanoseconds.as_f64().unwrap() / 1e9;
    println!(
        "web-native, by {builder}, beside {}: ready after {:.3} s, {:.1} requests/s at 100, {:.0} MB; built in {:.0} s, {:.0} s of CPU time",
        environment["jdk"].as_str().unwrap(),
        variant["startup_s"]["median"].as_f64().unwrap(),
        level["throughput_per_s"]["median"].as_f64().unwrap(),
        variant["peak_rss_mb"]["median"].as_f64().unwrap(),
        seconds(&making["took_ns"]),
        seconds(&making["cpu_ns"]),
    );
}
