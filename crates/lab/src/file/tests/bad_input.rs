//! Errors of faulty files: one clear error each, with place and remedy.

use std::{env, fs, path::Path};

use super::{LOAD, VARIANT, errors, read};
use crate::file::load;

fn with_load(text: &str) -> String {
    format!("{text}{LOAD}")
}

fn with_variant(text: &str) -> String {
    format!("{text}{VARIANT}{LOAD}")
}

/// Each file of `wrong/` holds faulty files and, below each, the errors that it prints. With `UPDATE_WRONG=1` in the
/// environment the errors are written anew: look at the difference before you commit it.
#[test]
fn wrong_files_are_explained() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/file/tests/wrong");
    let mut checked = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let corpus = fs::read_to_string(&path).unwrap();
        let cases: Vec<Case> = corpus.split("#### ").skip(1).collect::<Vec<_>>().chunks(2).map(Case::read).collect();
        let found: Vec<String> = cases.iter().map(|case| format!("{}\n", errors(case.text))).collect();
        if env::var_os("UPDATE_WRONG").is_some() {
            let cases = cases.iter().zip(&found).map(|(case, found)| format!("#### {}#### says\n{found}", case.head()));
            fs::write(&path, cases.collect::<Vec<_>>().join("\n")).unwrap();
        }
        for (case, found) in cases.iter().zip(&found) {
            assert_eq!(case.says.trim_end(), found.trim_end(), "{}: {}", path.display(), case.name);
        }
        checked += cases.len();
    }
    assert!(checked > 90, "only {checked} cases: is the corpus where it was?");
}

/// A faulty file of the corpus.
struct Case<'a> {
    name: &'a str,
    text: &'a str,
    says: &'a str,
}

