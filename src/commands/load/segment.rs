//! One of several parts of a load: whether the parts will fit together.

use plimsoll_drive::{Job, Scenario, Segment};
use plimsoll_record::{Arrivals, Part, ThinkTime};

/// Takes `part` of the job; a message in words if that is none. `seed` is the one that was given.
pub fn take(job: &mut Job, part: Part, seed: Option<u64>) -> Result<(), String> {
    let Part { number, count } = part;
    let random = job.scenarios.iter().find_map(random);
    job.options.seed = match (seed, random) {
        (Some(seed), _) => seed,
        // Nothing is drawn: a seed of its own would only tell the parts apart.
        (None, None) => 0,
        (None, Some(what)) => {
            return Err(format!("expected --seed as well, the same for all parts, since {what} at random"));
        }
    };
    check(job, count)?;
    job.options.segment = Segment { index: number - 1, count };
    Ok(())
}

/// Whether each of so many parts has something to do; a message in words if not.
pub fn check(job: &Job, count: u32) -> Result<(), String> {
    let fewest = job.scenarios.iter().map(|scenario| scenario.load.max_in_flight()).min().unwrap_or_default();
    match fewest < count {
        false => Ok(()),
        true => Err(format!(
            "expected at most as many parts as there are virtual users or requests in flight, which are {fewest}; use \
             fewer parts"
        )),
    }
}

/// Names what the scenario draws, if anything.
fn random(scenario: &Scenario) -> Option<&'static str> {
    let mut pauses = scenario.script.steps().map(|step| step.pause).chain(scenario.load.think_time());
    if scenario.load.arrivals() == Some(Arrivals::Poisson) {
        Some("requests arrive")
    } else if scenario.script.varies() {
        Some("requests are drawn, or values in them,")
    } else {
        pauses.any(ThinkTime::is_random).then_some("pauses are drawn")
    }
}

#[cfg(test)]
mod tests {
    use plimsoll_drive::{Options, Request};
    use plimsoll_record::{Load, Nanos};

    use super::*;

    const PART: Part = Part { number: 2, count: 4 };

    fn job(load: Load) -> Job {
        Job::single(load, Request::get("http://h/".parse().unwrap()), Options { seed: 99, ..Options::default() })
    }

    fn vus(vus: u32, think: ThinkTime) -> Load {
        Load::ConstantVus { vus, duration: Nanos::from_secs(1), think }
    }

    fn refused(mut job: Job) -> String {
        take(&mut job, PART, None).unwrap_err()
    }

    #[test]
    fn a_load_without_chance_needs_no_seed() {
        let mut job = job(vus(4, ThinkTime::None));
        take(&mut job, PART, None).unwrap();
        assert_eq!((job.options.segment, job.options.seed), (Segment { index: 1, count: 4 }, 0));
    }

    #[test]
    fn parts_that_draw_need_one_seed_for_all() {
        let (min, max) = (Nanos(1), Nanos(2));
        assert!(refused(job(vus(4, ThinkTime::Uniform { min, max }))).contains("--seed"));
        let poisson = Load::ConstantArrivalRate {
            rate: 1.0,
            duration: Nanos::from_secs(1),
            arrivals: Arrivals::Poisson,
            max_in_flight: 10,
            drop_late: false,
        };
        assert!(refused(job(poisson.clone())).contains("--seed as well"));
        let mut seeded = job(poisson);
        take(&mut seeded, PART, Some(7)).unwrap();
        assert_eq!(seeded.options.seed, 7);
        let mut mixed = job(vus(4, ThinkTime::None));
        let flow = mixed.scenarios[0].script.flows[0].clone();
        mixed.scenarios[0].script.flows.push(flow);
        assert!(refused(mixed).contains("requests are drawn"));
    }

    #[test]
    fn every_part_has_something_to_do() {
        assert!(refused(job(vus(3, ThinkTime::None))).contains("which are 3"));
    }
}
