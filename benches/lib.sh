# shellcheck shell=bash disable=SC2034
# Shared by the scripts here: peers, the servers under load, interleaved rounds, tables. To be sourced.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scratch=$(mktemp -d)
server=
trap 'stop_server; rm -rf "$scratch"' EXIT

# Rounds of each measurement: the script's argument, or ROUNDS=.
rounds=${1:-${ROUNDS:-7}}
# How long each tool runs in a round.
seconds=${SECONDS_EACH:-5}

die() {
  echo "$(basename "$0"): $*" >&2
  exit 2
}

[[ $rounds =~ ^[1-9][0-9]*$ ]] || die "expected a number of rounds, found \`$rounds\`; e.g. benches/$(basename "$0") 7"

# need PROGRAM HOW-TO-INSTALL
need() {
  command -v "$1" >/dev/null || die "$1 not found: $2"
}

# The peers among those named that are installed; of the others a line says that they are left out.
installed() {
  local peer
  for peer in "$@"; do
    if command -v "$peer" >/dev/null; then
      echo "$peer"
    else
      echo "$peer is not installed and left out" >&2
    fi
  done
}

stop_server() {
  if [ -n "$server" ]; then
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    server=
  fi
}

# The release build of this tree: what is published, and not what the wrapper builds.
build_plimsoll() {
  (cd "$root" && cargo build --release --locked --quiet --bin plimsoll)
  built=${CARGO_TARGET_DIR:-$root/target}/release
  plimsoll=$built/plimsoll
  export PLIMSOLL_RECORD=$scratch/plimsoll.db
}

# start_bench_server CPU MANNER…: crates/drive/examples/bench_server.rs on that CPU; answers $url with 5 bytes.
start_bench_server() {
  local cpu=$1
  shift
  (cd "$root" && cargo build --release --locked --quiet --package plimsoll-drive --example bench_server)
  rm -f "$scratch/port"
  taskset -c "$cpu" "$built/examples/bench_server" "$@" >"$scratch/port" &
  server=$!
  for _ in $(seq 100); do
    if [ -s "$scratch/port" ]; then
      url=http://127.0.0.1:$(cat "$scratch/port")/
      return
    fi
    sleep 0.05
  done
  die "the benchmarks' server does not start"
}

# The least that a generator costs here: crates/drive/examples/bare_loop.rs.
build_bare_loop() {
  (cd "$root" && cargo build --release --locked --quiet --package plimsoll-drive --example bare_loop)
}

