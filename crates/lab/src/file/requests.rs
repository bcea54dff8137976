//! The sections that say what is requested.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{
    decode::{Checked, Decimal, Entries, FromNode, Scalar, choice, mapping},
    errors::{At, Errors},
    load::{LoadSection, ThinkTimeValue},
    node::Node,
    quantity::Duration,
};

mapping! {
    /// One request. `{{name}}` in path, headers' values, body, form, `auth` and checks stands for a captured value, a
    /// column of a feeder or a variable, or for something made anew: `{{$uuid}}`, `{{$timestamp}}` (seconds),
    /// `{{$isoTimestamp}}`, `{{$randomInt 1 100}}` (1 to 99), `{{$vu}}` (from 1), `{{$iteration}}` (from 0). `\{{`
    /// stands for the braces themselves. A value is escaped as its place needs it (in a path or query as `%xx`), but
    /// for one at the very beginning of a path, which may be a whole URL that was captured.
    pub struct RequestSection as "request" {
        /// Name in reports, unique in the file. Default: method and path. Example: `name: search`.
        pub name: Option<At<String>>,
        /// In `requests`: how often it is drawn, relative to the others. Default: 1. Example: `weight: 9`.
        pub weight: Option<At<Decimal>>,
        /// Path and query. In `request`, for variants that have no `url`, of which there is one at least; elsewhere
        /// joined to it. Default: `/greetings?name=plimsoll`, or the variant's `url`. Example:
        /// `path: "/greetings?name={{name}}"`.
        pub path: Option<At<String>>,
        /// Method. Default: GET, or POST where there is a body. Example: `method: PUT`.
        pub method: Option<At<String>>,
        /// Headers, beside `Host`, `User-Agent`, `Accept` and the body's `Content-Type`, which are sent anyway unless
        /// they are named here. Default: none. Example: `headers: {Accept-Language: en}`.
        pub headers: Option<Entries<At<Scalar>>>,
        /// Credentials. Default: none. Example: `auth: {bearer: "{{token}}"}`.
        pub auth: Option<At<AuthSection>>,
        /// Body of text, values put in as they are. At most one of the five kinds of body. Default: none. Example:
        /// `body: "<name>plimsoll</name>"`.
        pub body: Option<At<String>>,
        /// File that holds the body, sent as it is, seen from this file's folder. Default: none. Example:
        /// `body-file: order.bin`.
        pub body_file: Option<At<String>>,
        /// Body of JSON, written as YAML. Default: none. Example: `json: {name: "{{name}}", tags: [a, b]}`.
        pub json: Option<Checked<Anything>>,
        /// Body of a form: names and values. Default: none. Example: `form: {user: "{{user}}", remember: true}`.
        pub form: Option<Checked<Entries<Scalar>>>,
        /// Body of a multipart form: names with values or files. Default: none. Example: `multipart: {title: a,
        /// photo: {file: cat.jpg, content-type: image/jpeg}}`.
        pub multipart: Option<Checked<Entries<PartValue>>>,
        /// Conditions that the response must meet, or the request has failed: `SOURCE RELATION VALUE`. Sources:
        /// `status`, `time` (the response time), `body`, `header NAME`, `cookie NAME`, `json PATH` (RFC 9535,
        /// at most ten filters). Relations: `==`, `!=`, `<`, `<=`, `>`, `>=`, `contains`, `matches`, `exists`,
        /// `absent`. A check of the status replaces the rule that 400 and above are failures. Default: none.
        /// Example: `checks: [status == 2xx, time < 500ms, "json $.items[0].id exists"]`.
        pub checks: Option<Vec<At<String>>>,
        /// Values of the response for later requests of the flow, by name: `json PATH`, `header NAME`, `cookie NAME`,
        /// `regex PATTERN` (its first group), `body` or `status`. One that finds nothing fails the request. Default:
        /// none. Example: `captures: {token: json $.token, next: header Location}`.
        pub captures: Option<Entries<At<String>>>,
        /// In `steps`: between the response and the next request. Default: none. Example: `pause: {min: 1s, max: 3s}`.
        pub pause: Option<At<ThinkTimeValue>>,
        /// In `request`: from sent to the last byte of the response, at most 1h; later is an error. Default: 30s.
        /// Example: `time-out: 5s`.
        pub time_out: Option<At<Duration>>,
    }
}

