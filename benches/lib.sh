# shellcheck shell=bash disable=SC2034
# Shared by the scripts here: peers, the server under load, medians. To be sourced.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scratch=$(mktemp -d)
server=
trap 'stop_server; rm -rf "$scratch"' EXIT

die() {
  echo "$(basename "$0"): $*" >&2
  exit 2
}

# need PROGRAM HOW-TO-INSTALL
need() {
  command -v "$1" >/dev/null || die "$1 not found: $2"
}

stop_server() {
  if [ -n "$server" ]; then
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    server=
  fi
}

# start_waiting CPU SECONDS: answers $url with 5 bytes after that time.
start_waiting() {
  need python3 "install it; it is the server that waits"
  rm -f "$scratch/port"
  taskset -c "$1" python3 "$root/benches/waiting_server.py" "$2" >"$scratch/port" &
  server=$!
  for _ in $(seq 100); do
    if [ -s "$scratch/port" ]; then
      url=http://127.0.0.1:$(cat "$scratch/port")/
      return
    fi
    sleep 0.05
  done
  die "the waiting server does not start"
}

# The release build of this tree.
build_plimsoll() {
  "$root/plimsoll" --version >/dev/null
  plimsoll=${CARGO_TARGET_DIR:-$root/target}/release/plimsoll
  export PLIMSOLL_RECORD=$scratch/plimsoll.db
}

# start_nginx CPU: one worker on that CPU, answers $url with 28 bytes.
start_nginx() {
  need nginx "install it, e.g. apt-get install nginx-light"
  local port=18473
  cat >"$scratch/nginx.conf" <<END
worker_processes 1;
daemon off;
pid $scratch/nginx.pid;
error_log $scratch/nginx.log;
worker_rlimit_nofile 16384;
events { worker_connections 16000; }
http {
  access_log off;
  keepalive_requests 1000000000;
  server {
    listen 127.0.0.1:$port backlog=8192;
    location / { return 200 "hello plimsoll, a small body"; }
  }
}
END
  taskset -c "$1" nginx -p "$scratch" -c "$scratch/nginx.conf" 2>>"$scratch/nginx.log" &
  server=$!
  url=http://127.0.0.1:$port/
  for _ in $(seq 100); do
    if (exec 3<>/dev/tcp/127.0.0.1/$port) 2>/dev/null; then return; fi
    sleep 0.05
  done
  die "nginx does not answer: $(cat "$scratch/nginx.log")"
}

median() {
  sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# cpu_seconds COMMAND…: user + system time of the command; its output goes to $scratch/out.
cpu_seconds() {
  local TIMEFORMAT='%U %S'
  { time "$@" >"$scratch/out" 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}

environment() {
  local cpu load
  cpu=$(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)
  load=$(cut -d' ' -f1-3 /proc/loadavg)
  echo "$cpu, $(nproc) cores, kernel $(uname -r), load $load"
}
