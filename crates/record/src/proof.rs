//! A proof: whether changed settings move what limits a variant, measured before and after in interleaved rounds.

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

/// A proof to be made. The first variant of the plan is the one before; each of the others is it with changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofPlan {
    /// The variant as the experiment file names it.
    pub variant: String,
    /// Changes of each variant of the plan but the first.
    pub changes: Vec<Vec<Change>>,
}

/// A changed setting.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// A Spring property, a property of the JVM (`-D…`), an option of it (`-Xmx`), a variable of the environment,
    /// `limits.cpus` or `limits.files`.
    pub name: String,
    /// Its value before; none if it was not set.
    pub from: Option<String>,
    /// Its value after.
    pub to: String,
}

impl Display for Change {
    /// `server.tomcat.threads.max 200 → 400`.
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Self { name, from, to } = self;
        match from {
            Some(from) => write!(out, "{name} {from} → {to}"),
            None => write!(out, "{name} → {to}"),
        }
    }
}
