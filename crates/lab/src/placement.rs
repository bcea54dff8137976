//! CPUs that the generator uses and those of the target: apart where there are enough, so that neither takes from the
//! other what is measured.

use std::{fmt, io};

use plimsoll_network::Namespace;
use plimsoll_observe::environment::{allowed_cpus, by_core};
use plimsoll_text::counted;
use rustix::thread::{CpuSet, sched_setaffinity};

/// Fewest CPUs to divide. With fewer, generator and target share them: a target on one or two is another experiment.
const CPUS_MIN: usize = 4;

/// Where generator and target run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Both on all CPUs.
    Shared {
        /// How many.
        cpus: usize,
    },
    /// The target on all CPUs, and the generator in parts that run wherever they were started.
    InParts {
        /// How many.
        cpus: usize,
    },
    /// On CPUs of their own.
    Apart {
        /// CPUs of the generator.
        generator: Vec<usize>,
        /// CPUs of the target.
        target: Vec<usize>,
    },
}

impl Placement {
    /// The placement for this machine, as far as this process may use it.
    pub fn here() -> Self {
        Self::on(&by_core(&allowed_cpus()))
    }

    /// The same where parts offer the loads.
    pub fn beside_parts() -> Self {
        Self::InParts { cpus: allowed_cpus().len() }
    }

    /// The generator gets a quarter of the cores, for a request costs it far less than the target. Hardware threads of
    /// one core stay together.
    fn on(cores: &[Vec<usize>]) -> Self {
        let cpus = cores.iter().map(Vec::len).sum();
        if cpus < CPUS_MIN || cores.len() < 2 {
            return Self::Shared { cpus };
        }
        let (generator, target) = cores.split_at((cores.len() / 4).max(1));
        Self::Apart { generator: generator.concat(), target: target.concat() }
    }

    /// The target's CPUs; empty: all.
    pub fn target_cpus(&self) -> &[usize] {
        match self {
            Self::Shared { .. } | Self::InParts { .. } => &[],
            Self::Apart { target, .. } => target,
        }
    }

    /// How many CPUs the target may use.
    pub const fn target_cpu_count(&self) -> usize {
        match self {
            Self::Shared { cpus } | Self::InParts { cpus } => *cpus,
            Self::Apart { target, .. } => target.len(),
        }
    }

    /// The CPUs of the generator, and of an upstream; empty: all.
    pub fn generator_cpus(&self) -> &[usize] {
        match self {
            Self::Shared { .. } | Self::InParts { .. } => &[],
            Self::Apart { generator, .. } => generator,
        }
    }

    /// Where everything runs, also the upstreams if there are any.
    pub fn description(&self, has_upstream: bool) -> String {
        let text = self.to_string();
        if !has_upstream {
            return text;
        }
        text.replacen("generator and target", "generator, upstream and target", 1)
            .replacen("generator on", "generator and upstream on", 1)
            .replacen("target has", "upstream and target have", 1)
    }

    /// The generator's CPUs, in `namespace`; none: that of this process.
    pub fn thread_in(&self, namespace: Option<&Namespace>) -> ThreadPlacement {
        ThreadPlacement { cpus: self.generator_cpus().to_vec(), namespace: namespace.cloned() }
    }
}

/// Where a thread of the generator's works.
#[derive(Clone, Debug)]
pub struct ThreadPlacement {
    /// Empty: all.
    cpus: Vec<usize>,
    namespace: Option<Namespace>,
}

impl ThreadPlacement {
    /// Puts the calling thread there, and threads that it starts from now on.
    ///
    /// # Errors
    ///
    /// If the namespace is gone, or may not be entered.
    pub fn apply(&self) -> io::Result<()> {
        // The CPUs were allowed a moment ago; if they no longer are, the kernel has taken us off them already.
        let _ = pin_this_thread(&self.cpus);
        self.namespace.as_ref().map_or(Ok(()), Namespace::enter)
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |cpus: &[usize]| cpus.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Self::Shared { cpus } => {
                write!(f, "generator and target share {cpus} CPUs (they are pinned apart from {CPUS_MIN} on)")
            }
            Self::InParts { cpus } => {
                write!(f, "target has {}; parts of the generator are pinned to none", counted(*cpus as u64, "CPU"))
            }
            Self::Apart { generator, target } => {
                write!(f, "generator on CPUs {}; target on CPUs {}", list(generator), list(target))
            }
        }
    }
}

/// Puts the calling thread on `cpus`; empty: leaves it where it is.
pub fn pin_this_thread(cpus: &[usize]) -> rustix::io::Result<()> {
    if cpus.is_empty() {
        return Ok(());
    }
    let mut set = CpuSet::new();
    cpus.iter().filter(|&&cpu| cpu < CpuSet::MAX_CPU).for_each(|&cpu| set.set(cpu));
    sched_setaffinity(None, &set)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cores(count: usize, threads: usize) -> Vec<Vec<usize>> {
        (0..count).map(|core| (0..threads).map(|thread| core + thread * count).collect()).collect()
    }

    #[test]
    fn few_cpus_are_shared() {
        assert_eq!(Placement::on(&cores(2, 1)), Placement::Shared { cpus: 2 });
        assert_eq!(Placement::on(&cores(1, 8)), Placement::Shared { cpus: 8 }, "one core cannot be split");
        assert_eq!(Placement::on(&cores(2, 1)).target_cpus(), [0; 0]);
    }

    #[test]
    fn a_quarter_of_the_cores_generates() {
        let apart = |generator: &[usize], target: &[usize]| Placement::Apart {
            generator: generator.to_vec(),
            target: target.to_vec(),
        };
        assert_eq!(Placement::on(&cores(4, 1)), apart(&[0], &[1, 2, 3]));
        assert_eq!(Placement::on(&cores(2, 2)), apart(&[0, 2], &[1, 3]), "hardware threads stay together");
        assert_eq!(Placement::on(&cores(8, 1)), apart(&[0, 1], &[2, 3, 4, 5, 6, 7]));
        assert_eq!(Placement::on(&cores(4, 1)).to_string(), "generator on CPUs 0; target on CPUs 1, 2, 3");
        let with_upstream = Placement::on(&cores(4, 1)).description(true);
        assert_eq!(with_upstream, "generator and upstream on CPUs 0; target on CPUs 1, 2, 3");
        assert!(
            Placement::on(&cores(2, 1)).description(true).starts_with("generator, upstream and target share 2 CPUs")
        );
        let in_parts = Placement::InParts { cpus: 2 };
        assert_eq!(in_parts.to_string(), "target has 2 CPUs; parts of the generator are pinned to none");
        assert!(in_parts.description(true).starts_with("upstream and target have 2 CPUs; "));
        assert_eq!((in_parts.target_cpus(), in_parts.generator_cpus()), (&[][..], &[][..]));
    }

    #[test]
    fn a_thread_can_be_pinned() {
        let all = allowed_cpus();
        let pinned = std::thread::spawn(move || {
            pin_this_thread(&all[..1]).expect("an allowed CPU");
            (allowed_cpus(), all)
        });
        let (now, all) = pinned.join().expect("no panic");
        assert_eq!(now, all[..1]);
        assert_eq!(allowed_cpus(), all, "other threads are not");
    }
}
