# shellcheck shell=bash
# A Docker engine of this run's own, in a network namespace of its own: nothing in it reaches beyond this machine.
# Sourced by `run`; $state is a folder of this run, and $network names the namespace.
# shellcheck disable=SC2154  # `run` sets them

# Compose, as it is built where no package has it.
COMPOSE=v2.40.3

# Runs a command of the user's on the engine's machine.
user() { # COMMAND...
  nsenter "--net=/run/netns/$network" "$@"
}

# Containers' cgroups are below this one.
group=/plimsoll-compose-$$

# Debian has Compose 2 as `docker-compose` since version 13; before, and where Docker's own package is not, it is built.
provide_compose() {
  local folder=${XDG_CACHE_HOME:-$HOME/.cache}/plimsoll/compose-$COMPOSE
  export DOCKER_CONFIG=$state/docker-config
  mkdir -p "$DOCKER_CONFIG/cli-plugins"
  if docker compose version >/dev/null 2>&1; then return; fi
  if docker-compose version --short 2>/dev/null | grep -q -e '^v\{0,1\}[2-9]'; then
    ln -s "$(command -v docker-compose)" "$DOCKER_CONFIG/cli-plugins/docker-compose"
    return
  fi
  [ -x "$folder/docker-compose" ] || build_compose "$folder"
  ln -s "$folder/docker-compose" "$DOCKER_CONFIG/cli-plugins/docker-compose"
}

# From Go's modules, once.
build_compose() { # FOLDER
  local folder=$1 module=github.com/docker/compose/v2 source
  has go || die "there is no Docker Compose 2, and no Go to build it with" "install docker-compose-plugin, or Go"
  say "building Docker Compose $COMPOSE into $folder: some minutes, once"
  source=$( (cd / && GOFLAGS=-mod=mod go mod download -json "$module@$COMPOSE") | sed -n 's/.*"Dir": "\(.*\)",/\1/p')
  rm -rf "$folder.making"
  mkdir -p "$folder"
  cp -R "$source" "$folder.making"
  chmod -R u+w "$folder.making"
  (cd "$folder.making" && CGO_ENABLED=0 nice -n 19 go build -trimpath -ldflags "-s -w -X $module/internal.Version=$COMPOSE" \
    -o "$folder/docker-compose.new" ./cmd)
  mv "$folder/docker-compose.new" "$folder/docker-compose"
  rm -rf "$folder.making"
}

start_engine() {
  ip netns add "$network"
  ip -n "$network" link set lo up
  # Containers ask the engine for names by way of iptables, which works by either of the kernel's two interfaces.
  if ! user iptables -t nat -L >/dev/null 2>&1; then
    ln -s "$(command -v iptables-legacy)" "$state/bin/iptables"
    ln -s "$(command -v ip6tables-legacy)" "$state/bin/ip6tables"
  fi
  cat >"$state/containerd.toml" <<END
version = 2
root = "$state/containerd"
state = "$state/containerd-state"
disabled_plugins = ["io.containerd.grpc.v1.cri"]
[grpc]
  address = "$state/containerd.sock"
END
  echo '{}' >"$state/daemon.json"
  begin containerd nsenter "--net=/run/netns/$network" containerd --config "$state/containerd.toml"
  await "containerd" ctr --address "$state/containerd.sock" version
  export DOCKER_HOST=unix://$state/docker.sock
  # Scores of the OOM killer cannot be lowered in every sandbox.
  begin dockerd nsenter "--net=/run/netns/$network" dockerd --host="$DOCKER_HOST" --config-file="$state/daemon.json" \
    --containerd="$state/containerd.sock" --data-root="$state/data" --exec-root="$state/exec" \
    --pidfile="$state/dockerd.pidfile" --cgroup-parent="$group" --exec-opt native.cgroupdriver=cgroupfs \
    --oom-score-adjust=0
  await "the Docker engine" docker version
}

# Containers first, while somebody knows them; then the engine.
stop_engine() {
  local mount
  if [ -e "$state/dockerd.pid" ]; then
    # shellcheck disable=SC2046
    docker rm --force --volumes $(docker ps --all --quiet) >/dev/null 2>&1 || true
  fi
  end dockerd
  end containerd
  wait 2>/dev/null || true
  # In reverse, so that what is mounted last goes first.
  cut -d ' ' -f 2 /proc/mounts | grep -F "$state" | sort -r | while read -r mount; do umount -l "$mount"; done || true
  find /sys/fs/cgroup -depth -type d -path "*$group*" -exec rmdir {} + 2>/dev/null || true
  ip netns delete "$network" 2>/dev/null || true
}
