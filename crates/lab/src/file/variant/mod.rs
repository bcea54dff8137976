//! A variant's settings, put together, as something that can be launched and loaded.

use std::{collections::BTreeMap, path::Path};

use plimsoll_record::{Between, Nanos, NetworkPlan, VariantPlan};
use plimsoll_text::{one_of_but_found, quoted};

use crate::{
    experiment::{Limits, Packaging, Program, Variant},
    subject::{Calls, Client, RESERVED_PROPERTIES, SUBJECTS, Subject, TOMCAT_THREADS},
};

use super::{
    decode::{At, Choice, Entries, FromNode, Scalar},
    document::{PackagingWord, ThreadsWord, VariantSection},
    errors::Errors,
    jmh,
    levels::positive,
    metrics, network,
    node::Node,
    quantity::{duration_words, size_words},
    request, upstream,
};

const DEFAULT_READY_TIMEOUT: Nanos = Nanos::from_secs(60);
const DEFAULT_WAIT: Nanos = Nanos::from_secs(1);
/// Less cannot hold any JVM.
const LEAST_MEMORY_BYTES: u64 = 16 << 20;
const LEAST_CPUS: f64 = 0.01;
const MOST_CPUS: f64 = 4_096.0;

const SUBJECT_KEYS: &[&str] = &["packaging", "spring-aot", "threads", "wait", "jvm-flags", "properties"];
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
    ready_url: String,
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
        "subject" => subject(&section, node, context, errors)?,
        "command" => command(name, &section, node, context, errors)?,
        _ => benchmarks(&section, node, context, errors)?,
    };
    let network = network(&section, node, errors);
    kind.settings.extend(network.map(|plan| ("network".to_owned(), plan.to_string())));
    let upstream = section.upstream.as_ref();
    let upstream = upstream.and_then(|section| upstream::resolve(section, network, context.folder, errors));
    if section.upstream.is_none() || upstream.is_some() {
        upstream::check_names(node, upstream.as_ref(), errors);
    }
    let requests_name_it = !context.has_requests && kind.url.contains("{upstream}");
    if section.upstream.is_none() && (kind.told_upstream || requests_name_it) {
        let example = "add e.g. `upstream: {latency: 200ms}`";
        errors.push(&name.place, format!("variant `{}` calls an upstream and has none: {example}", name.value));
    }
    kind.settings.extend(upstream.as_ref().map(|plan| ("upstream".to_owned(), plan.description())));
    let metrics = section.metrics.as_ref().filter(|_| section.jmh.is_none());
    let metrics = metrics.and_then(|section| metrics::resolve(section, &kind.ready_url, errors));
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
    };
    Some((plan, variant))
}

