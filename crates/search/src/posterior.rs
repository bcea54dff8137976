//! Where the line of one criterion may lie, from the counts of all trials together.

use std::array;

use crate::{
    drift,
    grid::{BASES, Grid, LINES, Other, Places, SLOPES, SPREADS},
    likelihood::{Base, Bursts, Means},
    theory::Theory,
    trial::{Counts, Trial, dispersion_of_arrivals},
};

/// The least slope of failures, as a multiple of what theory expects.
const LEAST_SLOPE_OF_FAILURES: f64 = 0.2;
/// Relaxation times that a trial must last before few late responses speak for its rate in full.
const FULL_WEIGHT: f64 = 8.0;
/// Length of the windows in which the dispersion is measured, in relaxation times, and the part of it that they show.
const WINDOW: f64 = 15.0;
const WINDOW_SHOWS: f64 = 0.89;
/// The least length of a window, in seconds: where requests come in batches, queues remember longer than theory says.
const WINDOW_LEAST: f64 = 2.0;
/// The dispersion before anything is known, as a multiple of what theory expects, and the number of windows that this
/// weighs. [`LOOKING_OFTEN`] is a margin on top, for looking at the same counts again and again.
pub(crate) const EXPECTED: f64 = 0.8;
const EXPECTED_WEIGHT: f64 = 4.0;
/// Bounds of the measured dispersion. Where memory is known to be short, many windows may show less than the first.
const BOUNDS: (f64, f64) = (0.65, 8.0);
const LEAST_IF_SHORT: f64 = 0.3;
const MANY_WINDOWS: f64 = 12.0;
/// The greatest dispersion beyond the line, as a multiple of that at the line.
const BEYOND: f64 = 1.5;
pub(crate) const LOOKING_OFTEN: f64 = 1.1;
/// Beyond this multiple of the line the share of late responses no longer follows the slope.
const NEAR: f64 = 1.08;
/// From this share of failures on, fewer than the slope predicts say nothing, since the curve bends: with room for 20
/// requests 8 % fail at 1.39 times the line of 1 %, and a sixth at 1.7 times it (Erlang B).
const BENDS: f64 = 0.08;
/// The greatest share of late responses that is expected, at any rate.
const GREATEST_SHARE: f64 = 0.5;

/// Iterations of [`Posterior::settle`] at most: the place of the line and the dispersion depend on each other.
const LOOKS_MOST: usize = 3;

/// Knowledge about the line of one criterion.
#[derive(Clone, Debug)]
pub(crate) struct Posterior {
    criterion: usize,
    share: f64,
    theory: Theory,
    /// Whether each arrival is one request.
    is_single: bool,
    /// Logarithms of the range in which the line is looked for.
    from: f64,
    to: f64,
    places: Lines,
    /// The dispersion as a multiple of what theory expects.
    dispersion: f64,
    trials: Vec<Known>,
    settled: Settled,
    /// Whether `lines` and `likeliest` are up to date with `trials`.
    is_weighed: bool,
    /// Probability of each line.
    lines: Places,
    likeliest: Cell,
}

/// The rates at which the line may be, and the slope that theory expects at each.
#[derive(Clone, Debug)]
struct Lines {
    rates: Places,
    slopes: Places,
}

/// The likelihoods of a trial, and the number of slots that it had when they were computed.
#[derive(Clone, Debug)]
struct Known {
    slots: usize,
    likelihoods: Grid,
}

/// The sum of the log-likelihoods of the first `count` trials.
#[derive(Clone, Debug)]
struct Settled {
    count: usize,
    sum: Grid,
}

/// One assumption about the service.
#[derive(Clone, Copy, Debug)]
struct Cell {
    line: f64,
    slope: f64,
    base: f64,
}

