//! Variants of the user's own: commands that serve, and benchmarks of JMH.

use std::collections::BTreeMap;

use super::{
    COMMAND_KEYS, Context, Kind, LOAD_KEYS, SERVICE_KEYS, SUBJECT_KEYS, list, plain, push_foreign, shown, texts,
};
use crate::{
    experiment::Program,
    file::{
        errors::{At, Errors},
        jmh,
        node::Node,
        request,
        variants::VariantSection,
    },
};

pub(super) fn command(
    name: &At<String>,
    section: &VariantSection,
    node: &Node,
    context: &Context<'_>,
    errors: &mut Errors,
) -> Option<Kind> {
    let why = "is a setting of subjects and jars, and this variant has a `command`: write it into that, e.g. `command: \
               [java, \"-Xmx512m\", -jar, app.jar]`, or name the `jar`";
    push_foreign(node, SUBJECT_KEYS, why, errors);
    push_foreign(node, SERVICE_KEYS, "goes with a `jar`, and this variant has a `command`: remove it", errors);
    let argv = section.command.as_ref()?;
    let argv = At { value: &argv.value.0, place: argv.place.clone() };
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
    let argv_text = plain(argv.value);
    let env = texts(section.env.as_ref());
    let open = ready.value.contains("{port}") || url.value.contains("{port}");
    let told = argv_text.iter().chain(env.values()).any(|text| text.contains("{port}"));
    let fixed = |url: &str| request::fixed_port(url).filter(|_| !url.contains("{upstream"));
    // A fixed port beside `{port}` is another one, such as that of its management.
    let is_free = open && told;
    let of_urls = || fixed(&url.value).or_else(|| fixed(&ready.value)).filter(|_| !is_free);
    let port = named.or_else(of_urls);
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
        ready_url: Some(ready.value.clone()),
        url: url.value.clone(),
        program: Program::Command {
            argv: argv_text,
            workdir: context.folder.join(section.workdir.as_deref().unwrap_or(".")),
            port,
        },
    })
}

pub(super) fn benchmarks(
    section: &VariantSection,
    node: &Node,
    context: &Context<'_>,
    errors: &mut Errors,
) -> Option<Kind> {
    push_foreign(node, LOAD_KEYS, "is about a target that is loaded, and this variant has `jmh`: remove it", errors);
    push_foreign(node, COMMAND_KEYS, "goes with a `command`, and this variant has `jmh`: remove it", errors);
    push_foreign(node, SERVICE_KEYS, "goes with a `jar` to launch, and this variant has `jmh`: remove it", errors);
    let of_subjects = SUBJECT_KEYS.iter().copied().filter(|key| *key != "jvm-flags").collect::<Vec<_>>();
    push_foreign(node, &of_subjects, "is a setting of subjects, and this variant has `jmh`: remove it", errors);
    let jvm_flags = list(section.jvm_flags.as_ref());
    let (program, settings) = jmh::resolve(section.jmh.as_ref()?, jvm_flags, context.folder, errors);
    Some(Kind {
        program,
        settings,
        workers: None,
        service_time: None,
        connections_per_route: None,
        calls_upstream: false,
        told_upstream: false,
        ready_url: None,
        url: String::new(),
    })
}
