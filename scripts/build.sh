# shellcheck shell=bash
# Builds Plimsoll, and the bundled subjects beside it. Sourced by `plimsoll`, which has sourced toolchain.sh.

# CPU seconds that the builds take: all crates, and those of the workspace alone.
FIRST_BUILD=270
LATER_BUILD=90

# Progress without a terminal is told this often.
TELL_EACH=${PLIMSOLL_TELL_EACH:-60}

# The process groups that end with this script, what tells of their progress, and files and a folder that go with it.
groups=""
ticker=""
log=""
begun=""
subjects_making=""
trap end_groups EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

binary_path() {
  echo "$(target_folder)/quick/plimsoll"
}

# Cargo's, which takes a relative one from the folder that it is called in.
target_folder() {
  local target=${CARGO_TARGET_DIR:-$toolchain_home/target}
  case $target in
    /*) ;;
    *) target=$PWD/$target ;;
  esac
  echo "$target"
}

# Whether sources are newer than the binary, or it is another checkout's with the same target directory.
is_stale() { # BINARY
  [ ! -x "$1" ] || [ "$(cat "$1.of" 2>/dev/null)" != "$toolchain_home" ] || [ -n "$(
    find "$toolchain_home/Cargo.toml" "$toolchain_home/Cargo.lock" "$toolchain_home/src" "$toolchain_home/crates" \
      -name tests -prune -o -type f -newer "$1" -print | head -n 1
  )" ]
}

# Builds the binary and, at the same time, the jars of these subjects.
build() { # BINARY SUBJECTS
  need rust
  need c-compiler
  # shellcheck disable=SC2086
  start_subjects $2
  build_program "$1"
  finish_subjects
}

build_program() { # BINARY
  local target=${1%/quick/plimsoll}
  begun=$1.$$
  mkdir -p "${1%/plimsoll}" && : >"$begun"
  say "building Plimsoll: $(how_long "$1")…"
  if [ -t 2 ]; then
    in_group compile "$target" >&2
    wait_for_group || build_failed
  else
    log=$(mktemp "${TMPDIR:-/tmp}/plimsoll-build.XXXXXX")
    in_group compile_watched "$target" "$log"
    wait_for_group "$log" || {
      without_progress "$log" >&2
      build_failed
    }
    rm -f "$log"
  fi
  [ -x "$1" ] ||
    die "cargo has not put the program at $1" "remove \`target\` below [build] in ~/.cargo/config.toml, and CARGO_BUILD_TARGET"
  # Cargo leaves a binary alone that a change did not touch; it is as new as the sources were when the build began.
  touch -r "$begun" "$1"
  rm -f "$begun"
  printf '%s\n' "$toolchain_home" >"$1.of"
}

build_failed() {
  die "the build failed, see above" "undo changes to the sources, if there are any; else please report it"
}

# From its own directory, so that no settings of the user's project apply. The record needs none of SQLite's extensions.
compile() { # TARGET
  export LIBSQLITE3_FLAGS="-USQLITE_ENABLE_FTS3 -USQLITE_ENABLE_FTS3_PARENTHESIS -USQLITE_ENABLE_FTS5 -USQLITE_ENABLE_RTREE"
  cd "$toolchain_home" && exec cargo build --profile quick --locked --bin plimsoll --target-dir "$1"
}

# The same, with a progress bar of Cargo's in a file.
compile_watched() { # TARGET LOG
  export CARGO_TERM_PROGRESS_WHEN=always CARGO_TERM_PROGRESS_WIDTH=80 CARGO_TERM_COLOR=never
  compile "$1" >"$2" 2>&1
}

# The log of a build without its progress bar.
without_progress() { # LOG
  tr '\r' '\n' <"$1" | sed '/^ *Building \[/d'
}

how_long() { # BINARY
  local cores seconds=$FIRST_BUILD which="the first time takes"
  cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
  if [ -x "$1" ]; then
    seconds=$LATER_BUILD
    which="takes"
  fi
  echo "$which about $(minutes $((seconds / cores))) on $cores cores"
}

minutes() { # SECONDS
  local minutes=$((($1 + 59) / 60))
  if [ $minutes -le 1 ]; then echo "a minute"; else echo "$minutes minutes"; fi
}

# The bundled subjects that experiment files among the arguments name.
subjects_in() { # ARGUMENT...
  local argument word
  for argument in "$@"; do
    if [ -f "$argument" ]; then
      sed -n 's/#.*//; /subject:/p; /jar:/!s/^ *\(jmh\):.*/\1/p' "$argument" | tr -c 'a-z-' '\n'
    fi
  done | sort -u | while read -r word; do
    if [ -n "$word" ] && [ -d "$toolchain_home/java/$(module_of "$word")/src/main" ]; then echo "$word"; fi
  done
}

subjects_group=""
subjects_log=$toolchain_home/target/subjects.log

