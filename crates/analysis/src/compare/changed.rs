//! Differences between two executions other than their figures: the whole record is compared field by field, so that
//! new fields are not forgotten.

use std::collections::{BTreeMap, BTreeSet};

use plimsoll_record::{Environment, Nanos, Plan, VariantPlan};
use serde::Serialize;
use serde_json::Value;

use crate::results::{About, Changed};

/// Lines of experiment files that are told.
const LINES_MAX: usize = 12;

/// Fields by their path, e.g. `versions.Spring Boot`.
pub(super) type Fields = BTreeMap<String, String>;

/// Environment, plan and settings of variants, each with its pair.
pub(super) fn all(environments: [&Environment; 2], plans: [&Plan; 2], pairs: &[[&VariantPlan; 2]]) -> Vec<Changed> {
    let mut changed = of_fields(environments.map(|it| fields(it, NOT_OF_ENVIRONMENT)), of_environment);
    changed.extend(of_fields(plans.map(|it| fields(it, NOT_OF_PLAN)), |name| (About::Experiment, in_words(name))));
    for [before, after] in pairs {
        let own = [before, after].map(|it| {
            let mut fields = fields(it, NOT_OF_VARIANT);
            if before.name == after.name || is_url_alone(before) && is_url_alone(after) {
                fields.remove("name");
            }
            fields
        });
        if is_url_alone(before) && is_url_alone(after) && before.url != after.url {
            let [before, after] = [before, after].map(|it| Some(it.url.clone()));
            changed.push(Changed { about: About::Variant, name: "URL".to_owned(), before, after });
        }
        // Settings have the names that their users gave them.
        let words = |field: &str| field.strip_prefix("settings.").map_or_else(|| in_words(field), str::to_owned);
        let name = |field: &str| (About::Variant, format!("{}: {}", after.name, words(field)));
        changed.extend(of_fields(own, name));
    }
    changed.extend(command(environments, plans, pairs));
    let [before, after] = plans.map(|it| it.source.clone().unwrap_or_default());
    changed.extend(lines([&with_urls_of(before, pairs), &after]));
    changed.sort_by_key(|it| it.about);
    changed
}

/// A variant without a file has its URL for a name.
fn is_url_alone(variant: &VariantPlan) -> bool {
    variant.name == variant.url
}

/// An earlier file with the URLs of its later variants that run already: a new URL is told once, with the variant.
fn with_urls_of(source: String, pairs: &[[&VariantPlan; 2]]) -> String {
    let url = |variant: &VariantPlan| variant.settings.get(RUNNING_AT).cloned().filter(|url| !url.is_empty());
    let urls = pairs.iter().filter_map(|[before, after]| Some((url(before)?, url(after)?)));
    urls.fold(source, |source, (before, after)| source.replace(&before, &after))
}

/// The setting of a variant that runs already.
const RUNNING_AT: &str = "running at";

/// Fields that are not compared: they differ each time, follow from others, or are told elsewhere.
const NOT_OF_ENVIRONMENT: &[&str] = &["command", "making", "machine", "merged", "git_commit"];
const NOT_OF_PLAN: &[&str] =
    &["title", "description", "source", "seed", "claims", "published", "variants", "levels", "explain", "proof"];
/// The same for variants: the kernel chooses the port of a launched target.
const NOT_OF_VARIANT: &[&str] = &["url"];

/// Options of a command that change no figure: with a value, and without.
const OF_OUTPUT: [&str; 8] = ["-o", "--output", "--format", "--record", "--seed", "--baseline", "--tolerance", "--pid"];
const OF_OUTPUT_ALONE: [&str; 3] = ["--quiet", "--full", "--strict"];

