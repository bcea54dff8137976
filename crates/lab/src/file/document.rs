//! The experiment file as users write it. The comments below are the reference: they become the descriptions of
//! the JSON Schema, which editors show, and of `docs/experiment-file.md`.

use super::{
    connection::ConnectionSection,
    decode::{At, Checked, Decimal, Entries, OneOrMany, Scalar, Whole, choice, mapping},
    explain::ExplainSection,
    jmh::JmhSection,
    line::LineSection,
    load::{LoadSection, WarmupSection},
    matrix::MatrixSection,
    metrics::MetricsSection,
    network::NetworkSection,
    pace::PaceSection,
    prove::ProveSection,
    published::PublishedSection,
    quantity::{Duration, Size},
    requests::{FeederSection, FlowSection, RequestSection, ScenarioSection},
    rounds::RoundsSection,
    upstream::UpstreamSection,
};

mapping! {
    /// An experiment: variants, a load that each of them gets in a fresh process, how often, and what is
    /// claimed about the outcome.
    pub struct Document as "experiment" {
        /// Short name, used in reports and file names. Default: the file's name without `.yaml`. Example:
        /// `name: quickstart`.
        pub name: Option<At<String>>,
        /// One line for headings. Default: the name. Example: `title: Tomcat or Netty`.
        pub title: Option<String>,
        /// Subject of the experiment and notes for careful readers, in Markdown. Default: empty. Example:
        /// `description: Waits one second in each request.`
        pub description: Option<String>,
        /// Settings that every variant starts from; what a variant says itself wins. Default: none. Example:
        /// `base: {limits: {memory: 1 GiB}}`.
        pub base: Option<Checked<VariantSection>>,
        /// The variants by name, in the order of reports. Names consist of letters, digits, `.`, `_` and `-`.
        /// Either this or `matrix` must be there, or both. Example: `variants: {web-jar: {subject:
        /// greetings-web}}`.
        pub variants: Option<Entries<Checked<VariantSection>>>,
        /// One matrix, or a list of them: axes whose combinations become variants, after those of `variants`.
        /// Default: none. Example: see [matrix](#matrix).
        pub matrix: Option<OneOrMany<MatrixSection>>,
        /// The variants that run, by name or by pattern, in which `*` stands for anything; claims about others are not
        /// judged. Default: all. Example: `only: [web-*]`.
        pub only: Option<Vec<At<String>>>,
        /// Named sets of keys of this table, laid over what the file says: the first is the pace of `plimsoll run`,
        /// another one that of `plimsoll run --pace NAME`. Mappings are merged key by key; everything else is replaced.
        /// Default: none. Example: `paces: {quick: {rounds: 1, load: {duration: 5s}}, full: {}}`.
        #[expect(dead_code, reason = "paces are laid over the tree, before it is read")]
        pub paces: Option<Entries<PaceSection>>,
        /// The request that every variant receives; or `requests`, `steps` or `flows`. Default: what each subject
        /// suggests, with GET. Example: `request: {path: "/greetings?name=plimsoll"}`.
        pub request: Option<Checked<RequestSection>>,
        /// A mix of requests, each drawn by its `weight`; every one is reported by its name too. Example:
        /// `requests: [{path: "/greetings?name=a", weight: 9}, {path: /actuator/health, weight: 1}]`.
        pub requests: Option<At<Vec<RequestSection>>>,
        /// Requests that each virtual user makes one after the other; one that fails ends the iteration. Example:
        /// `steps: [{path: /login, method: POST, captures: {token: json $.token}}, {path: /home, auth: {bearer:
        /// "{{token}}"}}]`.
        pub steps: Option<At<Vec<RequestSection>>>,
        /// A mix of several `steps`, drawn by weight. Example: `flows: [{weight: 9, steps: [{path: /}]}, {weight: 1,
        /// steps: [{path: /cart}, {path: /order, method: POST}]}]`.
        pub flows: Option<At<Vec<FlowSection>>>,
        /// Several loads at the same time, each with its own start and requests, in place of `load` and what is
        /// requested. Example: see [scenario](#scenario).
        pub scenarios: Option<At<Vec<ScenarioSection>>>,
        /// Data for requests, by name: an iteration takes one row of each that it uses. A column is `{{column}}`, or
        /// `{{feeder.column}}`. Example: `feeders: {users: {file: users.csv}}`.
        pub feeders: Option<Entries<FeederSection>>,
        /// Names for texts, which may use columns of feeders, what is made anew, and variables before them. One that
        /// varies is made once an iteration. Example: `variables: {order: "{{$uuid}}"}`.
        pub variables: Option<Entries<At<Scalar>>>,
        /// Whether each virtual user sends the cookies that it was given; in open models each arrival is a new user.
        /// Default: false. Example: `cookies: true`.
        pub cookies: Option<bool>,
        /// From sent to the last byte of a response, at most 1h; later is an error. Default: 30s. Example:
        /// `time-out: 5s`.
        pub time_out: Option<At<Duration>>,
        /// How connections are made: TLS, proxies, names, keep-alive. Default: as clients do it that are told nothing.
        /// Example: `connection: {cacert: ca.pem}`.
        pub connection: Option<At<ConnectionSection>>,
        /// How requests are offered over time; needed unless there are `scenarios` or a `line`. Example: `load: {model:
        /// shared-iterations, levels: [100, 900]}`.
        pub load: Option<Checked<LoadSection>>,
        /// The load line to search for, in place of `load`: the highest rate at which objectives hold. Example: `line:
        /// {slo: ["p(99) < 200ms"]}`.
        pub line: Option<LineSection>,
        /// Whether what gives way first is explained after each run of the first round, or of which levels and
        /// variants: see [explain](#explain). Default: false, but for the loads that claims about a `limit` name.
        /// Example: `explain: true`, or `explain: {levels: [500], variants: [tuned]}`.
        pub explain: Option<At<ExplainSection>>,
        /// A load before the measured one, in the same process; it is recorded but not counted. Default: none,
        /// so that cold behaviour is part of the figures. Example: `warmup: {duration: 10s, vus: 10}`.
        pub warmup: Option<At<WarmupSection>>,
        /// How often every variant runs, each time in a fresh process: a number from 1 to 1000, or until all claims
        /// are decided. Intervals need at least 3. Default: 3. Example: `rounds: 5`, or `rounds: {at-least: 3, at-most:
        /// 20, until: decided}`.
        pub rounds: Option<At<RoundsSection>>,
        /// The order of variants within a round. Default: `random`. Example: `order: file`.
        pub order: Option<OrderWord>,
        /// Seed of the order, of Poisson arrivals and of think times. Default: drawn at each
        /// execution, and recorded. Example: `seed: 42`.
        pub seed: Option<Whole<0, { u64::MAX }>>,
        /// Which change of settings moves the limit of a variant, proven after the rounds. Default: nothing is changed.
        /// Example: `prove: {variants: [tuned], tune: true}`.
        pub prove: Option<ProveSection>,
        /// Statements that the figures are judged by. Default: none. Example: see [claim](#claim).
        pub claims: Option<Vec<ClaimSection>>,
        /// Limits that the load of every variant must keep, in k6's grammar; if one is exceeded, the exit code is 99.
        /// Metrics: `p(99)`, `avg`, `min`, `med`, `max` (response times, or `service.p(99)`), `errors`, `checks`,
        /// `throughput`, `count`, `dropped`; tags: `scenario:` (a level's label) and `request:`. Default: none.
        /// Example: `thresholds: ["p(99)<200ms", "errors{request:buy}<0.1%"]`.
        pub thresholds: Option<Vec<At<String>>>,
        /// Somebody else's figures, to stand beside ours. Default: none. Example: see [published](#published).
        pub published: Option<PublishedSection>,
    }
}