/// Which of the keys that say so is there: one must be.
fn what_is_launched(name: &At<String>, node: &Node, errors: &mut Errors) -> Option<&'static str> {
    let given = ["subject", "command", "jmh"].into_iter().filter_map(|key| Some((key, node.get(key)?)));
    match given.collect::<Vec<_>>().as_slice() {
        [(only, _)] => Some(only),
        [] => {
            let names = quoted(SUBJECTS.iter().map(|subject| subject.name));
            let message =
                format!("variant `{}` has neither a `subject` (one of {names}) nor a `command`, nor `jmh`", name.value);
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

fn benchmarks(section: &VariantSection, node: &Node, context: &Context<'_>, errors: &mut Errors) -> Option<Kind> {
    push_foreign(node, LOAD_KEYS, "is about a target that is loaded, and this variant has `jmh`: remove it", errors);
    push_foreign(node, COMMAND_KEYS, "goes with a `command`, and this variant has `jmh`: remove it", errors);
    let of_subjects = SUBJECT_KEYS.iter().copied().filter(|key| *key != "jvm-flags").collect::<Vec<_>>();
    push_foreign(node, &of_subjects, "is a setting of subjects, and this variant has `jmh`: remove it", errors);
    let jvm_flags = section.jvm_flags.as_ref().map_or_else(Vec::new, |flags| plain(&flags.value));
    let (program, settings) = jmh::resolve(section.jmh.as_ref()?, jvm_flags, context.folder, errors);
    Some(Kind {
        program,
        settings,
        workers: None,
        service_time: None,
        connections_per_route: None,
        calls_upstream: false,
        told_upstream: false,
        ready_url: String::new(),
        url: String::new(),
    })
}

fn subject(section: &VariantSection, node: &Node, context: &Context<'_>, errors: &mut Errors) -> Option<Kind> {
    push_foreign(node, COMMAND_KEYS, "goes with a `command`, and this variant has a `subject`: remove it", errors);
    let name = section.subject.as_ref()?;
    let Some(subject) = Subject::named(&name.value) else {
        let names = one_of_but_found(SUBJECTS.iter().map(|subject| subject.name), &name.value);
        errors.push(&name.place, format!("expected a subject, {names}"));
        return None;
    };
    push_what_it_lacks(subject, node, errors);
    let packaging = packaging(section, subject, errors);
    let spring_aot = spring_aot(section, packaging, errors);
    let threads = subject.lacks("threads").is_none().then(|| threads(section));
    let wait = subject.lacks("wait").is_none().then(|| section.wait.map_or(DEFAULT_WAIT, |wait| wait.0));
    let mut properties = given_properties(section, errors);
    let workers = workers(section, threads, errors);
    for property in subject.calls.iter().flat_map(Calls::pool_properties) {
        number_in(section, property, errors);
    }
    let told = subject.calls.as_ref().and_then(|calls| calls.upstream).filter(|it| !properties.contains_key(*it));
    properties.extend(told.map(|property| (property.to_owned(), "{upstream}".to_owned())));
    let client = subject.calls.as_ref().and_then(|calls| client(calls, section, errors));
    let workers = workers.filter(|_| client.is_none_or(|client| client.holds_threads));
    let connections_per_route = client.and_then(|it| it.connections_per_route(&properties));
    let jvm_flags = section.jvm_flags.as_ref().map_or_else(Vec::new, |flags| plain(&flags.value));
    let common = [
        ("subject", Some(subject.name.to_owned())),
        ("packaging", Some(packaging.word().to_owned())),
        ("spring-aot", subject.is_spring.then(|| if spring_aot { "yes" } else { "no" }.to_owned())),
        ("wait", wait.map(duration_words)),
        ("threads", threads.map(|threads| threads.word().to_owned())),
        ("jvm-flags", (!jvm_flags.is_empty()).then(|| shown(&jvm_flags))),
    ];
    let mut settings = properties.clone();
    settings.extend(common.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?))));
    properties.extend(wait.map(|wait| ("greetings.wait".to_owned(), duration_words(wait))));
    let is_virtual = threads.map(|threads| threads == ThreadsWord::Virtual);
    properties.extend(is_virtual.map(|it| ("spring.threads.virtual.enabled".to_owned(), it.to_string())));
    let path = context.path.filter(|path| !path.contains("{{")).unwrap_or(subject.request_path);
    Some(Kind {
        settings,
        workers,
        service_time: wait,
        connections_per_route,
        told_upstream: told.is_some(),
        calls_upstream: subject.calls.is_some() && makes_one_call(context, section.url.as_ref()),
        ready_url: own_url(&section.ready, subject.ready_path, errors),
        url: own_url(&section.url, path, errors),
        program: Program::Subject {
            name: subject.name.to_owned(),
            packaging: packaging_of(packaging),
            spring_aot,
            jvm_flags,
            properties,
        },
    })
}

