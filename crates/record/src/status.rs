//! How executions and runs end.

use serde::{Deserialize, Serialize};

/// How an execution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExecutionStatus {
    /// Under way, or its process was killed.
    Running,
    /// Every run was made, if not with success.
    Done,
    /// Ended early by Ctrl-C; what had been measured is there.
    Interrupted,
    /// Ended early by a defect outside the target, e.g. a full disk.
    Failed,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunStatus {
    /// Under way, or its process was killed.
    Running,
    /// All levels were driven.
    Done,
    /// The target exited while it was loaded.
    Died,
    /// The target never answered 2xx.
    NotReady,
    /// The simulated upstream that the target calls could not be started, or ended while it was needed.
    UpstreamFailed,
    /// Parts that were to offer its load were lost; `detail` names them.
    PartsLost,
    /// Its benchmarks failed, or there were none; `detail` says which.
    BenchmarksFailed,
    /// Its program could not be built, packaged or trained; `detail` says why.
    BuildFailed,
    /// It cannot run on this machine; `detail` says what to install.
    Skipped,
    /// Ended early by Ctrl-C.
    Interrupted,
}

impl RunStatus {
    /// Whether it failed: it was neither done nor ended early, and this machine has what it needs.
    pub const fn is_failure(self) -> bool {
        match self {
            Self::Died
            | Self::NotReady
            | Self::UpstreamFailed
            | Self::PartsLost
            | Self::BenchmarksFailed
            | Self::BuildFailed => true,
            Self::Running | Self::Done | Self::Skipped | Self::Interrupted => false,
        }
    }
}
