//! The options that limits and settings turn into.

use std::collections::BTreeMap;

use plimsoll_secrets::name::is_secret;

use crate::{experiment::Limits, jvm::in_spring_json};

/// A JVM without `-Xmx` takes this part of its memory as heap.
const HEAP_DIVISOR: u64 = 4;

/// Options of the JVM.
pub(super) fn jvm(limits: &Limits) -> Vec<String> {
    let memory = limits.memory_bytes.map(|bytes| format!("-XX:MaxRAM={bytes}"));
    memory.into_iter().chain(processors(limits)).collect()
}

/// Options of a native image. It would take four fifths of its memory as heap: it is given the heap that a JVM would
/// choose, unless `given` decides on one.
pub(super) fn native_image(limits: &Limits, given: &[String]) -> Vec<String> {
    const HEAP: [&str; 3] = ["-Xmx", "-XX:MaxHeapSize=", "-XX:MaximumHeapSizePercent="];
    let is_given = given.iter().any(|flag| HEAP.iter().any(|heap| flag.starts_with(heap)));
    let heap = limits.memory_bytes.filter(|_| !is_given).map(|bytes| format!("-Xmx{}", bytes / HEAP_DIVISOR));
    heap.into_iter().chain(processors(limits)).collect()
}

fn processors(limits: &Limits) -> Option<String> {
    // Rounds up, as the JVM rounds a container's share of the processors.
    limits.cpus.map(|cpus| format!("-XX:ActiveProcessorCount={}", cpus.ceil().max(1.0)))
}

/// The text of `native-image.properties` that gives these flags to a build. Those of the JVM that builds (`-J…`) have a
/// key of their own there.
pub(super) fn native_image_properties(flags: &[String]) -> String {
    let (of_builder, of_image): (Vec<_>, Vec<_>) = flags.iter().partition(|flag| flag.starts_with("-J"));
    let joined = |flags: Vec<&String>, cut: usize| {
        let escaped = flags.iter().map(|flag| flag[cut..].replace('\\', "\\\\"));
        escaped.collect::<Vec<_>>().join(" ")
    };
    let lines = [("Args", joined(of_image, 0)), ("JavaArgs", joined(of_builder, "-J".len()))];
    let lines = lines.into_iter().filter(|(_, text)| !text.is_empty());
    lines.map(|(key, text)| format!("{key} = {text}\n")).collect()
}

/// Arguments of the program itself. Everyone on the machine can read them: see [`environment`].
pub(super) fn program(properties: &BTreeMap<String, String>) -> Vec<String> {
    let ours = ["--server.address={host}".to_owned(), "--server.port={port}".to_owned()];
    ours.into_iter().chain(public(properties).map(|(name, value)| format!("--{name}={value}"))).collect()
}

/// Properties that are no secrets.
pub(super) fn public(properties: &BTreeMap<String, String>) -> impl Iterator<Item = (&String, &String)> {
    properties.iter().filter(|(name, value)| !is_secret(name, value))
}

/// Properties that are secrets, as the environment variable in which Spring Boot looks for properties, too.
pub(super) fn environment(properties: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let secret: BTreeMap<_, _> = properties.iter().filter(|(name, value)| is_secret(name, value)).collect();
    (!secret.is_empty()).then(|| in_spring_json(secret)).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_become_flags() {
        let limits = Limits { memory_bytes: Some(1 << 30), cpus: Some(1.5), files: None };
        assert_eq!(jvm(&limits), ["-XX:MaxRAM=1073741824", "-XX:ActiveProcessorCount=2"]);
        assert_eq!(native_image(&limits, &[]), ["-Xmx268435456", "-XX:ActiveProcessorCount=2"]);
        let heap = ["-Xmx64m".to_owned()];
        assert_eq!(native_image(&limits, &heap), ["-XX:ActiveProcessorCount=2"], "the one that is given wins");
        assert_eq!(jvm(&Limits { cpus: Some(0.25), ..Limits::default() }), ["-XX:ActiveProcessorCount=1"]);
        assert!(jvm(&Limits::default()).is_empty());
    }

    #[test]
    fn secrets_are_no_arguments() {
        let properties = [("server.ssl.key-store-password", "\"p"), ("a.b", "c")];
        let properties = properties.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        assert_eq!(program(&properties)[2..], ["--a.b=c"]);
        let json = environment(&properties).remove("SPRING_APPLICATION_JSON");
        assert_eq!(json.as_deref(), Some(r#"{"server.ssl.key-store-password":"\"p"}"#));
        assert!(environment(&BTreeMap::new()).is_empty());
    }
}
