//! Benchmarks of JMH as a variant, in place of a target and its load.

use std::{collections::BTreeMap, path::Path};

use crate::{experiment::Program, jmh::RESERVED};

use super::{
    decode::{Entries, OneOrMany, Scalar, mapping},
    errors::{At, Errors},
};

mapping! {
    /// Benchmarks of JMH. A run is one process, `java [jvm-flags] -jar JAR BENCHMARKS …`, until it ends by itself; no
    /// load is offered. Its scores are the figures: `score(variant)` in claims.
    pub struct JmhSection as "jmh" {
        /// The jar that JMH made, seen from the experiment file's folder. Default: the benchmarks that Plimsoll brings
        /// (`java/jmh`). Example: `jar: ../my-service/target/benchmarks.jar`.
        pub jar: Option<At<String>>,
        /// Benchmarks to run, by a regular expression that is found in their full names. Default: all. Example:
        /// `benchmarks: WebClientBatch`.
        pub benchmarks: Option<At<String>>,
        /// Values of `@Param` fields by name, one or several; placeholders such as `{upstream}` are replaced. Default:
        /// those in the benchmarks. Example: `params: {upstream: "{upstream}", before: [NOTHING, WARMUP]}`.
        pub params: Option<Entries<OneOrMany<Scalar>>>,
        /// Other options of JMH, as on its command line. Default: none. Example: `args: [-wi, 1, -i, 5, -prof, gc]`.
        pub args: Option<Vec<At<Scalar>>>,
    }
}

/// The program, and what reports show of it.
pub(super) fn resolve(
    section: &JmhSection,
    jvm_flags: Vec<String>,
    folder: &Path,
    errors: &mut Errors,
) -> (Program, BTreeMap<String, String>) {
    let options = section.args.iter().flatten();
    for option in options.clone().filter(|option| RESERVED.contains(&option.value.0.as_str())) {
        let message = format!("Plimsoll gives JMH this option itself, to have its result: remove `{}`", option.value.0);
        errors.push(&option.place, message);
    }
    let benchmarks = section.benchmarks.as_ref().map(|benchmarks| benchmarks.value.clone());
    if let Some(empty) = section.benchmarks.as_ref().filter(|benchmarks| benchmarks.value.trim().is_empty()) {
        errors.push(&empty.place, "expected a regular expression, found an empty text: remove the key to have all");
    }
    let joined = |values: &OneOrMany<Scalar>| values.0.iter().map(|it| it.0.as_str()).collect::<Vec<_>>().join(",");
    let params = section.params.iter().flat_map(|params| &params.0);
    let params: Vec<String> = params.map(|(name, values)| format!("{}={}", name.value, joined(values))).collect();
    let options: Vec<String> = options.map(|option| option.value.0.clone()).collect();
    let jar = section.jar.as_ref().map(|jar| folder.join(&jar.value));
    let shown = [
        ("benchmarks", Some(benchmarks.clone().unwrap_or_else(|| "all".to_owned()))),
        ("jar", section.jar.as_ref().map(|jar| jar.value.clone())),
        ("params", (!params.is_empty()).then(|| params.join(" "))),
        ("args", (!options.is_empty()).then(|| options.join(" "))),
        ("jvm-flags", (!jvm_flags.is_empty()).then(|| jvm_flags.join(" "))),
    ];
    let settings = shown.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?))).collect();
    let params = params.into_iter().flat_map(|param| ["-p".to_owned(), param]);
    let arguments = benchmarks.into_iter().chain(params).chain(options).collect();
    (Program::Benchmarks { jar, jvm_flags, arguments }, settings)
}
