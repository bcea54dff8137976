# shellcheck shell=bash
# A load in four parts, and what becomes of it when something happens to one of them. Sourced by `run`.
# shellcheck disable=SC2034,SC2154  # variables shared with `run` and engines.sh

CASES=(whole deleted evicted killed restarted staying)

LOAD="load http://orders:9000/ -q 400 -z 10s"

# The bundled upstream, by the name that the load has.
start_upstream() {
  kubectl apply -f - >/dev/null <<'END'
apiVersion: v1
kind: Service
metadata: {name: orders}
spec: {clusterIP: None, selector: {app: orders}}
---
apiVersion: v1
kind: Pod
metadata: {name: orders, labels: {app: orders}}
spec:
  automountServiceAccountToken: false
  containers:
    - name: upstream
      image: localhost/plimsoll:test
      args: [upstream, --bind, 0.0.0.0, --port, "9000", --json]
END
  await "the upstream" kubectl wait --for=condition=Ready pod/orders --timeout=1s
  # From now on Pods are refused that ask for more than a load needs.
  kubectl label namespace default pod-security.kubernetes.io/enforce=restricted >"$state/label.log" 2>&1
}

# Requests that the upstream has answered.
answered() {
  # The counts of a second are told in the next one.
  sleep 2
  kubectl logs --tail=1 orders | sed -n 's/.*"requests":\([0-9]*\).*/\1/p'
}

# Runs a command of the user's.
user() { # COMMAND...
  PATH=$state/bin:$PATH KUBECONFIG=$state/admin.kubeconfig nsenter "--net=/run/netns/$network" "$@"
}

# Writes the manifest of four parts into FILE, and applies it.
distribute() { # FILE ARGUMENT...
  local file=$1 command
  shift
  command="plimsoll distribute --parts 4 --on kubernetes --image localhost/plimsoll:test $*"
  show "$command > $file"
  # shellcheck disable=SC2086
  user $command >"$file"
  show "kubectl apply -f $file"
  user kubectl apply -f "$file" >applied
  if [ -n "$transcript" ]; then cat applied; fi
}

# Distributes the load, has something happen three seconds after its start, and collects. The report is in
# $folder/report.json, and the exit code in $code.
perform() { # NAME [COMMAND...]
  local name=$1 collecting
  shift
  folder=$state/$name
  before=$(answered)
  mkdir "$folder"
  cd "$folder" || exit
  distribute job.yaml --name "$name" --cpu 200m --memory 128Mi -- "$LOAD"
  show "plimsoll collect --from kubernetes/$name -o json=report.json"
  user plimsoll collect --from "kubernetes/$name" -o json=report.json >report 2>progress 3>&- &
  collecting=$!
  await_load $collecting progress
  if [ $# -gt 0 ]; then
    sleep 3
    "$@" >happened 2>&1
  fi
  code=0
  wait $collecting || code=$?
  await "the end of the parts" ended "$name"
  kubectl get pods --selector "app.kubernetes.io/instance=$name" >pods.txt 2>&1
  kubectl get job "$name" -o jsonpath='{.status}' >job.json
  after=$(answered)
  kubectl delete -f job.yaml --wait=false >/dev/null
  if [ -n "$transcript" ]; then
    cat progress report
    show 'echo $?'
    echo "$code"
    show "kubectl get pods"
    cat pods.txt
  fi
}

# Whether no part of the Job is active any more.
ended() { # NAME
  [ -z "$(kubectl get job "$1" -o jsonpath='{.status.active}')" ] &&
    [ -n "$(kubectl get job "$1" -o jsonpath='{.status.conditions[*].type}')" ]
}

part_three() { # NAME
  kubectl get pods --output name \
    --selector "app.kubernetes.io/instance=$1,batch.kubernetes.io/job-completion-index=2"
}

# The others are whole, and the Job has failed in index 2 alone.
assert_lost() { # HOW
  [ "$code" = 3 ] || fail "expected exit code 3, found $code"
  assert_part_three_lost "$folder/report" "$1"
  grep -q '"succeeded":3' job.json || fail "expected three parts that succeeded"
  grep -q '"failedIndexes":"2"' job.json || fail "expected that index 2 alone has failed"
}

delete_part() {
  kubectl delete "$(part_three deleted)" --wait=false
}

evict_part() {
  local pod
  pod=$(part_three evicted)
  pod=${pod#pod/}
  printf '{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"%s","namespace":"default"}}' "$pod" |
    kubectl create --raw "/api/v1/namespaces/default/pods/$pod/eviction" -f -
}

kill_part() {
  local container
  container=$(kubectl get "$(part_three killed)" -o jsonpath='{.status.containerStatuses[0].containerID}')
  containers tasks kill --signal SIGKILL "${container#containerd://}"
}

# Its containers go on, and whoever follows their output asks again.
restart_kubelet() {
  end kubelet
  sleep 2
  start_kubelet
}

case_whole() {
  perform whole
  assert_whole
  grep -q '"succeeded":4' job.json || fail "expected four parts that succeeded"
}

case_deleted() {
  perform deleted delete_part
  assert_lost interrupted
}

case_evicted() {
  perform evicted evict_part
  assert_lost interrupted
}

case_killed() {
  perform killed kill_part
  assert_lost "lost after its second"
}

case_restarted() {
  perform restarted restart_kubelet
  assert_whole
}

# Parts stay for a search outside of them, which is told their token, and end when it does.
case_staying() {
  local search token pod target
  folder=$state/staying
  before=$(answered)
  mkdir "$folder"
  cd "$folder" || exit
  distribute parts.yaml --cpu 200m --memory 128Mi -- serve-part --join "https://$NODE_ADDRESS:7400"
  token=$(sed -n 's/^  token: "\{0,1\}\([0-9a-f]*\).*/\1/p' parts.yaml)
  # The search sends a few requests beforehand, from outside the cluster, where its names are unknown.
  target=$(kubectl get pod orders -o jsonpath='{.status.podIP}')
  search=(line "http://$target:9000/" --slo 'p(99)<1s' --at-least 100/s --max-in-flight 16 --no-watch)
  search+=(--parts 4 --listen 0.0.0.0:7400 --deadline 2m -o json=report.json)
  show "PLIMSOLL_TOKEN=… plimsoll ${search[*]}"
  code=0
  PLIMSOLL_TOKEN=$token user plimsoll "${search[@]}" >report 2>progress || code=$?
  await "the end of the parts" ended parts
  kubectl get pods --selector app.kubernetes.io/instance=parts >pods.txt 2>&1
  kubectl get job parts -o jsonpath='{.status}' >job.json
  for pod in $(kubectl get pods --output name --selector app.kubernetes.io/instance=parts); do
    kubectl logs "$pod" >"${pod#pod/}.out"
  done
  after=$(answered)
  kubectl delete -f parts.yaml --wait=false >/dev/null
  if [ -n "$transcript" ]; then
    cat progress report
    show 'echo $?'
    echo "$code"
    show "kubectl get pods"
    cat pods.txt
  fi
  assert_searched parts-*.out
  grep -q '"succeeded":4' job.json || fail "expected four parts that succeeded"
}
