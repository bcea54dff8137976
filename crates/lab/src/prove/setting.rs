//! A setting of a variant: read, found by its value, and changed, wherever it stands.

use std::collections::BTreeMap;

use plimsoll_record::{Change, VariantPlan};
use plimsoll_secrets::{hide, name::is_secret};

use crate::{
    experiment::{Limits, Program, Variant},
    jvm::{Jvm, Source},
    subject::{RESERVED_PROPERTIES, Subject, TOMCAT_THREADS},
};

/// Limits of a variant rather than settings of its program.
pub const CPUS: &str = "limits.cpus";
pub const FILES: &str = "limits.files";
/// A JVM that is started by a script reads its options there.
const JAVA_OPTIONS: &str = "JAVA_TOOL_OPTIONS";

/// Whether a setting, or a value that it is to have, may be a secret: proofs show both.
pub fn may_be_secret(name: &str, values: &[String]) -> bool {
    is_secret(name, "") || values.iter().any(|value| hide::under(name, value).text != *value)
}

/// Whether a setting is an option of the JVM as it stands, `-Xmx` or `-Dname`, rather than a property of the program.
fn is_option(name: &str) -> bool {
    name.starts_with('-')
}

/// A variable of the environment.
fn is_variable(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|char| char.is_ascii_uppercase() || char.is_ascii_digit() || char == '_')
}

/// `-Xmx` and `512m` are `-Xmx512m`, `-Dname` and `4` are `-Dname=4`.
fn option(name: &str, value: &str) -> String {
    if name.starts_with("-D") || name.starts_with("-XX:") {
        format!("{name}={value}")
    } else {
        format!("{name}{value}")
    }
}

/// The value that an argument gives to a setting, if it is about it.
fn value_in<'a>(argument: &'a str, name: &str) -> Option<&'a str> {
    let given = |prefix: &str| {
        let (given, value) = argument.strip_prefix(prefix)?.split_once('=')?;
        is_same(given, name).then_some(value)
    };
    match name {
        _ if name.starts_with("-D") || name.starts_with("-XX:") => argument.strip_prefix(name)?.strip_prefix('='),
        _ if is_option(name) => {
            argument.strip_prefix(name).filter(|value| value.starts_with(|c: char| c.is_ascii_digit()))
        }
        _ => given("--").or_else(|| given("-D")),
    }
}

/// Whether two names are of one property: Spring reads `maximum-pool-size`, `maximumPoolSize` and `maximum_pool_size`.
fn is_same(one: &str, other: &str) -> bool {
    canonical(one) == canonical(other)
}

fn canonical(name: &str) -> String {
    name.replace(['-', '_'], "").to_lowercase()
}

/// Spring's names of a property in the environment: `a.pool-size` is `A_POOLSIZE`, and `A_POOL_SIZE` is read, too.
fn variables_of(property: &str) -> [String; 2] {
    let dotless = property.replace('.', "_").to_uppercase();
    [dotless.replace('-', ""), dotless.replace('-', "_")]
}

/// The name by which properties have a setting, which may be given as the JVM's `-Dname`, too.
fn key_in(properties: &BTreeMap<String, String>, name: &str) -> Option<String> {
    let plain = name.strip_prefix("-D").unwrap_or(name);
    properties.keys().find(|key| is_same(key, plain)).cloned()
}

/// The variable of the environment that has a setting.
fn variable_in(env: &BTreeMap<String, String>, name: &str) -> Option<String> {
    std::iter::once(name.to_owned()).chain(variables_of(name)).find(|name| env.contains_key(name))
}

/// Arguments of the program that runs on the JVM, as the file gives them.
fn own_arguments(jvm: &Jvm) -> &[String] {
    jvm.service().map_or(&[], |own| &own.arguments)
}

/// The value that the program's own arguments, properties and options give it: they come before the environment's.
fn in_program(variant: &Variant, name: &str) -> Option<String> {
    let in_arguments = |arguments: &[String]| {
        arguments.iter().rev().find_map(|argument| value_in(argument, name)).map(ToOwned::to_owned)
    };
    match &variant.program {
        Program::Jvm(jvm) => {
            let in_properties = || jvm.properties.get(&key_in(&jvm.properties, name)?).cloned();
            let in_own = || in_arguments(own_arguments(jvm));
            in_properties().or_else(in_own).or_else(|| in_arguments(&jvm.jvm_flags))
        }
        Program::Command { argv, .. } => in_arguments(argv),
        Program::Running | Program::Benchmarks { .. } => None,
    }
}

