//! The environment in which an execution ran, in a few labelled lines.

use plimsoll_analysis::Results;
use plimsoll_record::Environment;

use plimsoll_text::{counted, number::bytes};

/// Labels with texts; unknown facts are left out.
pub fn lines(results: &Results) -> Vec<(&'static str, String)> {
    let env = &results.environment;
    [
        ("Machine", machine(env)),
        ("Software", software(env)),
        ("Limits", joined([env.limits.clone(), env.placement.clone()])),
        ("Plimsoll", plimsoll(env, results.execution.seed)),
        ("Command", env.command.clone()),
    ]
    .into_iter()
    .filter(|(_, text)| !text.is_empty())
    .collect()
}

fn machine(env: &Environment) -> String {
    joined([
        env.cpu_model.clone(),
        env.cores.map(|cores| counted(cores.into(), "core")),
        env.memory_bytes.map(|memory| format!("{} memory", bytes(memory))),
        env.os.clone(),
        env.kernel.as_ref().map(|kernel| format!("kernel {kernel}")),
        env.cgroup.as_ref().map(|version| format!("cgroup {version}")),
    ])
}

fn software(env: &Environment) -> String {
    let versions = env.versions.iter().map(|(name, version)| Some(format!("{name} {version}")));
    joined(std::iter::once(env.jdk.clone()).chain(versions))
}

fn plimsoll(env: &Environment, seed: u64) -> String {
    joined([
        Some(env.plimsoll.clone()).filter(|version| !version.is_empty()),
        env.git_commit.as_deref().map(commit),
        Some(format!("seed {seed}")),
    ])
}

/// A commit in short, by digits enough to be unique.
pub fn commit(commit: &str) -> String {
    let (id, dirty) = commit.strip_suffix("-dirty").map_or((commit, ""), |id| (id, " with changes"));
    format!("in commit {}{dirty}", id.get(..12).unwrap_or(id))
}

fn joined(parts: impl IntoIterator<Item = Option<String>>) -> String {
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