mapping! {
    /// Credentials: either `user` and `password` (basic authentication), or `bearer`.
    pub struct AuthSection as "auth" {
        /// Name for basic authentication. Example: `user: "{{user}}"`.
        pub user: Option<At<Scalar>>,
        /// Password for basic authentication. Default: empty. Example: `password: "{{password}}"`.
        pub password: Option<Scalar>,
        /// Token for bearer authentication. Example: `bearer: "{{token}}"`.
        pub bearer: Option<At<Scalar>>,
    }
}

mapping! {
    /// Requests that one virtual user makes one after the other. One that fails ends the iteration.
    pub struct FlowSection as "flow" {
        /// How often it is drawn, relative to the others. Default: 1. Example: `weight: 2`.
        pub weight: Option<At<Decimal>>,
        /// The requests, in their order. Example: `steps: [{path: /cart}, {path: /checkout, method: POST}]`.
        pub steps: At<Vec<RequestSection>>,
    }
}

mapping! {
    /// One of several loads at the same time. Reports and claims call it by its name, as a level.
    pub struct ScenarioSection as "scenario" {
        /// Its name. Example: `name: browse`.
        pub name: At<String>,
        /// When it starts, counted from the start of the first. Default: at once. Example: `start: 10s`.
        pub start: Option<Duration>,
        /// How its requests are offered over time; of `levels` there must be one. Example: `load: {model:
        /// constant-arrival-rate, levels: [200/s], duration: 1min}`.
        pub load: Checked<LoadSection>,
        /// Its request; or `requests`, `steps` or `flows`. Example: `request: {path: /}`.
        pub request: Option<Checked<RequestSection>>,
        /// A mix of requests, each drawn by its `weight`. Example: `requests: [{path: /, weight: 9}, {path: /new}]`.
        pub requests: Option<At<Vec<RequestSection>>>,
        /// One flow. Example: `steps: [{path: /login}, {path: /home}]`.
        pub steps: Option<At<Vec<RequestSection>>>,
        /// A mix of flows. Example: see [flow](#flow).
        pub flows: Option<At<Vec<FlowSection>>>,
    }
}

mapping! {
    /// A file of data, of which each iteration takes a row.
    pub struct FeederSection as "feeder" {
        /// A table (`.csv`, names of columns in its first line), or one JSON object a line (`.jsonl`, `.ndjson`), seen
        /// from this file's folder. Example: `file: users.csv`.
        pub file: At<String>,
        /// The row that an iteration takes. Default: `sequential`. Example: `order: unique`.
        pub order: Option<RowsWord>,
    }
}

choice! {
    /// The row that an iteration takes.
    pub enum RowsWord as "rows" {
        /// One after the other, over all virtual users, threads and segments; from the beginning after the last.
        Sequential = "sequential",
        /// Any; seeded.
        Random = "random",
        /// Each virtual user its own, always the same. There must be as many rows as virtual users.
        Unique = "unique",
    }
}

/// Any value, kept as it was written.
#[derive(Clone, Debug)]
pub(super) struct Anything;

impl FromNode for Anything {
    fn from_node(_: &Node, _: &mut Errors) -> Option<Self> {
        Some(Self)
    }
}

impl JsonSchema for Anything {
    fn schema_name() -> Cow<'static, str> {
        "anything".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"x-what": "anything"})
    }
}

mapping! {
    /// A file that is uploaded.
    pub struct FilePart as "file-part" {
        /// The file, seen from this file's folder; sent as it is. Example: `file: cat.jpg`.
        pub file: At<String>,
        /// Its media type. Default: `application/octet-stream`. Example: `content-type: image/jpeg`.
        pub content_type: Option<String>,
    }
}

// A value, or a file.
#[derive(Clone, Debug, JsonSchema)]
#[schemars(untagged, inline)]
pub(super) enum PartValue {
    Text(Scalar),
    File(FilePart),
}

impl FromNode for PartValue {
    fn from_node(node: &Node, errors: &mut Errors) -> Option<Self> {
        match node.scalar() {
            Some(text) => Some(Self::Text(Scalar(text.to_owned()))),
            None => FilePart::from_node(node, errors).map(Self::File),
        }
    }
}
