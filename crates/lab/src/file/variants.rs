//! The keys of a variant.

use super::{
    arguments::Arguments,
    beside::{DependencySection, HookValue},
    decode::{Decimal, Entries, Scalar, Whole, choice, mapping},
    errors::At,
    jmh::JmhSection,
    metrics::MetricsSection,
    network::NetworkSection,
    quantity::{Duration, Size},
    upstream::UpstreamSection,
};
use crate::experiment::Limits;

mapping! {
    /// A program to load: a `jar` of your own or a `build` that makes it, a `command`, a bundled `subject`, or a `url`
    /// alone, whose service runs already. Every key may also stand in `base`, in an axis of a matrix, or in the variant
    /// named by `extends`. Mappings (`limits`, `env`, `properties`, `upstream`, `network`, `services`, …) are merged
    /// key by key, at every depth; everything else is replaced.
    pub struct VariantSection as "variant" {
        /// Another variant, whose settings this one starts from; at most 32 in a row. Default: none. Example:
        /// `extends: web-jar`.
        #[expect(dead_code, reason = "what it extends is looked up in the tree, before settings are merged")]
        pub extends: Option<At<String>>,
        /// A program that Plimsoll brings: `greetings-web` (Spring MVC on Tomcat), `greetings-reactive` (WebFlux on
        /// Netty), `caller` (calls the upstream by Feign, RestTemplate, RestClient or WebClient), `gateway` (calls the
        /// URL that a request names) or `threads` (an HTTP server on `ServerSocket`, no framework). Excludes `jar`,
        /// `build` and `command`. Example: `subject: greetings-web`.
        pub subject: Option<At<String>>,
        /// A jar of your own that `java -jar` starts, seen from the experiment file's folder: Spring Boot, Quarkus
        /// (`target/quarkus-app/quarkus-run.jar`), Micronaut, Helidon, or any other. It is told a free port by its
        /// framework's property (`server.port`, `quarkus.http.port`, `micronaut.server.port`); one without a known
        /// framework by `{port}` in `properties`, `arguments`, `env` or `jvm-flags`. Example: `jar: target/shop.jar`.
        pub jar: Option<At<String>>,
        /// A command that makes the jar, run once before the rounds, in place of `jar`. Example: see [build](#build).
        pub build: Option<At<BuildSection>>,
        /// The revision of git that `build` is run on, in a work tree of its own: a commit, branch or tag. Its jar is
        /// kept, so each commit is built once. Default: the files as they are. Example: `revision: main`.
        pub revision: Option<At<Scalar>>,
        /// The JDK that a subject or jar runs on: a feature release that is looked for in `JAVA_HOME`, `PATH`,
        /// `/usr/lib/jvm` and SDKMAN's folder, or a directory. Default: `PLIMSOLL_JAVA_HOME`, else the newest. Example:
        /// `jdk: 21`.
        pub jdk: Option<At<Scalar>>,
        /// How a subject or jar is packaged. The subject `threads` is a `jar` and nothing else; only
        /// `greetings-web` and `greetings-reactive` can be `native`. A jar of your own can be `extracted` if it is
        /// Spring Boot's of 3.3 or newer, and any can have an archive (`cds`, `aot-cache`), which is trained by the
        /// requests of the file: five seconds in four users. Default: `jar`. Example: `packaging: aot-cache`.
        pub packaging: Option<At<PackagingWord>>,
        /// Whether Spring's ahead-of-time processing is applied; with every packaging, and always with `native`. Not
        /// for `threads`, which is no Spring program; a jar must have been built with it. Default: false. Example:
        /// `spring-aot: true`.
        pub spring_aot: Option<At<bool>>,
        /// The threads that serve requests, of `greetings-web`, `caller`, `gateway` and of jars by Spring Boot 3.2 or
        /// newer, as `spring.threads.virtual.enabled`. Default: `platform`, of a jar what it is configured to. Example:
        /// `threads: virtual`.
        pub threads: Option<At<ThreadsWord>>,
        /// How long the subject waits in each request; `greetings-web` and `greetings-reactive` only. Default: 1s.
        /// Example: `wait: 250ms`.
        pub wait: Option<Duration>,
        /// Options of the JVM of a subject or jar, before those that limits need. A native image takes some of them
        /// when it runs: `-Xmx`, `-Xms`, `-Xmn`, `-Xss`, `-D…` and a few of `-XX:`. Default: none. Example: `jvm-flags:
        /// ["-XX:+UseZGC"]`.
        pub jvm_flags: Option<At<Vec<Scalar>>>,
        /// Options of `native-image` when it builds the subject, with `packaging: native` only; each set makes another
        /// image. Default: none. Example: `native-flags: ["-O3", "-J-Xmx6g"]`.
        pub native_flags: Option<At<Vec<Scalar>>>,
        /// Properties of a subject or jar: given to Spring Boot as `--name=value` after the jar, to others as
        /// `-Dname=value` before it; those whose names promise secrets go through the environment. Default: none.
        /// Example: `properties: {server.tomcat.threads.max: 400}`.
        pub properties: Option<Entries<At<Scalar>>>,
        /// Arguments of a jar's program, before properties that are given as arguments. Default: none. Example:
        /// `arguments: [server, config.yml]`.
        pub arguments: Option<At<Vec<Scalar>>>,
        /// A program of your own with its arguments, without a shell. `{port}` is replaced by a free port, `{host}` by
        /// the address at which it is to be reached: 127.0.0.1 unless it is behind a `network`.
        /// Excludes `subject` and `jar`. Example: `command: [java, -jar, app.jar, "--server.port={port}"]`.
        pub command: Option<At<Arguments>>,
        /// Benchmarks of JMH, in place of a target and its load. Excludes `subject` and `command`. Example: `jmh:
        /// {benchmarks: WebClientBatch, args: [-f, 1]}`.
        pub jmh: Option<JmhSection>,
        /// Where the command or jar is started, seen from the experiment file's folder. Default: that folder. Example:
        /// `workdir: ../my-service`.
        pub workdir: Option<String>,
        /// The port of a command or jar, if it cannot be told another; it must be free. Default: a free port. Example:
        /// `port: 8080`.
        pub port: Option<At<Whole<1, 65_535>>>,
        /// Added to the environment that Plimsoll was started with; `{host}` and `{port}` are replaced. Default: none.
        /// Example: `env: {SPRING_PROFILES_ACTIVE: bench}`.
        pub env: Option<Entries<Scalar>>,
        /// URL that answers 2xx as soon as the target serves; it is asked every millisecond, which is how start-up is
        /// measured, from beside the target. `{host}` and `{port}` are replaced. Default: the subject's; of a jar
        /// `/actuator/health` or `/q/health` if it has health checks, else the path of the first request, and any
        /// status below 500; of a `url` alone likewise that; a command must name one. Example: `ready:
        /// "http://127.0.0.1:{port}/health"`.
        pub ready: Option<At<String>>,
        /// How long the target may take to become ready. Default: 2min. Example: `ready-time-out: 5min`.
        pub ready_time_out: Option<At<Duration>>,
        /// URL that the load requests; `{host}` and `{port}` are replaced, and behind a `network` both must be there.
        /// Default: the address of the subject or jar with the request's path; a command must name one. Alone it is a
        /// service that runs already: it is watched if its process is found on this machine by the socket, never
        /// ended, and not started anew for a round, so that a round is one more load on the same process. Example:
        /// `url: "http://127.0.0.1:{port}/greetings"`, or `url: http://localhost:8080/` alone.
        pub url: Option<At<String>>,
        /// Resource limits of the target. Default: no limits. Example: `limits: {memory: 1 GiB, cpus: 2}`.
        pub limits: Option<LimitsSection>,
        /// A network that is emulated in its runs. Default: none. Example: `network: {rtt: 70ms}`.
        pub network: Option<At<NetworkSection>>,
        /// An upstream for the target to call, simulated by Plimsoll and started before it: see
        /// [upstream](#upstream). Where it is goes into the command, properties, `env` and URLs as `{upstream}` (its
        /// URL), and into requests as `{{upstream}}`. Default: none. Example: `upstream: {latency: 200ms}`.
        pub upstream: Option<UpstreamSection>,
        /// A command before the target is started, in each run; after a `command` its list of words alone will do.
        /// Default: none. Example: `before-run: [./reset-database]`.
        pub before_run: Option<HookValue>,
        /// A command before each level, warm-up included, and before a search for a load line; `{level}` is the level's
        /// label. Default: none. Example: `before-level: [./reset-database, "{level}"]`.
        pub before_level: Option<HookValue>,
        /// A command after the target has ended, in each run; its failure is told and ends nothing. Default: none.
        /// Example: `after-run: {command: [./collect-logs], time-out: 10s}`.
        pub after_run: Option<HookValue>,
        /// Programs beside the target that it needs, by name, not the service under test: started before it in the
        /// order of the file, and ended after it. The port of each is `{NAME-port}`. Default: none. Example: `services:
        /// {db: {command: [postgres, -D, data, -p, "{db-port}"]}}`.
        pub services: Option<Entries<DependencySection>>,
        /// Metrics of its own that are watched. Default: none. Example: `metrics: {keep: [gateway_pool_leased]}`.
        pub metrics: Option<MetricsSection>,
        /// Words of your own that reports show beside the settings above. Default: none. Example: `settings:
        /// {pool: 400}`.
        pub settings: Option<Entries<Scalar>>,
    }
}

