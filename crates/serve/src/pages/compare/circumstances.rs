//! Differences of two executions in where, with what and under which load they ran.

use std::collections::BTreeMap;

use plimsoll_analysis::Results;
use plimsoll_text::number::{NONE, bytes};

/// Circumstances by name, in the order in which they are told.
type Facts = Vec<(String, String)>;

/// Rows of name, A, B: of all that differs.
pub fn differences(a: &Results, b: &Results) -> Vec<Vec<String>> {
    let (of_a, of_b) = (facts(a), facts(b));
    let value =
        |facts: &Facts, name: &str| facts.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
    let mut names: Vec<&String> = of_a.iter().map(|(name, _)| name).collect();
    names.extend(of_b.iter().map(|(name, _)| name).filter(|name| value(&of_a, name).is_none()));
    let row = |name: &String| {
        let (in_a, in_b) = (value(&of_a, name), value(&of_b, name));
        let shown = |value: Option<String>| value.unwrap_or_else(|| NONE.to_owned());
        (in_a != in_b).then(|| vec![name.clone(), shown(in_a), shown(in_b)])
    };
    names.into_iter().filter_map(row).collect()
}

fn facts(results: &Results) -> Facts {
    let it = &results.environment;
    let optional = [
        ("commit", it.git_commit.clone()),
        ("machine", it.machine.clone()),
        ("CPU", it.cpu_model.clone()),
        ("cores", it.cores.map(|cores| cores.to_string())),
        ("memory", it.memory_bytes.map(bytes)),
        ("kernel", it.kernel.clone()),
        ("system", it.os.clone()),
        ("cgroup", it.cgroup.clone()),
        ("JDK", it.jdk.clone()),
        ("limits", it.limits.clone()),
        ("placement", it.placement.clone()),
    ];
    let mut facts: Facts =
        vec![("Plimsoll".to_owned(), it.plimsoll.clone()), ("command".to_owned(), it.command.clone())];
    facts.extend(optional.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
    facts.extend(it.versions.iter().map(|(name, version)| (name.clone(), version.clone())));
    facts.push(("rounds".to_owned(), results.execution.rounds.to_string()));
    facts.extend(results.execution.pace.iter().map(|pace| ("pace".to_owned(), pace.clone())));
    let levels: Vec<&str> = results.levels.iter().map(|level| level.label.as_str()).collect();
    facts.push(("levels".to_owned(), levels.join(", ")));
    facts.extend(settings(results));
    facts
}

/// Settings of variants; of a single one without its name.
fn settings(results: &Results) -> Facts {
    let is_single = results.variants.len() == 1;
    let of = |name: &str, settings: &BTreeMap<String, String>| -> Facts {
        let named = |key: &String| if is_single { key.clone() } else { format!("{name}: {key}") };
        settings.iter().map(|(key, value)| (named(key), value.clone())).collect()
    };
    let mut facts: Facts = results.variants.iter().flat_map(|variant| of(&variant.name, &variant.settings)).collect();
    let names: Vec<&str> = results.variants.iter().map(|variant| variant.name.as_str()).collect();
    facts.push(("variants".to_owned(), names.join(", ")));
    facts
}

#[cfg(test)]
mod tests {
    use plimsoll_analysis::{analyse, testing::greetings};

    use super::*;

    #[test]
    fn only_what_differs_is_told() {
        let a = analyse(&greetings());
        assert_eq!(differences(&a, &a), Vec::<Vec<String>>::new());
        let mut b = a.clone();
        b.environment.jdk = Some("Temurin 21".to_owned());
        b.environment.limits = None;
        b.variants[0].settings.insert("threads".to_owned(), "virtual".to_owned());
        let names: Vec<String> = differences(&a, &b).into_iter().map(|row| row[0].clone()).collect();
        let threads = format!("{}: threads", a.variants[0].name);
        assert!(names.contains(&"JDK".to_owned()) && names.contains(&threads), "{names:?}");
        assert_eq!(names.len(), 2 + usize::from(a.environment.limits.is_some()), "{names:?}");
    }
}
