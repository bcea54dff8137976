//! Effects of an emulated network on its packets: from an experiment file to the process that emulates it, and to
//! the reports.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Nanos;

/// A network between two parts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct NetworkPlan {
    /// The parts that it joins.
    pub between: Between,
    /// Round trip time: each way takes half of it.
    #[serde(rename = "rtt_ns")]
    pub rtt: Nanos,
    /// How far a round trip may be off, either way; at most `rtt`.
    #[serde(rename = "jitter_ns")]
    pub jitter: Nanos,
    /// Packets that are lost each way, in percent.
    pub loss_percent: f64,
    /// Bandwidth of each direction, in bits a second; none: as much as the machine does.
    pub bandwidth_bits_per_s: Option<u64>,
    /// How it is made.
    pub by: NetworkBy,
}

/// The two ends that a network joins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Between {
    /// The load comes over it.
    #[default]
    GeneratorTarget,
    /// The target's own calls go over it; generator and target are side by side.
    TargetUpstream,
}

/// How a network is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NetworkBy {
    /// Two network namespaces, joined by a router that holds, drops and serialises packets: as on a real network, also
    /// for handshakes, congestion windows and retransmissions. Needs root.
    #[default]
    Namespaces,
    /// A relay of connections that delays bytes. It cannot lose any, and the time of handshakes stays what it is.
    Relay,
}

impl fmt::Display for NetworkPlan {
    /// For tables of settings: `70 ms RTT ± 3 ms, 0.1 % loss, 100 Mbit/s between generator and target`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms RTT", self.rtt.as_millis_f64())?;
        if self.jitter > Nanos::ZERO {
            write!(f, " ± {} ms", self.jitter.as_millis_f64())?;
        }
        if self.loss_percent > 0.0 {
            write!(f, ", {} % loss", self.loss_percent)?;
        }
        if let Some(bits_per_s) = self.bandwidth_bits_per_s {
            write!(f, ", {}", bit_rate_words(bits_per_s))?;
        }
        let ends = match self.between {
            Between::GeneratorTarget => "generator and target",
            Between::TargetUpstream => "target and upstream",
        };
        write!(f, " between {ends}")?;
        if self.by == NetworkBy::Relay { f.write_str(", by relay") } else { Ok(()) }
    }
}

/// The shortest exact way to write it, e.g. `100 Mbit/s`.
fn bit_rate_words(bits_per_s: u64) -> String {
    let units = [("Gbit/s", 1_000_000_000), ("Mbit/s", 1_000_000), ("kbit/s", 1_000)];
    match units.iter().find(|(_, size)| bits_per_s.is_multiple_of(*size)) {
        Some((unit, size)) => format!("{} {unit}", bits_per_s / size),
        None => format!("{bits_per_s} bit/s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_there_is_told() {
        let plan = NetworkPlan { rtt: Nanos::from_millis(70), ..NetworkPlan::default() };
        assert_eq!(plan.to_string(), "70 ms RTT between generator and target");
        let plan = NetworkPlan {
            between: Between::TargetUpstream,
            rtt: Nanos::from_micros(500),
            jitter: Nanos::from_micros(30),
            loss_percent: 0.1,
            bandwidth_bits_per_s: Some(100_000_000),
            by: NetworkBy::Relay,
        };
        let told = "0.5 ms RTT ± 0.03 ms, 0.1 % loss, 100 Mbit/s between target and upstream, by relay";
        assert_eq!(plan.to_string(), told);
    }

    #[test]
    fn a_bit_rate_is_told_exactly() {
        let words = [1, 1_500, 2_000, 10_000_000, 1_500_000_000].map(bit_rate_words);
        assert_eq!(words, ["1 bit/s", "1500 bit/s", "2 kbit/s", "10 Mbit/s", "1500 Mbit/s"]);
    }
}
