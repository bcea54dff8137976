//! Rules for the table of planted causes in `benches/explain`.

use crate::{Breaches, tree::Tree};
use std::collections::{BTreeMap, BTreeSet};

const TABLE: &str = "benches/explain/plants.toml";
const ROOM: &str = "benches/explain/";

/// Rules are tuned on one half and tried once on the other, which joins the first thereafter: a kind that is only kept
/// apart would have no plant to tune with.
pub fn every_kind_has_a_plant_to_tune_with(tree: &Tree) -> Breaches {
    let table = tree.files.get(TABLE).map_or("", String::as_str);
    let mut halves = BTreeMap::<_, BTreeSet<_>>::new();
    for plant in table.split("[[plant]]").skip(1) {
        halves.entry(value(plant, "kind")).or_default().insert(value(plant, "half"));
    }
    let untuned = halves.into_iter().filter(|(_, halves)| !halves.contains(&Some("tuned")));
    untuned
        .map(|(kind, _)| format!("{TABLE}: kind {}: plant one with half = `tuned`", kind.unwrap_or("of no name")))
        .collect()
}

pub fn every_service_is_planted(tree: &Tree) -> Breaches {
    let table = tree.files.get(TABLE).map_or("", String::as_str);
    let named = table.lines().filter_map(|line| Some(value(line, "main")?.to_owned())).collect::<BTreeSet<_>>();
    let written = services(tree);
    let missing = named.difference(&written).map(|main| format!("{TABLE}: `{main}` has no source file"));
    let unnamed =
        written.difference(&named).map(|main| format!("{TABLE}: no plant runs `{main}`: plant it, or delete it"));
    missing.chain(unnamed).collect()
}

/// Classes that can be launched, as Java names them.
fn services(tree: &Tree) -> BTreeSet<String> {
    let launched = tree.ours(&["java"]).filter(|(_, text)| text.contains("static void main("));
    let of_the_bench = launched.filter_map(|(path, _)| path.strip_prefix(ROOM)?.split_once("/src/main/"));
    let classes = of_the_bench.filter_map(|(_, path)| Some(path.split_once('/')?.1.trim_end_matches(".java")));
    classes.map(|class| class.replace('/', ".")).collect()
}

fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix("= \"")?.split('"').next())
}

fn bench(table: &str) -> Tree {
    let service = "benches/explain/services/src/main/java/plants/A.java";
    Tree::with(&[(TABLE, table), (service, "public static void main(String[] a)"), ("java/plants/B.java", "")])
}

#[test]
fn a_kind_that_is_only_kept_apart_is_found() {
    let both = "[[plant]]\nkind = \"gc\"\nhalf = \"tuned\"\n[[plant]]\nkind = \"gc\"\nhalf = \"apart\"\n";
    assert!(every_kind_has_a_plant_to_tune_with(&bench(both)).is_empty());
    assert!(every_kind_has_a_plant_to_tune_with(&bench(&both.replace("apart", "tuned"))).is_empty());
    assert_eq!(every_kind_has_a_plant_to_tune_with(&bench(&both.replace("tuned", "apart"))).len(), 1);
}

#[test]
fn services_beside_the_table_are_found() {
    assert!(every_service_is_planted(&bench("main = \"plants.A\"")).is_empty());
    assert_eq!(every_service_is_planted(&bench("main = \"plants.spring.C\"")).len(), 2);
    let strange = "benches/explain/vertx/src/main/java25/shop/Till.java";
    let tree = Tree::with(&[(TABLE, "main = \"shop.Till\""), (strange, "static void main(String[] a)")]);
    assert!(every_service_is_planted(&tree).is_empty());
}