impl<'a> Case<'a> {
    /// `NAME`, a line end, the file's text; then `says`, a line end, its errors.
    fn read(pair: &[&'a str]) -> Self {
        let [file, says] = pair else { panic!("a case without `#### says`: {pair:?}") };
        let (name, text) = file.split_once('\n').expect("a name");
        Self { name, text, says: says.strip_prefix("says\n").expect("`#### says` below the file") }
    }

    fn head(&self) -> String {
        format!("{}\n{}", self.name, self.text)
    }
}

#[test]
fn a_line_that_is_too_long_is_cut_around_the_error() {
    let long = "x".repeat(300);
    let text = with_load(&format!("variants: {{web: {{subject: greetings-web, env: {{A: {long}}}, wait: 1}}}}\n"));
    let shown = errors(&text).lines().nth(1).unwrap_or_default().to_owned();
    assert_eq!(shown, "  1 | xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx}, wait: 1}}");
}

#[test]
fn a_matrix_that_is_too_large_is_refused() {
    let waits = (1..600).map(|n| format!("{n}s")).collect::<Vec<_>>().join(", ");
    let axes = format!("{{packaging: [jar, cds], wait: [{waits}]}}");
    let printed = errors(&with_load(&format!("matrix:\n  name: \"a{{wait}}{{packaging}}\"\n  axes: {axes}\n")));
    assert!(printed.contains("matrix.axes: expected at most 1000 combinations, found 1198"), "{printed}");
}

#[test]
fn alias_bombs_are_refused() {
    let bomb: String =
        (1..12).map(|n| format!("k{n}: &k{n} [{}]\n", vec![format!("*k{}", n - 1); 9].join(", "))).collect::<String>();
    let printed = errors(&format!("k0: &k0 [x, x, x]\n{bomb}"));
    assert!(printed.contains("simplify it"), "{printed}");
}

#[test]
fn deep_nesting_is_refused() {
    let printed = errors(&format!("name: {}{}\n", "[".repeat(5_000), "]".repeat(5_000)));
    assert!(printed.contains("recursion limit exceeded"), "{printed}");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let printed = |name: &str| {
        let text = load(&folder.path().join(name), None, 0).unwrap_err().to_string();
        text.replace(&folder.path().display().to_string(), "FOLDER")
    };
    fs::write(folder.path().join("latin1.yaml"), b"name: x\ntitle: \xe9\n").unwrap();
    fs::write(folder.path().join("huge.yaml"), vec![b'#'; 2 << 20]).unwrap();
    let all = ["absent.yaml", ".", "latin1.yaml", "huge.yaml"].map(printed);
    let said: Vec<&str> = all.iter().filter_map(|printed| printed.lines().next()).collect();
    assert_eq!(
        said,
        [
            "FOLDER/absent.yaml: cannot read this experiment file: No such file or directory (os error 2); check the path",
            "FOLDER/.: cannot read this experiment file: expected a file, found a folder: name a file in it; check the path",
            "FOLDER/latin1.yaml: expected text in UTF-8, found other bytes in line 2: save it as UTF-8",
            "FOLDER/huge.yaml: cannot read this experiment file: expected at most 1 MiB, found more; check the path",
        ]
    );
}

#[test]
fn variants_are_bounded_in_number_and_in_their_chains() {
    let first = |text: &str| errors(text).lines().next().unwrap_or_default().to_owned();
    let many: String = (0..1_001).map(|n| format!("  v{n}: {{subject: greetings-web}}\n")).collect();
    let found = first(&format!("variants:\n{many}{LOAD}"));
    assert!(found.contains("x.yaml:1002:3") && found.contains("at most 1000 variants, found 1001"), "{found}");
    let requests = "- {path: /}\n".repeat(1_001);
    let found = first(&with_variant(&format!("requests:\n{requests}")));
    assert!(found.contains("x.yaml:1002:") && found.contains("at most 1,000 requests, found 1,001"), "{found}");
    let chain = |length: usize| -> String {
        let more: String = (1..length).map(|n| format!("  v{n}: {{extends: v{}}}\n", n - 1)).collect();
        format!("variants:\n  v0: {{subject: greetings-web}}\n{more}{LOAD}")
    };
    assert!(read(&chain(32)).is_ok());
    let found = first(&chain(33));
    assert!(found.contains("x.yaml:34:3") && found.contains("at most 32 variants that extend"), "{found}");
    let long = first(&format!("variants: {{{}: {{subject: greetings-web}}}}\n{LOAD}", "x".repeat(101)));
    assert!(long.contains("a variant's name of at most 100 characters, found 101"), "{long}");
}

#[test]
fn thresholds_are_checked_with_their_tags() {
    let text = |threshold: &str| with_variant(&format!("thresholds: [\"{threshold}\"]\n"));
    let first = |threshold: &str| errors(&text(threshold)).lines().next().unwrap_or_default().to_owned();
    assert_eq!(read(&text("p(99)<2s")).unwrap().experiment.plan.thresholds, ["p(99)<2s"]);
    assert!(first("p(99)<2x").contains("at character 8: expected a time such as"), "{}", first("p(99)<2x"));
    assert!(first("count{scenario:200}>1").contains("no scenario is called `200`; there are 100"));
    assert!(first("errors<1% abort").contains("only `plimsoll load` can abort"));
}

#[test]
fn errors_of_claims_are_printed_with_their_column() {
    let text = with_variant(
        "claims:\n  - {says: plain, claim: startup(wbe) < 5 s}\n  - says: quoted\n    claim: \"startup(wbe) < 5 s\"\n  \
         - says: block\n    claim: >-\n      startup(wbe) < 5 s\n  \
         - says: folded\n    claim: >-\n      startup(wbe)\n      < 5 s\n",
    );
    let file = read(&text).unwrap();
    let problems = (0..4).map(|claim| (claim, 9, "there is no variant `wbe` (did you mean `web`?)".to_owned()));
    let printed = file.claim_errors(problems).to_string();
    assert_eq!(
        printed.lines().collect::<Vec<_>>(),
        [
            "experiments/x.yaml:2:34: claims[0].claim: there is no variant `wbe` (did you mean `web`?)",
            "  2 |   - {says: plain, claim: startup(wbe) < 5 s}",
            "    |                                  ^",
            "experiments/x.yaml:4:21: claims[1].claim: there is no variant `wbe` (did you mean `web`?)",
            "  4 |     claim: \"startup(wbe) < 5 s\"",
            "    |                     ^",
            "experiments/x.yaml:7:15: claims[2].claim: there is no variant `wbe` (did you mean `web`?)",
            "  7 |       startup(wbe) < 5 s",
            "    |               ^",
            "experiments/x.yaml:10:7: claims[3].claim: there is no variant `wbe` (did you mean `web`?)",
            "  10 |       startup(wbe)",
            "     |       ^",
            "4 errors in experiments/x.yaml",
        ]
    );
    assert_eq!(file.experiment.plan.claims[1].line, Some(4));
}

#[test]
fn the_path_is_printed_as_it_was_given() {
    let errors = crate::file::parse("nmae: x\n", Path::new("a b/ü.yaml"), None, 0).unwrap_err();
    assert!(errors.to_string().starts_with("a b/ü.yaml:1:1: "), "{errors}");
}

proptest::proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "[a-z:{}\\[\\]&*!|>'\"#,0-9 \n-]{0,200}") {
        let _ = read(&text).map_err(|errors| errors.to_string());
    }
}
