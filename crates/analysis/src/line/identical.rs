//! How often two names of one service are said to have different load lines, counted on simulated servers.
//! `benches/line a-a` prints it; `docs/line.md` has what it printed.

use plimsoll_record::{ExecutionData, LineEndFound, LineFound, UntilDecided};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{
    coverage::{search, slowness},
    estimate::Ends,
};
use crate::{
    claims,
    intervals::{ERROR, Searched, looks},
    testing::{Line, lines},
};

/// Rounds after which differences are called: fixed numbers of them.
pub const FIXED: [u32; 3] = [3, 5, 10];

/// First and last look of runs that end once all is decided.
pub const LOOKS: (u32, u32) = (3, 10);

/// Experiments in which two processes of one service are searched in each of ten rounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pairs {
    /// Standard deviation of the logarithm of a process's speed.
    pub spread: f64,
    /// Resolution of each search.
    pub resolution: f64,
}

/// Whether a difference was called in one experiment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Called {
    /// After each of [`FIXED`].
    pub fixed: [bool; FIXED.len()],
    /// At any look of [`LOOKS`].
    pub until_decided: bool,
}

impl Pairs {
    /// Makes experiment `number`: the same every time.
    pub fn make(&self, number: u64) -> Called {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(number);
        let mut ends = |of: u64| {
            let seeds = (0..u64::from(LOOKS.1)).map(|round| number * 100 + 2 * round + of);
            seeds.map(|seed| search(slowness(self.spread, &mut random), self.resolution, seed)).collect::<Vec<_>>()
        };
        let data = experiment([&ends(0), &ends(1)]);
        let error_per_look = looks::error_per_look(LOOKS.0, LOOKS.1);
        let until = Some(UntilDecided { at_least: LOOKS.0, error_per_look });
        Called {
            fixed: FIXED.map(|rounds| is_called(&data, rounds, None)),
            until_decided: (LOOKS.0..=LOOKS.1).any(|rounds| is_called(&data, rounds, until)),
        }
    }
}

/// Experiments in which one process of a service is searched, and then another one, once each: as by `plimsoll line URL
/// --baseline NAME`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OneEach {
    /// Standard deviation of the logarithm of a process's speed.
    pub spread: f64,
    /// How many times as long the requests of the later one take.
    pub slowness: f64,
    /// Resolution of each search.
    pub resolution: f64,
}

impl OneEach {
    /// Makes experiment `number`, the same every time: whether a difference is called.
    pub fn make(&self, number: u64) -> bool {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(number);
        let mut searched = |by: f64, seed| {
            let Ends { low, high } = search(by * slowness(self.spread, &mut random), self.resolution, seed);
            low.zip(high).map(|(low, high)| [low, high])
        };
        let (before, after) = (searched(1.0, 2 * number), searched(self.slowness, 2 * number + 1));
        let of = |(before, after)| Searched { before, after }.interval(ERROR);
        before.zip(after).map(of).is_some_and(|it| it.low > 1.0 || it.high < 1.0)
    }
}

/// Records of runs whose searches found these ends.
fn experiment(found: [&[Ends]; 2]) -> ExecutionData {
    let rounds = [Line::at(10.0); LOOKS.1 as usize];
    let mut data = lines(&[("a", &rounds), ("b", &rounds)], &["line(a) / line(b) > 1"]);
    for data in &mut data.runs {
        let Ends { low, high } = found[data.run.variant][data.run.round as usize];
        let end = |rate: f64| LineEndFound { rate, seconds: 30.0, share_of_allowed: 1.0, dispersion: None };
        let line = LineFound { outcome: "found".to_owned(), lower: low.map(end), upper: high.map(end) };
        data.run.line.iter_mut().for_each(|it| it.found = vec![line.clone()]);
    }
    data
}

/// Whether one of the two is said to carry more than the other after so many rounds.
fn is_called(data: &ExecutionData, rounds: u32, until_decided: Option<UntilDecided>) -> bool {
    let mut seen = data.clone();
    seen.execution.plan.until_decided = until_decided;
    seen.execution.plan.rounds = rounds;
    seen.runs.retain(|it| it.run.round < rounds);
    claims::undecided(&seen).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(line: f64) -> Ends {
        Ends { low: Some(line / 1.04), high: Some(line * 1.04) }
    }

    /// A difference may be called in 5 % of comparisons where there is none.
    #[test]
    fn one_search_each_calls_what_differs_and_of_one_process_nothing() {
        let called = |slowness| {
            let experiment = OneEach { spread: 0.0, slowness, resolution: 0.1 };
            (0..40).filter(|&number| experiment.make(number)).count()
        };
        assert!(called(1.0) <= 5, "{}", called(1.0));
        assert!(called(1.25) >= 38, "{}", called(1.25));
    }

    #[test]
    fn what_differs_is_called_and_what_does_not_is_not() {
        let [fast, slow, like_slow] = [[200.0, 205.0], [100.0, 102.0], [101.0, 100.0]]
            .map(|of_two| (0..10).map(|round| process(of_two[round % 2])).collect::<Vec<_>>());
        let until = UntilDecided { at_least: 3, error_per_look: looks::error_per_look(LOOKS.0, LOOKS.1) };
        for (rounds, until) in FIXED.into_iter().flat_map(|rounds| [(rounds, None), (rounds, Some(until))]) {
            assert!(is_called(&experiment([&fast, &slow]), rounds, until), "{rounds}");
            assert!(!is_called(&experiment([&slow, &like_slow]), rounds, until), "{rounds}");
        }
    }
}