# bare_loop CONNECTIONS [RATE]: to $url on the first core; what it says of itself goes to $scratch/out. Its CPU time is
# that of the requests alone, without its start.
bare_loop() {
  local connections=$1 authority=${url#http://}
  shift
  taskset -c 0 "$built/examples/bare_loop" "${authority%/}" "$connections" "$seconds" "$@" >"$scratch/out" ||
    die "the bare loop failed"
}

# start_nginx CPU [tls | http2]: one worker on that CPU, answers $url with 28 bytes.
start_nginx() {
  need nginx "install it, e.g. apt-get install nginx-light"
  local port=18473 tls="" http2="" scheme=http
  if [ "${2:-}" = http2 ]; then
    http2=http2
  fi
  if [ "${2:-}" = tls ]; then
    need openssl "install it; it makes the certificate"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
      -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout "$scratch/key.pem" -out "$scratch/cert.pem" \
      2>"$scratch/openssl.log" || die "openssl makes no certificate: $(cat "$scratch/openssl.log")"
    tls="ssl_certificate $scratch/cert.pem; ssl_certificate_key $scratch/key.pem; ssl_protocols TLSv1.3;"
    scheme=https
  fi
  cat >"$scratch/nginx.conf" <<END
worker_processes 1;
daemon off;
pid $scratch/nginx.pid;
error_log $scratch/nginx.log;
worker_rlimit_nofile 20000;
events { worker_connections 19990; }
http {
  access_log off;
  keepalive_requests 1000000000;
  server {
    listen 127.0.0.1:$port ${tls:+ssl} $http2 backlog=8192;
    $tls
    location / { return 200 "hello plimsoll, a small body"; }
  }
}
END
  taskset -c "$1" nginx -p "$scratch" -c "$scratch/nginx.conf" 2>>"$scratch/nginx.log" &
  server=$!
  url=$scheme://127.0.0.1:$port/
  for _ in $(seq 100); do
    if (exec 3<>/dev/tcp/127.0.0.1/$port) 2>/dev/null; then return; fi
    sleep 0.05
  done
  die "nginx does not answer: $(cat "$scratch/nginx.log")"
}

two_cores() {
  [ "$(nproc)" -ge 2 ] || die "two cores are needed: one for the generator, one for the server"
}

median() {
  sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# cpu_seconds COMMAND…: user + system time of the command; its output goes to $scratch/out.
cpu_seconds() {
  local TIMEFORMAT='%U %S'
  { time "$@" >"$scratch/out" 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}

# interleave TOOL…: calls `measure_TOOL` for each tool in every round, beginning with another one each time, so that a
# drift of the machine does not pass for a difference. Its $figure goes to $scratch/figures.TOOL.
interleave() {
  local tools=("$@") round turn tool
  rm -f "$scratch"/figures.*
  for round in $(seq "$rounds"); do
    for turn in $(seq $#); do
      tool=${tools[$(((round + turn) % $#))]}
      "measure_$tool"
      echo "$figure" >>"$scratch/figures.$tool"
    done
  done
}

# per_request CPU-SECONDS REQUESTS: in µs.
per_request() {
  awk -v cpu="$1" -v n="$2" 'BEGIN { if (n + 0 < 1) exit 1; printf "%.4f", cpu / n * 1e6 }' ||
    die "no request succeeded: $(tail -n 5 "$scratch/out")"
}

# How many requests a run of Plimsoll, wrk, oha, k6, h2load or ab made, from what it printed.
requests_of_plimsoll() { jq '.variants[0].levels[0].totals | .succeeded // .counts.succeeded' "$scratch/out"; }
requests_of_wrk() { awk '/requests in/ { print $1 }' "$scratch/out"; }
requests_of_oha() { jq '[.statusCodeDistribution[]] | add' "$scratch/out"; }
requests_of_k6() { jq '.metrics.http_reqs.count' "$scratch/k6.json"; }
requests_of_h2load() { sed -n 's/^requests:.* \([0-9]*\) succeeded.*/\1/p' "$scratch/out"; }
requests_of_ab() { awk '/^Complete requests/ { print $3 }' "$scratch/out"; }

# cpu_per_request TOOL COMMAND…: the generator's CPU time per request in µs, on the first core, into $figure.
cpu_per_request() {
  local tool=$1 cpu
  shift
  cpu=$(cpu_seconds taskset -c 0 "$@") || die "$tool failed: $(tail -n 5 "$scratch/out")"
  figure=$(per_request "$cpu" "$("requests_of_$tool")")
}

# table_of_ratios NAME UNIT PEER BAR…: medians, and the ratio of Plimsoll to each peer within the same round; the bar
# `-` is none.
table_of_ratios() {
  local name=$1 unit=$2 ratios verdict
  shift 2
  printf '%-24s %-10s %10s   %-25s %s\n' "$name" "" "median" "plimsoll ÷ it" "bar, medians of $rounds rounds"
  printf '%-24s %-10s %7.2f %s\n' "" plimsoll "$(median <"$scratch/figures.plimsoll")" "$unit"
  while [ $# -gt 0 ]; do
    if [ -f "$scratch/figures.$1" ]; then
      paste "$scratch/figures.plimsoll" "$scratch/figures.$1" | awk '{ print $1 / $2 }' | sort -g >"$scratch/ratios"
      ratios=$(awk 'NR == 1 { least = $1 } END { printf "(%.3f – %.3f)", least, $1 }' "$scratch/ratios")
      verdict=$(awk -v found="$(median <"$scratch/ratios")" -v bar="$2" \
        'BEGIN { if (bar != "-") printf "≤ %s %s", bar, found <= bar ? "met" : "MISSED" }')
      printf '%-24s %-10s %7.2f %s   %.3f %-18s %s\n' "" "$1" "$(median <"$scratch/figures.$1")" "$unit" \
        "$(median <"$scratch/ratios")" "$ratios" "$verdict"
    fi
    shift 2
  done
}

environment() {
  local cpu load
  cpu=$(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)
  load=$(cut -d' ' -f1-3 /proc/loadavg)
  echo "$cpu, $(nproc) cores, kernel $(uname -r), load $load"
}

# versions PEER…: what they call themselves.
versions() {
  local peer
  for peer in "$@"; do
    case $peer in
      wrk) { wrk -v 2>&1 || true; } | awk 'NR == 1 { print $1, $2 }' ;;
      k6) k6 version | awk '{ print $1, $2 }' ;;
      ab) ab -V | awk 'NR == 1 { print "ab", $5 }' ;;
      *) "$peer" --version | head -n 1 ;;
    esac
  done | paste -sd, | sed 's/,/, /g'
}
