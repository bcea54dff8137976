//! The keys of a variant.

use super::{
    arguments::Arguments,
    decode::{Decimal, Entries, Scalar, Whole, choice, mapping},
    errors::At,
    jmh::JmhSection,
    metrics::MetricsSection,
    network::NetworkSection,
    quantity::{Duration, Size},
    upstream::UpstreamSection,
};

mapping! {
    /// A program to launch: either a bundled `subject` with its settings, or a `command` of your own. Every key
    /// may also stand in `base`, in an axis of a matrix, or in the variant named by `extends`. Mappings
    /// (`limits`, `env`, `properties`, `settings`) are merged key by key; everything else is replaced.
    pub struct VariantSection as "variant" {
        /// Another variant, whose settings this one starts from; at most 32 in a row. Default: none. Example:
        /// `extends: web-jar`.
        #[expect(dead_code, reason = "what it extends is looked up in the tree, before settings are merged")]
        pub extends: Option<At<String>>,
        /// A program that Plimsoll brings: `greetings-web` (Spring MVC on Tomcat), `greetings-reactive` (WebFlux on
        /// Netty), `caller` (calls the upstream by Feign, RestTemplate, RestClient or WebClient), `gateway` (calls the
        /// URL that a request names) or `threads` (an HTTP server on `ServerSocket`, no framework). Excludes `command`.
        /// Example: `subject: greetings-web`.
        pub subject: Option<At<String>>,
        /// How the subject is packaged; `threads` is a `jar` and nothing else, and only `greetings-web` and
        /// `greetings-reactive` can be `native`. Default: `jar`. Example: `packaging:
        /// aot-cache`.
        pub packaging: Option<At<PackagingWord>>,
        /// Whether Spring's ahead-of-time processing is applied; with every packaging, and always with
        /// `native`. Not for `threads`, which is no Spring program. Default: false. Example: `spring-aot: true`.
        pub spring_aot: Option<At<bool>>,
        /// Tomcat's threads, which serve requests; `greetings-web`, `caller` and `gateway` only. Default: `platform`.
        /// Example: `threads: virtual`.
        pub threads: Option<At<ThreadsWord>>,
        /// How long the subject waits in each request; `greetings-web` and `greetings-reactive` only. Default: 1s.
        /// Example: `wait: 250ms`.
        pub wait: Option<Duration>,
        /// Options of the subject's JVM, before those that limits need. A native image takes some of them when it runs:
        /// `-Xmx`, `-Xms`, `-Xmn`, `-Xss`, `-D…` and a few of `-XX:`. Default: none. Example: `jvm-flags:
        /// ["-XX:+UseZGC"]`.
        pub jvm_flags: Option<At<Vec<Scalar>>>,
        /// Options of `native-image` when it builds the subject, with `packaging: native` only; each set makes another
        /// image. Default: none. Example: `native-flags: ["-O3", "-J-Xmx6g"]`.
        pub native_flags: Option<At<Vec<Scalar>>>,
        /// Properties of the subject, given as `--name=value`. Default: none. Example: `properties:
        /// {server.tomcat.threads.max: 400}`.
        pub properties: Option<Entries<At<Scalar>>>,
        /// A program of your own with its arguments, without a shell. `{port}` is replaced by a free port, `{host}` by
        /// the address at which it is to be reached: 127.0.0.1 unless it is behind a `network`.
        /// Excludes `subject`. Example: `command: [java, -jar, app.jar, "--server.port={port}"]`.
        pub command: Option<At<Arguments>>,
        /// Benchmarks of JMH, in place of a target and its load. Excludes `subject` and `command`. Example: `jmh:
        /// {benchmarks: WebClientBatch, args: [-f, 1]}`.
        pub jmh: Option<JmhSection>,
        /// Where the command is started, seen from the experiment file's folder. Default: that folder. Example:
        /// `workdir: ../my-service`.
        pub workdir: Option<String>,
        /// The command's port, if it cannot be told another; it must be free. Default: a free port. Example:
        /// `port: 8080`.
        pub port: Option<At<Whole<1, 65_535>>>,
        /// Added to the environment that Plimsoll was started with; `{host}` and `{port}` are replaced. Default: none.
        /// Example: `env: {SPRING_PROFILES_ACTIVE: bench}`.
        pub env: Option<Entries<Scalar>>,
        /// URL that answers 2xx as soon as the target serves; it is asked every millisecond, which is how
        /// start-up is measured, from beside the target. `{host}` and `{port}` are replaced. Default: the subject's; a
        /// command must name one. Example: `ready: "http://127.0.0.1:{port}/health"`.
        pub ready: Option<At<String>>,
        /// How long the target may take to become ready. Default: 60s. Example: `ready-time-out: 2min`.
        pub ready_time_out: Option<At<Duration>>,
        /// URL that the load requests; `{host}` and `{port}` are replaced, and behind a `network` both must be there.
        /// Default: the subject's address with the request's path; a command must name one. Example: `url:
        /// "http://127.0.0.1:{port}/greetings"`.
        pub url: Option<At<String>>,
        /// Resource limits of the target. Default: no limits. Example: `limits: {memory: 1 GiB, cpus: 2}`.
        pub limits: Option<LimitsSection>,
        /// A network that is emulated in its runs. Default: none. Example: `network: {rtt: 70ms}`.
        pub network: Option<At<NetworkSection>>,
        /// An upstream for the target to call, simulated by Plimsoll and started before it: see
        /// [upstream](#upstream). Where it is goes into the command, properties, `env` and URLs as `{upstream}` (its
        /// URL), and into requests as `{{upstream}}`. Default: none. Example: `upstream: {latency: 200ms}`.
        pub upstream: Option<UpstreamSection>,
        /// Metrics of its own that are watched. Default: none. Example: `metrics: {keep: [gateway_pool_leased]}`.
        pub metrics: Option<MetricsSection>,
        /// Words of your own that reports show beside the settings above. Default: none. Example: `settings:
        /// {pool: 400}`.
        pub settings: Option<Entries<Scalar>>,
    }
}

choice! {
    /// How a subject is packaged.
    pub enum PackagingWord as "packaging" {
        /// Spring Boot's executable jar.
        Jar = "jar",
        /// The jar extracted, as Spring Boot recommends for production.
        Extracted = "extracted",
        /// Extracted, with a class-data-sharing archive of a training run.
        Cds = "cds",
        /// Extracted, with the ahead-of-time cache of a training run. Needs JDK 24 or newer.
        AotCache = "aot-cache",
        /// A native image. Needs GraalVM or Mandrel 25 or newer, named by `GRAALVM_HOME`, and takes minutes to build,
        /// once; without one the variant's row says what to install, and the run goes on.
        Native = "native",
    }
}

choice! {
    /// The threads that serve requests.
    pub enum ThreadsWord as "threads" {
        /// A pool of operating-system threads: `server.tomcat.threads.max` of them, 200 if that property is not
        /// set.
        Platform = "platform",
        /// One virtual thread per request.
        Virtual = "virtual",
    }
}

mapping! {
    /// Resource limits of a target: set by cgroup where there is one, and always by JVM flags.
    pub struct LimitsSection as "limits" {
        /// Memory in all, at least 16 MiB. Default: no limit. Example: `memory: 1 GiB`.
        pub memory: Option<At<Size>>,
        /// Processors, at least 0.01; fractions are possible. Default: no limit. Example: `cpus: 2`.
        pub cpus: Option<At<Decimal>>,
    }
}
