//! A batch script for Slurm: an array whose element 0 is the collector, unless the parts stay.

use super::{
    distribution::{Distribution, PORT, plain},
    engines::Engine,
    words::{shell, shell_lines},
};

pub const ENGINE: Engine =
    Engine { name: "slurm", about: "a script for sbatch", needs_image: false, files_bytes_max: None, print: script };

fn script(it: &Distribution) -> String {
    let Distribution { name, parts, .. } = it;
    let first = u32::from(it.stays());
    format!(
        r#"#!/usr/bin/env bash
#SBATCH --job-name={name}
#SBATCH --array={first}-{parts}
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={cpus}
#SBATCH --mem={memory}
#SBATCH --no-requeue
#SBATCH --output={name}-%A_%a.out
{heading}
set -euo pipefail
# From the environment, since everyone on a node reads the arguments of its processes.
export PLIMSOLL_TOKEN={token}

{elements}"#,
        cpus = cpus(&it.share.cpu),
        memory = it.share.memory.trim_end_matches('i'),
        heading = heading(it).trim_end(),
        token = shell(&it.token),
        elements = if it.stays() { staying(it) } else { elements(it) },
    )
}

/// Parts join somebody elsewhere.
fn staying(it: &Distribution) -> String {
    format!(
        r#"exec plimsoll {load} \
  --deadline {deadline} --part "$SLURM_ARRAY_TASK_ID"
"#,
        load = shell_lines(2, it.load.iter().map(|word| &word.text)),
        deadline = plain(it.deadline),
    )
}

fn elements(it: &Distribution) -> String {
    let name = &it.name;
    format!(
        r#"# The record of each is its own: sbatch hands on whatever the environment says.
unset PLIMSOLL_RECORD

# Element 0 is the collector: its output is the report, and its exit code is that of the load.
if [ "$SLURM_ARRAY_TASK_ID" = 0 ]; then
  # Databases do not like disks that are shared: the record is written beside, and copied when it is whole.
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  # The collector gets Slurm's SIGTERM as well, and ends in order: it is waited for.
  trap : TERM INT
  status=0
  {collect} \
    --record "$scratch/{name}.db" || status=$?
  cp "$scratch/{name}.db" "{name}-$SLURM_ARRAY_JOB_ID.db" || status=$((status ? status : 1))
  exit "$status"
fi

# The others are parts. They wait here until the collector runs, and join it where it does.
host=""
for ((second = 0; second < {deadline}; second++)); do
  host=$(squeue --noheader --array --job "${{SLURM_ARRAY_JOB_ID}}_0" --states=RUNNING --format=%B || true)
  [ -z "$host" ] || break
  sleep 1
done
if [ -z "$host" ]; then
  echo "the collector, element 0 of job $SLURM_ARRAY_JOB_ID, has not run within {deadline_words}" >&2
  exit 1
fi
exec plimsoll {load} \
  --join "https://$host:{PORT}" --deadline {deadline_words} --part "$SLURM_ARRAY_TASK_ID"
"#,
        collect = shell_lines(4, &collect(it)),
        deadline = (it.deadline.as_secs_f64().ceil() as u64).max(1),
        deadline_words = plain(it.deadline),
        load = shell_lines(2, it.load.iter().map(|word| &word.text)),
    )
}

fn heading(it: &Distribution) -> String {
    if it.stays() {
        let start = "sbatch FILE     (--exclusive gives each part a node of its own)";
        return it.heading(&[("start", start.to_owned())]);
    }
    let mut steps = vec![
        ("start", "sbatch --wait FILE     (--exclusive gives each part a node of its own)".to_owned()),
        ("follow", format!("tail -f {}-*_0.out", it.name)),
        ("report", format!("plimsoll report last --record {}-JOB.db", it.name)),
    ];
    if !it.files.is_empty() {
        let names: Vec<&str> = it.files.iter().map(|file| file.path.as_str()).collect();
        steps.push(("files", format!("{}: where sbatch is called, on disks that the nodes share", names.join(", "))));
    }
    it.heading(&steps)
}

fn collect(it: &Distribution) -> Vec<String> {
    ["plimsoll".to_owned()].into_iter().chain(it.collect()).collect()
}

/// Slurm gives whole processors.
fn cpus(text: &str) -> u32 {
    match text.strip_suffix('m') {
        Some(thousandths) => thousandths.parse::<u32>().map_or(1, |number| number.div_ceil(1_000)),
        None => text.parse().unwrap_or(1),
    }
}
