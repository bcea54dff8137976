# shellcheck shell=bash
# A load in four parts by Compose, and services in containers. Sourced by `run`.
# shellcheck disable=SC2034,SC2154  # variables shared with `run` and engines.sh

CASES=(whole killed staying published host)

# The bundled upstream as a project of its own: the load joins its network.
start_upstream() {
  cat >"$state/shop.yaml" <<'END'
name: shop
services:
  orders:
    image: localhost/plimsoll:test
    command: [upstream, --bind, 0.0.0.0, --port, "9000", --json]
END
  docker compose -f "$state/shop.yaml" up --detach >"$state/shop.log" 2>&1
  await "the upstream" answers
}

answers() {
  docker logs shop-orders-1 | grep -q url
}

# Requests that it has answered. The counts of a second are told in the next one.
answered() {
  sleep 2
  docker logs --tail 1 shop-orders-1 | sed -n 's/.*"requests":\([0-9]*\).*/\1/p'
}

# Writes the file of four parts, and the one that puts them beside the target.
distribute() { # FILE ARGUMENT...
  local file=$1 command
  shift
  command="plimsoll distribute --parts 4 --on compose --image localhost/plimsoll:test --cpu 500m --memory 128Mi $*"
  show "$command > $file"
  # shellcheck disable=SC2086
  $command >"$file"
  show "cat beside.yaml"
  echo 'networks: {default: {name: shop_default, external: true}}' >beside.yaml
  if [ -n "$transcript" ]; then cat beside.yaml; fi
}

# Runs a command of the user's, with what it prints in a transcript.
told() { # COMMAND...
  show "$*"
  if [ -n "$transcript" ]; then "$@" 2>&1; else "$@" >>told 2>&1; fi
}

