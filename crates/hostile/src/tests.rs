use std::{
    collections::{BTreeMap, HashSet},
    env, fs,
    path::Path,
};

use super::*;

#[test]
fn each_behaviour_has_a_name_of_its_own_and_does_something_of_its_own() {
    let all = all();
    let names: HashSet<_> = all.iter().map(|it| (it.family, it.name)).collect();
    assert_eq!(names.len(), all.len(), "two of the same name");
    let deeds: HashSet<_> =
        all.iter().map(|it| format!("{:?} {:?} {:?} {:?}", it.family, it.security, it.place, it.deeds())).collect();
    assert_eq!(deeds.len(), all.len(), "two that do the same");
    assert!(all.len() >= 150, "{}", all.len());
}

/// The result of a behaviour, in words of documents.
fn result(behaviour: &Behaviour) -> String {
    let kinds: Vec<&str> = behaviour.outcome.kinds.iter().map(|kind| kind.as_str()).collect();
    match kinds.is_empty() {
        false => kinds.join(" or "),
        true if behaviour.outcome.words.is_empty() => "no error".to_owned(),
        true => "a warning".to_owned(),
    }
}

const INTRODUCTION: &str = "\
# Hostile peers\n\
\n\
Written by `UPDATE_DOCS=1 cargo test -p plimsoll-hostile` from the tables of `crates/hostile/src/`. Tests meet \
each behaviour, and hold it to its\n\
row ([reliability](reliability.md#peers-that-mean-harm)).\n\
\n\
| column | meaning |\n\
|---|---|\n\
| result | the kind of the error that a request must have, or one of several; `no error` where the answer \
counts, and of clients |\n\
| ends | `at once`: as soon as what is sent has come, long before a time-out; `at the time-out`: the \
request's, the connection's or the push's own, which nothing puts off; `with the load`: the peer may stay, and \
the load's end does not wait for it |\n\
| bytes kept at most | of one connection: what came of a head, a frame or a record whose rest is still to \
come, and what waits to be sent. Bodies are not kept ([memory of a \
connection](performance.md#memory-of-a-connection)). For bytes without TLS a test asks the parsers; for all \
others it watches the whole process |\n";

/// Differences between clients that were seen by hand.
const GATEWAY: &str = include_str!("../gateway.md");

/// All of `docs/hostile.md`.
fn page() -> String {
    let families = Family::ALL.map(|(family, words)| {
        let rows: Vec<String> = of(family).iter().map(row).collect();
        format!(
            "\n## {}\n\n| behaviour | result | ends | bytes kept at most |\n|---|---|---|---|\n{}",
            capitalised(words),
            rows.concat()
        )
    });
    [INTRODUCTION, &families.concat(), GATEWAY].concat()
}

fn row(behaviour: &Behaviour) -> String {
    let Bounds { ends, held_bytes_max } = behaviour.bounds;
    let kept = format!("{} KiB", held_bytes_max.div_ceil(behaviour::KIB));
    format!("| {} | {} | {} | {kept} |\n", behaviour.name, result(behaviour), ends.words())
}

/// The word `clients` begins a heading, and so do abbreviations.
fn capitalised(words: &str) -> String {
    let (first, rest) = words.split_at(1);
    first.to_uppercase() + rest
}

#[test]
fn bounds_of_behaviours_are_those_of_their_family_or_less() {
    for behaviour in all() {
        let most = behaviour.family.held_bytes_max();
        assert!((1..=most).contains(&behaviour.bounds.held_bytes_max), "{}", behaviour.name);
        let is_client = behaviour.family == Family::PrometheusClient;
        assert_eq!(behaviour.bounds.ends == Ends::WithItsServer, is_client, "{}", behaviour.name);
    }
}

/// `UPDATE_DOCS=1 cargo test -p plimsoll-hostile` writes it anew.
#[test]
fn the_page_of_all_behaviours_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/hostile.md");
    let expected = page();
    if env::var_os("UPDATE_DOCS").is_some() {
        return fs::write(path, expected).unwrap();
    }
    let is_current = fs::read_to_string(path).is_ok_and(|found| found == expected);
    assert!(is_current, "docs/hostile.md is not current: run UPDATE_DOCS=1 cargo test -p plimsoll-hostile");
}

/// The part of `docs/reliability.md` that counts behaviours.
fn table() -> String {
    let rows = Family::ALL.map(|(family, words)| {
        let behaviours = of(family);
        let mut outcomes: BTreeMap<&str, usize> = BTreeMap::new();
        for behaviour in &behaviours {
            let outcome = match behaviour.outcome.kinds.first() {
                Some(kind) => kind.as_str(),
                None if behaviour.outcome.words.is_empty() => "no error",
                None => "a warning",
            };
            *outcomes.entry(outcome).or_default() += 1;
        }
        let mut outcomes: Vec<_> = outcomes.into_iter().collect();
        outcomes.sort_by_key(|&(outcome, count)| (std::cmp::Reverse(count), outcome));
        let outcomes: Vec<String> = outcomes.iter().map(|(outcome, count)| format!("{outcome} {count}")).collect();
        format!("| {words} | {} | {} |\n", behaviours.len(), outcomes.join(", "))
    });
    format!("| peer | behaviours | result |\n|---|---|---|\n{}| all | {} | |\n", rows.concat(), all().len())
}

/// `UPDATE_DOCS=1 cargo test -p plimsoll-hostile` writes the part anew.
#[test]
fn the_counts_of_the_documentation_are_current() {
    const MARKS: [&str; 2] = ["<!-- hostile peers -->\n", "<!-- end of hostile peers -->\n"];
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reliability.md");
    let page = fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(MARKS[0]).expect("a mark where the counts begin");
    let (found, after) = rest.split_once(MARKS[1]).expect("a mark where the counts end");
    let expected = table();
    if env::var_os("UPDATE_DOCS").is_some() {
        return fs::write(path, [before, MARKS[0], &expected, MARKS[1], after].concat()).unwrap();
    }
    assert!(found == expected, "docs/reliability.md is not current: run UPDATE_DOCS=1 cargo test -p plimsoll-hostile");
}
