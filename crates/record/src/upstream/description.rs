//! Descriptions of an upstream in a few words: for reports and for the person who starts one.

use plimsoll_text::{count, counted};

use super::{Freeze, KeepAlive, StatusShare, UpstreamPlan};
use crate::{Distribution, Nanos};

impl UpstreamPlan {
    /// E.g. `200 ms, 20 servers, TLS`: whatever is not as by default, and the latency.
    pub fn description(&self) -> String {
        let tls = self.tls.as_ref().map(|tls| if tls.is_mutual { "mutual TLS" } else { "TLS" });
        let no_resumption = self.tls.as_ref().is_some_and(|tls| !tls.resumption);
        let at_once = Distribution::Constant(Nanos::ZERO);
        let parts = [
            Some(if self.latency == at_once {
                "no latency".to_owned()
            } else {
                in_words(&self.latency, |time| exact(*time))
            }),
            (self.body_time != at_once).then(|| format!("body in {}", in_words(&self.body_time, |time| exact(*time)))),
            self.servers.map(|servers| counted(u64::from(servers), "server")),
            self.freeze.map(|Freeze { length, every }| format!("freezes {} every {}", exact(length), exact(every))),
            (self.answer_bytes != Self::default().answer_bytes)
                .then(|| format!("answers of {}", in_words(&self.answer_bytes, |bytes| counted(*bytes, "byte")))),
            (!self.statuses.is_empty()).then(|| mix(&self.statuses)),
            keep_alive(&self.keep_alive),
            self.connections_max.map(|most| format!("at most {}", counted(u64::from(most), "connection"))),
            (self.backlog != Self::default().backlog).then(|| format!("backlog {}", count(self.backlog.into()))),
            tls.map(str::to_owned),
            no_resumption.then(|| "no TLS resumption".to_owned()),
            self.http2.then(|| "HTTP/2".to_owned()),
            self.by_name.then(|| "by name".to_owned()),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

fn in_words<T>(distribution: &Distribution<T>, show: impl Fn(&T) -> String) -> String {
    match distribution {
        Distribution::Constant(value) => show(value),
        Distribution::Uniform { min, max } => format!("uniform {}..{}", show(min), show(max)),
        Distribution::Exponential { mean } => format!("exponential {}", show(mean)),
        Distribution::LogNormal { median, p99 } => format!("lognormal {} p99 {}", show(median), show(p99)),
        Distribution::Histogram { source, .. } => format!("as in {source}"),
    }
}

/// The time as it was most likely written: `1,500 ms`, `2 s`.
fn exact(time: Nanos) -> String {
    let units = [("s", 1_000_000_000), ("ms", 1_000_000), ("µs", 1_000)];
    match units.iter().find(|(_, ns)| time.0 > 0 && time.0.is_multiple_of(*ns)) {
        Some((unit, ns)) => format!("{} {unit}", count(time.0 / ns)),
        None => format!("{} ns", count(time.0)),
    }
}

fn mix(statuses: &[StatusShare]) -> String {
    let all: f64 = statuses.iter().map(|share| share.weight).sum();
    let share = |share: &StatusShare| match statuses.len() {
        1 => format!("status {}", share.status),
        _ => format!("{} % {}", (share.weight / all * 1e4).round() / 1e2, share.status),
    };
    statuses.iter().map(share).collect::<Vec<_>>().join(" + ")
}

fn keep_alive(policy: &KeepAlive) -> Option<String> {
    if !policy.enabled {
        return Some("no keep-alive".to_owned());
    }
    let silently = if policy.closes_silently { " without notice" } else { "" };
    let parts = [
        policy.idle_time.map(|time| format!("idle connections closed after {}", exact(time))),
        policy
            .requests_max
            .map(|most| format!("connections closed{silently} after {}", counted(u64::from(most), "request"))),
        policy.is_announced.then(|| match policy.announced_idle_time {
            Some(time) => format!("{} announced", exact(time)),
            None => "Keep-Alive announced".to_owned(),
        }),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UpstreamTls;

    const fn ms(ms: u64) -> Nanos {
        Nanos::from_millis(ms)
    }

    #[test]
    fn only_what_was_asked_for_is_said() {
        let plain = UpstreamPlan { latency: Distribution::Constant(ms(200)), ..UpstreamPlan::default() };
        assert_eq!(plain.description(), "200 ms");
        let tls = UpstreamPlan { tls: Some(UpstreamTls::default()), ..plain };
        assert_eq!(tls.description(), "200 ms, TLS");
        assert_eq!(UpstreamPlan::default().description(), "no latency");
    }

    #[test]
    fn everything_has_its_words() {
        let statuses = vec![StatusShare { status: 200, weight: 99.0 }, StatusShare { status: 503, weight: 1.0 }];
        let keep_alive = KeepAlive {
            idle_time: Some(ms(5_000)),
            requests_max: Some(1),
            closes_silently: true,
            ..KeepAlive::default()
        };
        let plan = UpstreamPlan {
            latency: Distribution::LogNormal { median: ms(20), p99: ms(1_500) },
            body_time: Distribution::Uniform { min: Nanos(1_501), max: ms(1) },
            servers: Some(20),
            freeze: Some(Freeze { length: ms(1_000), every: ms(10_000) }),
            answer_bytes: Distribution::Exponential { mean: 2_000 },
            statuses,
            keep_alive,
            connections_max: Some(100),
            backlog: 50,
            tls: Some(UpstreamTls { is_mutual: true, resumption: false }),
            http2: true,
            by_name: true,
            ..UpstreamPlan::default()
        };
        let expected = "lognormal 20 ms p99 1,500 ms, body in uniform 1,501 ns..1 ms, 20 servers, freezes 1 s every 10 s, \
                        answers of exponential 2,000 bytes, 99 % 200 + 1 % 503, idle connections closed after 5 s, \
                        connections closed without notice after 1 request, at most 100 connections, backlog 50, \
                        mutual TLS, no TLS resumption, HTTP/2, by name";
        assert_eq!(plan.description(), expected);
    }
}
