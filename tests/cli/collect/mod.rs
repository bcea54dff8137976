//! `plimsoll collect` and the parts that join it, as real processes.

mod crowd;
mod experiments;
mod failures;
mod guide;
mod namespace;
mod proxy;
mod session;
mod staying;
mod voice;

use serde_json::Value;

use self::session::{Collecting, Part, Watched, upstream};
use crate::plimsoll::Project;

/// A count of all levels of the only variant.
fn sum(report: &Value, count: &str) -> u64 {
    let levels = report["variants"][0]["levels"].as_array().unwrap_or_else(|| panic!("{report}"));
    levels.iter().filter_map(|level| level["totals"][count].as_u64()).sum()
}

/// Poisson arrivals without a seed, over TLS by a secret that the collector draws; one part has clocks of its own,
/// where the kernel has such.
#[test]
fn four_parts_start_together_and_the_report_has_what_the_server_counted() {
    let project = Project::new();
    let upstream = upstream(&project, &["--latency", "2ms"]);
    let collecting = Collecting::start(&project, 4, &["--listen", "0.0.0.0:0", "--threshold", "errors<1%"]);
    let load = ["-q", "400", "-z", "3s", "--poisson"];
    let mut parts: Vec<Watched> = (0..3).map(|_| Part::start(&project, &collecting, &upstream.url, &load)).collect();
    parts.push(Part::start_elsewhere(&project, &collecting, &upstream.url, &load));
    let finished = collecting.wait();
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    for part in parts {
        let part = part.wait();
        assert_eq!((part.code, part.stdout.as_str()), (Some(0), ""), "{part:#?}");
        part.assert_says(&["joined as part", "is collected"]);
    }
    let report: Value = serde_json::from_str(&finished.stdout).unwrap();
    let counted = upstream.end();
    assert_eq!(sum(&report, "succeeded"), counted, "{report}");
    assert!(counted > 1_000, "{counted}");
    let command = report["environment"]["command"].as_str().unwrap();
    assert!(command.starts_with("plimsoll collect --parts 4 "), "{command}");
    let merged = &report["environment"]["merged"];
    let parts = merged["parts"].as_array().unwrap();
    assert_eq!((merged["count"].as_u64(), parts.len()), (Some(4), 4));
    assert!(parts.iter().all(|part| part["clock"]["error_ns"].as_u64().is_some_and(|error| error > 0)), "{merged}");
    assert!(report["thresholds"][0]["is_kept"].as_bool().unwrap_or_default(), "{}", report["thresholds"]);
    // Nothing is left beside the record.
    assert!(session::folder_of_parts(&project).is_none());
}

/// Two parts of each model, with one seed and without: the counts are those of one process.
#[test]
fn parts_of_closed_and_shared_loads_do_what_one_process_does() {
    for load in [&["-n", "300", "-c", "6"][..], &["--per-vu", "25", "-c", "6"], &["-q", "200", "-z", "1s", "--poisson"]]
    {
        let project = Project::new();
        let upstream = upstream(&project, &[]);
        let flags = [load, &["--seed", "11"]].concat();
        let collecting = Collecting::start(&project, 2, &[]);
        let parts = [(); 2].map(|()| Part::start(&project, &collecting, &upstream.url, &flags));
        let finished = collecting.wait();
        assert!(parts.into_iter().all(|part| part.wait().code == Some(0)), "{finished:#?}");
        let report: Value = serde_json::from_str(&finished.stdout).unwrap();
        let alone = project.run(&[&["load", &upstream.url, "-o", "json", "--quiet"], &flags[..]].concat());
        let alone: Value = serde_json::from_str(&alone.stdout).unwrap();
        for count in ["offered", "sent", "succeeded", "failed", "iterations"] {
            assert_eq!(sum(&report, count), sum(&alone, count), "{load:?}: {count}");
        }
        assert_eq!(sum(&report, "succeeded") * 2, upstream.end(), "{load:?}");
    }
}