/// Words that only one of the commands has, if there is no file: headers, bodies, checks and connections are recorded
/// nowhere else. URLs are left out, as they are told with the variants.
fn command(environments: [&Environment; 2], plans: [&Plan; 2], pairs: &[[&VariantPlan; 2]]) -> Option<Changed> {
    let urls: Vec<&str> = pairs.iter().flatten().map(|it| it.url.trim_end_matches('/')).collect();
    let is_told = |word: &&str| urls.contains(&word.trim_matches(['"', '\'']).trim_end_matches('/'));
    let [before, after] = environments.map(|it| {
        let mut words = without_output(&it.command);
        words.retain(|word| !is_told(word));
        words
    });
    let [before, after] = [only(&before, &after), only(&after, &before)];
    let is_told = plans.iter().all(|plan| plan.source.is_none()) && (before.is_some() || after.is_some());
    is_told.then(|| Changed { about: About::Load, name: "words of the command".to_owned(), before, after })
}

fn without_output(command: &str) -> Vec<&str> {
    let mut words = command.split_whitespace();
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        if OF_OUTPUT.contains(&word) {
            words.next();
        } else if !OF_OUTPUT_ALONE.contains(&word) && !word.split_once('=').is_some_and(|it| OF_OUTPUT.contains(&it.0))
        {
            kept.push(word);
        }
    }
    kept
}

/// Words of `own` that are not in `others`. A value has its option before it, even if others have that, too.
fn only(own: &[&str], others: &[&str]) -> Option<String> {
    let is_own = |at: usize| !others.contains(&own[at]);
    let is_option_of = |at: usize| {
        own[at].starts_with('-') && own.get(at + 1).is_some_and(|next| !next.starts_with('-') && !others.contains(next))
    };
    let words: Vec<&str> = (0..own.len()).filter(|&at| is_own(at) || is_option_of(at)).map(|at| own[at]).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

fn of_environment(field: &str) -> (About, String) {
    match field {
        "plimsoll" => (About::Plimsoll, "version".to_owned()),
        "jdk" => (About::Software, in_words(field)),
        "limits" | "placement" | "network_relay" => (About::Experiment, in_words(field)),
        _ => match field.strip_prefix("versions.") {
            Some(name) => (About::Software, name.to_owned()),
            None => (About::Machine, in_words(field)),
        },
    }
}

/// Words for fields whose names say too little, or differ from those of flags and reports.
const WORDS: &[(&str, &str)] = &[
    ("cpu_model", "CPU"),
    ("drop_late", "late requests are dropped"),
    ("jdk", "JDK"),
    ("max_duration", "duration at most"),
    ("max_in_flight", "requests in flight at most"),
    ("memory_bytes", "memory in bytes"),
    ("ramp_up", "ramp-up"),
    ("start_vus", "virtual users at the start"),
    ("vus", "virtual users"),
];

/// `requests in flight at most` for `max_in_flight`; of a path each field.
pub(super) fn in_words(path: &str) -> String {
    let word = |field: &str| {
        let known = WORDS.iter().find(|(name, _)| *name == field);
        known.map_or_else(|| field.replace('_', " "), |(_, words)| (*words).to_owned())
    };
    path.split('.').map(word).collect::<Vec<_>>().join(".")
}

/// Fields that are not the same.
pub(super) fn of_fields([before, after]: [Fields; 2], named: impl Fn(&str) -> (About, String)) -> Vec<Changed> {
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let differing = names.into_iter().filter(|name| before.get(*name) != after.get(*name));
    differing
        .map(|name| {
            let (about, shown) = named(name);
            Changed { about, name: shown, before: before.get(name).cloned(), after: after.get(name).cloned() }
        })
        .collect()
}

/// All fields of a value except `left_out`.
pub(super) fn fields(value: &impl Serialize, left_out: &[&str]) -> Fields {
    let mut fields = Fields::new();
    let value = serde_json::to_value(value).unwrap_or_default();
    if let Value::Object(object) = value {
        for (name, value) in object.iter().filter(|(name, _)| !left_out.contains(&name.as_str())) {
            flatten(name, value, &mut fields);
        }
    }
    fields
}

fn flatten(path: &str, value: &Value, fields: &mut Fields) {
    match value {
        Value::Null => {}
        Value::Object(object) => {
            object.iter().for_each(|(name, value)| flatten(&format!("{path}.{name}"), value, fields));
        }
        Value::Array(items) if items.iter().all(|it| !it.is_object() && !it.is_array()) => {
            let items: Vec<String> = items.iter().map(|it| plain(path, it)).collect();
            if !items.is_empty() {
                fields.insert(path.to_owned(), items.join(", "));
            }
        }
        Value::Array(items) => {
            (1..).zip(items).for_each(|(number, item)| flatten(&format!("{path}.{number}"), item, fields));
        }
        other => drop(fields.insert(path.trim_end_matches("_ns").to_owned(), plain(path, other))),
    }
}

fn plain(path: &str, value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other if path.ends_with("_ns") || path.ends_with(".duration") => {
            other.as_u64().map_or_else(|| other.to_string(), |ns| Nanos(ns).to_string())
        }
        other => other.to_string(),
    }
}

