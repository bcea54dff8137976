//! The experiment file as users write it. The comments below are the reference: they become the descriptions of
//! the JSON Schema, which editors show, and of `docs/experiment-file.md`.

use super::{
    connection::ConnectionSection,
    decode::{Checked, Entries, OneOrMany, Scalar, Whole, choice, mapping},
    errors::At,
    explain::ExplainSection,
    generator::GeneratorSection,
    line::LineSection,
    load::{LoadSection, WarmupSection},
    matrix::MatrixSection,
    pace::PaceSection,
    prove::ProveSection,
    published::PublishedSection,
    quantity::Duration,
    requests::{FeederSection, FlowSection, RequestSection, ScenarioSection},
    rounds::RoundsSection,
    variants::VariantSection,
};

mapping! {
    /// An experiment: variants, a load that each of them gets in a fresh process, how often, and what is
    /// claimed about the outcome. The file has at most 1 MiB.
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
        /// The variants by name, in the order of reports. Names consist of at most 100 letters, digits, `.`, `_` and
        /// `-`. Either this or `matrix` must be there, or both, or `revisions`; at most 1,000 in all. Example:
        /// `variants: {web-jar: {subject: greetings-web}}`.
        pub variants: Option<Entries<Checked<VariantSection>>>,
        /// One matrix, or a list of them: axes whose combinations become variants, after those of `variants`.
        /// Default: none. Example: see [matrix](#matrix).
        pub matrix: Option<OneOrMany<MatrixSection>>,
        /// Revisions of git, as an axis: each variant that has a `build` stands for one of each revision, called
        /// `VARIANT-REVISION`, or `REVISION` if the file has no `variants`. The commit of each goes into the record.
        /// Default: the files as they are. Example: `revisions: [main, HEAD]`.
        pub revisions: Option<At<Vec<At<Scalar>>>>,
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
        /// A mix of requests, each drawn by its `weight`; every one is reported by its name too. A load has at most
        /// 1,000 requests, in whatever form. Example:
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
        /// `{{feeder.column}}`. A file has at most 256 MiB. Example: `feeders: {users: {file: users.csv}}`.
        pub feeders: Option<Entries<FeederSection>>,
        /// Names for texts, which may use columns of feeders, what is made anew, and variables before them. One that
        /// varies is made once an iteration. At one place they fill in at most 1 MiB where they are constant, in one
        /// request at most 16 MiB where they vary. Example: `variables: {order: "{{$uuid}}"}`.
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
        /// Parts that offer every load together, in place of this process: `plimsoll serve-part` on other machines, or
        /// on this one. Default: this process offers them. Example: `generator: {parts: 4, listen: "0.0.0.0:7400"}`.
        pub generator: Option<At<GeneratorSection>>,
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
        /// Proof, after the rounds, of which change of settings moves the limit of a variant. Default: nothing is
        /// changed. Example: `prove: {variants: [tuned], tune: true}`.
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
