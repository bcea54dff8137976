//! Limits as they were applied, in words.

use plimsoll_text::number::exact_bytes;

use crate::{
    experiment::{Program, Variant},
    jvm::Jvm,
    launch::Applied,
    packaging::Packaging,
};

/// The limits of all variants so far.
#[derive(Debug, Default)]
pub struct LimitsText {
    /// Each text with the variants it holds for, in the order in which they came.
    texts: Vec<(String, Vec<String>)>,
}

impl LimitsText {
    /// Adds those of the variant called `name`.
    pub fn add(&mut self, name: &str, variant: &Variant, applied: &Applied) {
        let text = limits_text(variant, applied);
        match self.texts.iter_mut().find(|(other, _)| *other == text) {
            Some((_, names)) if names.iter().any(|other| other == name) => {}
            Some((_, names)) => names.push(name.to_owned()),
            None => self.texts.push((text, vec![name.to_owned()])),
        }
    }

    /// One text if it holds for all, else each with its variants; none if nothing is limited.
    pub fn text(&self) -> Option<String> {
        match self.texts.as_slice() {
            [] => None,
            [(text, _)] => (text != NO_LIMITS).then(|| text.clone()),
            several => {
                let each = several.iter().map(|(text, names)| format!("{}: {text}", names.join(", ")));
                Some(each.collect::<Vec<_>>().join("; "))
            }
        }
    }
}

const NO_LIMITS: &str = "none";

fn limits_text(variant: &Variant, applied: &Applied) -> String {
    let (memory_flag, cpus_flag) = flags(&variant.program);
    let how = |by_cgroup: bool, flag: Option<&str>| {
        let version = applied.version.filter(|_| by_cgroup).map(|version| format!("cgroup {}", version.as_str()));
        let means: Vec<String> = version.into_iter().chain(flag.map(str::to_owned)).collect();
        if means.is_empty() { "not enforced".to_owned() } else { means.join(", ") }
    };
    let limits = &variant.limits;
    let memory = limits.memory_bytes.map(|bytes| {
        format!("memory {} ({})", exact_bytes(bytes), how(applied.limits.memory_bytes.is_some(), memory_flag))
    });
    let cpus = limits.cpus.map(|cpus| format!("CPUs {cpus} ({})", how(applied.limits.cpus.is_some(), cpus_flag)));
    let files = limits.files.map(|files| format!("open files {files}"));
    let parts: Vec<String> = memory.into_iter().chain(cpus).chain(files).collect();
    if parts.is_empty() { NO_LIMITS.to_owned() } else { parts.join(", ") }
}

/// The flags by which a subject's artifact passes on limits of memory and CPUs; a user's command gets none.
fn flags(program: &Program) -> (Option<&'static str>, Option<&'static str>) {
    match program {
        Program::Command { .. } | Program::Running => (None, None),
        Program::Jvm(Jvm { packaging: Packaging::Native, .. }) => (Some("-Xmx"), Some("-XX:ActiveProcessorCount")),
        Program::Jvm(_) | Program::Benchmarks { .. } => (Some("-XX:MaxRAM"), Some("-XX:ActiveProcessorCount")),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use plimsoll_record::Nanos;

    use super::*;
    use crate::{
        experiment::Limits,
        launch::{CgroupLimits, Version},
    };

    fn variant(program: Program, memory_bytes: Option<u64>, cpus: Option<f64>) -> Variant {
        Variant {
            program,
            env: BTreeMap::new(),
            limits: Limits { memory_bytes, cpus, files: None },
            ready_timeout: Nanos::ZERO,
            ready_url: None,
            url: String::new(),
            response_timeout: Nanos::ZERO,
            metrics: None,
            hooks: Default::default(),
            dependencies: Vec::new(),
        }
    }

    fn subject(packaging: Packaging) -> Program {
        Program::Jvm(Jvm::of_subject("greetings-web", packaging))
    }

    fn command() -> Program {
        Program::Command { argv: vec!["app".to_owned()], workdir: "/".into(), port: None }
    }

    fn applied(memory_bytes: Option<u64>, cpus: Option<f64>) -> Applied {
        Applied { version: Some(Version::V2), limits: CgroupLimits { memory_bytes, cpus }, ..Applied::default() }
    }

    #[test]
    fn each_limit_names_what_enforces_it() {
        let gib = Some(1 << 30);
        let jar = variant(subject(Packaging::Jar), gib, Some(2.0));
        let text = limits_text(&jar, &applied(gib, None));
        assert_eq!(text, "memory 1 GiB (cgroup v2, -XX:MaxRAM), CPUs 2 (-XX:ActiveProcessorCount)");
        let native = variant(subject(Packaging::Native), gib, None);
        assert_eq!(limits_text(&native, &applied(gib, None)), "memory 1 GiB (cgroup v2, -Xmx)");
        assert_eq!(limits_text(&variant(command(), gib, None), &Applied::default()), "memory 1 GiB (not enforced)");
        let mut few = variant(command(), None, None);
        few.limits.files = Some(256);
        assert_eq!(limits_text(&few, &Applied::default()), "open files 256");
    }

    #[test]
    fn variants_are_named_only_where_they_differ() {
        let mut limits = LimitsText::default();
        limits.add("a", &variant(command(), None, None), &Applied::default());
        assert_eq!(limits.text(), None);

        let mut limits = LimitsText::default();
        let small = variant(command(), Some(64 << 20), None);
        for name in ["a", "b", "a"] {
            limits.add(name, &small, &applied(Some(64 << 20), None));
        }
        assert_eq!(limits.text().as_deref(), Some("memory 64 MiB (cgroup v2)"));
        limits.add("c", &variant(command(), None, None), &Applied::default());
        assert_eq!(limits.text().as_deref(), Some("a, b: memory 64 MiB (cgroup v2); c: none"));
    }
}