mapping! {
    /// A program to launch: either a bundled `subject` with its settings, or a `command` of your own. Every key
    /// may also stand in `base`, in an axis of a matrix, or in the variant named by `extends`. Mappings
    /// (`limits`, `env`, `properties`, `settings`) are merged key by key; everything else is replaced.
    pub struct VariantSection as "variant" {
        /// Another variant, whose settings this one starts from. Default: none. Example: `extends: web-jar`.
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
        pub command: Option<At<Vec<Scalar>>>,
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
        /// Which of its own metrics are watched. Default: none. Example: `metrics: {keep: [gateway_pool_leased]}`.
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

choice! {
    /// The order of variants within a round.
    pub enum OrderWord as "order" {
        /// Shuffled anew in each round by the seed, so that drifts of the machine do not favour a variant.
        Random = "random",
        /// As in the file.
        File = "file",
    }
}

mapping! {
    /// A statement about the outcome. Each comes out as holds, fails or undecided, with its figure and interval.
    pub struct ClaimSection as "claim" {
        /// The statement in words. Example: `says: Virtual threads lift throughput at 900 users at least 1.8
        /// times`.
        pub says: At<String>,
        /// The statement as an expression: one comparison (`<`, `<=`, `>`, `>=`) of metrics of variants,
        /// numbers with units, `+ - * /`, `abs`, and `min` and `max` over globs. Or what gives way first, by its kind:
        /// `limit(web-jar @ 900) = server-threads`, or `!=`. Example: `claim:
        /// throughput(web-jar-vt @ 900) / throughput(web-jar @ 900) >= 1.8`.
        pub claim: At<String>,
    }
}
