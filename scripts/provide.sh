# shellcheck shell=bash
# Installs tools that are missing: after one question on a terminal, unasked without a terminal or with `--install`.
# Prints the exact command where it may not. Sourced by toolchain.sh, whose functions it uses.

# `yes` or `no` once it was said, by `--install` or in answer to the question.
may_install=""

# Packages that bring a JDK, newest first.
JDK_PACKAGES="openjdk-25-jdk-headless openjdk-21-jdk-headless"

# Sees to it that these tools are there. Fails if one is not in the end, after it has said how to get it.
provide() { # TOOL...
  local missing tool
  missing=$(missing_of "$@")
  [ -n "$missing" ] || return 0
  say "Plimsoll lacks on this machine:"
  for tool in $missing; do say "  $(in_words "$tool")"; done
  provide_of "$missing"
  missing=$(missing_of "$@")
  [ -z "$missing" ] || {
    advise "$missing"
    return 1
  }
}

# Installs what it can and may of the missing tools, given one a line.
provide_of() { # MISSING
  local tool installable=""
  for tool in $1; do
    if is_installable "$tool"; then installable="$installable $tool"; fi
  done
  [ -n "$installable" ] || return 0
  if consents "$installable"; then
    install_all "$installable" || true
  fi
}

# Whether this user can install the tool: packages need root.
is_installable() { # TOOL
  local packages
  packages=$(packages_of "$1")
  if [ -n "$packages" ]; then
    [ "$(id -u)" = 0 ] && has apt-get
  else
    [ -n "$(command_of "$1")" ]
  fi
}

# Asks at most once in a process.
consents() { # TOOLS
  local answer
  if [ -z "$may_install" ]; then
    may_install=yes
    if [ -t 0 ] && [ -t 2 ]; then
      say "These commands install it:"
      commands_for "$1" | sed 's/^/  /' >&2
      printf 'Run them now? [y/N] ' >&2
      read -r answer || answer=""
      case $answer in
        [yY] | [yY][eE][sS]) ;;
        *) may_install=no ;;
      esac
    fi
  fi
  [ $may_install = yes ]
}

# Runs the commands one by one; says what fails and where its output is.
install_all() { # TOOLS
  local log command
  log=$(mktemp "${TMPDIR:-/tmp}/plimsoll-install.XXXXXX")
  # The packages that there are are known for sure only after this.
  [ -z "$(packages_for "$1")" ] || apt-get update -qq >>"$log" 2>&1 </dev/null || true
  while read -r command; do
    say "running: $command"
    DEBIAN_FRONTEND=noninteractive bash -c "set -o pipefail; $command" >>"$log" 2>&1 </dev/null || {
      say "  failed; the last lines of $log:"
      tail -n 5 "$log" | sed 's/^/  | /' >&2
      return 1
    }
  done <<<"$(commands_for "$1" | grep -v 'apt-get update$')"
  rm -f "$log"
  hash -r
}

# Says how a person gets what is still missing.
advise() { # MISSING
  local tool known=""
  for tool in $1; do
    if has apt-get && [ -n "$(packages_of "$tool")" ] || [ -n "$(command_of "$tool")" ]; then
      known="$known $tool"
    else
      say "  help: $(in_words "$tool"): $(elsewhere "$tool")"
    fi
  done
  if [ -n "$known" ]; then
    say "  help: run"
    commands_for "$known" | sed 's/^/    /' >&2
  fi
}

# The commands that install these tools, one a line; those that need root come first.
commands_for() { # TOOLS
  local tool packages sudo=""
  packages=$(packages_for "$1")
  if [ -n "$packages" ] && has apt-get; then
    [ "$(id -u)" = 0 ] || sudo="sudo "
    echo "${sudo}apt-get update"
    echo "${sudo}apt-get install -y --no-install-recommends $packages"
  fi
  for tool in $1; do command_of "$tool"; done
}

