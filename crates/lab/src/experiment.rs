//! An experiment, resolved from its file: the [`Plan`] that goes into the record, and beside it what the plan does not
//! keep: how each variant is launched.

use std::{collections::BTreeMap, net::SocketAddr, ops::RangeInclusive, path::PathBuf};

use plimsoll_drive::ScriptText;
use plimsoll_observe::parse::{actuator::Meter, prometheus::Selector};
use plimsoll_record::{Nanos, Plan};

use crate::{
    beside::{Dependency, Hooks},
    jmx::Attribute,
    jvm::Jvm,
    packaging::Packaging,
    prove::wanted::WantedProof,
};

/// An experiment that is ready to be run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Experiment {
    /// The part that goes into the record.
    pub plan: Plan,
    /// How each variant of the plan is launched and loaded; same indices as [`Plan::variants`].
    pub variants: Vec<Variant>,
    /// Requests of each level's iterations; same indices as [`Plan::levels`]. One where a line is searched for.
    pub scripts: Vec<ScriptText>,
    /// The order of variants within a round.
    pub order: Order,
    /// Whether the warm-up level ends as soon as the target is warm.
    pub warmup_until_steady: bool,
    /// How the connections of all loads are made.
    pub connecting: Connecting,
    /// The proof that is to be made once the rounds are over.
    pub proof: Option<WantedProof>,
    /// The parts that offer all loads; none: this process does.
    pub generator: Option<Gathering>,
}

/// How the parts are gathered that offer loads together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gathering {
    /// Parts that are to come.
    pub parts: u32,
    /// Where they reach this process.
    pub listen: SocketAddr,
    /// Time within which all must have joined.
    pub deadline: Nanos,
    /// Silence after which a part counts as lost.
    pub silence: Nanos,
    /// File with the secret that they share with this process.
    pub token_file: Option<PathBuf>,
}

/// How connections are made, and how long they are kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Connecting {
    /// The way they take.
    pub connection: plimsoll_drive::Connection,
    /// Whether a connection carries more than one request.
    pub keep_alive: bool,
    /// How long one may take to be made.
    pub connect_timeout: Nanos,
}

impl Default for Connecting {
    fn default() -> Self {
        let connect_timeout = Nanos::from_secs(10);
        Self { connection: plimsoll_drive::Connection::default(), keep_alive: true, connect_timeout }
    }
}

/// The order of variants within a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Shuffled anew in each round by the plan's seed.
    #[default]
    Random,
    /// As in the file.
    File,
}

/// How a variant is launched and loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The program that is launched.
    pub program: Program,
    /// Added to the environment that Plimsoll was started with.
    pub env: BTreeMap<String, String>,
    /// Resource limits of the target.
    pub limits: Limits,
    /// How long it may take to become ready.
    pub ready_timeout: Nanos,
    /// URL that answers 2xx as soon as the target serves; `{port}` is replaced. None: what suits its framework.
    pub ready_url: Option<String>,
    /// Base of the scripts' URLs; `{port}` is replaced.
    pub url: String,
    /// Longest time from sent to done.
    pub response_timeout: Nanos,
    /// Metrics of its own that are watched.
    pub metrics: Option<Metrics>,
    /// Commands around its runs and levels.
    pub hooks: Hooks,
    /// Programs that it needs beside it, in the order in which they are started.
    pub dependencies: Vec<Dependency>,
}

/// Series of a target's own metrics.
#[derive(Clone, Debug, PartialEq)]
pub struct Metrics {
    /// URL of the page, or of the page above those of the meters; placeholders are replaced. None for JMX.
    pub url: Option<String>,
    /// From one reading to the next.
    pub every: Nanos,
    /// The series that are kept.
    pub keep: Kept,
}

/// The series that are kept, by what the target tells them in.
#[derive(Clone, Debug, PartialEq)]
pub enum Kept {
    /// One page in Prometheus' text format.
    Prometheus(Vec<Selector>),
    /// A page for each meter, as Spring Boot's actuator has them without Prometheus.
    Actuator(Vec<Meter>),
    /// Attributes of MBeans, of a JVM of this machine.
    Jmx(Vec<Attribute>),
}

impl Kept {
    /// The series, as they were written.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Self::Prometheus(series) => series.iter().map(Selector::text).collect(),
            Self::Actuator(meters) => meters.iter().map(Meter::text).collect(),
            Self::Jmx(attributes) => attributes.iter().map(Attribute::text).collect(),
        }
    }
}

impl Variant {
    /// Names of the series of its own that are kept.
    pub fn kept_series(&self) -> Vec<&str> {
        self.metrics.iter().flat_map(|metrics| metrics.keep.names()).collect()
    }

    /// Whether it is offered a load, rather than measuring itself.
    pub fn is_loaded(&self) -> bool {
        !matches!(self.program, Program::Benchmarks { .. })
    }
}

/// The program that is launched.
#[derive(Clone, Debug, PartialEq)]
pub enum Program {
    /// A program of the JVM: a bundled subject, or a service of the user's own.
    Jvm(Jvm),
    /// Any command of the user's. `{port}` is replaced by a free port in every argument and in `env`.
    Command {
        /// Program and arguments.
        argv: Vec<String>,
        /// Where it is started.
        workdir: PathBuf,
        /// A fixed port, if the user named one; it must be free.
        port: Option<u16>,
    },
    /// A service that runs already: it is found by its URL, loaded, and never ended.
    Running,
    /// Benchmarks of JMH, in one process that ends by itself: they stand in the place of a load.
    Benchmarks {
        /// A jar that JMH made; none: the one that Plimsoll brings.
        jar: Option<PathBuf>,
        /// Options of the JVM, before ours. JMH gives them to the JVMs that it forks, too.
        jvm_flags: Vec<String>,
        /// Arguments of JMH, but for those about its result.
        arguments: Vec<String>,
    },
}

impl Program {
    /// The port that it listens on, if the user named one.
    pub fn fixed_port(&self) -> Option<u16> {
        match self {
            Self::Command { port, .. } => *port,
            Self::Jvm(jvm) => jvm.service().and_then(|service| service.port),
            Self::Running | Self::Benchmarks { .. } => None,
        }
    }

    /// Whether it is a subject's native image.
    pub fn is_native(&self) -> bool {
        matches!(self, Self::Jvm(Jvm { packaging: Packaging::Native, .. }))
    }
}

impl Variant {
    /// URL of `path` at the scheme and address of its load; at its own by HTTP, if the load goes to the upstream.
    pub fn url_of(&self, path: &str) -> String {
        let own = self.url.split_once("//").filter(|_| !self.url.contains("{upstream"));
        let (scheme, rest) = own.unwrap_or(("http:", "{host}:{port}"));
        let address = rest.split(['/', '?']).next().unwrap_or(rest);
        format!("{scheme}//{address}{path}")
    }
}

/// Resource limits of a target. None: no limit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// Memory, limited by cgroup and by `-XX:MaxRAM`.
    pub memory_bytes: Option<u64>,
    /// CPU, limited by cgroup and by `-XX:ActiveProcessorCount`.
    pub cpus: Option<f64>,
    /// Open files of a process, by setrlimit(2), soft and hard: a JVM raises the soft limit to the hard one.
    pub files: Option<u64>,
}

impl Limits {
    /// Processors to which a target can be limited.
    pub const CPUS: RangeInclusive<f64> = 0.01..=4_096.0;
    /// Open files to which a target can be limited, at least.
    pub const LEAST_FILES: u64 = 64;
}
