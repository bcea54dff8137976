//! The text that each engine's tool is given.

use plimsoll_record::Nanos;

use super::{
    distribution::{Distribution, LoadFile, Share, Word},
    engines::{ENGINES, Engine},
    name_of,
};

/// A load with everything that needs care: a secret, files, and what engines would replace.
fn distribution() -> Distribution {
    let word = |text: &str| Word { text: text.to_owned(), is_secret: text == "me:hush" };
    let load =
        ["load", "https://orders.test/", "-q", "80k", "-f", "orders.yaml", "-H", "X-A: $(B) $C", "-u", "me:hush"];
    let file = |path: &str, content: &str| LoadFile { path: path.to_owned(), content: content.into() };
    Distribution {
        command: "plimsoll distribute --parts 4 -- load https://orders.test/ -u (masked)".to_owned(),
        name: "orders-load".to_owned(),
        namespace: Some("tests".to_owned()),
        parts: 4,
        image: "registry.test/plimsoll:0.2".to_owned(),
        share: Share { cpu: "500m".to_owned(), memory: "256Mi".to_owned() },
        deadline: Nanos::from_secs(90),
        hold: Nanos::from_secs(600),
        load: load.map(word).to_vec(),
        stay_for: None,
        reads_files: true,
        files: vec![file("data/users.csv", "name\nann\n"), file("orders.yaml", "request: {path: /}\n")],
        token: "TOKEN".to_owned(),
    }
}

/// Parts that stay for a search elsewhere.
fn staying() -> Distribution {
    let word = |text: &str| Word { text: text.to_owned(), is_secret: false };
    Distribution {
        command: "plimsoll distribute --parts 4 -- serve-part --join https://search.test:7401".to_owned(),
        name: "parts".to_owned(),
        load: ["serve-part", "--join", "https://search.test:7401"].map(word).to_vec(),
        stay_for: Some(7401),
        reads_files: false,
        files: Vec::new(),
        ..distribution()
    }
}

fn printed(engine: &str) -> String {
    printed_of(engine, &distribution())
}

fn printed_of(engine: &str, of: &Distribution) -> String {
    let engine: &'static Engine = engine.parse().unwrap();
    (engine.print)(of)
}

#[test]
fn each_engine_starts_parts_that_stay_and_no_collector() {
    for name in ENGINES.iter().map(|engine| engine.name) {
        let text = printed_of(name, &staying());
        insta::assert_snapshot!(format!("{name}_starts_parts_that_stay"), text);
        assert!(!text.contains("collect") && !text.contains("--record"), "{text}");
        assert!(text.contains("--parts 4 --listen 0.0.0.0:7401"), "{text}");
    }
    let manifest = printed_of("kubernetes", &staying());
    let documents: Vec<serde_json::Value> = serde_saphyr::from_multiple(&manifest).unwrap();
    let kinds: Vec<&str> = documents.iter().map(|it| it["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["Secret", "Job"]);
    let file: serde_json::Value = serde_saphyr::from_str(&printed_of("compose", &staying())).unwrap();
    assert_eq!(file["services"].as_object().unwrap().keys().collect::<Vec<_>>(), ["part"]);
}

#[test]
fn kubernetes_gets_a_manifest() {
    let manifest = printed("kubernetes");
    insta::assert_snapshot!(manifest);
    let documents: Vec<serde_json::Value> = serde_saphyr::from_multiple(&manifest).unwrap();
    let kinds: Vec<&str> = documents.iter().map(|it| it["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["Secret", "Service", "Pod", "Job"]);
    let pod = &documents[3]["spec"]["template"]["spec"];
    assert!(!pod.to_string().contains("hush"), "a secret is in the Secret alone");
    assert_eq!(documents[0]["stringData"]["argument-9"], "me:hush");
}

#[test]
fn kubernetes_keeps_no_copy_of_what_is_large() {
    let mut large = distribution();
    large.files[0].content = vec![0xff; 200_000];
    let engine: &'static Engine = "kubernetes".parse().unwrap();
    assert!(
        (engine.print)(&large).contains("kubectl create -f FILE") && printed("kubernetes").contains("kubectl apply")
    );
}

#[test]
fn slurm_gets_a_batch_script() {
    insta::assert_snapshot!(printed("slurm"));
}

#[test]
fn compose_gets_a_file() {
    let file = printed("compose");
    insta::assert_snapshot!(file);
    let read: serde_json::Value = serde_saphyr::from_str(&file).unwrap();
    let command = read["services"]["part"]["command"].as_array().unwrap();
    assert!(command.contains(&"X-A: $$(B) $$C".into()), "{command:?}");
}

#[test]
fn shells_get_a_script() {
    insta::assert_snapshot!(printed("shell"));
}

#[test]
fn scripts_are_ones_that_a_shell_reads() {
    for (engine, of) in ["slurm", "shell"].into_iter().flat_map(|it| [(it, distribution()), (it, staying())]) {
        let mut shell = std::process::Command::new("bash");
        let checked = shell.args(["-n", "-c", &printed_of(engine, &of)]).output().unwrap();
        assert!(checked.status.success(), "{engine}: {}", String::from_utf8_lossy(&checked.stderr));
    }
}

#[test]
fn names_come_from_the_target() {
    assert_eq!(name_of(Some("orders.test")), "orders-load");
    for other in [None, Some("localhost"), Some("10.0.0.1"), Some(""), Some("under_score.test")] {
        assert_eq!(name_of(other), "load", "{other:?}");
    }
}

#[test]
fn a_command_of_several_lines_stays_a_comment() {
    let command = "load URL -d '{\n  \"a\": 1\n}'";
    assert_eq!(super::distribution::commented(command), "load URL -d '{\n#     \"a\": 1\n#   }'");
}
