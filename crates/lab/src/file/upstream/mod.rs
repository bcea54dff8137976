//! The `upstream` of a variant: what a simulated upstream is told to do.

mod names;
mod notation;

use std::path::Path;

use plimsoll_record::{Between, Distribution, KeepAlive, Nanos, NetworkPlan, UpstreamPlan, UpstreamTls};

use super::{
    decode::{Whole, mapping},
    errors::{At, Errors},
    quantity::Duration,
    values::positive,
};

pub(super) use names::{check_constants, check_names};
pub use notation::{parse_answer_size, parse_freeze, parse_latency, parse_statuses};

mapping! {
    /// An upstream that Plimsoll simulates (`plimsoll upstream`), as slow and as unkind as its keys say. Each run has
    /// one of its own, which counts the connections, requests and TLS handshakes of the target.
    pub struct UpstreamSection as "upstream" {
        /// From the instant that one of its servers takes a request until the first byte of the answer: `200ms`,
        /// `uniform 100ms..300ms`, `exponential 100ms`, `lognormal 20ms p99 200ms` (its median and its 99th percentile,
        /// as dashboards have them), or `histogram times.hlog` (as `plimsoll load -o hlog=times.hlog` writes it; `…
        /// tag NAME` if it has several tags). Default: 0ms. Example: `latency: 200ms`.
        pub latency: Option<At<String>>,
        /// From the first byte of the answer until its last, in the same forms. Default: 0ms. Example: `body-time:
        /// 1s`.
        pub body_time: Option<At<String>>,
        /// Requests that are served at once; the others wait, first come, first served. Default: all. Example:
        /// `servers: 20`.
        pub servers: Option<Whole<1, 1_000_000>>,
        /// How long it stands still, and how often, as for a garbage collection. Default: never. Example: `freeze: 1s
        /// every 10s`.
        pub freeze: Option<At<String>>,
        /// Length of the answer's body: `2 kB`, or in the forms of `latency`, but for `histogram`. Default: 100 B.
        /// Example: `size: lognormal 2kB p99 50kB`.
        pub size: Option<At<String>>,
        /// Statuses of answers, each with its weight. Default: 200. Example: `status: "200:99,503:1"`.
        pub status: Option<At<String>>,
        /// Whether a connection carries more than one request. Default: true. Example: `keep-alive: false`.
        pub keep_alive: Option<bool>,
        /// A connection that was unused for so long is closed. Default: never. Example: `idle-time: 5s`.
        pub idle_time: Option<At<Duration>>,
        /// A connection is closed after this many requests. Default: no limit. Example:
        /// `max-requests-per-connection: 100`.
        pub max_requests_per_connection: Option<Whole<1, { u32::MAX as u64 }>>,
        /// Whether answers say so: `Keep-Alive: timeout=5, max=99`. Default: false. Example: `announce-keep-alive:
        /// true`.
        pub announce_keep_alive: Option<bool>,
        /// Idle time that responses announce in place of `idle-time`, for a proxy that closes connections earlier or
        /// later. Implies `announce-keep-alive`. Default: the truth. Example: `announced-idle-time: 60s`.
        pub announced_idle_time: Option<At<Duration>>,
        /// Whether the last answer of a connection says nothing of it (no `Connection: close`). Default: false.
        /// Example: `close-without-notice: true`.
        pub close_without_notice: Option<bool>,
        /// Connections open at once; beyond that none is accepted, and the kernel's queue fills. Default: all.
        /// Example: `max-connections: 100`.
        pub max_connections: Option<Whole<1, 1_000_000>>,
        /// Length of the kernel's queue of connections not yet accepted. Default: 4096. Example: `backlog: 50`.
        pub backlog: Option<Whole<1, { i32::MAX as u64 }>>,
        /// Whether TLS is spoken, by certificates made for the run: `{upstream-ca}` is the PEM file of their authority.
        /// Default: false. Example: `tls: true`.
        pub tls: Option<bool>,
        /// Whether clients must show a certificate, too: `{upstream-client-cert}` and `{upstream-client-key}` are PEM
        /// files with one. Implies `tls`. Default: false. Example: `mutual-tls: true`.
        pub mutual_tls: Option<bool>,
        /// Whether TLS sessions can be resumed. Default: true. Example: `tls-resumption: false`.
        pub tls_resumption: Option<At<bool>>,
        /// Whether HTTP/2 is spoken to those who ask for it: over TLS by ALPN, without TLS by prior knowledge. Default:
        /// false. Example: `http2: true`.
        pub http2: Option<bool>,
        /// Its port on 127.0.0.1. Default: a free one. Example: `port: 9000`.
        pub port: Option<Whole<1, 65_535>>,
        /// Whether its URL has the name `localhost` in it, which callers must resolve, in place of its address.
        /// Default: false. Example: `by-name: true`.
        pub by_name: Option<At<bool>>,
    }
}

