//! Pressure on a target: time for which its cgroup's quota, or others on the same cores, kept it from running.

use std::path::PathBuf;

use plimsoll_record::metric;

use crate::{parse::machine, read, sockets::Values};

/// Reads both, as counters since its first sample.
#[derive(Debug, Default)]
pub(crate) struct PressureSampler {
    /// The cgroup in which a process was, if it could be found.
    group: Option<(i32, Option<PathBuf>)>,
    at_start: Vec<(&'static str, f64)>,
}

impl PressureSampler {
    /// The values of this instant for a target of these processes.
    pub fn sample(&mut self, pids: &[i32]) -> Values {
        let Some(&pid) = pids.last() else { return Vec::new() };
        if self.group.as_ref().is_none_or(|known| known.0 != pid) {
            self.group = Some((pid, read::cpu_group(pid)));
        }
        let throttling = self.group.as_ref().and_then(|known| read::throttling(known.1.as_deref()?));
        let pressure_ms = read::text("/proc/pressure/cpu").and_then(|text| machine::pressure_ms(&text));
        let now = [
            (metric::QUOTA_PERIODS, throttling.map(|it| it.periods as f64)),
            (metric::THROTTLED_PERIODS, throttling.map(|it| it.throttled as f64)),
            (metric::THROTTLED_MS, throttling.map(|it| it.ms)),
            (metric::CPU_PRESSURE_MS, pressure_ms),
        ];
        now.into_iter()
            .filter_map(|(metric, value)| Some((metric.name, self.since_start(metric.name, value?))))
            .collect()
    }

    fn since_start(&mut self, name: &'static str, value: f64) -> f64 {
        let start = match self.at_start.iter().find(|known| known.0 == name) {
            Some(known) => known.1,
            None => {
                self.at_start.push((name, value));
                value
            }
        };
        (value - start).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_begin_with_the_first_sample_and_a_target_that_is_gone_has_none() {
        let mut sampler = PressureSampler::default();
        assert_eq!((sampler.since_start("a", 70.0), sampler.since_start("a", 75.0)), (0.0, 5.0));
        let own = i32::try_from(std::process::id()).expect("a pid fits");
        let values = sampler.sample(&[own]);
        assert!(values.iter().all(|it| it.1 == 0.0), "{values:?}");
        assert_eq!(sampler.sample(&[]), []);
    }
}
