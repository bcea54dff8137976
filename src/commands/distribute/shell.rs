//! A script that starts parts on other machines over ssh, and collects on this one, unless the parts stay.

use super::{
    distribution::{Distribution, PORT, plain},
    engines::Engine,
    words::{shell, shell_lines},
};

pub const ENGINE: Engine = Engine {
    name: "shell",
    about: "a script that starts parts over ssh",
    needs_image: false,
    files_bytes_max: None,
    print: script,
};

fn script(it: &Distribution) -> String {
    let Distribution { name, parts, .. } = it;
    format!(
        r#"#!/usr/bin/env bash
{heading}
set -euo pipefail
if [ $# != {parts} ]; then
  echo "expected {parts_words}, found $#: bash $0 HOST…" >&2
  exit 2
fi
{collector}scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
umask 077
export PLIMSOLL_TOKEN={token}
printf '%s' "$PLIMSOLL_TOKEN" >"$scratch/token"

{remark}
read -r -d '' part <<'PART' || true
set -e
cd "$(mktemp -d "${{TMPDIR:-/tmp}}/{name}.XXXXXX")"
tar -xf -
PLIMSOLL_TOKEN=$(cat token)
rm token
export PLIMSOLL_TOKEN
exec plimsoll {load} \
  {join}
PART

number=0
for host in "$@"; do
  number=$((number + 1))
  tar -cf - -C "$scratch" token{files} |
    ssh "$host" "number=$number{told}; $part" >"{name}-$number.out" 2>&1 ||
    echo "part $number on $host has failed: see {name}-$number.out" >&2 &
done

{end}"#,
        heading = heading(it).trim_end(),
        parts_words = plimsoll_text::counted(u64::from(*parts), "host"),
        collector = if it.stays() { "" } else { COLLECTOR },
        remark = if it.stays() { REMARK_OF_STAYING } else { REMARK },
        join = join(it),
        told = if it.stays() { "" } else { " collector=$collector" },
        token = shell(&it.token),
        files = files(it),
        load = shell_lines(2, it.load.iter().map(|word| &word.text)),
        end = end(it),
    )
}

const COLLECTOR: &str = "# As the other machines reach this one.\ncollector=${COLLECTOR:-$(hostname -f)}\n";
const REMARK: &str =
    "# What a part runs, in a folder of its own; it stays there with the part's record if the collector is lost.";
const REMARK_OF_STAYING: &str = "# The command of a part, in a folder of its own.";

/// Flags of a part beside those that were given.
fn join(it: &Distribution) -> String {
    let deadline = plain(it.deadline);
    match it.stays() {
        true => format!("--deadline {deadline} --part \"$number\""),
        false => {
            format!("--join \"https://$collector:{PORT}\" --deadline {deadline} --part \"$number\" --record part.db")
        }
    }
}

fn end(it: &Distribution) -> String {
    match it.stays() {
        true => "# Until the parts are dismissed.\nwait\n".to_owned(),
        false => {
            let collect = shell_lines(2, &collect(it));
            format!("status=0\n{collect} || status=$?\nwait\nexit $status\n")
        }
    }
}

fn heading(it: &Distribution) -> String {
    let host = (1..=it.parts.min(2)).map(|number| format!(" HOST{number}")).collect::<String>();
    let more = if it.parts > 2 { " …" } else { "" };
    let start = ("start", format!("bash FILE{host}{more}     (plimsoll is on the PATH of each)"));
    match it.stays() {
        true => it.heading(&[start]),
        false => it.heading(&[start, ("report", "plimsoll report last".to_owned())]),
    }
}

/// For tar, seen from here.
fn files(it: &Distribution) -> String {
    if it.files.is_empty() {
        return String::new();
    }
    let names: Vec<String> = it.files.iter().map(|file| shell(&format!("./{}", file.path))).collect();
    format!(" -C \"$PWD\" {}", names.join(" "))
}

fn collect(it: &Distribution) -> Vec<String> {
    ["plimsoll".to_owned()].into_iter().chain(it.collect()).collect()
}
