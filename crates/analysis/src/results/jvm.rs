//! What the target's JVM did while it was loaded.

use serde::Serialize;

use super::Figure;

/// What the JVM counted of itself at one level. Each is none where it was not sampled, as of a native image.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JvmFigures {
    /// Classes loaded, those of an archive included.
    pub classes_loaded: Option<Figure>,
    /// Time in class loading.
    pub class_load_ms: Option<Figure>,
    /// Time in initialising classes.
    pub class_init_ms: Option<Figure>,
    /// Time in the JIT compilers, of all their threads.
    pub compile_ms: Option<Figure>,
    /// Time in garbage collections.
    pub gc_ms: Option<Figure>,
    /// Garbage collections.
    pub gcs: Option<Figure>,
    /// Time in which all threads were stopped.
    pub safepoint_ms: Option<Figure>,
    /// Platform threads started.
    pub threads_started: Option<Figure>,
}