/// The value that the file gives it; none where it has its default.
pub fn value(variant: &Variant, name: &str) -> Option<String> {
    if name == CPUS {
        return variant.limits.cpus.map(|cpus| cpus.to_string());
    }
    if name == FILES {
        return variant.limits.files.map(|files| files.to_string());
    }
    let in_environment = || variant.env.get(&variable_in(&variant.env, name)?).cloned();
    let in_options = || {
        let options = variant.env.get(JAVA_OPTIONS)?;
        options.split(' ').rev().find_map(|option| value_in(option, name)).map(ToOwned::to_owned)
    };
    in_program(variant, name).or_else(in_environment).or_else(in_options)
}

/// Changes a setting where the variant has it, or else adds it where the program looks for it; in `plan`, too.
///
/// # Errors
///
/// It is one that Plimsoll itself sets, or a limit that this is not.
pub fn set(variant: &mut Variant, plan: &mut VariantPlan, change: &Change) -> Result<(), String> {
    let Change { name, to, .. } = change;
    if let Some((_, instead)) = RESERVED_PROPERTIES.iter().find(|(reserved, _)| reserved == name) {
        return Err(format!("{name} cannot be set here: {instead}"));
    }
    if name.starts_with("limits.") {
        set_limit(&mut variant.limits, name, to)?;
        plan.settings.insert(name.clone(), to.clone());
        return Ok(());
    }
    plan.settings.insert(name.clone(), to.clone());
    let known = if in_program(variant, name).is_none() { variable_in(&variant.env, name) } else { None };
    if let Some(known) = known.or_else(|| is_variable(name).then(|| name.clone())) {
        variant.env.insert(known, to.clone());
        return Ok(());
    }
    match &mut variant.program {
        Program::Jvm(Jvm { source, jvm_flags, properties, .. }) => {
            let own = match source {
                Source::Service(own) if own.arguments.iter().any(|it| value_in(it, name).is_some()) => Some(own),
                _ => None,
            };
            if let Some(key) = key_in(properties, name) {
                properties.insert(key, to.clone());
            } else if let Some(own) = own {
                replace_or(&mut own.arguments, name, to, |_| {});
            } else if is_option(name) {
                replace_or(jvm_flags, name, to, |flags| flags.push(option(name, to)));
            } else {
                properties.insert(name.clone(), to.clone());
            }
            if let Source::Subject { name: subject, .. } = source
                && let Some(subject) = Subject::named(subject)
            {
                renew_ceilings(subject, properties, plan);
            }
        }
        Program::Command { argv, .. } => {
            let added = if is_option(name) { option(name, to) } else { format!("-D{name}={to}") };
            let is_java = argv.first().is_some_and(|program| program.rsplit('/').next() == Some("java"));
            let options = &mut variant.env;
            replace_or(argv, name, to, |argv| {
                if is_java {
                    argv.insert(1, added);
                } else {
                    // It still has what it would inherit.
                    let before = options.get(JAVA_OPTIONS).cloned().or_else(|| std::env::var(JAVA_OPTIONS).ok());
                    let before = before.map_or_else(String::new, |options| format!("{options} "));
                    options.insert(JAVA_OPTIONS.to_owned(), before + &added);
                }
            });
        }
        Program::Running => {
            return Err("a service that runs already is not started anew with other settings".to_owned());
        }
        Program::Benchmarks { .. } => return Err("benchmarks of JMH carry no load".to_owned()),
    }
    Ok(())
}

fn set_limit(limits: &mut Limits, name: &str, to: &str) -> Result<(), String> {
    let expected = |what: String| format!("{name}={to}: expected {what}");
    match name {
        CPUS => {
            let cpus = to.parse().ok().filter(|cpus| Limits::CPUS.contains(cpus));
            limits.cpus = Some(cpus.ok_or_else(|| expected("processors, e.g. 2 or 0.5".to_owned()))?);
        }
        FILES => {
            let least = Limits::LEAST_FILES;
            let files = to.parse().ok().filter(|files| *files >= least);
            limits.files = Some(files.ok_or_else(|| expected(format!("a whole number from {least} on")))?);
        }
        _ => return Err(format!("{name} cannot be changed here: {CPUS} and {FILES} can")),
    }
    Ok(())
}

/// Ceilings follow from settings.
fn renew_ceilings(subject: &Subject, properties: &BTreeMap<String, String>, plan: &mut VariantPlan) {
    let threads = properties.get(TOMCAT_THREADS.0).and_then(|text| text.parse().ok());
    if let (Some(workers), Some(threads)) = (&mut plan.workers, threads) {
        *workers = threads;
    }
    let client = subject.calls.as_ref().and_then(|calls| calls.chosen(properties));
    plan.connections_per_route = client.and_then(|client| client.connections_per_route(properties));
}

