//! A simulated upstream: what it is to do, and what it counts. `plimsoll upstream` does it; the lab launches it beside
//! a target and keeps its counts in the record.

mod description;

use std::net::{IpAddr, Ipv4Addr};

use serde::{Deserialize, Serialize};

use crate::{Nanos, distribution::Distribution};

/// The behaviour of a simulated upstream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct UpstreamPlan {
    /// Where it listens.
    pub bind: IpAddr,
    /// 0: a free one.
    pub port: u16,
    /// Whether its callers are told `localhost`, which they have to resolve, in place of its address.
    pub by_name: bool,
    /// Seed of everything that is drawn.
    pub seed: u64,
    /// From the instant that one of its servers takes a request until the first byte of the answer.
    #[serde(rename = "latency_ns")]
    pub latency: Distribution<Nanos>,
    /// From the first byte of the answer until its last.
    #[serde(rename = "body_time_ns")]
    pub body_time: Distribution<Nanos>,
    /// How many requests it serves at once; the others wait in the order in which they came. None: all.
    pub servers: Option<u32>,
    /// While it lasts nothing goes on: nothing is accepted, served or answered.
    pub freeze: Option<Freeze>,
    /// Length of the answer's body.
    pub answer_bytes: Distribution<u64>,
    /// Drawn for each answer by weight; empty: 200.
    pub statuses: Vec<StatusShare>,
    /// How long connections live.
    pub keep_alive: KeepAlive,
    /// Connections that are open at once, at most; beyond that none is accepted, and the kernel's queue fills.
    pub connections_max: Option<u32>,
    /// Length of the kernel's queue of connections that were not accepted yet.
    pub backlog: u32,
    /// None: plain HTTP.
    pub tls: Option<UpstreamTls>,
    /// Whether HTTP/2 is spoken to those who ask for it: by ALPN over TLS, by prior knowledge without.
    pub http2: bool,
}

impl Default for UpstreamPlan {
    fn default() -> Self {
        Self {
            bind: Ipv4Addr::LOCALHOST.into(),
            port: 0,
            by_name: false,
            seed: 1,
            latency: Distribution::Constant(Nanos::ZERO),
            body_time: Distribution::Constant(Nanos::ZERO),
            servers: None,
            freeze: None,
            answer_bytes: Distribution::Constant(100),
            statuses: Vec::new(),
            keep_alive: KeepAlive::default(),
            connections_max: None,
            backlog: 4_096,
            tls: None,
            http2: false,
        }
    }
}

impl UpstreamPlan {
    /// Whether it can be done.
    ///
    /// # Errors
    /// The first field that contradicts itself or another: what is expected, and what was found.
    pub fn check(&self) -> Result<(), String> {
        let named = |name: &str, result: Result<(), String>| result.map_err(|why| format!("`{name}`: {why}"));
        named("latency", self.latency.check())?;
        named("body_time", self.body_time.check())?;
        named("answer_bytes", self.answer_bytes.check())?;
        named("freeze", self.freeze.map_or(Ok(()), Freeze::check))?;
        for share in &self.statuses {
            named("statuses", share.check())?;
        }
        match (self.servers, self.connections_max, self.keep_alive.requests_max) {
            (Some(0), ..) => Err("`servers`: expected at least 1, found 0".to_owned()),
            (_, Some(0), _) => Err("`connections_max`: expected at least 1, found 0".to_owned()),
            (.., Some(0)) => Err("`keep_alive.requests_max`: expected at least 1, found 0".to_owned()),
            _ => Ok(()),
        }
    }
}

/// A recurring stop of everything, as of a garbage collection that stops the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Freeze {
    /// How long each lasts; less than `every`.
    #[serde(rename = "length_ns")]
    pub length: Nanos,
    /// From the start of one to the start of the next; the first starts as long after the upstream did.
    #[serde(rename = "every_ns")]
    pub every: Nanos,
}

impl Freeze {
    /// Whether there is time between one and the next.
    ///
    /// # Errors
    /// Expected and found values.
    pub fn check(self) -> Result<(), String> {
        let Self { length, every } = self;
        if Nanos::ZERO < length && length < every {
            return Ok(());
        }
        Err(format!(
            "expected a length of more than 0 and less than from one to the next, found {length} every {every}"
        ))
    }
}

/// How often a status is answered.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StatusShare {
    /// 200 to 599.
    pub status: u16,
    /// Relative to the weights of the others.
    pub weight: f64,
}

impl StatusShare {
    /// Whether it can be answered.
    ///
    /// # Errors
    /// Expected and found values.
    pub fn check(self) -> Result<(), String> {
        let Self { status, weight } = self;
        if !(200..=599).contains(&status) {
            return Err(format!("expected a status from 200 to 599, found {status}"));
        }
        if weight > 0.0 && weight <= 1e9 {
            return Ok(());
        }
        Err(format!("expected a weight of more than 0 and at most 1,000,000,000 for status {status}, found {weight}"))
    }
}

