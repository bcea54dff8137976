//! A variant's settings, put together, as something that can be launched and loaded.

mod command;
mod jvm;
mod native;
mod placeholders;
mod running;
mod service;
mod subject;

use std::{collections::BTreeMap, path::Path};

use plimsoll_record::{Between, Nanos, NetworkPlan, VariantPlan};
use plimsoll_text::{number::exact_bytes, quoted};

use crate::{
    experiment::{Kept, Limits, Program, Variant},
    subject::SUBJECTS,
};

use super::{
    beside,
    decode::{Entries, FromNode, Scalar},
    errors::{At, Errors},
    metrics, network,
    node::Node,
    request, upstream,
    values::positive,
    variants::VariantSection,
};

const DEFAULT_READY_TIMEOUT: Nanos = Nanos::from_secs(120);
/// Less cannot hold any JVM.
const LEAST_MEMORY_BYTES: u64 = 16 << 20;

const SUBJECT_KEYS: &[&str] =
    &["packaging", "spring-aot", "threads", "wait", "jvm-flags", "native-flags", "properties", "jdk"];
/// Keys of a jar of the user's own.
const SERVICE_KEYS: &[&str] = &["arguments", "revision"];
const COMMAND_KEYS: &[&str] = &["workdir", "port"];
const LOAD_KEYS: &[&str] = &["ready", "ready-time-out", "url", "metrics"];

/// Facts of the file outside of this variant.
pub(super) struct Context<'a> {
    /// The experiment file's folder.
    pub folder: &'a Path,
    /// Path that all variants without a URL of their own receive requests at, if there is one.
    pub path: Option<&'a str>,
    /// Whether it says what is requested.
    pub has_requests: bool,
    pub response_timeout: Nanos,
}

/// The program of a variant: a subject's or a command.
struct Kind {
    program: Program,
    /// For reports.
    settings: BTreeMap<String, String>,
    workers: Option<u32>,
    service_time: Option<Nanos>,
    connections_per_route: Option<u32>,
    /// Whether each request makes at least one to the upstream.
    calls_upstream: bool,
    /// Whether it is told the upstream's URL when it starts.
    told_upstream: bool,
    /// None: what suits its framework.
    ready_url: Option<String>,
    url: String,
}

/// Resolves one variant from its merged settings.
pub(super) fn resolve(
    name: &At<String>,
    node: &Node,
    context: &Context<'_>,
    errors: &mut Errors,
) -> Option<(VariantPlan, Variant)> {
    let section = VariantSection::from_node(node, errors)?;
    for url in section.ready.iter().chain(&section.url) {
        request::check_url(url, errors);
    }
    let limits = limits(&section, errors);
    let ready_timeout = section.ready_time_out.as_ref().map_or(DEFAULT_READY_TIMEOUT, |limit| positive(limit, errors));
    let mut kind = match what_is_launched(name, node, errors)? {
        "subject" => subject::subject(&section, node, context, errors)?,
        "command" => command::command(name, &section, node, context, errors)?,
        "jar" | "build" => service::service(&section, node, context, errors)?,
        "url" => running::running(&section, node, errors)?,
        _ => command::benchmarks(&section, node, context, errors)?,
    };
    let network = network(&section, node, errors);
    kind.settings.extend(network.map(|plan| ("network".to_owned(), plan.to_string())));
    let upstream = section.upstream.as_ref();
    let upstream = upstream.and_then(|section| upstream::resolve(section, network, context.folder, errors));
    if section.upstream.is_none() || upstream.is_some() {
        upstream::check_names(node, upstream.as_ref(), errors);
    }
    placeholders::check(node, errors);
    let requests_name_it = !context.has_requests && kind.url.contains("{upstream}");
    if section.upstream.is_none() && (kind.told_upstream || requests_name_it) {
        let example = "add e.g. `upstream: {latency: 200ms}`";
        errors.push(&name.place, format!("variant `{}` calls an upstream and has none: {example}", name.value));
    }
    kind.settings.extend(upstream.as_ref().map(|plan| ("upstream".to_owned(), plan.description())));
    let metrics = section.metrics.as_ref().filter(|_| section.jmh.is_none());
    let metrics =
        metrics.and_then(|section| metrics::resolve(section, kind.ready_url.as_ref().unwrap_or(&kind.url), errors));
    if metrics.as_ref().is_some_and(|metrics| matches!(metrics.keep, Kept::Jmx(_))) {
        let cost = "by JMX, read by a JVM beside the generator";
        kind.settings.insert("metrics".to_owned(), cost.to_owned());
    }
    add_common_settings(&section, &limits, &mut kind.settings);
    let plan = VariantPlan {
        name: name.value.clone(),
        settings: kind.settings,
        url: kind.url.clone(),
        workers: kind.workers,
        service_time: kind.service_time,
        connections_per_route: kind.connections_per_route,
        call_time: upstream.as_ref().filter(|_| kind.calls_upstream).and_then(|it| upstream::call_time(it, network)),
        network,
        upstream,
        server: None,
    };
    let variant = Variant {
        program: kind.program,
        env: texts(section.env.as_ref()),
        limits,
        ready_timeout,
        ready_url: kind.ready_url,
        url: kind.url,
        response_timeout: context.response_timeout,
        metrics,
        hooks: beside::hooks(&section, context.folder, errors),
        dependencies: beside::dependencies(&section, context.folder, errors),
    };
    Some((plan, variant))
}

