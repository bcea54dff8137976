//! Variants of the user's own services: a jar, or a build that makes one, with the settings that subjects take, too.
//! The jar itself is looked into when the experiment is checked: it may not be built yet.

use std::path::Path;

use super::{Context, Kind, jvm::JvmSettings, list, plain, push_foreign, shown, subject::own_url};
use crate::{
    file::{
        decode::Choice,
        errors::Errors,
        node::Node,
        variants::{BuildSection, ThreadsWord, VariantSection},
    },
    jvm::{Build, JarOrigin, OwnService, Source, Threads},
    subject::TOMCAT_THREADS,
};

/// Settings of bundled subjects alone.
const BUNDLED_KEYS: &[&str] = &["wait", "native-flags"];

pub(super) fn service(
    section: &VariantSection,
    node: &Node,
    context: &Context<'_>,
    errors: &mut Errors,
) -> Option<Kind> {
    push_foreign(
        node,
        BUNDLED_KEYS,
        "is a setting of bundled subjects, and this variant has a `jar`: remove it",
        errors,
    );
    let jar = origin(section, node, context.folder, errors)?;
    let jvm = JvmSettings::read(section, context.folder, errors);
    let spring_aot = section.spring_aot.as_ref().is_some_and(|given| given.value);
    let threads = section.threads.as_ref().map(|threads| threads.value);
    let port = section.port.as_ref().and_then(|port| u16::try_from(port.value.0).ok());
    let path = context.path.filter(|path| !path.contains("{{")).unwrap_or("/").to_owned();
    let url = match port {
        Some(_) if section.url.is_some() => section.url.as_ref()?.value.clone(),
        _ => own_url(&section.url, &path, errors),
    };
    let own = OwnService {
        threads: threads.map(threads_of),
        workdir: context.folder.join(section.workdir.as_deref().unwrap_or(".")),
        request_path: path_of(&url).unwrap_or_else(|| path.clone()),
        jar,
        arguments: list(section.arguments.as_ref()),
        port,
    };
    let settings = jvm.shown_with([
        ("jar", section.jar.as_ref().map(|jar| jar.value.clone())),
        ("build", section.build.as_ref().map(|build| shown(&plain(&build.value.command.value)))),
        ("revision", section.revision.as_ref().map(|revision| revision.value.0.clone())),
        ("spring-aot", spring_aot.then(|| "yes".to_owned())),
        ("threads", threads.map(|threads| threads.word().to_owned())),
        ("arguments", (!own.arguments.is_empty()).then(|| shown(&own.arguments))),
    ]);
    // Its own configuration may say another number: only one that the file gives is known.
    let tomcat = jvm.properties.get(TOMCAT_THREADS.0).and_then(|number| number.parse().ok());
    Some(Kind {
        settings,
        workers: tomcat.filter(|_| threads == Some(ThreadsWord::Platform)),
        service_time: None,
        connections_per_route: None,
        calls_upstream: false,
        told_upstream: false,
        ready_url: section.ready.as_ref().map(|ready| ready.value.clone()),
        url,
        program: jvm.program(Source::Service(own), spring_aot),
    })
}

fn origin(section: &VariantSection, node: &Node, folder: &Path, errors: &mut Errors) -> Option<JarOrigin> {
    if let Some(jar) = &section.jar {
        push_foreign(
            node,
            &["revision"],
            "needs a `build`, and this variant has a `jar` that is there: remove it",
            errors,
        );
        return Some(JarOrigin::File(folder.join(&jar.value)));
    }
    let BuildSection { command, jar, workdir } = &section.build.as_ref()?.value;
    if command.value.is_empty() {
        errors.push(
            &command.place,
            "expected a program and its arguments, e.g. `[mvn, -q, package]`, found an empty list",
        );
    }
    let jar = Path::new(&jar.value);
    Some(JarOrigin::Built(Build {
        command: plain(&command.value),
        folder: folder.join(workdir.as_deref().unwrap_or(".")),
        jar: jar.strip_prefix("./").unwrap_or(jar).to_owned(),
        revision: section.revision.as_ref().map(|revision| revision.value.0.clone()),
    }))
}

const fn threads_of(word: ThreadsWord) -> Threads {
    match word {
        ThreadsWord::Platform => Threads::Platform,
        ThreadsWord::Virtual => Threads::Virtual,
    }
}

/// The path of a URL template.
fn path_of(url: &str) -> Option<String> {
    let (_, after) = url.split_once("//")?;
    Some(format!("/{}", after.split_once('/')?.1))
}
