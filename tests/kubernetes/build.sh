# shellcheck shell=bash
# Builds a Kubernetes from Go's modules, once: some 17 CPU minutes. Sourced by `run`.

KUBERNETES=v1.35.4
KUBERNETES_PROGRAMS="kube-apiserver kube-controller-manager kube-scheduler kubelet kubectl"

# Where the programs are kept, for all checkouts of this user.
kubernetes_folder=${XDG_CACHE_HOME:-$HOME/.cache}/plimsoll/kubernetes-$KUBERNETES

# Fails unless all programs are there in the end. $kubernetes_folder/source leads to Kubernetes' own sources.
build_kubernetes() {
  local program making=$kubernetes_folder.making
  [ ! -e "$kubernetes_folder/done" ] || return 0
  say "building Kubernetes $KUBERNETES into $kubernetes_folder: some 17 CPU minutes, once"
  mkdir -p "$making" "$kubernetes_folder"
  write_module "$making"
  for program in $KUBERNETES_PROGRAMS; do
    [ ! -x "$kubernetes_folder/$program" ] || continue
    (cd "$making" && CGO_ENABLED=0 nice -n 19 go build -trimpath -ldflags "$(link_flags)" \
      -o "$kubernetes_folder/$program.new" "k8s.io/kubernetes/cmd/$program")
    mv "$kubernetes_folder/$program.new" "$kubernetes_folder/$program"
    say "  $program: $(stat -c %s "$kubernetes_folder/$program") bytes"
  done
  cc -static -Os -o "$kubernetes_folder/pause" "$(kubernetes_source)/build/pause/linux/pause.c"
  rm -rf "$making"
  touch "$kubernetes_folder/done"
}

kubernetes_source() {
  (cd / && GOFLAGS=-mod=mod go mod download -json "k8s.io/kubernetes@$KUBERNETES") | sed -n 's/.*"Dir": "\(.*\)",/\1/p'
}

# A module that requires Kubernetes, and its parts in the versions that belong to it: Kubernetes itself takes them from
# its own folders, which modules do not have.
write_module() { # FOLDER
  local source
  source=$(kubernetes_source)
  {
    echo "module plimsoll.test/kubernetes"
    sed -n '/^go 1/p; /^godebug /p' "$source/go.mod"
    echo "require k8s.io/kubernetes $KUBERNETES"
    echo "replace ("
    sed -n "s#^[[:space:]]*\(k8s.io/[a-z-]*\) => ./staging.*#\1 => \1 v0.${KUBERNETES#v1.}#p" "$source/go.mod"
    echo ")"
  } >"$1/go.mod"
  {
    printf '//go:build programs\n\npackage programs\n\nimport (\n'
    for program in $KUBERNETES_PROGRAMS; do printf '\t_ "k8s.io/kubernetes/cmd/%s"\n' "$program"; done
    echo ")"
  } >"$1/programs.go"
  install -m 644 "$source/go.sum" "$1/go.sum"
  (cd "$1" && nice -n 19 go mod tidy 2>&1 | tail -n 5 >&2)
}

# The version that the programs tell each other.
link_flags() {
  local package minor=${KUBERNETES#v1.}
  printf '%s' '-s -w'
  for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
    printf ' -X %s' "$package.gitVersion=$KUBERNETES" "$package.gitMajor=1" "$package.gitMinor=${minor%%.*}" \
      "$package.gitTreeState=clean" "$package.buildDate=2026-01-01T00:00:00Z"
  done
}
