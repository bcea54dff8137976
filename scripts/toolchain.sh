# shellcheck shell=bash
# Finds the tools that Plimsoll is built, run and tested with; provide.sh installs those that are missing. Sourced by
# `plimsoll` and `test`.

# The directory with the workspace's Cargo.toml.
toolchain_home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)

# shellcheck source=scripts/provide.sh
. "$toolchain_home/scripts/provide.sh"

# Services of systemd have none.
HOME=${HOME:-$(cd ~ && pwd)}

# The oldest JDK that the subjects run on.
OLDEST_JDK=21

say() {
  printf '%s\n' "$*" >&2
}

die() { # MESSAGE HELP
  say "plimsoll: $1"
  say "  help: $2"
  exit 2
}

has() {
  command -v "$1" >/dev/null 2>&1
}

# The tools: rust, cargo-components, c-compiler, musl, jdk, maven, and programs by their names.
is_there() { # TOOL
  case $1 in
    rust) find_cargo ;;
    cargo-components) cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1 ;;
    c-compiler) has "${CC:-cc}" || has gcc || has clang ;;
    musl) has musl-gcc && find_cargo && [ -d "$(rustc --print target-libdir --target "$(musl_triple)")" ] ;;
    jdk) find_jdk >/dev/null ;;
    maven) find_maven >/dev/null ;;
    chromium) [ -n "${CHROME:-}" ] || has chromium || has chromium-browser || has google-chrome ;;
    *) has "$1" ;;
  esac
}

# Tools that are not there, each once.
missing_of() { # TOOL...
  local tool seen=" "
  for tool in "$@"; do
    case $seen in *" $tool "*) continue ;; esac
    seen="$seen$tool "
    is_there "$tool" || echo "$tool"
  done
}

# `provide`, and the end if the tool cannot be had.
need() { # TOOL
  is_there "$1" || provide "$1" || die "cannot go on without $(in_words "$1")" "see above"
  # Where it was just installed, it is not on PATH yet.
  is_there "$1"
}

# Rust's name of static programs for this machine.
musl_triple() {
  echo "$(uname -m)-unknown-linux-musl"
}

# Puts a cargo that is new enough for the workspace first on PATH.
find_cargo() {
  local folder
  for folder in "" "${CARGO_HOME:-$HOME/.cargo}/bin:"; do
    if [ "$(cargo_found "$folder")" -ge "$(cargo_needed)" ]; then
      PATH=$folder$PATH
      return
    fi
  done
  return 1
}

# Both print the 93 of 1.93.

cargo_needed() {
  sed -n 's/^rust-version = "1\.\([0-9]*\).*/\1/p' "$toolchain_home/Cargo.toml"
}

# Asked where the workspace may name a toolchain, which must not be downloaded by the question.
cargo_found() { # [FOLDER:]
  local version
  version=$(cd "$toolchain_home" && PATH=${1:-}$PATH RUSTUP_AUTO_INSTALL=0 cargo --version 2>/dev/null)
  version=${version#cargo 1.}
  version=${version%%.*}
  case $version in
    "" | *[!0-9]*) echo 0 ;;
    *) echo "$version" ;;
  esac
}

# Prints the directory of the newest JDK, or fails. The same places as crates/lab/src/jdk/places.rs.
find_jdk() {
  local home version best="" newest=0
  for home in "${PLIMSOLL_JAVA_HOME:-}" "${JAVA_HOME:-}" "$(jdk_on_path)" /usr/lib/jvm/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home "$HOME"/.sdkman/candidates/java/*; do
    if [ ! -x "$home/bin/javac" ] || [ ! -r "$home/release" ]; then
      continue
    fi
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release")
    if [ "${version:-0}" -gt "$newest" ]; then
      newest=$version
      best=$home
    fi
    [ "$home" != "${PLIMSOLL_JAVA_HOME:-}" ] || break
  done
  [ "$newest" -ge "$OLDEST_JDK" ] && printf '%s\n' "$best"
}

jdk_on_path() {
  has javac || return 0
  local javac link
  javac=$(command -v javac)
  while link=$(readlink "$javac"); do
    case $link in
      /*) javac=$link ;;
      *) javac=$(dirname "$javac")/$link ;;
    esac
  done
  dirname "$(dirname "$javac")"
}

# Prints what makes native images, as crates/lab/src/jdk/places.rs finds it: GRAALVM_HOME decides if it is set.
find_native_image() {
  local home
  if [ -n "${GRAALVM_HOME:-}" ]; then
    [ -x "$GRAALVM_HOME/bin/native-image" ] && printf '%s\n' "$GRAALVM_HOME/bin/native-image"
    return
  fi
  for home in "${JAVA_HOME:-}" "$(jdk_on_path)" /usr/lib/jvm/* /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "$HOME"/.sdkman/candidates/java/*; do
    if [ -x "$home/bin/native-image" ]; then
      printf '%s\n' "$home/bin/native-image"
      return
    fi
  done
  return 1
}

# Prints the program, or fails.
find_maven() {
  if [ -x "${MAVEN_HOME:-/nowhere}/bin/mvn" ]; then
    printf '%s\n' "$MAVEN_HOME/bin/mvn"
  else
    command -v mvn
  fi
}