/// The client by which the subject calls, if it has one of the name that is given.
fn client(calls: &'static Calls, section: &VariantSection, errors: &mut Errors) -> Option<&'static Client> {
    let (property, default) = calls.client;
    let given = section.properties.iter().flat_map(|properties| &properties.0).find(|(name, _)| name.value == property);
    let name = given.map_or(default, |(_, client)| client.value.0.as_str());
    let client = calls.named(name);
    if let Some((_, wrong)) = given.filter(|_| client.is_none()) {
        let names = one_of_but_found(calls.clients.iter().map(|client| client.name), name);
        errors.push(&wrong.place, format!("expected a client, {names}"));
    }
    client
}

/// Whether what is requested is known, and is one call: a batch makes many.
fn makes_one_call(context: &Context<'_>, url: Option<&At<String>>) -> bool {
    let is_call = |path: &str| path.split('?').next() == Some("/call");
    let path_of = |url: &str| Some(format!("/{}", url.split_once("//")?.1.split_once('/')?.1));
    match (context.path, url) {
        (Some(path), _) => is_call(path),
        (None, Some(url)) => !context.has_requests && path_of(&url.value).is_some_and(|path| is_call(&path)),
        (None, None) => !context.has_requests,
    }
}

fn push_what_it_lacks(subject: &Subject, node: &Node, errors: &mut Errors) {
    for entry in node.entries() {
        if let Some(why) = subject.lacks(&entry.key.value) {
            errors.push(&entry.key.place, format!("`{}` has no such setting: {why}", subject.name));
        }
    }
}

fn packaging(section: &VariantSection, subject: &Subject, errors: &mut Errors) -> PackagingWord {
    let Some(given) = &section.packaging else { return PackagingWord::Jar };
    if !subject.is_spring && given.value != PackagingWord::Jar {
        let found = given.value.word();
        let message = format!("expected `jar`, which is all there is of `{}`, found `{found}`", subject.name);
        errors.push(&given.place, message);
    }
    given.value
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

/// The URL a subject's variant names, which must leave the port to us, or the subject's address with `path`.
fn own_url(given: &Option<At<String>>, path: &str, errors: &mut Errors) -> String {
    let Some(url) = given else { return format!("http://{{host}}:{{port}}{path}") };
    if request::is_url(&url.value) && !url.value.contains("{port}") {
        let message = "a subject listens on a free port that is chosen for it: write `http://{host}:{port}/…`";
        errors.push(&url.place, format!("{message}; found `{}`", url.value));
    }
    url.value.clone()
}

fn spring_aot(section: &VariantSection, packaging: PackagingWord, errors: &mut Errors) -> bool {
    let native = packaging == PackagingWord::Native;
    match &section.spring_aot {
        Some(At { value: false, place }) if native => {
            errors
                .push(place, "a native image always has Spring's ahead-of-time processing: remove `spring-aot: false`");
            true
        }
        given => native || given.as_ref().is_some_and(|given| given.value),
    }
}

fn threads(section: &VariantSection) -> ThreadsWord {
    section.threads.as_ref().map_or(ThreadsWord::Platform, |threads| threads.value)
}

fn given_properties(section: &VariantSection, errors: &mut Errors) -> BTreeMap<String, String> {
    let mut properties = BTreeMap::new();
    for (name, value) in section.properties.iter().flat_map(|properties| &properties.0) {
        if let Some((_, instead)) = RESERVED_PROPERTIES.iter().find(|(reserved, _)| *reserved == name.value) {
            errors.push(&name.place, format!("this property cannot be set here: {instead}"));
        }
        properties.insert(name.value.clone(), value.value.0.clone());
    }
    properties
}

/// The threads that serve requests, if there is a fixed number of them.
fn workers(section: &VariantSection, threads: Option<ThreadsWord>, errors: &mut Errors) -> Option<u32> {
    let (property, default) = TOMCAT_THREADS;
    let number = number_in(section, property, errors).unwrap_or(default);
    (threads == Some(ThreadsWord::Platform)).then_some(number)
}

/// The number above 0 that a property has, if it is set.
fn number_in(section: &VariantSection, property: &str, errors: &mut Errors) -> Option<u32> {
    let given = section.properties.iter().flat_map(|properties| &properties.0).find(|(name, _)| name.value == property);
    let text = &given?.1;
    let number = text.value.0.parse().ok().filter(|number| *number > 0);
    if number.is_none() {
        errors.push(&text.place, format!("expected a whole number above 0, found `{}`", text.value.0));
    }
    number
}

fn command(
    name: &At<String>,
    section: &VariantSection,
    node: &Node,
    context: &Context<'_>,
    errors: &mut Errors,
) -> Option<Kind> {
    push_foreign(node, SUBJECT_KEYS, "is a setting of subjects, and this variant has a `command`: remove it", errors);
    let argv = section.command.as_ref()?;
    if argv.value.is_empty() {
        errors.push(&argv.place, "expected a program and its arguments, found an empty list");
    }
    for key in ["ready", "url"].into_iter().filter(|key| node.get(key).is_none()) {
        let example = format!("{key}: \"http://127.0.0.1:{{port}}/…\"");
        errors.push(
            &name.place,
            format!("variant `{}` has a `command`, so it needs `{key}`, e.g. `{example}`", name.value),
        );
    }
    let (ready, url) = (section.ready.as_ref()?, section.url.as_ref()?);
    let named = section.port.as_ref().and_then(|port| u16::try_from(port.value.0).ok());
    let port = named.or_else(|| request::fixed_port(&ready.value)).or_else(|| request::fixed_port(&url.value));
    let argv_text = plain(&argv.value);
    let env = texts(section.env.as_ref());
    let open = ready.value.contains("{port}") || url.value.contains("{port}");
    let told = argv_text.iter().chain(env.values()).any(|text| text.contains("{port}"));
    if port.is_none() && open && !told {
        let message = "nothing tells the program its port: put `{port}` into `command` or `env`, or name its `port`";
        errors.push(&argv.place, message);
    }
    Some(Kind {
        settings: BTreeMap::from([("command".to_owned(), shown(&argv_text))]),
        workers: None,
        service_time: None,
        connections_per_route: None,
        calls_upstream: false,
        told_upstream: false,
        ready_url: ready.value.clone(),
        url: url.value.clone(),
        program: Program::Command {
            argv: argv_text,
            workdir: context.folder.join(section.workdir.as_deref().unwrap_or(".")),
            port,
        },
    })
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
        && !(LEAST_CPUS..=MOST_CPUS).contains(&cpus.value.0)
    {
        let message = format!("expected processors from {LEAST_CPUS} to {MOST_CPUS}, found `{}`", cpus.value.0);
        errors.push(&cpus.place, message);
    }
    Limits {
        memory_bytes: limits.memory.as_ref().map(|memory| memory.value.0),
        cpus: limits.cpus.as_ref().map(|cpus| cpus.value.0),
    }
}

fn add_common_settings(section: &VariantSection, limits: &Limits, settings: &mut BTreeMap<String, String>) {
    if let Some(bytes) = limits.memory_bytes {
        settings.insert("memory".to_owned(), size_words(bytes));
    }
    if let Some(cpus) = limits.cpus {
        settings.insert("cpus".to_owned(), cpus.to_string());
    }
    settings.extend(texts(section.settings.as_ref()));
}

fn texts(entries: Option<&Entries<Scalar>>) -> BTreeMap<String, String> {
    entries.iter().flat_map(|entries| &entries.0).map(|(name, text)| (name.value.clone(), text.0.clone())).collect()
}

fn plain(scalars: &[Scalar]) -> Vec<String> {
    scalars.iter().map(|scalar| scalar.0.clone()).collect()
}

const fn packaging_of(word: PackagingWord) -> Packaging {
    match word {
        PackagingWord::Jar => Packaging::Jar,
        PackagingWord::Extracted => Packaging::Extracted,
        PackagingWord::Cds => Packaging::Cds,
        PackagingWord::AotCache => Packaging::AotCache,
        PackagingWord::Native => Packaging::Native,
    }
}
