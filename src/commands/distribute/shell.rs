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
{collector}export PLIMSOLL_TOKEN={token}
umask 077
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/.plimsoll"
printf '%s' "$PLIMSOLL_TOKEN" >"$scratch/.plimsoll/token"
{remark}
cat >"$scratch/.plimsoll/part" <<'END_OF_PART'
PLIMSOLL_TOKEN=$(cat .plimsoll/token)
export PLIMSOLL_TOKEN
rm -r .plimsoll
status=0
plimsoll {load} \
  {join} || status=$?
{leave}
exit "$status"
END_OF_PART

# All of it goes by standard input, since everyone on a machine reads the arguments of its processes.
begin='d=$(mktemp -d "${{TMPDIR:-/tmp}}/{name}.XXXXXX") && cd "$d" && tar -xof - && exec sh .plimsoll/part "$@"'
number=0
for host in "$@"; do
  number=$((number + 1))
  tar -cf - -C "$scratch" .plimsoll{files} |
    ssh "$host" "sh -c '$begin' part $number{told}" >"{name}-$number.out" 2>&1 ||
    echo "part $number on $host has ended with exit code $?: see {name}-$number.out" >&2 &
done

{end}"#,
        heading = heading(it).trim_end(),
        parts_words = plimsoll_text::counted(u64::from(*parts), "host"),
        collector = if it.stays() { "" } else { COLLECTOR },
        remark = if it.stays() { REMARK_OF_STAYING } else { REMARK },
        join = join(it),
        leave = if it.stays() { LEAVE_STAYING } else { LEAVE },
        told = if it.stays() { "" } else { " '$collector'" },
        token = shell(&it.token),
        files = files(it),
        load = shell_lines(2, it.load.iter().map(|word| &word.text)),
        end = end(it),
    )
}

const COLLECTOR: &str = "# As the other machines reach this one.\ncollector=${COLLECTOR:-$(hostname -f)}\n";
const REMARK: &str = "# A part, in a folder of its own, which stays where it is if the part's record is not collected.";
const REMARK_OF_STAYING: &str = "# A part, in a folder of its own.";
/// Removes the folder of a part whose record is collected, or that has none.
const LEAVE: &str = "case $status in 0 | 2 | 4 | 130) rm -rf \"$PWD\" ;; esac";
const LEAVE_STAYING: &str = "rm -rf \"$PWD\"";

/// Flags of a part beside those that were given. The remote shell hands on the part's number and the collector.
fn join(it: &Distribution) -> String {
    let deadline = plain(it.deadline);
    match it.stays() {
        true => format!("--deadline {deadline} --part \"$1\""),
        false => format!("--join \"https://$2:{PORT}\" --deadline {deadline} --part \"$1\" --record part.db"),
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

/// The files for tar, seen from here.
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
