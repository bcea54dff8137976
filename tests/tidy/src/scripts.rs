//! Rules for shell scripts.

use crate::{Breaches, tree::Tree};

pub fn scripts_stop_at_errors(tree: &Tree) -> Breaches {
    let scripts = tree.scripts().flat_map(|(path, text)| {
        let strict = text.lines().any(|line| line.starts_with("set -eu"));
        [
            (!strict).then(|| format!("{path}: no `set -eu`: an error would go unseen")),
            (!tree.is_executable(path)).then(|| format!("{path}: not executable: chmod +x {path}")),
        ]
    });
    // A file to be sourced has no `#!` line, and shellcheck must be told what it is.
    let sourced = tree.ours(&["sh"]).filter(|(_, text)| !text.starts_with("#!")).map(|(path, text)| {
        let is_named = text.starts_with("# shellcheck shell=");
        (!is_named).then(|| format!("{path}: neither `#!/usr/bin/env bash` nor `# shellcheck shell=bash` in line 1"))
    });
    scripts.chain(sourced).flatten().collect()
}

#[test]
fn careless_scripts_are_found() {
    let tree = Tree::with(&[
        ("good", "#!/usr/bin/env bash\nset -euo pipefail\n"),
        ("lax", "#!/usr/bin/env bash\necho\n"),
        ("still.sh", "#!/bin/sh\nset -eu\n"),
        ("part.sh", "# shellcheck shell=bash\n"),
        ("nameless.sh", "echo\n"),
    ]);
    let breaches = scripts_stop_at_errors(&tree.executable("good").executable("lax"));
    assert_eq!(breaches.len(), 3, "{breaches:?}");
    assert!(breaches[0].starts_with("lax: no `set -eu`"));
    assert!(breaches[1].starts_with("still.sh: not executable"));
    assert!(breaches[2].starts_with("nameless.sh: neither"));
}
