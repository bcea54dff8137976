# shellcheck shell=bash
# Packages and checks that a change affects, for `./test quick`. Sourced by `test`, in the repository's root.

# Prints the commit that changes are counted from: PLIMSOLL_BASE, where the branch left main, or else the last commit.
# With nothing uncommitted on main that is the one before it.
base_of_change() {
  local branch base
  for branch in "${PLIMSOLL_BASE:-}" origin/main main; do
    base=$(git merge-base HEAD "$branch" 2>/dev/null) || continue
    [ "$base" = "$(git rev-parse HEAD)" ] || {
      echo "$base"
      return
    }
  done
  if [ -z "$(git status --porcelain)" ] && git rev-parse --verify --quiet HEAD~1; then return; fi
  git rev-parse HEAD
}

changed_files() {
  git diff --name-only "$(base_of_change)"
  git ls-files --others --exclude-standard
}

# Reads paths of files, prints the packages whose tests look at them: crates by their folder, `plimsoll` for the binary.
packages_of_files() {
  local file
  while read -r file; do
    case $file in
      crates/*/*) file=${file#crates/} && echo "${file%%/*}" ;;
      src/* | tests/cli/* | plimsoll | scripts/*) echo plimsoll ;;
      experiments/* | docs/experiment-file.md | docs/experiment.schema.json) echo lab ;;
      docs/findings.md) echo analysis ;;
      docs/json-report.md) echo report ;;
      docs/record-format.md) echo record ;;
    esac
  done | sort -u
}

# Prints the crates that import one of the given directly; those that nearly all import are left to the compiler.
dependents_of() { # CRATE...
  local crate dependents
  for crate in "$@"; do
    dependents=$(grep -l "^plimsoll-$crate *[.=]" crates/*/Cargo.toml | cut -d/ -f2)
    if [ "$(wc -w <<<"$dependents")" -le 4 ]; then echo "$dependents"; fi
  done | sed '/^$/d' | sort -u
}

# Tests that its Cargo.toml names, or else those that Cargo finds.
integration_tests_of() { # FOLDER
  if grep -q '^autotests = false' "$1/Cargo.toml"; then
    sed -n '/^\[\[test\]\]/{n;s/^name = "\(.*\)"/\1/p;}' "$1/Cargo.toml"
  else
    find "$1/tests" -maxdepth 1 -name '*.rs' 2>/dev/null | sed 's|.*/||; s|\.rs$||'
    find "$1/tests" -mindepth 2 -maxdepth 2 -name main.rs 2>/dev/null | sed 's|/main\.rs$||; s|.*/||'
  fi
}

# Prints the arguments of `cargo test` for the packages: all their tests, and the unit tests of their dependents. The
# binary's package is always selected, because it selects the features of the whole workspace: without it each set of
# crates would compile its own dependencies.
test_arguments() { # PACKAGE...
  local package name arguments="--package plimsoll" crates="" targets=""
  for package in "$@"; do
    if [ "$package" = plimsoll ]; then
      targets="$targets --bins --test cli"
    else
      crates="$crates $package"
      # Building subjects with Maven takes minutes.
      for name in $(integration_tests_of "crates/$package" | grep -v '^artifacts$'); do
        targets="$targets --test $name"
      done
    fi
  done
  # shellcheck disable=SC2086
  for package in $crates $(dependents_of $crates); do
    arguments="$arguments --package plimsoll-$package"
  done
  echo "$arguments${crates:+ --lib}$targets"
}
