//! Rules for the subjects in Java.

use crate::{Breaches, tree::Tree};

/// Packages that no program may import that users shall recognise as their own.
const INTERNAL: &[&str] =
    &["sun.", "jdk.internal.", "reactor.netty.internal.", "io.netty.util.Timer", "io.netty.util.Hashed"];
const INTERNAL_PARTS: &[&str] = &[".internal.", ".shaded."];
/// gRPC's documents have its users import these.
const DOCUMENTED: &str = "io.grpc.netty.shaded.io.grpc.netty.";

pub fn imports_are_public(tree: &Tree) -> Breaches {
    let mut breaches = Breaches::new();
    for (path, text) in tree.ours(&["java"]) {
        let imports = text.lines().filter_map(|line| line.strip_prefix("import ")?.strip_suffix(';'));
        let names = imports.map(|name| name.trim_start_matches("static "));
        breaches.extend(
            names
                .filter(|name| is_internal(name))
                .map(|name| format!("{path}: imports `{name}`, which is internal: use what the library documents")),
        );
    }
    breaches
}

fn is_internal(name: &str) -> bool {
    let is_part = INTERNAL_PARTS.iter().any(|part| name.contains(part)) && !name.starts_with(DOCUMENTED);
    is_part || INTERNAL.iter().any(|prefix| name.starts_with(prefix))
}

#[test]
fn internal_imports_are_found() {
    let internal = [
        "import sun.misc.Unsafe;",
        "import jdk.internal.net.http.Http1;",
        "import static a.internal.B.c;",
        "import reactor.netty.internal.shaded.reactor.pool.PoolAcquireTimeoutException;",
        "import io.netty.util.HashedWheelTimer;",
    ];
    for line in internal {
        assert_eq!(imports_are_public(&Tree::with(&[("A.java", line)])).len(), 1, "{line}");
    }
    let public = "import com.sun.net.httpserver.HttpServer;\nimport io.netty.channel.EventLoop;\n";
    assert!(imports_are_public(&Tree::with(&[("A.java", public)])).is_empty());
}
