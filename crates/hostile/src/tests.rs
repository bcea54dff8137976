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
