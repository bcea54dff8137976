# shellcheck shell=bash
# Shared by tests of engines that run the parts of a load: packages, processes, cases. Sourced by `kubernetes/run`,
# `slurm/run`, `ssh/run` and `compose/run`, after scripts/toolchain.sh; $state is a folder of this run.
# shellcheck disable=SC2034,SC2154  # variables shared with the scripts that source this

# Requests of the whole load: 400 a second for ten seconds.
REQUESTS=4000

# Installs packages of Debian whose programs are missing.
provide_packages() { # PACKAGE:PROGRAM...
  local entry missing=""
  if [ "$(uname -s)" != Linux ] || [ "$(id -u)" != 0 ]; then
    die "this test needs Linux and root" "run it in a virtual machine"
  fi
  for entry in "$@"; do
    has "${entry#*:}" || missing="$missing ${entry%%:*}"
  done
  [ -n "$missing" ] || return 0
  has apt-get || die "these packages are missing:$missing" "install them"
  say "installing$missing"
  # shellcheck disable=SC2086
  (apt-get update -qq && apt-get install -y --no-install-recommends $missing) >"$state/packages.log" 2>&1 </dev/null ||
    die "packages could not be installed:$missing" "see $state/packages.log"
}

# Takes the options of a test apart: $given is what belongs to OPTION, and $cases are the words. `usage` tells them.
read_options() { # SCRIPT OPTION WORD...
  local script=$1 option=$2
  given="" keep="" transcript="" cases=()
  shift 2
  while [ $# -gt 0 ]; do
    case $1 in
      -h | --help) usage && exit ;;
      "$option") given=$(realpath "${2:?$option needs a file}") && shift ;;
      --transcript) transcript=yes ;;
      --keep) keep=yes ;;
      -*) die "there is no option \`$1\`" "$script --help lists them" ;;
      *) cases+=("$1") ;;
    esac
    shift
  done
}

# Puts the program that is tested, or else one that is built here, first on the PATH.
provide_plimsoll() { # FILE
  local binary=$1
  if [ -z "$binary" ]; then
    need rust
    need c-compiler
    (cd "$root" && cargo build --locked --bin plimsoll)
    binary=$(realpath "${CARGO_TARGET_DIR:-$root/target}/debug/plimsoll")
  fi
  mkdir -p "$state/bin"
  ln -s "$binary" "$state/bin/plimsoll"
  export PATH=$state/bin:$PATH
}

# Starts the bundled upstream on this machine. Its address is in $URL.
start_upstream_here() {
  begin upstream plimsoll upstream --json
  await "the upstream" grep -q url "$state/upstream.log"
  URL=$(sed -n 's/.*"url":"\([^"]*\)".*/\1/p' "$state/upstream.log" | head -n 1)
}

# Requests that it has answered. The counts of a second are told in the next one.
answered_here() {
  sleep 2
  tail -n 1 "$state/upstream.log" | sed -n 's/.*"requests":\([0-9]*\).*/\1/p'
}

# Removes what a test has made, unless it failed or that is wanted; then ends with the status of the test.
leave() { # STATUS
  if [ -n "$keep" ] || [ "$1" != 0 ]; then say "logs are in $state"; else rm -rf "$state"; fi
  exit "$1"
}

# Starts a program that stays in the foreground. Its pid and its output are in $state, under this name.
begin() { # NAME COMMAND...
  local name=$1
  shift
  "$@" >"$state/$name.log" 2>&1 </dev/null 3>&- &
  echo $! >"$state/$name.pid"
  echo "$name" >>"$state/started"
}

# Ends it, and waits for its end.
end() { # NAME
  local pid tenth
  pid=$(cat "$state/$1.pid" 2>/dev/null) || return 0
  kill "$pid" 2>/dev/null || return 0
  for ((tenth = 0; tenth < 100; tenth++)); do
    # One that has ended stays until the shell that started it asks for it.
    if ! grep -q '^State:[[:space:]]*[^Z[:space:]]' "/proc/$pid/status" 2>/dev/null; then return 0; fi
    sleep 0.1
  done
  kill -KILL "$pid" 2>/dev/null || true
}

# Everything that was started, the last one first.
started() {
  [ ! -e "$state/started" ] || tac "$state/started" | awk '!seen[$0]++'
}

