//! Figures of one variant at one level that were sampled beside the load: its sockets, its JVM, its CPU.

use plimsoll_record::metric::{CPU_PERCENT, Metric, jvm, tcp};

use crate::{
    measured::{LevelRound, Watched, over_rounds},
    results::{Figure, JvmFigures, SocketFigures},
};

/// CPU of the target's processes while the level was driven.
pub(crate) fn cpu_percent(rounds: &[LevelRound]) -> Option<Figure> {
    over_rounds(rounds, |round| round.watched.mean(CPU_PERCENT.name))
}

/// Sockets of the target, and counters of its network namespace.
pub(crate) fn sockets(rounds: &[LevelRound]) -> SocketFigures {
    let growth = |metric: Metric| over_rounds(rounds, |round| round.watched.growth(metric.name));
    let peak = |metric: Metric| over_rounds(rounds, |round| round.watched.peak(metric.name));
    SocketFigures {
        peak_time_wait: over_rounds(rounds, |round| round.watched.peak_time_wait()),
        peak_accept_queue: peak(tcp::ACCEPT_QUEUE),
        accept_queue_max: peak(tcp::ACCEPT_QUEUE_MAX),
        listen_overflows: over_rounds(rounds, |round| Some(round.overflows()?.own)),
        overflows_elsewhere: over_rounds(rounds, |round| Some(round.overflows()?.others)),
        listen_drops: growth(tcp::LISTEN_DROPS),
        retransmits: growth(tcp::RETRANSMITS),
        connections_opened: growth(tcp::CONNECTIONS_OPENED),
        connections_accepted: growth(tcp::CONNECTIONS_ACCEPTED),
        connect_failures: growth(tcp::CONNECT_FAILURES),
        connections_reset: growth(tcp::CONNECTIONS_RESET),
        resets_sent: growth(tcp::RESETS_SENT),
    }
}

/// Counters of the JVM; `watched` is one window of each round.
pub(crate) fn jvm<'a>(watched: impl Iterator<Item = &'a Watched> + Clone) -> JvmFigures {
    let growth = |metric: Metric| Figure::of_some(watched.clone().filter_map(|it| it.growth(metric.name)).collect());
    JvmFigures {
        classes_loaded: growth(jvm::CLASSES_LOADED),
        class_load_ms: growth(jvm::CLASS_LOAD_MS),
        class_init_ms: growth(jvm::CLASS_INIT_MS),
        compile_ms: growth(jvm::COMPILE_MS),
        gc_ms: growth(jvm::GC_MS),
        gcs: growth(jvm::GCS),
        safepoint_ms: growth(jvm::SAFEPOINT_MS),
        threads_started: growth(jvm::THREADS_STARTED),
    }
}
