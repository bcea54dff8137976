//! Variants of bundled subjects: their settings, and the properties that these are given as.

use plimsoll_record::Nanos;
use plimsoll_text::{one_of_but_found, quoted};

use super::{
    COMMAND_KEYS, Context, Kind, SERVICE_KEYS,
    jvm::{JvmSettings, packaging_of},
    list, native, push_foreign, shown,
};
use crate::{
    file::{
        decode::Choice,
        errors::{At, Errors},
        node::Node,
        quantity::duration_words,
        request,
        variants::{PackagingWord, ThreadsWord, VariantSection},
    },
    jvm::Source,
    subject::{Calls, Client, RESERVED_PROPERTIES, SUBJECTS, Subject, TOMCAT_THREADS},
};

const DEFAULT_WAIT: Nanos = Nanos::from_secs(1);

pub(super) fn subject(
    section: &VariantSection,
    node: &Node,
    context: &Context<'_>,
    errors: &mut Errors,
) -> Option<Kind> {
    push_foreign(
        node,
        COMMAND_KEYS,
        "goes with a `command` or a `jar`, and this variant has a `subject`: remove it",
        errors,
    );
    push_foreign(node, SERVICE_KEYS, "goes with a `jar`, and this variant has a `subject`: remove it", errors);
    let name = section.subject.as_ref()?;
    let Some(subject) = Subject::named(&name.value) else {
        let names = one_of_but_found(SUBJECTS.iter().map(|subject| subject.name), &name.value);
        errors.push(&name.place, format!("expected a subject, {names}"));
        return None;
    };
    push_what_it_lacks(subject, node, errors);
    check_packaging(section, subject, errors);
    check_properties(section, errors);
    let mut jvm = JvmSettings::read(section, context.folder, errors);
    let is_native = jvm.packaging == PackagingWord::Native;
    let spring_aot = spring_aot(section, is_native, errors);
    let threads = subject.lacks("threads").is_none().then(|| threads(section));
    let wait = subject.lacks("wait").is_none().then(|| section.wait.map_or(DEFAULT_WAIT, |wait| wait.0));
    let workers = workers(section, threads, errors);
    for property in subject.calls.iter().flat_map(Calls::pool_properties) {
        number_in(section, property, errors);
    }
    let told = subject.calls.as_ref().and_then(|calls| calls.upstream).filter(|it| !jvm.properties.contains_key(*it));
    jvm.properties.extend(told.map(|property| (property.to_owned(), "{upstream}".to_owned())));
    let client = subject.calls.as_ref().and_then(|calls| client(calls, section, errors));
    let workers = workers.filter(|_| client.is_none_or(|client| client.holds_threads));
    let connections_per_route = client.and_then(|it| it.connections_per_route(&jvm.properties));
    native::check(section, node, is_native, errors);
    let native_flags = list(section.native_flags.as_ref());
    let settings = jvm.shown_with([
        ("subject", Some(subject.name.to_owned())),
        ("spring-aot", subject.is_spring.then(|| if spring_aot { "yes" } else { "no" }.to_owned())),
        ("wait", wait.map(duration_words)),
        ("threads", threads.map(|threads| threads.word().to_owned())),
        ("native-flags", (!native_flags.is_empty()).then(|| shown(&native_flags))),
    ]);
    jvm.properties.extend(wait.map(|wait| ("greetings.wait".to_owned(), duration_words(wait))));
    let is_virtual = threads.map(|threads| threads == ThreadsWord::Virtual);
    jvm.properties.extend(is_virtual.map(|it| ("spring.threads.virtual.enabled".to_owned(), it.to_string())));
    let path = context.path.filter(|path| !path.contains("{{")).unwrap_or(subject.request_path);
    Some(Kind {
        settings,
        workers,
        service_time: wait,
        connections_per_route,
        told_upstream: told.is_some(),
        calls_upstream: subject.calls.is_some() && makes_one_call(context, section.url.as_ref()),
        ready_url: Some(own_url(&section.ready, subject.ready_path, errors)),
        url: own_url(&section.url, path, errors),
        program: jvm.program(Source::Subject { name: subject.name.to_owned(), native_flags }, spring_aot),
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

fn check_packaging(section: &VariantSection, subject: &Subject, errors: &mut Errors) {
    let Some(given) = &section.packaging else { return };
    if !subject.packagings.contains(&packaging_of(given.value)) {
        let words = PackagingWord::WORDS.iter().copied();
        let possible = words.filter(|word| subject.packagings.iter().any(|it| it.word() == *word));
        let (name, found) = (subject.name, given.value.word());
        let message = match possible.collect::<Vec<_>>().as_slice() {
            [only] => format!("expected `{only}`, which is all there is of `{name}`, found `{found}`"),
            several => {
                let several = quoted(several.iter().copied());
                format!("`{name}` cannot be packaged as `{found}`, for its POM has no such build; there are {several}")
            }
        };
        errors.push(&given.place, message);
    }
}

/// The URL a subject's variant names, which must leave the port to us, or the subject's address with `path`.
pub(super) fn own_url(given: &Option<At<String>>, path: &str, errors: &mut Errors) -> String {
    let Some(url) = given else { return format!("http://{{host}}:{{port}}{path}") };
    if request::is_url(&url.value) && !url.value.contains("{port}") {
        let message = "it listens on a free port that is chosen for it: write `http://{host}:{port}/…`";
        errors.push(&url.place, format!("{message}; found `{}`", url.value));
    }
    url.value.clone()
}

fn spring_aot(section: &VariantSection, is_native: bool, errors: &mut Errors) -> bool {
    match &section.spring_aot {
        Some(At { value: false, place }) if is_native => {
            errors
                .push(place, "a native image always has Spring's ahead-of-time processing: remove `spring-aot: false`");
            true
        }
        given => is_native || given.as_ref().is_some_and(|given| given.value),
    }
}

fn threads(section: &VariantSection) -> ThreadsWord {
    section.threads.as_ref().map_or(ThreadsWord::Platform, |threads| threads.value)
}

fn check_properties(section: &VariantSection, errors: &mut Errors) {
    for (name, _) in section.properties.iter().flat_map(|properties| &properties.0) {
        if let Some((_, instead)) = RESERVED_PROPERTIES.iter().find(|(reserved, _)| *reserved == name.value) {
            errors.push(&name.place, format!("this property cannot be set here: {instead}"));
        }
    }
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
