//! An execution like `experiments/greetings.yaml`'s, with everything that a report of an experiment may have to show.

use plimsoll_record::{ErrorKind, ExecutionData, VariantPlan};

use super::{Fate, Service, greetings_plan};

/// Tomcat's 200 threads and its short backlog.
pub const PLATFORM_THREADS: Service = Service {
    workers: 200,
    overhead_ms_per_1000: 70.0,
    startup_ms: 1_778.0,
    cpu_peak_percent: 104.0,
    rss_peak_mb: 281.0,
    backlog: 100,
    ..Service::IDEAL
};
/// A thread for each request.
pub const VIRTUAL_THREADS: Service = Service {
    overhead_ms_per_1000: 900.0,
    startup_ms: 1_780.0,
    cpu_peak_percent: 190.0,
    rss_peak_mb: 390.0,
    ..Service::IDEAL
};
/// Event loops.
pub const REACTIVE: Service = Service {
    overhead_ms_per_1000: 260.0,
    startup_ms: 1_903.0,
    cpu_peak_percent: 196.0,
    rss_peak_mb: 239.0,
    ..Service::IDEAL
};

/// Five variants, a warm-up, four measured levels, three rounds. Some requests of `web-jar-vt` fail at 2,700 users,
/// `reactive-jar` dies at that level in the last round, `web-native` is skipped, and a variant with a hostile name dies
/// in every round. Claims come out with all three verdicts, and of the published rows one is impossible.
pub fn greetings() -> ExecutionData {
    let fails = |users, index| match index {
        299 | 599 | 899 | 1_199 | 1_499 | 1_799 if users == 2_700 => Some(ErrorKind::Reset),
        2_099 | 2_399 | 2_699 => Some(ErrorKind::ClosedBeforeResponse),
        _ => None,
    };
    let no_compiler = "no `native-image` was found: install GraalVM 25 and set GRAALVM_HOME";
    let services = [
        PLATFORM_THREADS,
        Service { fails, ..VIRTUAL_THREADS },
        Service { fate: Fate::Dies(&[2]), ..REACTIVE },
        Service { fate: Fate::Skipped(no_compiler), ..PLATFORM_THREADS },
        Service { fate: Fate::Dies(&[0, 1, 2]), startup_ms: 820.0, ..Service::IDEAL },
    ];
    greetings_by(greetings_plan::variants().into_iter().zip(services))
}

/// The same with other variants.
pub fn greetings_by(variants: impl IntoIterator<Item = (VariantPlan, Service)>) -> ExecutionData {
    let (variants, services): (Vec<_>, Vec<_>) = variants.into_iter().unzip();
    let mut greetings = Service::execute(greetings_plan::plan(variants), &services);
    greetings.execution.environment = greetings_plan::environment();
    greetings
}