/// Replaces every argument that is about the setting; `add`s it where there is none.
fn replace_or(arguments: &mut Vec<String>, name: &str, to: &str, add: impl FnOnce(&mut Vec<String>)) {
    let mut is_there = false;
    for argument in arguments.iter_mut() {
        if let Some(value) = value_in(argument, name) {
            let kept = argument.len() - value.len();
            argument.truncate(kept);
            argument.push_str(to);
            is_there = true;
        }
    }
    if !is_there {
        add(arguments);
    }
}

/// Words of settings that say how much there is of something.
const SIZES: &[&str] = &[
    "max", "pool", "size", "limit", "thread", "conn", "permit", "route", "concurr", "worker", "rate", "parallel",
    "capacity",
];

/// Settings of the file that have this value, and whose name says that it is a size.
pub fn with_value(variant: &Variant, value: f64) -> Vec<String> {
    let is_meant = |(name, text): &(String, String)| {
        let name = name.to_lowercase();
        let is_size = SIZES.iter().any(|word| name.contains(word)) && !name.contains("port") && !name.contains("time");
        let is_near = |found: f64| found >= 1.0 && (found - value).abs() <= f64::max(1.0, 0.03 * value);
        is_size && text.parse::<f64>().is_ok_and(is_near)
    };
    all(variant).into_iter().filter(is_meant).map(|(name, _)| name).collect()
}

/// Kinds of limits that a switch moves, each with the letters that the switch's name contains.
const SWITCHES: &[(&str, &str)] = &[("delayed-ack", "nodelay")];

/// Settings of the file that switch a limit of this kind, and are off.
pub fn switched_off(variant: &Variant, kind: &str) -> Vec<String> {
    let is_meant = |(name, value): &(String, String)| {
        let letters: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        let is_switch = |(moves, word): &(&str, &str)| *moves == kind && letters.to_lowercase().contains(word);
        value.eq_ignore_ascii_case("false") && SWITCHES.iter().any(is_switch)
    };
    all(variant).into_iter().filter(is_meant).map(|(name, _)| name).collect()
}

/// Placeholder in the name of a setting, for a word of the service's own.
const OWN: &str = "NAME";

/// The setting itself; if its name contains [`OWN`], all settings of the file that match with any word in its place.
pub fn filled_in(variant: &Variant, name: &str) -> Vec<String> {
    let Some((head, tail)) = name.split_once(OWN) else { return vec![name.to_owned()] };
    let is_between = |given: &str, head: &str, tail: &str| {
        given.len() > head.len() + tail.len() && given.starts_with(head) && given.ends_with(tail)
    };
    let variables: Vec<(String, String)> = variables_of(head).into_iter().zip(variables_of(tail)).collect();
    let is_meant = |given: &String| {
        is_between(&canonical(given), &canonical(head), &canonical(tail))
            || variables.iter().any(|(head, tail)| is_between(given, head, tail))
    };
    all(variant).into_iter().map(|(name, _)| name).filter(is_meant).collect()
}

/// Settings with their values, as far as the file has them.
fn all(variant: &Variant) -> Vec<(String, String)> {
    let of_argument = |argument: &String| {
        let (name, value) = argument.split_once('=')?;
        let name = name.strip_prefix("--").or_else(|| name.strip_prefix("-D"))?;
        Some((name.to_owned(), value.to_owned()))
    };
    let mut all: Vec<(String, String)> = match &variant.program {
        Program::Jvm(jvm) => {
            let properties = jvm.properties.iter().map(|(name, value)| (name.clone(), value.clone()));
            properties.chain(own_arguments(jvm).iter().chain(&jvm.jvm_flags).filter_map(of_argument)).collect()
        }
        Program::Command { argv, .. } => argv.iter().filter_map(of_argument).collect(),
        Program::Running | Program::Benchmarks { .. } => Vec::new(),
    };
    all.extend(variant.env.iter().map(|(name, value)| (name.clone(), value.clone())));
    all
}

/// The properties of the pool by which a bundled subject calls, if it has one.
pub fn pool_of_subject(variant: &Variant) -> Vec<String> {
    let Program::Jvm(jvm) = &variant.program else { return Vec::new() };
    let subject = jvm.subject().and_then(Subject::named);
    let client = subject.and_then(|subject| subject.calls.as_ref()?.chosen(&jvm.properties));
    let pool = client.and_then(|client| client.pool.as_ref());
    pool.map_or_else(Vec::new, |pool| {
        [Some(pool.per_route), pool.total].into_iter().flatten().map(|(name, _)| name.to_owned()).collect()
    })
}
