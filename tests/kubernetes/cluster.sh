# shellcheck shell=bash disable=SC2154
# One real node of Kubernetes, in a network namespace of its own: nothing in it reaches beyond this machine. Sourced by
# `run`; $state is a folder of this run, and $kubernetes_folder has the programs.
# shellcheck disable=SC2154  # `run` sets them
# shellcheck disable=SC2086  # commands with their options are split into words

NODE_ADDRESS=10.250.0.1

# The containers themselves, behind the kubelet's back.
containers() {
  ctr --address "$state/containerd.sock" --namespace k8s.io "$@"
}

# Starts a program in the cluster's network.
begin_inside() { # NAME COMMAND...
  # Not by `ip netns exec`, which hides the cgroups.
  begin "$1" nsenter "--net=/run/netns/$network" "${@:2}"
}

kubectl() {
  nsenter "--net=/run/netns/$network" "$kubernetes_folder/kubectl" --kubeconfig "$state/admin.kubeconfig" "$@"
}

start_cluster() {
  make_network
  make_credentials
  configure_containerd
  configure_kubelet
  begin_inside containerd containerd --config "$state/containerd.toml"
  begin_inside etcd etcd --data-dir "$state/etcd" --unsafe-no-fsync --listen-peer-urls http://127.0.0.1:2380 \
    --listen-client-urls http://127.0.0.1:2379 --advertise-client-urls http://127.0.0.1:2379
  begin_inside apiserver "$kubernetes_folder/kube-apiserver" --etcd-servers=http://127.0.0.1:2379 \
    --cert-dir="$state/apiserver" --bind-address=0.0.0.0 --advertise-address=$NODE_ADDRESS --secure-port=6443 \
    --service-account-issuer=https://kubernetes.default.svc --service-account-key-file="$state/sa.pub" \
    --service-account-signing-key-file="$state/sa.key" --token-auth-file="$state/tokens.csv" \
    --authorization-mode=Node,RBAC --service-cluster-ip-range=10.252.0.0/24 \
    --kubelet-preferred-address-types=InternalIP
  await "containerd" containers version
  await "the API server" kubectl get --raw /readyz
  begin_inside controller-manager "$kubernetes_folder/kube-controller-manager" \
    --kubeconfig="$state/controller.kubeconfig" \
    --service-account-private-key-file="$state/sa.key" --use-service-account-credentials --leader-elect=false \
    --cert-dir="$state/controller" --root-ca-file="$state/apiserver/apiserver.crt"
  begin_inside scheduler "$kubernetes_folder/kube-scheduler" --kubeconfig="$state/scheduler.kubeconfig" \
    --leader-elect=false --cert-dir="$state/scheduler"
  begin_inside names python3 "$here/names.py" $NODE_ADDRESS "$(cat "$state/admin.token")"
  start_kubelet
  await "the node" kubectl wait --for=condition=Ready node/node1 --timeout=1s
  await "the service account" kubectl get serviceaccount default
}

start_kubelet() {
  begin_inside kubelet "$kubernetes_folder/kubelet" --config="$state/kubelet.yaml" \
    --kubeconfig="$state/node.kubeconfig" --root-dir="$state/kubelet" --cert-dir="$state/kubelet-certificates" \
    --hostname-override=node1 --node-ip=$NODE_ADDRESS
}

# The node's interface is a bridge: there may be no dummy device.
make_network() {
  ip netns add "$network"
  ip -n "$network" link set lo up
  ip -n "$network" link add node0 type bridge
  ip -n "$network" address add $NODE_ADDRESS/24 dev node0
  ip -n "$network" link set node0 up
  ip -n "$network" route add default dev node0
  nsenter "--net=/run/netns/$network" sysctl -qw net.ipv4.ip_forward=1
}

