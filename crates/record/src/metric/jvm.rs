//! Counters of a JVM, since its start. A counter that a JVM does not have is absent.

use super::Metric;

const fn metric(name: &'static str, title: &'static str, meaning: &'static str) -> Metric {
    Metric { name, title, meaning }
}

/// Classes loaded.
pub const CLASSES_LOADED: Metric = metric(
    "jvm_classes_loaded",
    "Classes loaded",
    "classes loaded, from an archive or not (java.cls.loadedClasses + java.cls.sharedLoadedClasses)",
);
/// Classes loaded from a CDS archive or an AOT cache.
pub const CLASSES_SHARED: Metric = metric(
    "jvm_classes_shared",
    "Classes from the archive",
    "classes loaded from a CDS archive or an AOT cache (java.cls.sharedLoadedClasses)",
);
/// Time in class loading.
pub const CLASS_LOAD_MS: Metric =
    metric("jvm_class_load_ms", "Class loading, ms", "time in class loading (sun.cls.time)");
/// Time in static initialisers.
pub const CLASS_INIT_MS: Metric = metric(
    "jvm_class_init_ms",
    "Class initialisation, ms",
    "time in initialising classes, all that they set off included (sun.cls.classInitTime)",
);
/// Time in verification.
pub const CLASS_VERIFY_MS: Metric =
    metric("jvm_class_verify_ms", "Class verification, ms", "time in verifying bytecode (sun.cls.classVerifyTime)");
/// Time in the JIT compilers.
pub const COMPILE_MS: Metric = metric(
    "jvm_compile_ms",
    "JIT compilation, ms",
    "time in the JIT compilers, of all their threads (java.ci.totalTime)",
);
/// CPU time of the JIT compilers.
pub const COMPILER_CPU_MS: Metric = metric(
    "jvm_compiler_cpu_ms",
    "JIT compilers, CPU ms",
    "CPU time of the threads of the JIT compilers (/proc/PID/task)",
);
/// Time in collections.
pub const GC_MS: Metric =
    metric("jvm_gc_ms", "Garbage collection, ms", "time in collections, of all collectors (sun.gc.collector.*.time)");
/// Collections.
pub const GCS: Metric =
    metric("jvm_gcs", "Garbage collections", "collections, of all collectors (sun.gc.collector.*.invocations)");
/// Time at safepoints.
pub const SAFEPOINT_MS: Metric =
    metric("jvm_safepoint_ms", "Safepoints, ms", "time in which all threads were stopped (sun.rt.safepointTime)");
/// Threads started.
pub const THREADS_STARTED: Metric = metric(
    "jvm_threads_started",
    "Threads started",
    "platform threads started; virtual ones are not counted (java.threads.started)",
);

/// Metrics that are read from the kernel, not from the JVM's counters.
pub const OF_THREADS: &[Metric] = &[COMPILER_CPU_MS];

/// All of the JVM's own counters.
pub const ALL: &[Metric] = &[
    CLASSES_LOADED,
    CLASSES_SHARED,
    CLASS_LOAD_MS,
    CLASS_INIT_MS,
    CLASS_VERIFY_MS,
    COMPILE_MS,
    GC_MS,
    GCS,
    SAFEPOINT_MS,
    THREADS_STARTED,
];