/// The one key that says so: there must be one. A `url` alone is a service that runs already.
fn what_is_launched(name: &At<String>, node: &Node, errors: &mut Errors) -> Option<&'static str> {
    let keys = ["subject", "jar", "build", "command", "jmh"];
    let given = keys.into_iter().filter_map(|key| Some((key, node.get(key)?)));
    match given.collect::<Vec<_>>().as_slice() {
        [(only, _)] => Some(only),
        [] if node.get("url").is_some() => Some("url"),
        [] => {
            let names = quoted(SUBJECTS.iter().map(|subject| subject.name));
            let message = format!(
                "variant `{}` has nothing to load: expected a `subject` (one of {names}), a `jar` or a `build` of your own, \
                 a `command`, `jmh`, or the `url` of a service that runs",
                name.value
            );
            errors.push(&name.place, message);
            None
        }
        [(first, node), (other, second), ..] => {
            let message = format!("a variant has either a `{first}` or a `{other}`: remove one of the two");
            errors.push_related(&node.place, message, &second.place, format!("the {other} is here"));
            None
        }
    }
}

/// The network, and whether the load goes over it if it is to.
fn network(section: &VariantSection, node: &Node, errors: &mut Errors) -> Option<NetworkPlan> {
    let plan = network::resolve(section.network.as_ref()?, node.get("upstream").is_some(), errors);
    let is_open = |url: &str| url.contains("{host}") && url.contains("{port}");
    if let Some(url) = section.url.as_ref().filter(|url| !is_open(&url.value))
        && plan.between == Between::GeneratorTarget
    {
        let message = "the load comes over a network, which decides on the target's address: write \
                       `http://{host}:{port}/…`, and have the target listen on `{host}` or on all addresses";
        errors.push(&url.place, format!("{message}; found `{}`", url.value));
    }
    Some(plan)
}

/// For reports.
fn shown(argv: &[String]) -> String {
    plimsoll_secrets::hide::arguments(argv).into_iter().map(|it| it.text).collect::<Vec<_>>().join(" ")
}

fn push_foreign(node: &Node, keys: &[&str], why: &str, errors: &mut Errors) {
    for entry in node.entries().iter().filter(|entry| keys.contains(&entry.key.value.as_str())) {
        errors.push(&entry.key.place, format!("`{}` {why}", entry.key.value));
    }
}

fn limits(section: &VariantSection, errors: &mut Errors) -> Limits {
    let Some(limits) = &section.limits else { return Limits::default() };
    if let Some(memory) = &limits.memory
        && memory.value.0 < LEAST_MEMORY_BYTES
    {
        errors.push(&memory.place, "expected at least 16 MiB: no JVM starts with less");
    }
    if let Some(cpus) = &limits.cpus
        && !Limits::CPUS.contains(&cpus.value.0)
    {
        let (least, most) = Limits::CPUS.into_inner();
        let message = format!("expected processors from {least} to {most}, found `{}`", cpus.value.0);
        errors.push(&cpus.place, message);
    }
    Limits {
        memory_bytes: limits.memory.as_ref().map(|memory| memory.value.0),
        cpus: limits.cpus.as_ref().map(|cpus| cpus.value.0),
        files: limits.files.map(|files| files.0),
    }
}

fn add_common_settings(section: &VariantSection, limits: &Limits, settings: &mut BTreeMap<String, String>) {
    if let Some(bytes) = limits.memory_bytes {
        settings.insert("memory".to_owned(), exact_bytes(bytes));
    }
    if let Some(cpus) = limits.cpus {
        settings.insert("cpus".to_owned(), cpus.to_string());
    }
    if let Some(files) = limits.files {
        settings.insert("files".to_owned(), files.to_string());
    }
    settings.extend(texts(section.settings.as_ref()));
}

fn texts(entries: Option<&Entries<Scalar>>) -> BTreeMap<String, String> {
    entries.iter().flat_map(|entries| &entries.0).map(|(name, text)| (name.value.clone(), text.0.clone())).collect()
}

/// None given is an empty one.
fn list(given: Option<&At<Vec<Scalar>>>) -> Vec<String> {
    given.map_or_else(Vec::new, |list| plain(&list.value))
}

fn plain(scalars: &[Scalar]) -> Vec<String> {
    scalars.iter().map(|scalar| scalar.0.clone()).collect()
}
