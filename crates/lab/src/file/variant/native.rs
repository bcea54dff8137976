//! Flags of native images: those that an image takes when it runs, and those of its build.

use crate::file::{
    decode::Scalar,
    errors::{At, Errors, Place},
    node::Node,
    variants::VariantSection,
};

/// Options of `-XX:` that an image of GraalVM 25 with its Serial GC lists (`-XX:PrintFlags=`), as far as they concern
/// users.
const XX: [&str; 18] = [
    "ActiveProcessorCount",
    "CollectYoungGenerationSeparately",
    "DisableExplicitGC",
    "ExitOnOutOfMemoryError",
    "MaxDirectMemorySize",
    "MaxHeapFree",
    "MaxHeapSize",
    "MaxNewSize",
    "MaxRAM",
    "MaximumHeapSizePercent",
    "MaximumYoungGenerationSizePercent",
    "MinHeapSize",
    "PrintGC",
    "PrintGCSummary",
    "PrintGCTimes",
    "StackSize",
    "UsePerfData",
    "VerboseGC",
];
/// Beginnings of flags that an image takes when it runs.
const STARTS: [&str; 5] = ["-Xmx", "-Xms", "-Xmn", "-Xss", "-D"];

/// Checks `jvm-flags` and `native-flags` of a subject. Whatever an image would refuse when it starts, minutes later, is
/// an error here.
pub(super) fn check(section: &VariantSection, node: &Node, is_native: bool, errors: &mut Errors) {
    if is_native {
        for (flag, place) in flags(section.jvm_flags.as_ref()) {
            if !is_taken_at_run_time(flag) {
                let message = format!(
                    "a native image does not take `{}` when it runs, only -Xmx, -Xms, -Xmn, -Xss, -D… and -XX: with {}; \
                     options of its build are `native-flags`",
                    flag,
                    XX.join(", ")
                );
                errors.push(place, message);
            }
        }
    } else if let Some(entry) = node.entries().iter().find(|entry| entry.key.value == "native-flags") {
        let message =
            "`native-flags` are options of the build of a native image: add `packaging: native`, or remove it";
        errors.push(&entry.key.place, message);
        return;
    }
    for (flag, place) in flags(section.native_flags.as_ref()) {
        if !flag.starts_with('-') || flag.contains(char::is_whitespace) {
            let message = format!("expected one option without white space, e.g. `-O3`, found `{flag}`");
            errors.push(place, message);
        }
    }
}

/// Each flag with the place of the list.
fn flags(list: Option<&At<Vec<Scalar>>>) -> impl Iterator<Item = (&str, &Place)> {
    list.into_iter().flat_map(|list| list.value.iter().map(|flag| (flag.0.as_str(), &list.place)))
}

fn is_taken_at_run_time(flag: &str) -> bool {
    let xx = flag.strip_prefix("-XX:").map(|option| option.trim_start_matches(['+', '-']));
    let name = xx.and_then(|option| option.split('=').next());
    STARTS.iter().any(|start| flag.starts_with(start)) || name.is_some_and(|name| XX.contains(&name))
}