mapping! {
    /// A command that makes the jar of a variant. It is run once for all variants that have the same, before the first
    /// run; its output is kept in a log, and shown if it fails.
    pub struct BuildSection as "build" {
        /// Program and arguments, without a shell. Example: `command: [mvn, -q, -DskipTests, package]`.
        pub command: At<Vec<Scalar>>,
        /// The jar that it leaves, seen from where it is started; `*` in its name stands for anything. Example:
        /// `jar: "target/shop-*.jar"`.
        pub jar: At<String>,
        /// Where it is started, seen from the experiment file's folder. Default: that folder. Example: `workdir: ..`.
        pub workdir: Option<String>,
    }
}

choice! {
    /// How a subject or jar is packaged.
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
    /// Resource limits of a target: memory and processors are set by cgroup where there is one, and of a `jar`,
    /// `build`, `subject` or `jmh` always by JVM flags. A `command` is limited by cgroup alone.
    pub struct LimitsSection as "limits" {
        /// Memory in all, at least 16 MiB. Default: no limit. Example: `memory: 1 GiB`.
        pub memory: Option<At<Size>>,
        /// Processors, at least 0.01; fractions are possible. Default: no limit. Example: `cpus: 2`.
        pub cpus: Option<At<Decimal>>,
        /// Files and sockets that each of its processes may have open, at least 64. More than this machine allows need
        /// the rights of root. Default: as Plimsoll was started. Example: `files: 4096`.
        pub files: Option<Whole<{ Limits::LEAST_FILES }, { 1 << 30 }>>,
    }
}
