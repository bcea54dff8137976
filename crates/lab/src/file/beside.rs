//! Commands around runs and levels, and programs beside a target.

use std::path::Path;

use plimsoll_record::Nanos;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::beside::{Dependency, Hook, Hooks, Ready};

use super::{
    arguments::Arguments,
    decode::{Entries, FromNode, Scalar, mapping, push_unexpected},
    errors::{At, Errors},
    node::{Node, Value},
    quantity::Duration,
    request,
    values::{check_name, positive},
    variants::VariantSection,
};

const DEFAULT_TIME_OUT: Nanos = Nanos::from_secs(60);
/// Names that texts have for other things.
const TAKEN: [&str; 2] = ["upstream", "target"];

/// A command, or a mapping with one.
#[derive(Clone, Debug)]
pub(super) enum HookValue {
    Command(At<Arguments>),
    Full(HookSection),
}

impl FromNode for HookValue {
    fn from_node(node: &Node, errors: &mut Errors) -> Option<Self> {
        match &node.value {
            Value::Map(_) => HookSection::from_node(node, errors).map(Self::Full),
            _ => At::from_node(node, errors).map(Self::Command),
        }
    }
}

impl JsonSchema for HookValue {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "command-beside".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let (command, full) = (generator.subschema_for::<Arguments>(), generator.subschema_for::<HookSection>());
        json_schema!({"anyOf": [command, full]})
    }
}

mapping! {
    /// A command that is run once and must succeed, e.g. to reset a database. Its output is in the record; where it
    /// fails, the run ends and says why.
    pub struct HookSection as "hook" {
        /// Program and arguments, without a shell; placeholders are replaced. Example: `command: [psql, -p,
        /// "{db-port}", -f, reset.sql]`.
        pub command: At<Arguments>,
        /// How long it may take. Default: 60s. Example: `time-out: 5min`.
        pub time_out: Option<At<Duration>>,
        /// Where it is started, seen from the experiment file's folder. Default: that folder. Example: `workdir: db`.
        pub workdir: Option<String>,
    }
}

mapping! {
    /// A program beside the target that it needs, e.g. a database: started before it and ended after it, in each run.
    /// Its CPU and memory are drawn beside the target's own metrics. The service under test is none of these: that is
    /// the variant's `jar`, `build`, `command`, `subject` or `url`.
    pub struct DependencySection as "service-beside" {
        /// Program and arguments, without a shell. `{NAME-port}` is a free port, with the name that the service has in
        /// `services`; the target's texts have it, too. Example: `command: [postgres, -D, data, -p, "{db-port}"]`.
        pub command: At<Arguments>,
        /// The sign that it serves: a URL that answers 2xx, or a command that succeeds. Default: its port accepts a
        /// connection. Example: `ready: [pg_isready, -p, "{db-port}"]`.
        pub ready: Option<At<ReadyValue>>,
        /// How long it may take until then. Default: 60s. Example: `time-out: 2min`.
        pub time_out: Option<At<Duration>>,
        /// Added to its environment. Default: none. Example: `env: {LANG: C}`.
        pub env: Option<Entries<Scalar>>,
        /// Where it is started, seen from the experiment file's folder. Default: that folder. Example: `workdir: db`.
        pub workdir: Option<String>,
    }
}

/// A URL, or a command.
#[derive(Clone, Debug)]
pub(super) enum ReadyValue {
    Url(String),
    Command(Arguments),
}

impl FromNode for ReadyValue {
    fn from_node(node: &Node, errors: &mut Errors) -> Option<Self> {
        match &node.value {
            Value::Text(url) => Some(Self::Url(url.clone())),
            Value::List(_) => Arguments::from_node(node, errors).map(Self::Command),
            _ => {
                push_unexpected(node, "a URL, or a list of a command and its arguments", errors);
                None
            }
        }
    }
}

impl JsonSchema for ReadyValue {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "service-ready".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let command = generator.subschema_for::<Arguments>();
        json_schema!({"anyOf": [{"type": "string"}, command]})
    }
}

/// Commands around runs and levels of a variant; paths are relative to `folder`.
pub(super) fn hooks(section: &VariantSection, folder: &Path, errors: &mut Errors) -> Hooks {
    let mut hook = |value: &Option<HookValue>| value.as_ref().map(|value| hook(value, folder, errors));
    Hooks {
        before_run: hook(&section.before_run),
        before_level: hook(&section.before_level),
        after_run: hook(&section.after_run),
    }
}

fn hook(value: &HookValue, folder: &Path, errors: &mut Errors) -> Hook {
    let (command, time_out, workdir) = match value {
        HookValue::Command(command) => (command, None, None),
        HookValue::Full(section) => (&section.command, section.time_out.as_ref(), section.workdir.as_deref()),
    };
    Hook {
        argv: words(command, errors),
        workdir: folder.join(workdir.unwrap_or(".")),
        time_out: time_out.map_or(DEFAULT_TIME_OUT, |limit| positive(limit, errors)),
    }
}

/// Programs that a variant needs.
pub(super) fn dependencies(section: &VariantSection, folder: &Path, errors: &mut Errors) -> Vec<Dependency> {
    let entries = section.services.iter().flat_map(|services| &services.0);
    entries.map(|(name, section)| dependency(name, section, folder, errors)).collect()
}

fn dependency(name: &At<String>, section: &DependencySection, folder: &Path, errors: &mut Errors) -> Dependency {
    check_name(name, "a service's name", errors);
    if TAKEN.contains(&name.value.as_str()) {
        errors.push(&name.place, format!("`{}` is the name of something else: choose another, e.g. `db`", name.value));
    }
    let ready = match section.ready.as_ref().map(|ready| (&ready.value, &ready.place)) {
        None => Ready::Port,
        Some((ReadyValue::Url(url), place)) => {
            // A port that is filled in later must not make it a wrong one.
            let filled = url.replace(&format!("{{{}-port}}", name.value), "{port}");
            request::check_url(&At { value: filled, place: place.clone() }, errors);
            Ready::Url(url.clone())
        }
        Some((ReadyValue::Command(command), place)) => {
            Ready::Command(words(&At { value: command.clone(), place: place.clone() }, errors))
        }
    };
    let env = section.env.iter().flat_map(|entries| &entries.0);
    Dependency {
        name: name.value.clone(),
        argv: words(&section.command, errors),
        env: env.map(|(name, value)| (name.value.clone(), value.0.clone())).collect(),
        workdir: folder.join(section.workdir.as_deref().unwrap_or(".")),
        ready,
        time_out: section.time_out.as_ref().map_or(DEFAULT_TIME_OUT, |limit| positive(limit, errors)),
    }
}

fn words(command: &At<Arguments>, errors: &mut Errors) -> Vec<String> {
    if command.value.0.is_empty() {
        errors.push(&command.place, "expected a program and its arguments, found an empty list");
    }
    command.value.0.iter().map(|word| word.0.clone()).collect()
}