# A token for each who asks the API, and a key for those of service accounts.
make_credentials() {
  local name user token
  openssl genrsa -out "$state/sa.key" 2048 2>/dev/null
  openssl rsa -in "$state/sa.key" -pubout -out "$state/sa.pub" 2>/dev/null
  : >"$state/tokens.csv"
  while read -r name user; do
    token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' ')
    echo "$token,$user" >>"$state/tokens.csv"
    echo "$token" >"$state/$name.token"
    cat >"$state/$name.kubeconfig" <<END
apiVersion: v1
kind: Config
clusters: [{name: test, cluster: {server: "https://$NODE_ADDRESS:6443", insecure-skip-tls-verify: true}}]
users: [{name: test, user: {token: $token}}]
contexts: [{name: test, context: {cluster: test, user: test}}]
current-context: test
END
  done <<'END'
admin admin,1,system:masters
controller system:kube-controller-manager,2
scheduler system:kube-scheduler,3
node system:node:node1,4,system:nodes
END
}

configure_containerd() {
  mkdir -p "$state/cni"
  cat >"$state/cni/pods.conflist" <<END
{"cniVersion": "1.0.0", "name": "pods", "plugins": [{"type": "bridge", "bridge": "pods0", "isGateway": true,
  "hairpinMode": true, "ipam": {"type": "host-local", "ranges": [[{"subnet": "10.251.0.0/24"}]],
  "routes": [{"dst": "0.0.0.0/0"}], "dataDir": "$state/addresses"}}, {"type": "loopback"}]}
END
  # Scores of the OOM killer cannot be lowered in every sandbox.
  cat >"$state/containerd.toml" <<END
version = 2
root = "$state/containerd"
state = "$state/containerd-state"
[grpc]
  address = "$state/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "localhost/pause:1"
  disable_apparmor = true
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "$state/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
END
}

configure_kubelet() {
  cat >"$state/kubelet.yaml" <<END
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication: {anonymous: {enabled: true}, webhook: {enabled: false}}
authorization: {mode: AlwaysAllow}
cgroupDriver: cgroupfs
failCgroupV1: false
failSwapOn: false
enforceNodeAllocatable: []
containerRuntimeEndpoint: unix://$state/containerd.sock
podLogsDir: $state/pod-logs
clusterDNS: [$NODE_ADDRESS]
clusterDomain: cluster.local
resolvConf: ""
makeIPTablesUtilChains: false
evictionHard: {memory.available: 100Mi, nodefs.available: 1%, imagefs.available: 1%}
imageGCHighThresholdPercent: 100
nodeStatusUpdateFrequency: 2s
END
}

# Containers first, while somebody knows them; then the programs, the last one first, etcd after those that write there.
stop_cluster() {
  local task index mount name
  if grep -qs kubelet "$state/started"; then
    kubectl delete jobs,pods --all --force --grace-period=0 --wait=false >/dev/null 2>&1 || true
    for ((index = 0; index < 20; index++)); do
      [ -n "$(containers tasks list --quiet 2>/dev/null)" ] || break
      sleep 0.5
    done
  fi
  for name in $(started | grep -v '^containerd$'); do end "$name"; done
  for task in $(containers tasks list --quiet 2>/dev/null || true); do
    containers tasks kill --signal SIGKILL "$task" || true
    sleep 0.3
    containers tasks delete "$task" || true
  done >/dev/null 2>&1
  end containerd
  wait 2>/dev/null || true
  # In reverse, so that what is mounted last goes first.
  cut -d ' ' -f 2 /proc/mounts | grep -F "$state" | sort -r | while read -r mount; do umount -l "$mount"; done || true
  find /sys/fs/cgroup -depth -type d -path '*/kubepods*' -exec rmdir {} + 2>/dev/null || true
  ip netns list | grep -o '^cni-[0-9a-f-]*' | while read -r mount; do
    [ ! -e "$state/networks" ] || grep -qx "$mount" "$state/networks" || ip netns delete "$mount"
  done || true
  ip netns delete "$network" 2>/dev/null || true
}