impl Posterior {
    /// Nothing is known but that the line lies between `from` and `to`.
    pub fn new(criterion: usize, share: f64, theory: Theory, (from, to): (f64, f64), is_single: bool) -> Self {
        let likeliest = Cell { line: theory.line(), slope: theory.slope(theory.line()), base: 0.0 };
        let (from, to) = (from.ln(), to.ln());
        Self {
            criterion,
            share,
            theory,
            is_single,
            from,
            to,
            places: Lines::between(from, to, &theory),
            dispersion: EXPECTED * LOOKING_OFTEN,
            trials: Vec::new(),
            settled: Settled::nothing(),
            is_weighed: false,
            lines: [1.0 / LINES as f64; LINES],
            likeliest,
        }
    }

    pub fn theory(&self) -> &Theory {
        &self.theory
    }

    /// Seconds at the beginning of a trial at `rate` that do not count.
    pub fn settling(&self, rate: f64) -> f64 {
        self.theory.settling(rate)
    }

    /// The same for this trial: fewer if it is overrun, except with users, whose queue needs all of them to fill.
    fn settling_of(&self, trial: &Trial) -> f64 {
        let settling = self.settling(trial.rate);
        if self.theory.is_of_users() { settling } else { trial.shortened(settling) }
    }

    /// Counts of a trial, once its queue had time to fill.
    pub fn counts(&self, trial: &Trial) -> Counts {
        trial.counts(self.criterion, self.settling_of(trial))
    }

    /// The counts of several trials together.
    pub fn counts_of(&self, trials: &[&Trial]) -> Counts {
        let mut all = Counts::default();
        for counts in trials.iter().map(|trial| self.counts(trial)) {
            all.offered += counts.offered;
            all.beyond += counts.beyond;
            all.length += counts.length;
        }
        all
    }

    /// Takes in all trials; likelihoods of those that have no more slots than before are kept.
    pub fn learn(&mut self, trials: &[&Trial]) {
        self.is_weighed &= self.trials.len() <= trials.len();
        self.trials.truncate(trials.len());
        for (index, trial) in trials.iter().enumerate() {
            let slots = trial.seen.slots.len();
            if self.trials.get(index).is_some_and(|known| known.slots == slots) {
                continue;
            }
            let known = Known { slots, likelihoods: self.likelihoods(trial) };
            match self.trials.get_mut(index) {
                Some(place) => *place = known,
                None => self.trials.push(known),
            }
            self.is_weighed = false;
            self.settled.keep(index);
        }
        if !self.is_weighed {
            self.weigh();
        }
    }

    /// Forgets the likelihoods of all trials, so that they are computed anew.
    fn forget(&mut self) {
        self.trials.clear();
        self.settled.keep(0);
        self.is_weighed = false;
    }

    /// After a trial: narrows the range in which the line is looked for, and measures the dispersion.
    pub fn settle(&mut self, trials: &[&Trial]) {
        if self.is_single {
            self.theory = self.theory.with_arrivals(dispersion_of_arrivals(trials));
        }
        self.learn(trials);
        for _ in 0..LOOKS_MOST {
            let dispersion = self.measured_dispersion(trials);
            let has_other = (dispersion / self.dispersion).ln().abs() > 0.05;
            if has_other {
                self.dispersion = dispersion;
            }
            if !self.look_closer() && !has_other {
                break;
            }
            self.forget();
            self.learn(trials);
        }
    }

    /// The load in a part of a trial: its users, or the requests per second that came, by chance not quite as wanted.
    fn load_of(&self, trial: &Trial, part: &Counts) -> f64 {
        if self.theory.is_of_users() || !self.is_single { trial.rate } else { part.offered / part.length }
    }

    fn share_at(&self, rate: f64, cell: Cell) -> f64 {
        let bursts = (cell.slope * (rate / cell.line - 1.0)).min(50.0).exp();
        (self.share * (1.0 - cell.base) * bursts).min(GREATEST_SHARE)
    }

    /// The factor itself, but less for the flattest slope of failures. These may rise slowly: with room for 20 requests
    /// eight times as fast as the rate (Erlang B), and with less room even slower.
    fn slope_factor(&self, factor: f64) -> f64 {
        let is_least_of_failures = !self.theory.has_limit() && factor <= SLOPES[0].0;
        if is_least_of_failures { LEAST_SLOPE_OF_FAILURES } else { factor }
    }