/// Resolves the section; none if it is faulty. Paths of files are relative to `folder`.
pub(super) fn resolve(
    section: &UpstreamSection,
    network: Option<NetworkPlan>,
    folder: &Path,
    errors: &mut Errors,
) -> Option<UpstreamPlan> {
    let before = errors.count();
    let defaults = UpstreamPlan::default();
    let latency = |given: Option<&At<String>>, errors: &mut Errors| {
        parsed(given, |text| parse_latency(text, folder), errors).unwrap_or(Distribution::Constant(Nanos::ZERO))
    };
    let plan = UpstreamPlan {
        latency: latency(section.latency.as_ref(), errors),
        body_time: latency(section.body_time.as_ref(), errors),
        servers: section.servers.map(Whole::narrow),
        freeze: parsed(section.freeze.as_ref(), parse_freeze, errors),
        answer_bytes: parsed(section.size.as_ref(), parse_answer_size, errors).unwrap_or(defaults.answer_bytes),
        statuses: parsed(section.status.as_ref(), parse_statuses, errors).unwrap_or_default(),
        keep_alive: KeepAlive {
            enabled: section.keep_alive.unwrap_or(true),
            idle_time: section.idle_time.as_ref().map(|time| positive(time, errors)),
            is_announced: section.announce_keep_alive.unwrap_or(false) || section.announced_idle_time.is_some(),
            announced_idle_time: section.announced_idle_time.as_ref().map(|time| positive(time, errors)),
            requests_max: section.max_requests_per_connection.map(Whole::narrow),
            closes_silently: section.close_without_notice.unwrap_or(false),
        },
        connections_max: section.max_connections.map(Whole::narrow),
        backlog: section.backlog.map_or(defaults.backlog, Whole::narrow),
        tls: tls(section, errors),
        http2: section.http2.unwrap_or(false),
        port: section.port.map_or(0, |port| u16::try_from(port.0).unwrap_or(u16::MAX)),
        by_name: section.by_name.as_ref().is_some_and(|given| given.value),
        bind: defaults.bind,
        seed: defaults.seed,
    };
    let is_fine = errors.count() == before;
    check_by_name(section, network, errors);
    is_fine.then_some(plan)
}

fn tls(section: &UpstreamSection, errors: &mut Errors) -> Option<UpstreamTls> {
    let is_mutual = section.mutual_tls.unwrap_or(false);
    if is_mutual || section.tls.unwrap_or(false) {
        let resumption = section.tls_resumption.as_ref().is_none_or(|given| given.value);
        return Some(UpstreamTls { is_mutual, resumption });
    }
    if let Some(At { place, .. }) = &section.tls_resumption {
        errors.push(place, "only TLS has sessions: add `tls: true` or `mutual-tls: true`");
    }
    None
}

fn parsed<T>(given: Option<&At<String>>, parse: impl Fn(&str) -> Result<T, String>, errors: &mut Errors) -> Option<T> {
    let At { value, place } = given?;
    parse(value).map_err(|why| errors.push(place, why)).ok()
}

/// Beyond an emulated network there is nobody to ask for names.
fn check_by_name(section: &UpstreamSection, network: Option<NetworkPlan>, errors: &mut Errors) {
    let by_name = section.by_name.as_ref().filter(|given| given.value);
    if let (Some(At { place, .. }), Some(_)) = (by_name, beyond(network)) {
        let message = "an upstream beyond an emulated network has an address only: leave `by-name` or `network` out";
        errors.push(place, message);
    }
}

/// The network, if it is between target and upstream.
fn beyond(network: Option<NetworkPlan>) -> Option<NetworkPlan> {
    network.filter(|network| network.between == Between::TargetUpstream)
}

/// How long a call takes on average, if that follows from the plan: a round trip longer over a network between them.
pub(super) fn call_time(plan: &UpstreamPlan, network: Option<NetworkPlan>) -> Option<Nanos> {
    let time =
        mean(&plan.latency)? + mean(&plan.body_time)? + beyond(network).map_or(Nanos::ZERO, |network| network.rtt);
    (time > Nanos::ZERO).then_some(time)
}

fn mean(distribution: &Distribution<Nanos>) -> Option<Nanos> {
    match distribution {
        Distribution::Constant(time) | Distribution::Exponential { mean: time } => Some(*time),
        Distribution::Uniform { min, max } => Some(Nanos(min.0.midpoint(max.0))),
        // It takes a formula, or all values: the ceiling is left out.
        Distribution::LogNormal { .. } | Distribution::Histogram { .. } => None,
    }
}