# Distributes the load, has something happen three seconds after its start, and waits. The exit code of the collector
# is in $code.
perform() { # NAME [COMMAND...]
  local name=$1 following
  shift
  folder=$state/$name
  before=$(answered)
  mkdir "$folder"
  cd "$folder" || exit
  echo '{"amount": 1}' >order.json
  distribute load.yaml --name orders-load -- load http://orders:9000/ -D order.json -q 400 -z 10s
  compose=(docker compose -f load.yaml -f beside.yaml)
  told "${compose[@]}" up --detach
  show "${compose[*]} logs --follow --no-log-prefix collector"
  "${compose[@]}" logs --follow --no-log-prefix collector >report 2>&1 3>&- &
  following=$!
  await_load $following report
  if [ $# -gt 0 ]; then
    sleep 3
    "$@" >happened 2>&1
  fi
  wait $following || true
  if [ -n "$transcript" ]; then cat report; fi
  show "docker wait orders-load-collector-1"
  code=$(docker wait orders-load-collector-1)
  if [ -n "$transcript" ]; then echo "$code"; fi
  told "${compose[@]}" cp collector:/record/plimsoll.db .
  plimsoll report last --record plimsoll.db -o json=report.json >/dev/null
  # A part that has handed over its record has a moment left.
  await "the end of the parts" ended
  told "${compose[@]}" ps --all --format 'table {{.Name}}\t{{.State}}\t{{.ExitCode}}'
  "${compose[@]}" ps --all --format '{{.Service}} {{.ExitCode}}' >states
  after=$(answered)
  told "${compose[@]}" down --volumes
}

ended() {
  [ -z "$("${compose[@]}" ps --quiet --status running)" ]
}

case_whole() {
  perform whole
  assert_whole
  [ "$(grep -c '^part 0$' states)" = 4 ] || fail "expected four parts that end well"
}

# The host's name of a container is its identity.
kill_part() {
  docker kill "$(sed -n 's#^part 3/4 has joined on \([0-9a-f]*\):.*#\1#p' report)"
}

case_killed() {
  perform killed kill_part
  [ "$code" = 3 ] || fail "expected exit code 3, found $code"
  assert_part_three_lost report "lost after its second"
  [ "$(grep -c '^part 0$' states)" = 3 ] || fail "expected three parts that end well"
  grep -q '^part 137$' states || fail "expected one part that was killed"
}

# Parts stay for a search on the engine's machine, which is told their token, and end when it does.
case_staying() {
  local search gateway target
  folder=$state/staying
  before=$(answered)
  mkdir "$folder"
  cd "$folder" || exit
  gateway=$(docker network inspect --format '{{(index .IPAM.Config 0).Gateway}}' shop_default)
  target=$(docker inspect --format '{{.NetworkSettings.Networks.shop_default.IPAddress}}' shop-orders-1)
  distribute parts.yaml -- serve-part --join "https://$gateway:7400"
  compose=(docker compose -f parts.yaml -f beside.yaml)
  told "${compose[@]}" up --detach
  search=(line "http://$target:9000/" --slo 'p(99)<1s' --at-least 100/s --max-in-flight 16 --no-watch)
  search+=(--parts 4 --listen 0.0.0.0:7400 -o json=report.json)
  show "PLIMSOLL_TOKEN=… plimsoll ${search[*]}"
  code=0
  PLIMSOLL_TOKEN=$(sed -n 's/^ *PLIMSOLL_TOKEN: "\{0,1\}\([0-9a-f]*\).*/\1/p' parts.yaml) \
    user plimsoll "${search[@]}" >report 2>progress || code=$?
  await "the end of the parts" ended
  "${compose[@]}" logs --no-log-prefix part >parts 2>&1
  "${compose[@]}" ps --all --format '{{.Service}} {{.ExitCode}}' >states
  if [ -n "$transcript" ]; then
    cat progress report
    show 'echo $?'
    echo "$code"
  fi
  after=$(answered)
  told "${compose[@]}" down
  assert_searched parts
  [ "$(grep -c '^part 0$' states)" = 4 ] || fail "expected four parts that end well"
}

# A service with a lock (tests/cli/explain/Locked.java) in a container that has the host's Java and nothing else.
start_service() { # PORT FLAG...
  local port=$1 mounts=() directory java
  shift
  java=$(realpath "$(command -v java)")
  for directory in /usr /lib /lib64 /etc/java* "${java%/bin/java}"; do
    [ ! -d "$directory" ] || mounts+=(--volume "$(realpath "$directory"):$directory:ro")
  done
  docker rm --force service >/dev/null 2>&1 || true
  tar -cf - --files-from /dev/null | docker import - localhost/empty:1 >>happened
  docker run --detach --name service --memory 300m --cpus 1 "${mounts[@]}" \
    --volume "$root/tests/cli/explain/Locked.java:/Locked.java:ro" --tmpfs /tmp "$@" \
    localhost/empty:1 "$java" -Xmx64m /Locked.java "$port" 0.0.0.0 >>happened
  await "the service" listens "$port"
}

listens() { # PORT
  docker logs service | grep -qx "$1"
}

# Explains it, and finds its line, as the user would: by the URL alone.
look_at_service() { # URL
  local url=$1
  show "plimsoll explain $url -c 20"
  user plimsoll explain "$url" -c 20 --warm-up 4s -o json=explained.json >report 2>progress ||
    fail "expected an explanation"
  if [ -n "$transcript" ]; then cat progress report; fi
  found explained.json '["explanations"][0]["limit"]' lock
  found explained.json '["explanations"][0]["blind"]' None
  show "plimsoll line $url --slo 'p(90)<1s'"
  user plimsoll line "$url" --slo 'p(90)<1s' --at-most 1min --warm-up 4s --no-overload --max-in-flight 40 \
    -o json=line.json >report 2>progress || fail "expected a line"
  if [ -n "$transcript" ]; then cat progress report; fi
  grep -q 'at the line .* of 1 core' report || fail "expected what it costs, and the limit of the container"
  cat >service.yaml <<END
variants: {service: {url: "$url"}}
load: {model: constant-vus, levels: [10], duration: 4s}
rounds: 1
END
  user plimsoll run service.yaml --format json >run.json 2>progress || fail "expected a run"
  python3 -c 'import json, sys
it = json.load(open("run.json"))["variants"][0]["levels"][0]
print(json.dumps(it["resources"] if "resources" in it else it, indent=1))' >resources
}

# A value of a report.
found() { # FILE PATH EXPECTED
  local value
  value=$(python3 -c 'import json, sys
print(eval("it" + sys.argv[2], {"it": json.load(open(sys.argv[1]))}))' "$1" "$2")
  [ "$value" = "$3" ] || fail "expected $2 to be $3, found $value"
}

# Port 18080 of the machine is docker-proxy's, which leads to port 8080 of the container.
case_published() {
  folder=$state/published
  mkdir "$folder"
  cd "$folder" || exit
  has java || { echo "skipped: no java here" && return; }
  start_service 8080 --publish 127.0.0.1:18080:8080
  look_at_service http://127.0.0.1:18080/
  docker rm --force service >/dev/null
}

case_host() {
  folder=$state/host
  mkdir "$folder"
  cd "$folder" || exit
  has java || { echo "skipped: no java here" && return; }
  start_service 18081 --network host
  look_at_service http://127.0.0.1:18081/
  docker rm --force service >/dev/null
}