    fn likelihoods(&self, trial: &Trial) -> Grid {
        let counts = self.counts(trial);
        let mut grid = Grid::flat();
        if counts.offered == 0.0 {
            return grid;
        }
        let rate = self.load_of(trial, &counts);
        let bases = BASES.map(|(base, _)| Base::new(counts.offered * self.share * base, &counts));
        let means = self.means(rate, counts.offered);
        let dispersion = self.theory.dispersion(rate);
        let dispersions: Places =
            array::from_fn(|line| dispersion.min(BEYOND * self.theory.dispersion(self.places.rates[line])));
        let bursts = SPREADS.map(|(spread, _)| Bursts::new(&dispersions.map(|it| spread * self.dispersion * it)));
        for (cells, other) in grid.by_other_mut().iter_mut().zip(Other::all()) {
            let means = &means[other.slope][other.base];
            bases[other.base].write_ln_likelihoods(&bursts[other.spread], means, cells);
        }
        // A queue needs time to build: a short trial with few late responses says less than it seems.
        let is_bent = !self.theory.has_limit() && counts.share() >= BENDS;
        let full = FULL_WEIGHT * self.theory.relaxation(trial.rate);
        let weight = if is_bent { 0.0 } else { counts.length / full };
        if weight < 1.0 {
            let (_, _, best) = grid.likeliest();
            for (cells, other) in grid.by_other_mut().iter_mut().zip(Other::all()) {
                let base = bases[other.base].mean();
                for (cell, mean) in cells.iter_mut().zip(means[other.slope][other.base].values()) {
                    let is_few = mean + base > counts.beyond;
                    *cell = if is_few { best + weight * (*cell - best) } else { *cell };
                }
            }
        }
        grid
    }

    /// The mean number of requests beyond the limit in bursts, out of those `offered`, by slope and base.
    fn means(&self, rate: f64, offered: f64) -> Vec<[Means; BASES.len()]> {
        let most = (offered * GREATEST_SHARE).ln();
        let ln_allowed = BASES.map(|(base, _)| (offered * self.share * (1.0 - base)).ln());
        let rises: Places = array::from_fn(|line| self.places.slopes[line] * (rate / self.places.rates[line] - 1.0));
        let of_slope = |(factor, _)| {
            let factor = self.slope_factor(factor);
            ln_allowed.map(|ln_allowed| Means::of_ln(rises.map(|rise| (ln_allowed + factor * rise).min(most))))
        };
        SLOPES.into_iter().map(of_slope).collect()
    }

    fn weigh(&mut self) {
        let sum = self.settled.with_last(&self.trials);
        let (line, other, greatest) = sum.likeliest();
        self.lines = sum.of_lines(greatest);
        self.likeliest = Cell {
            line: self.places.rates[line],
            slope: self.slope_factor(SLOPES[other.slope].0) * self.places.slopes[line],
            base: BASES[other.base].0,
        };
        self.is_weighed = true;
    }

    /// The length of the windows in which the dispersion of a trial at `rate` is measured.
    fn window(&self, rate: f64) -> f64 {
        let least = if self.theory.is_memory_short() { 0.0 } else { WINDOW_LEAST };
        (WINDOW * self.theory.relaxation(rate)).max(least)
    }