#[test]
fn parts_that_do_not_belong_are_refused_with_the_reason() {
    let project = Project::new();
    let upstream = upstream(&project, &[]);
    let collecting = Collecting::start(&project, 2, &[]);
    // Long enough for a part to come too late, also on a busy machine.
    let load = ["-q", "50", "-z", "12s"];
    let first = Part::start(&project, &collecting, &upstream.url, &[&load[..], &["--part", "1"]].concat());
    first.wait_until_it_says("joined as part 1/2");
    for (flags, reason) in [
        (&["-q", "50", "-z", "12s", "--part-index", "0"][..], "part 1/2 has joined already"),
        (&["-q", "51", "-z", "12s"], r#"`levels[0].label` is "51/s" in this one and "50/s" in that one"#),
        (&["-q", "50", "-z", "12s", "-H", "A: b"], "headers, bodies"),
        (&["-q", "50", "-z", "12s", "--part", "3"], "--part 1 to 2, found 3"),
    ] {
        let refused = Part::start(&project, &collecting, &upstream.url, flags).wait();
        assert_eq!(refused.code, Some(4), "{refused:#?}");
        refused.assert_says(&["does not let this part take part", reason]);
    }
    let second = Part::start(&project, &collecting, &upstream.url, &load);
    second.wait_until_it_says("joined as part 2/2");
    let late = Part::start(&project, &collecting, &upstream.url, &load).wait();
    assert_eq!(late.code, Some(4), "{late:#?}");
    late.assert_says(&["comes too late"]);
    let finished = collecting.wait();
    assert_eq!((finished.code, first.wait().code, second.wait().code), (Some(0), Some(0), Some(0)), "{finished:#?}");
    finished.assert_says(&["a part was refused: ", "all 2 parts have joined: the load starts"]);
    let report: Value = serde_json::from_str(&finished.stdout).unwrap();
    assert_eq!(sum(&report, "succeeded"), upstream.end());
}

/// Whether a threshold names a scenario is known once the load is.
#[test]
fn a_threshold_of_something_that_the_load_does_not_have_ends_it_before_it_begins() {
    let project = Project::new();
    let upstream = upstream(&project, &[]);
    let collecting = Collecting::start(&project, 1, &["--threshold", "p(99){scenario:other}<1s"]);
    let part = Part::start(&project, &collecting, &upstream.url, &["-n", "9", "-c", "1"]);
    collecting.wait().assert_refused(&["--threshold 'p(99){scenario:other}<1s'", "other"]);
    let part = part.wait();
    assert_eq!((part.code, upstream.end()), (Some(4), 0), "{part:#?}");
    part.assert_says(&["--threshold 'p(99){scenario:other}<1s'"]);
    assert!(session::folder_of_parts(&project).is_none());
}

#[test]
fn flags_that_do_not_fit_are_refused() {
    let project = Project::new();
    let url = "http://127.0.0.1:9/";
    let join = |more: &[&str]| project.run(&[&["load", url, "-n", "2", "-c", "2"], more].concat());
    join(&["--join", "http://127.0.0.1:9", "--segment", "1/2"]).assert_refused(&["--join", "--segment"]);
    join(&["--join", "http://127.0.0.1:9", "--start-at", "+1s"]).assert_refused(&["--join", "--start-at"]);
    join(&["--join", "http://127.0.0.1:9", "-o", "json"]).assert_refused(&["--join", "--output"]);
    join(&["--join", "http://192.0.2.1:9"]).assert_refused(&["without a token", "expected https://"]);
    join(&["--join", "https://192.0.2.1:9"]).assert_refused(&["PLIMSOLL_TOKEN or --token-file"]);
    join(&["--join", "collector"]).assert_refused(&["expected https://HOST:PORT"]);
    join(&["--part", "1"]).assert_refused(&["--join"]);
    project.write("token", "short");
    join(&["--join", "https://h", "--token-file", "token"]).assert_refused(&["at least 32", "found 5 characters"]);
    join(&["--join", "https://h", "--token-file", "none"]).assert_refused(&["--token-file none: cannot be read"]);
    project.run(&["collect"]).assert_refused(&["--parts"]);
    project.run(&["collect", "--parts", "2", "--silence", "1s"]).assert_refused(&["--silence", "at least 2s"]);
    project.run(&["collect", "--parts", "0"]).assert_refused(&["--parts"]);
    let alone = Collecting::start(&project, 3, &["--deadline", "10s"]);
    let few = Part::start(&project, &alone, url, &["-n", "2", "-c", "2"]).wait();
    assert_eq!((few.code, alone.wait().code), (Some(2), Some(3)), "{few:#?}");
    few.assert_says(&["part 1/3 of the collector's: expected at most as many parts", "which are 2"]);
    let threshold = project.run(&["collect", "--parts", "2", "--threshold", "p(99)<fast"]);
    threshold.assert_refused(&["--threshold 'p(99)<fast'"]);
    project.run(&["collect", "--parts", "2", "--listen", "192.0.2.1:7400"]).assert_refused(&["cannot listen there"]);
    let nobody = join(&["--join", "http://127.0.0.1:9", "--deadline", "1s"]);
    assert_eq!(nobody.code, Some(4), "{nobody:#?}");
    nobody.assert_says(&["the collector does not answer", "refused"]);
}