/// Lines that only one of two files has, in their order; the rest is counted.
fn lines([before, after]: [&str; 2]) -> Vec<Changed> {
    let only = |own: &str, others: &str| -> Vec<String> {
        let others: BTreeSet<&str> = others.lines().map(str::trim).collect();
        own.lines().map(str::trim).filter(|it| !it.is_empty() && !others.contains(it)).map(str::to_owned).collect()
    };
    if before.is_empty() || after.is_empty() {
        return Vec::new();
    }
    let (gone, new) = (only(before, after), only(after, before));
    let all = gone.len() + new.len();
    let line = |before, after| Changed { about: About::Experiment, name: "line of the file".to_owned(), before, after };
    let told = gone.into_iter().map(|it| line(Some(it), None)).chain(new.into_iter().map(|it| line(None, Some(it))));
    let mut told: Vec<Changed> = told.take(LINES_MAX).collect();
    if all > LINES_MAX {
        let more = Some(format!("and {} more", all - LINES_MAX));
        told.push(Changed {
            about: About::Experiment,
            name: "lines of the file".to_owned(),
            before: None,
            after: more,
        });
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_that_differ_are_told_by_name_and_times_for_people() {
        let environment = |kernel: &str, boot: Option<&str>| Environment {
            kernel: Some(kernel.to_owned()),
            jdk: boot.map(|_| "Temurin 25".to_owned()),
            versions: BTreeMap::from([("Spring Boot".to_owned(), kernel.to_owned())]),
            command: kernel.to_owned(),
            ..Environment::default()
        };
        let variant = |threads: &str, ms: u64| VariantPlan {
            name: "web".to_owned(),
            settings: BTreeMap::from([("threads".to_owned(), threads.to_owned())]),
            service_time: Some(Nanos::from_millis(ms)),
            ..VariantPlan::default()
        };
        let (a, b) = (environment("6.1", None), environment("6.2", Some("x")));
        let of_file = Plan { source: Some(String::new()), ..Plan::default() };
        let (plan, slow, fast) = (of_file, variant("10", 250), variant("20", 100));
        let found = all([&a, &b], [&plan, &plan], &[[&slow, &fast]]);
        let told: Vec<String> = found
            .iter()
            .map(|it| format!("{:?} {} {:?} {:?}", it.about, it.name, it.before.as_deref(), it.after.as_deref()))
            .collect();
        assert_eq!(
            told,
            [
                r#"Machine kernel Some("6.1") Some("6.2")"#,
                r#"Software JDK None Some("Temurin 25")"#,
                r#"Software Spring Boot Some("6.1") Some("6.2")"#,
                r#"Variant web: service time Some("250 ms") Some("100 ms")"#,
                r#"Variant web: threads Some("10") Some("20")"#,
            ]
        );
        assert!(all([&a, &a], [&plan, &plan], &[[&slow, &slow]]).is_empty());
    }

    #[test]
    fn commands_without_a_file_are_held_against_each_other_but_for_their_output() {
        let run = |command: &str| Environment { command: command.to_owned(), ..Environment::default() };
        let told = |before: &str, after: &str, plan: &Plan| {
            let found = all([&run(before), &run(after)], [plan, plan], &[]);
            found
                .into_iter()
                .map(|it| (it.before.unwrap_or_default(), it.after.unwrap_or_default()))
                .collect::<Vec<_>>()
        };
        let words = |before: &str, after: &str| vec![(before.to_owned(), after.to_owned())];
        let before = "plimsoll load http://a/ -t 2s -q 5 --quiet -o html=x.html";
        let after = "plimsoll load http://a/ -t 5s -q 5 --http2 --record=r";
        assert_eq!(told(before, after, &Plan::default()), words("-t 2s", "-t 5s --http2"));
        assert_eq!(told("load a", "load a -H b:c", &Plan::default()), words("", "-H b:c"));
        assert_eq!(told("load a --seed 1", "load a --full --seed 2", &Plan::default()), []);
        assert_eq!(told("explain a --pid 7", "explain a --pid 8", &Plan::default()), [], "it differs each time");
        let of_file = Plan { source: Some(String::new()), ..Plan::default() };
        assert_eq!(told("run x.yaml", "run x.yaml --rounds 3", &of_file), [], "the file and the plan tell it");
    }

    /// By `load`, `line` and `explain`, whose variant is named by its URL, and by a file.
    #[test]
    fn another_url_is_told_once() {
        let urls = ["http://a:1/", "http://b:2/"];
        let told = |environments: [Environment; 2], plans: [Plan; 2], variants: [VariantPlan; 2]| {
            let [old, new] = &variants;
            let found = all(environments.each_ref(), plans.each_ref(), &[[old, new]]);
            let told = found
                .into_iter()
                .map(|it| format!("{:?} {}: {} → {}", it.about, it.name, it.before.unwrap(), it.after.unwrap()));
            told.collect::<Vec<_>>()
        };
        let run =
            |word: &str| Environment { command: format!("plimsoll line {word} --slo x"), ..Environment::default() };
        let alone = urls.map(|url| VariantPlan { name: url.to_owned(), url: url.to_owned(), ..VariantPlan::default() });
        let plans = [Plan::default(), Plan::default()];
        let found = told(["http://a:1", "'http://b:2/'"].map(run), plans, alone);
        assert_eq!(found, ["Variant URL: http://a:1/ → http://b:2/"]);
        let of_file = urls.map(|url| VariantPlan {
            name: "web".to_owned(),
            settings: BTreeMap::from([("running at".to_owned(), url.to_owned())]),
            url: url.to_owned(),
            ..VariantPlan::default()
        });
        let plans =
            urls.map(|url| Plan { source: Some(format!("variants:\n  web: {{url: \"{url}\"}}\n")), ..Plan::default() });
        let found = told(["x", "x"].map(run), plans, of_file);
        assert_eq!(found, ["Variant web: running at: http://a:1/ → http://b:2/"]);
    }

    #[test]
    fn fields_have_the_words_of_reports() {
        let words = ["line.max_in_flight", "stages.2.target", "until_decided.at_least", "vus"].map(in_words);
        let expected =
            ["line.requests in flight at most", "stages.2.target", "until decided.at least", "virtual users"];
        assert_eq!(words, expected);
    }

    #[test]
    fn lines_of_files_are_told_up_to_a_dozen() {
        let found = lines(["a: 1\nb: 2\n", "b: 2\n a: 3\n"]);
        let told: Vec<_> = found.iter().map(|it| (it.before.as_deref(), it.after.as_deref())).collect();
        assert_eq!(told, [(Some("a: 1"), None), (None, Some("a: 3"))]);
        let long: String = (0..30).map(|n| format!("line {n}\n")).collect();
        assert_eq!(lines(["x\n", &long]).last().unwrap().after.as_deref(), Some("and 19 more"));
    }
}