    /// The dispersion as a multiple of what theory expects, measured in windows of all trials below the line or near
    /// it, around the means of the likeliest cell.
    fn measured_dispersion(&self, trials: &[&Trial]) -> f64 {
        let cell = self.likeliest;
        let (mut squares, mut expected, mut windows) = (0.0, 0.0, 0.0);
        for trial in trials.iter().filter(|trial| trial.rate < cell.line * NEAR) {
            let length = self.window(trial.rate);
            let unit = self.theory.dispersion(trial.rate.min(cell.line)) * WINDOW_SHOWS;
            for window in trial.windows(self.criterion, self.settling_of(trial), length) {
                let share = self.share_at(self.load_of(trial, &window), cell) + self.share * cell.base;
                let mean = window.offered * share;
                squares += (window.beyond - mean).powi(2);
                expected += mean * unit;
                windows += 1.0;
            }
        }
        if windows == 0.0 || expected == 0.0 {
            return EXPECTED * LOOKING_OFTEN;
        }
        let prior = EXPECTED_WEIGHT * expected / windows;
        let measured = (squares + prior * EXPECTED) / (expected + prior);
        let least = match self.theory.is_memory_short() {
            true => (BOUNDS.0 * MANY_WINDOWS / windows).clamp(LEAST_IF_SHORT, BOUNDS.0),
            false => BOUNDS.0,
        };
        measured.clamp(least, BOUNDS.1) * LOOKING_OFTEN
    }

    /// See [`drift::turned_slower`].
    pub fn turned_slower(&self) -> (f64, usize) {
        let trials: Vec<&Grid> = self.trials.iter().map(|known| &known.likelihoods).collect();
        drift::turned_slower(&trials)
    }

    /// The dispersion of requests beyond the limit at `rate`; none where no queue is steady.
    pub fn dispersion_at(&self, rate: f64) -> Option<f64> {
        let most = BEYOND * self.theory.dispersion(self.likeliest.line);
        self.theory.is_steady_at(rate).then(|| self.dispersion * self.theory.dispersion(rate).min(most))
    }

    /// Narrows the range to where the line may be, once that is a small part of it; whether it did.
    fn look_closer(&mut self) -> bool {
        let possible = |&probability: &f64| probability > 1e-7;
        let Some(first) = self.lines.iter().position(possible) else { return false };
        let last = self.lines.iter().rposition(possible).unwrap_or(first);
        let count = last - first + 1;
        if count > LINES / 3 {
            return false;
        }
        let step = (self.to - self.from) / LINES as f64;
        let room = (count as f64 * 0.5).max(2.0) * step;
        let (from, to) = (self.from + first as f64 * step - room, self.from + (last + 1) as f64 * step + room);
        (self.from, self.to) = (from.max(self.from), to.min(self.to));
        self.places = Lines::between(self.from, self.to, &self.theory);
        true
    }

    /// The probability that the line is below `rate`.
    pub fn below(&self, rate: f64) -> f64 {
        let place = (rate.ln() - self.from) / (self.to - self.from) * LINES as f64;
        let whole = (place.floor().max(0.0) as usize).min(LINES);
        let sum: f64 = self.lines[..whole].iter().sum();
        let part = if whole < LINES { self.lines[whole] * (place - whole as f64).clamp(0.0, 1.0) } else { 0.0 };
        (sum + part).min(1.0)
    }

    /// The lowest and the highest rate that the line may have.
    pub fn range(&self) -> (f64, f64) {
        (self.from.exp(), self.to.exp())
    }
}

impl Lines {
    /// Rates between these logarithms, evenly spaced by them.
    fn between(from: f64, to: f64, theory: &Theory) -> Self {
        let step = (to - from) / LINES as f64;
        let rates: Places = array::from_fn(|index| (from + (index as f64 + 0.5) * step).exp());
        Self { rates, slopes: rates.map(|rate| theory.slope(rate)) }
    }
}

impl Settled {
    fn nothing() -> Self {
        Self { count: 0, sum: Grid::flat() }
    }

    /// Keeps the sum if it is of no more than the first `count` trials, the only ones that are unchanged.
    fn keep(&mut self, count: usize) {
        if count < self.count {
            *self = Self::nothing();
        }
    }

    /// The sum of all trials. That of the last is not kept, since it may go on.
    fn with_last(&mut self, trials: &[Known]) -> Grid {
        self.keep(trials.len());
        let before_last = trials.len().saturating_sub(1);
        for known in &trials[self.count.min(before_last)..before_last] {
            self.sum.add(&known.likelihoods);
            self.count += 1;
        }
        let mut sum = self.sum.clone();
        trials[self.count..].iter().for_each(|known| sum.add(&known.likelihoods));
        sum
    }
}
