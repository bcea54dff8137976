//! The order for a proof: of which variants, by which changes, under which load.

use plimsoll_record::{LinePlan, Nanos, ObjectivePlan, ThinkTime};

/// A proof that somebody wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedProof {
    /// Names of the variants.
    pub variants: Vec<String>,
    /// Settings to change, each with its values; empty: those that move the limit which is seen.
    pub with: Vec<(String, Vec<String>)>,
    /// Whether change follows change until no setting moves the limit.
    pub tune: bool,
    /// Virtual users that saturate the service; none: as many as the explanation says.
    pub users: Option<u32>,
    /// Their pauses.
    pub think_time: Nanos,
    /// Rounds of each comparison.
    pub rounds: u32,
    /// Objectives of the load lines that are compared; empty: capacities are.
    pub slo: Vec<String>,
}

impl Default for WantedProof {
    fn default() -> Self {
        Self {
            variants: Vec::new(),
            with: Vec::new(),
            tune: false,
            users: None,
            think_time: Nanos::ZERO,
            // Fewest rounds that give an interval.
            rounds: 3,
            slo: Vec::new(),
        }
    }
}

impl WantedProof {
    /// Pauses of virtual users.
    pub const fn think(&self) -> ThinkTime {
        match self.think_time {
            Nanos::ZERO => ThinkTime::None,
            pause => ThinkTime::Constant { pause },
        }
    }

    /// The search of each run, where lines are compared; none where capacities are.
    pub(super) fn line(&self) -> Option<LinePlan> {
        let objective = ObjectivePlan { name: String::new(), thresholds: self.slo.clone() };
        let at_most = Nanos::from_secs(60);
        (!self.slo.is_empty()).then(|| LinePlan { objectives: vec![objective], at_most, ..LinePlan::default() })
    }
}