/// How long connections live.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KeepAlive {
    /// Whether a connection carries more than one request.
    pub enabled: bool,
    /// A connection is closed when it was unused for so long. None: never.
    #[serde(rename = "idle_time_ns")]
    pub idle_time: Option<Nanos>,
    /// Whether answers say so: `Keep-Alive: timeout=…, max=…`.
    pub is_announced: bool,
    /// Idle time that responses announce in place of `idle_time`, for a proxy that closes earlier or later. None: the
    /// truth.
    #[serde(rename = "announced_idle_time_ns")]
    pub announced_idle_time: Option<Nanos>,
    /// A connection is closed after so many requests. None: never.
    pub requests_max: Option<u32>,
    /// Whether the last answer of a connection says nothing of its being the last one (no `Connection: close`).
    pub closes_silently: bool,
}

impl Default for KeepAlive {
    fn default() -> Self {
        Self {
            enabled: true,
            idle_time: None,
            is_announced: false,
            announced_idle_time: None,
            requests_max: None,
            closes_silently: false,
        }
    }
}

/// TLS by certificates made on the spot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct UpstreamTls {
    /// Whether clients must show a certificate (mutual TLS).
    pub is_mutual: bool,
    /// Whether sessions can be resumed.
    pub resumption: bool,
}

impl Default for UpstreamTls {
    fn default() -> Self {
        Self { is_mutual: false, resumption: true }
    }
}

/// Where a running upstream is, and what its clients need.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UpstreamReady {
    /// E.g. `https://127.0.0.1:40123`, without a slash at its end.
    pub url: String,
    /// The address it listens on.
    pub host: String,
    /// The port it listens on.
    pub port: u16,
    /// PEM file of the authority that issued its certificate, with TLS.
    pub ca: Option<String>,
    /// PEM file of a certificate for clients, with mutual TLS.
    pub client_cert: Option<String>,
    /// PEM file of its private key.
    pub client_key: Option<String>,
}

/// Counters of an upstream since its start, and its current state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct UpstreamCounts {
    /// When, counted from its start.
    #[serde(rename = "at_ns")]
    pub at: Nanos,
    /// Connections accepted.
    pub connections_opened: u64,
    /// Connections open now.
    pub connections_open: u64,
    /// Requests received in full.
    pub requests: u64,
    /// The most requests that one connection has carried.
    pub requests_per_connection_max: u64,
    /// TLS handshakes completed.
    pub tls_handshakes: u64,
    /// TLS handshakes that resumed a session.
    pub tls_resumed: u64,
    /// TLS handshakes that failed.
    pub tls_failed: u64,
    /// Connections that the client reset or that broke.
    pub resets: u64,
    /// Requests waiting for a server now.
    pub waiting: u64,
    /// Requests being served now.
    pub in_service: u64,
}

/// A line that `plimsoll upstream --json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UpstreamLine {
    /// The first one: it accepts connections.
    Ready(UpstreamReady),
    /// Then one at each interval, and one at the end.
    Counts(UpstreamCounts),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_reads_back_and_what_is_left_out_is_as_by_default() {
        let plan = UpstreamPlan {
            latency: Distribution::LogNormal { median: Nanos::from_millis(20), p99: Nanos::from_millis(200) },
            tls: Some(UpstreamTls { is_mutual: true, ..UpstreamTls::default() }),
            freeze: Some(Freeze { length: Nanos::from_secs(1), every: Nanos::from_secs(10) }),
            ..UpstreamPlan::default()
        };
        let text = serde_json::to_string(&plan).unwrap();
        assert_eq!(serde_json::from_str::<UpstreamPlan>(&text).unwrap(), plan);
        let short: UpstreamPlan = serde_json::from_str(r#"{"latency_ns": {"constant": 5}, "tls": {}}"#).unwrap();
        let expected = UpstreamPlan {
            latency: Distribution::Constant(Nanos(5)),
            tls: Some(UpstreamTls::default()),
            ..UpstreamPlan::default()
        };
        assert_eq!(short, expected);
        assert!(serde_json::from_str::<UpstreamPlan>(r#"{"latncy_ns": {"constant": 5}}"#).is_err());
    }

    #[test]
    fn what_contradicts_itself_is_named() {
        let problem = |change: fn(&mut UpstreamPlan)| {
            let mut plan = UpstreamPlan::default();
            change(&mut plan);
            plan.check().unwrap_err()
        };
        assert_eq!(UpstreamPlan::default().check(), Ok(()));
        let freeze = problem(|it| it.freeze = Some(Freeze { length: Nanos(5), every: Nanos(5) }));
        assert!(freeze.starts_with("`freeze`: expected a length") && freeze.ends_with("5 ns every 5 ns"), "{freeze}");
        assert!(problem(|it| it.statuses = vec![StatusShare { status: 101, weight: 1.0 }]).contains("found 101"));
        assert!(problem(|it| it.statuses = vec![StatusShare { status: 200, weight: f64::NAN }]).contains("NaN"));
        assert!(problem(|it| it.servers = Some(0)).starts_with("`servers`"));
        let upside_down = Distribution::Uniform { min: Nanos(2), max: Nanos(1) };
        assert!(problem(|it| it.latency = Distribution::Uniform { min: Nanos(2), max: Nanos(1) }).contains("2 ns"));
        assert!(upside_down.check().is_err());
    }
}