# Commands of a transcript are shown there, whatever becomes of their output.
exec 3>&1

# Shows a command of the user's, if a transcript is wanted.
show() { # TEXT
  if [ -n "${transcript:-}" ]; then echo "\$ $1" >&3; fi
}

# Waits a minute until a command succeeds.
await() { # WHAT COMMAND...
  local what=$1 try
  shift
  for ((try = 0; try < 120; try++)); do
    if "$@" >/dev/null 2>&1; then return; fi
    sleep 0.5
  done
  echo "waited a minute for $what in vain: see $state" >&2
  return 1
}

# Waits a minute until files say that the load starts, or what waits for the load has ended.
await_load() { # PID PATTERN-OF-FILES
  local try
  for ((try = 0; try < 120; try++)); do
    # shellcheck disable=SC2086  # files of the pattern appear meanwhile
    if grep -qs 'the load starts' $2 || ! kill -0 "$1" 2>/dev/null; then return; fi
    sleep 0.5
  done
}

# A count of the whole load, from $folder/report.json.
total() { # COUNT
  python3 -c 'import json, sys
levels = json.load(open(sys.argv[1]))["variants"][0]["levels"]
print(sum(level["totals"][sys.argv[2]] for level in levels))' "$folder/report.json" "$1"
}

# Everything was offered, and the server has seen as much as the report says: requests from $before to $after.
assert_whole() {
  [ "$code" = 0 ] || fail "expected exit code 0, found $code"
  [ "$(total succeeded)" = $REQUESTS ] || fail "expected $REQUESTS requests, found $(total succeeded)"
  [ $((after - before)) = $REQUESTS ] || fail "expected $REQUESTS requests at the server, found $((after - before))"
}

# Requests of which parts that stay say in these files that they have sent them.
sent_by_parts() { # FILE...
  sed -n 's/^load [0-9]*: \([0-9,]*\) requests\{0,1\} sent.*/\1/p' "$@" | tr -d , |
    awk '{ sum += $1 } END { print sum + 0 }'
}

# A search has found its answer, its parts have ended with it, and the server has seen what they have sent.
assert_searched() { # FILE-OF-A-PART...
  local sent
  sent=$(sent_by_parts "$@")
  [ "$code" = 0 ] || fail "expected exit code 0, found $code"
  [ "$sent" -gt 1000 ] || fail "expected more than 1000 requests, found $sent"
  [ $((after - before)) = "$sent" ] || fail "expected $sent requests at the server, found $((after - before))"
  grep -q '4 parts on 1 machine' report || fail "expected the parts in the report"
}

# The other parts are whole, and the report names part 3 and says how it ended.
assert_part_three_lost() { # REPORT HOW
  local others=$((REQUESTS * 3 / 4)) sent
  grep -q "Not every part of the load came to its end: 3 ($2" "$1" || fail "expected part 3 in the report, $2"
  sent=$(total succeeded)
  if [ "$sent" -lt $others ] || [ "$sent" -ge $REQUESTS ]; then
    fail "expected $others requests and some of part 3, found $sent"
  fi
}

# Ends a case, with what its files say.
fail() {
  echo "  $*" >&2
  (cd "$folder" && tail -n 40 -- applied progress report pods.txt submitted states happened parts ./*.out 2>/dev/null) |
    sed 's/^/  | /' >&2
  exit 1
}

# Runs cases, and says in one line for the change log what came of them.
run_cases() { # ENGINE VERSION CASE...
  local engine=$1 version=$2 name status passed=0 failed result=ok
  shift 2
  for name in "$@"; do
    # In a shell of its own, because `set -e` does not hold inside a condition.
    set +e
    (
      set -e
      trap - EXIT
      "case_$name"
    )
    status=$?
    set -e
    if [ $status = 0 ]; then
      echo "test $name ... ok"
      passed=$((passed + 1))
    else
      echo "test $name ... FAILED"
    fi
  done
  failed=$(($# - passed))
  [ $failed = 0 ] || result=FAILED
  echo "test result: $result. $passed passed; $failed failed; 0 ignored"
  echo "$engine: $passed of $# cases, $version, $(date +%F)"
  [ $failed = 0 ]
}