packages_for() { # TOOLS
  local tool packages=""
  for tool in $1; do packages="$packages $(packages_of "$tool")"; done
  # Unquoted, so that no space is left where there is none.
  # shellcheck disable=SC2086
  echo $packages
}

# Debian's packages of a tool; none where it has no such package, or where a package is not the way.
packages_of() { # TOOL
  local package
  case $1 in
    rust) rust_packages ;;
    cargo-components) ;;
    c-compiler) echo "gcc libc6-dev" ;;
    musl) echo "musl-tools" ;;
    jdk)
      for package in $JDK_PACKAGES; do
        if is_package "$package"; then echo "$package" && break; fi
      done
      ;;
    node) echo "nodejs npm" ;;
    # Ubuntu has it as a snap alone.
    chromium) if is_package chromium; then echo chromium; fi ;;
    *) echo "$1" ;;
  esac
}

# Debian has Rust's installer as a package since version 13.
rust_packages() {
  if has rustup; then
    :
  elif is_package rustup; then
    echo rustup
  elif ! has curl; then
    echo "curl ca-certificates"
  fi
}

# Prints the command to run for a tool once its packages are there.
command_of() { # TOOL
  case $1 in
    rust)
      if has rustup || is_package rustup; then
        # A default that somebody chose stays.
        echo "rustup toolchain install stable --profile minimal && { rustup default >/dev/null 2>&1 || rustup default stable; }"
      else
        echo "curl --proto '=https' -fsS https://sh.rustup.rs | sh -s -- -y --profile minimal"
      fi
      ;;
    musl) if has rustup; then echo "rustup target add $(musl_triple)"; fi ;;
    cargo-components) if has rustup; then echo "rustup component add rustfmt clippy"; fi ;;
  esac
}

# Whether Debian has it: of a name that others only provide, nothing is shown. Any package may be there while the lists
# are not, as in a fresh container.
is_package() { # NAME
  has apt-cache || return 1
  [ -n "$(apt-cache show "$1" 2>/dev/null)" ] || [ -z "$(apt-cache show gcc 2>/dev/null)" ]
}

in_words() { # TOOL
  case $1 in
    rust) echo "Rust 1.$(cargo_needed) or newer, which builds Plimsoll$(other_cargo)" ;;
    cargo-components) echo "cargo fmt and cargo clippy, which the tests run" ;;
    c-compiler) echo "a C compiler, which builds SQLite and TLS" ;;
    musl) echo "musl with its C compiler and Rust's $(musl_triple), for a program that needs no libraries" ;;
    jdk) echo "JDK $OLDEST_JDK or newer, which runs the Java subjects" ;;
    maven) echo "Maven, which builds the Java subjects" ;;
    chromium) echo "Chromium, which the tests open reports in" ;;
    node) echo "Node.js 20 or newer, which runs the browser tests" ;;
    shellcheck) echo "shellcheck, which checks the scripts" ;;
    *) echo "$1" ;;
  esac
}

# Names the cargo that is too old.
other_cargo() {
  local found
  found=$(cargo_found)
  if [ "$found" != 0 ]; then
    echo " ($(command -v cargo) is 1.$found)"
  fi
}

# Where a tool comes from on systems that no command is known for.
elsewhere() { # TOOL
  case $1 in
    rust) echo "https://rustup.rs" ;;
    cargo-components) echo "your system's packages of rustfmt and clippy" ;;
    c-compiler) echo "Fedora: dnf install gcc" ;;
    musl) echo "Fedora: dnf install musl-gcc; and rustup target add $(musl_triple)" ;;
    jdk) echo "https://adoptium.net, or sdk install java 25-tem" ;;
    maven) echo "Fedora: dnf install maven; or sdk install maven" ;;
    chromium) echo "Fedora: dnf install chromium; https://www.google.com/chrome, or CHROME=FILE" ;;
    *) echo "Fedora: dnf install $1" ;;
  esac
}
