# shellcheck shell=bash
# Finds what Plimsoll is built and run with, or installs it, or says what to install. Sourced by `plimsoll` and `test`.
# Works with the bash 3.2 of macOS.

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

# Fails if this is not root on a Debian or Ubuntu that has the packages.
apt_install() { # PACKAGE...
  [ "$(id -u)" = 0 ] && has apt-get || return 1
  say "installing $* with apt-get…"
  apt-get update -qq >/dev/null 2>&1 || true
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1
}

need_c_compiler() {
  has "${CC:-cc}" || has gcc || has clang || apt_install gcc libc6-dev ||
    die "no C compiler found; SQLite, which keeps the record, is built with one" \
      "Debian, Ubuntu: apt-get install gcc libc6-dev; Fedora: dnf install gcc; macOS: xcode-select --install"
}

# Sees to it that `cargo` is on PATH and new enough for the workspace in $1.
need_cargo() { # DIRECTORY
  has cargo || PATH="$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"
  has cargo || install_rust
  local needed found
  needed=$(sed -n 's/^rust-version = "1\.\([0-9]*\).*/\1/p' "$1/Cargo.toml")
  found=$(cargo --version | sed -n 's/^cargo 1\.\([0-9]*\).*/\1/p')
  [ "${found:-0}" -ge "$needed" ] ||
    die "$(command -v cargo) is version 1.${found:-?}, 1.$needed or newer needed" \
      "rustup update stable, or install Rust from https://rustup.rs"
}

install_rust() {
  local help="install Rust from https://rustup.rs, or with your system's packages"
  has curl || die "no cargo found, and no curl to install Rust with" "$help"
  say "no cargo found: installing Rust for this user from https://sh.rustup.rs (to ${CARGO_HOME:-$HOME/.cargo})…"
  (set -o pipefail && curl --proto '=https' -fsS https://sh.rustup.rs | sh -s -- -y -q --profile minimal >&2) ||
    die "Rust could not be installed" "$help"
}

need_cargo_components() {
  cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1 && return
  if ! has rustup || ! rustup component add rustfmt clippy >/dev/null 2>&1; then
    die "cargo has no fmt or no clippy, which the tests need" "rustup component add rustfmt clippy"
  fi
}

# The oldest JDK that the subjects run on, and the packages that bring one, newest first.
OLDEST_JDK=21
JDK_PACKAGES="openjdk-25-jdk-headless openjdk-21-jdk-headless"

# Prints the directory of the newest JDK, or fails. The same places as crates/lab/src/jdk.rs.
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

# Fails after it has said what to install.
want_jdk() {
  find_jdk >/dev/null && return
  local package
  for package in $JDK_PACKAGES; do
    apt_install "$package" && return
  done
  say "no JDK $OLDEST_JDK or newer found; the bundled subjects need one"
  say "  help: install JDK 25, e.g. from https://adoptium.net or with \`sdk install java 25-tem\`"
  return 1
}

# Fails after it has said what to install.
want_maven() {
  has mvn || [ -x "${MAVEN_HOME:-/nowhere}/bin/mvn" ] || apt_install maven && return
  say "no Maven found; the bundled subjects are built with it"
  say "  help: Debian, Ubuntu: apt-get install maven; macOS: brew install maven; or \`sdk install maven\`"
  return 1
}
