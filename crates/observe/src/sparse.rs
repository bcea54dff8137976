//! Metrics of a target that rarely change: sockets, JVM counters, throttling, cores.

use plimsoll_record::{Nanos, Sample};

use crate::{
    cores::CoresSampler, jvm::JvmSampler, parse::socket::Ports, pressure::PressureSampler, sockets::SocketSampler,
    thin::Thin,
};

/// Samples all of it; of a row of equal values the first and the last.
#[derive(Debug)]
pub(crate) struct SparseSampler {
    sockets: Option<SocketSampler>,
    jvm: JvmSampler,
    pressure: PressureSampler,
    cores: CoresSampler,
    thin: Thin,
}

impl SparseSampler {
    pub fn new() -> Self {
        Self {
            sockets: None,
            jvm: JvmSampler::new(),
            pressure: PressureSampler::default(),
            cores: CoresSampler::default(),
            thin: Thin::default(),
        }
    }

    pub fn with_sockets(self, ports: Ports) -> Self {
        Self { sockets: Some(SocketSampler::new(ports)), ..self }
    }

    /// Adds to `samples` what is to be kept of a target of these processes.
    pub fn sample(&mut self, at: Nanos, pids: &[i32], samples: &mut Vec<Sample>) {
        let mut values = self.sockets.as_mut().map(|sockets| sockets.sample(pids)).unwrap_or_default();
        values.extend(self.jvm.sample(pids));
        values.extend(self.pressure.sample(pids));
        values.extend(self.cores.sample(pids));
        for (metric, value) in values {
            self.thin.take(Sample { at, metric: metric.to_owned(), value }, samples);
        }
    }

    /// The last of each row.
    pub fn finish(&mut self) -> Vec<Sample> {
        self.thin.finish()
    }
}