# Begins to build the jars that are not there yet, if it can: `run` would do it one by one, after Rust is done.
start_subjects() { # NAME...
  local name names=""
  for name in "$@"; do
    if ! has_jar "$name"; then names="$names $name"; fi
  done
  if [ -z "$names" ] || [ -n "$(missing_of jdk maven)" ]; then
    return 0
  fi
  # A checkout that nobody may write: the run builds them in its cache.
  { mkdir -p "$toolchain_home/target" && [ -w "$toolchain_home/target" ]; } 2>/dev/null || return 0
  subjects_making=$toolchain_home/target/subjects.$$
  # shellcheck disable=SC2086
  in_group build_subjects "$toolchain_home/target/subjects" $names >"$subjects_log" 2>&1
  subjects_group=$group
}

# Whether the wrapper or a run has built the jar of this subject since its sources were changed.
has_jar() { # NAME
  local jar
  for jar in "$toolchain_home/target/subjects/$1.jar" "$toolchain_home/target/artifacts/$1-jar-"*/app.jar; do
    if [ -f "$jar" ] && [ -z "$(
      find "$toolchain_home/java" \( -name target -o -path '*/src/test' \) -prune \
        -o -type f -newer "$jar" -print | head -n 1
    )" ]; then
      return
    fi
  done
  return 1
}

# Waits for them. A failure is not the end: the run tries again, and says what is wrong.
finish_subjects() {
  [ -n "$subjects_group" ] || return 0
  if kill -0 "$subjects_group" 2>/dev/null; then
    say "waiting for Maven, which builds the Java subjects…"
  fi
  group=$subjects_group
  wait_for_group || {
    say "Maven could not build the Java subjects beforehand; the last lines of $subjects_log:"
    tail -n 5 "$subjects_log" | sed 's/^/  | /' >&2
  }
}

# Builds jars as crates/lab/src/artifact/build.rs does, into a folder of the form that prebuilt.rs there reads. The
# folder is replaced at once when all is done.
build_subjects() { # FOLDER NAME...
  local folder=$1 making=$1.$$ name projects="" maven
  shift
  maven=$(find_maven)
  rm -rf "$making"
  mkdir -p "$making/source"
  (cd "$toolchain_home/java" && tar -cf - --exclude=target --exclude=src/test .) | (cd "$making/source" && tar -xf -)
  for name in "$@"; do projects=$projects,$(module_of "$name"); done
  (
    # With a fixed time in the jars, equal sources give equal bytes.
    cd "$making/source" && JAVA_HOME=$(find_jdk) "$maven" --batch-mode --quiet --also-make -Dmaven.test.skip=true \
      -Dproject.build.outputTimestamp=2000-01-01T00:00:00Z --projects "${projects#,}" package
  ) || {
    rm -rf "$making"
    return 1
  }
  for name in "$@"; do
    mv "$making/source/$(module_of "$name")/target/$(jar_of "$name")" "$making/$name.jar"
  done
  find "$making/source" -name target -type d -prune -exec rm -rf {} +
  rm -rf "$folder"
  mv "$making" "$folder"
}

# The benchmarks lie beside the subjects and have another name for their jar.

module_of() { # NAME
  if [ "$1" = jmh ]; then echo jmh; else echo "subjects/$1"; fi
}

jar_of() { # NAME
  if [ "$1" = jmh ]; then echo benchmarks.jar; else echo "$1.jar"; fi
}

# Starts a function in a process group of its own, named by $group: Ctrl-C and the end of this script end all of it.
in_group() { # FUNCTION ARGUMENT...
  set -m
  (
    trap - EXIT INT TERM
    set -eu
    "$@"
  ) </dev/null &
  group=$!
  set +m
  groups="$groups $group"
}

# Waits until $group has ended, and fails as it failed. Progress is told if the group writes a log of Cargo's.
wait_for_group() { # [LOG]
  local status=0
  if [ -n "${1:-}" ]; then
    tell_progress "$1" &
    ticker=$!
  fi
  wait "$group" || status=$?
  end_ticker
  return "$status"
}

tell_progress() { # LOG
  local minutes=0 units
  trap - EXIT INT TERM
  # With streams of its own: who reads ours is not kept waiting for a sleep that nobody needs any more.
  while sleep "$TELL_EACH" >/dev/null 2>&1; do
    minutes=$((minutes + 1))
    units=$(tr '\r' '\n' <"$1" | sed -n 's/.*\] \([0-9]*\)\/\([0-9]*\).*/\1 of \2/p' | tail -n 1)
    say "  after $minutes min: ${units:-0} crates and build steps"
  done
}

end_ticker() {
  [ -z "$ticker" ] || kill "$ticker" 2>/dev/null || true
  ticker=""
}

# An interrupt may come before a group that was just started is noted. A background function that is killed at once has
# this script's traps still: they are not for it.
end_groups() {
  local group
  [ "${BASHPID:-$$}" = "$$" ] || return 0
  end_ticker
  rm -f ${log:+"$log"} ${begun:+"$begun"}
  for group in $groups ${!:-}; do
    kill -TERM -- "-$group" 2>/dev/null || true
  done
  [ -z "$subjects_making" ] || remove_subjects_making
}

# Maven writes there until it has ended.
remove_subjects_making() {
  local tries=50
  while [ $tries -gt 0 ] && [ -n "$subjects_group" ] && kill -0 -- "-$subjects_group" 2>/dev/null; do
    tries=$((tries - 1))
    sleep 0.1
  done
  rm -rf "$subjects_making" 2>/dev/null || true
}
